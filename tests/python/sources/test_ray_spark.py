"""Scripts for Ray and Spark of the page "Data larger than memory", if these are installed."""

import importlib.util
import os
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from children import run_script

import imbcore

PAGE = Path(__file__).resolve().parents[3] / "python" / "docs" / "larger-than-memory.md"
MONTHS = range(1, 13)


def script(words):
    """Return the only example of the page that contains a text."""
    block = re.compile(r"^```py(?:thon)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    (found,) = [text for text in block.findall(PAGE.read_text(encoding="utf-8")) if words in text]
    return found


def needs(library, *programs):
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"{library} needs {program}, which is not on the PATH")
    return pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")


def ran(text, folder):
    """Return the model that a script saves; it must equal the one of the joblib script."""
    joblib = script("import Parallel") + "\nimbcore.merge(parts).save('expected.imb')"
    # The first Python on the PATH fails, so the script must choose the Python of its workers.
    (folder / "python3").write_text("#!/bin/sh\necho another Python >&2; exit 1\n", encoding="utf-8")
    (folder / "python3").chmod(0o755)
    own = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "RAY_USAGE_STATS_ENABLED": "0"}
    own["HOME"] = str(folder)  # Ray keeps a token there
    given = {name: value for name, value in os.environ.items() if name != "PYSPARK_PYTHON"}
    for part in (script("parquet.write_table") + joblib, text):
        run_script(part, timeout=110, cwd=folder, env=given | own)
    model = imbcore.load(folder / "model.imb")
    assert model.to_bytes() == imbcore.load(folder / "expected.imb").to_bytes()
    return model


@pytest.mark.timeout(240)
def test_parts_are_fitted_and_rows_are_scored_on_ray(tmp_path):
    text = script("import ray")
    parquet = needs("ray")
    model = ran(text, tmp_path)
    for month in MONTHS:
        rows = parquet.read_table(tmp_path / f"payments-{month}.parquet").drop_columns("fraud")
        found = parquet.read_table(tmp_path / f"scores-{month}.parquet")["proba_1"]
        np.testing.assert_array_equal(found, model.predict_proba(rows)[:, 1])


@pytest.mark.timeout(240)
def test_parts_are_fitted_and_rows_are_scored_on_spark(tmp_path):
    text = script("from pyspark")
    parquet = needs("pyspark", "java")
    model = ran(text, tmp_path)
    expected = []
    for month in MONTHS:
        rows = parquet.read_table(tmp_path / f"payments-{month}.parquet")
        scores = model.predict_proba(rows.drop_columns("fraud"))[:, 1]
        expected += zip(rows["fraud"].to_pylist(), scores.tolist(), strict=True)
    table = parquet.read_table(tmp_path / "scores")
    found = zip(table["fraud"].to_pylist(), table["score"].to_pylist(), strict=True)
    # Spark reads files in any order.
    assert sorted(found) == sorted(expected)
