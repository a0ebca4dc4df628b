"""Predictions of models in other runtimes: ONNX Runtime, and JPMML in a separate Java process."""

import pickle
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest


def onnx_answers(model, features, frame):
    """Labels and probabilities of rows, by ONNX Runtime."""
    return onnx_session_answers(model, features, [frame])[0]


def onnx_session_answers(model, features, frames):
    """Labels and probabilities of the rows of each frame, by one session of ONNX Runtime."""
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    # It warns about constants that no row needs.
    options.log_severity_level = 3
    session = runtime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return [session.run(["label", "probabilities"], onnx_inputs(features, frame)) for frame in frames]


def onnx_inputs(features, frame):
    """Rows as inputs of the graph; missing text is a text that is not a level."""
    if all(feature["kind"] == "numeric" for feature in features):
        return {"X": frame.to_numpy(dtype=float)}
    inputs = {}
    for feature in features:
        column = frame[feature["name"]].to_numpy(dtype=object)
        if feature["kind"] == "nominal" and all(isinstance(level, str) for level in feature["levels"]):
            text = ["\x01" if value is None or value != value else value for value in column]
            inputs[feature["name"]] = np.array(text, dtype=object)[:, None]
        else:
            inputs[feature["name"]] = column.astype(float)[:, None]
    return inputs


def pmml_answers(folder, models, frames):
    """Labels and probabilities of rows for each model, by JPMML; Java runs in a separate process."""
    pytest.importorskip("jpmml_evaluator", reason="jpmml-evaluator is not installed")
    pytest.importorskip("jpype", reason="jpype1 is not installed")
    if not shutil.which("java"):
        pytest.skip("there is no Java; install the package default-jre-headless")
    tasks = []
    for at, (model, frame) in enumerate(zip(models, frames, strict=True)):
        path = folder / f"m{at}.pmml"
        model.to_pmml(path)
        numbers = [name for name in frame if frame[name].dtype.kind in "fib"]
        rows = frame.astype(dict.fromkeys(numbers, float)).astype(object)
        tasks.append(
            (str(path), rows.where(frame.notna(), None), [f"probability({c})" for c in model.classes_])
        )
    given, found = folder / "rows.pickle", folder / "answers.pickle"
    given.write_bytes(pickle.dumps(tasks))
    command = [sys.executable, "-W", "ignore", __file__, str(given), str(found)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=110)
    assert done.returncode == 0, done.stderr[-3000:]
    return pickle.loads(found.read_bytes())


def pmml_schema():
    """The schema of PMML 4.4, which JPMML brings."""
    jpmml = pytest.importorskip("jpmml_evaluator", reason="jpmml-evaluator is not installed")
    etree = pytest.importorskip("lxml.etree", reason="lxml is not installed")
    jar = next(Path(jpmml.__file__).parent.glob("dependencies/pmml-model-[0-9]*.jar"))
    with zipfile.ZipFile(jar) as archive:
        return etree.XMLSchema(etree.fromstring(archive.read("pmml.xsd")))


def main(given, found):
    from jpmml_evaluator import make_evaluator
    from jpmml_evaluator.jpype import JPypeBackend

    backend = JPypeBackend()
    answers = []
    for path, frame, names in pickle.loads(Path(given).read_bytes()):
        evaluated = make_evaluator(path, backend=backend).verify().evaluateAll(frame)
        if "errors" in evaluated:
            raise SystemExit(f"{path}: {evaluated['errors'].dropna().tolist()[:3]}")
        answers.append((evaluated["label"].tolist(), evaluated[names].to_numpy(dtype=float)))
    Path(found).write_bytes(pickle.dumps(answers))


if __name__ == "__main__":
    main(*sys.argv[1:])
