"""Changed numbers in a model file: the file is rejected, or its model still predicts probabilities.

No number in any array of a file leads to NaN, negative probabilities or sums other than 1.
"""

import json
import os
import re
import zlib

import numpy as np
import pandas as pd
import pytest

import imbcore

COPIES = 1000 if os.environ.get("IMBCORE_FUZZ") else 12
FLOATS = [np.nan, np.inf, -np.inf, -1.0, 0.0, 1e308, -1e308, 5e-324, 1e200, 2.0, 0.5, 1 + 1e-6, -1e-9]
WORDS = [0, 1, 2, 3, 5, 64, 0x7FFFFFFF, 0xFFFFFFFF]
TEXTS = [b"0", b"-1", b"1e308", b"-1e308", b"1e-308", b"2", b"0.5", b"1e20", b"1.5", b"null", b"3"]
SMALL = {
    "optimal_tree": {"max_depth": 2},
    "rule_list": {"n_estimators": 3, "max_candidates": 10},
    "boosted_trees": {"n_rounds": 4},
    "metacost": {"estimator": "cart", "n_estimators": 3},
    "exact_boxes": {"n_boxes": 1},
}
CALIBRATIONS = ["sigmoid", "isotonic", "beta", "venn_abers"]
# The solver of exact boxes is a separate process; its models are like those of the other box methods.
METHODS = [method for method in imbcore.methods() if method.name != "exact_boxes"]


def arrays(data):
    """The arrays of a file in order, each with its type and bytes, and the metadata."""
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    metadata = header.pop("__metadata__")
    of = sorted(header.items(), key=lambda item: item[1]["data_offsets"])
    return metadata, {
        name: (info["dtype"], data[start + info["data_offsets"][0] : start + info["data_offsets"][1]])
        for name, info in of
    }


def file_of(metadata, found):
    """The file with these arrays and a valid checksum."""
    header, body = {"__metadata__": metadata}, b""
    for name, (kind, content) in found.items():
        width = {"U8": 1, "U32": 4, "F64": 8}[kind]
        end = len(body) + len(content)
        header[name] = {
            "dtype": kind,
            "shape": [len(content) // width],
            "data_offsets": [len(body), end],
        }
        body += content
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    data = len(text).to_bytes(8, "little") + text + body
    start = 8 + len(text)
    begin, end = (start + offset for offset in header["crc32"]["data_offsets"])
    return data[:begin] + zlib.crc32(data[:begin] + data[end:]).to_bytes(4, "little") + data[end:]


def forged(kind, content, rng):
    """An array with one number, or all, replaced."""
    if kind == "U8" and content[:1] in (b"{", b"["):
        places = list(re.finditer(rb"-?\d+(\.\d+)?([eE][-+]?\d+)?", content))
        if not places:
            return content
        place = places[rng.integers(len(places))]
        return content[: place.start()] + TEXTS[rng.integers(len(TEXTS))] + content[place.end() :]
    numbers = np.frombuffer(content, {"U8": "u1", "U32": "<u4", "F64": "<f8"}[kind]).copy()
    at = slice(None) if rng.random() < 0.3 else rng.integers(len(numbers))
    if kind == "F64" and rng.random() < 0.3:
        with np.errstate(over="ignore"):
            numbers[at] *= rng.choice([-1, 2, 1e300, 1e-300, 1.001])
    else:
        values = {"U8": range(8), "U32": WORDS, "F64": FLOATS}[kind]
        numbers[at] = values[rng.integers(len(values))]
    return numbers.tobytes()


def check_forged_copies(model, rows, path, rng):
    metadata, found = arrays(model.to_bytes())
    names = [name for name, (_, content) in found.items() if content and name != "crc32"]
    path.write_bytes(file_of(metadata, found))
    assert np.array_equal(imbcore.load(path).predict_proba(rows), model.predict_proba(rows))
    harmless = 0
    for _ in range(COPIES):
        name = names[rng.integers(len(names))]
        kind, content = found[name]
        path.write_bytes(file_of(metadata, {**found, name: (kind, forged(kind, content, rng))}))
        try:
            loaded = imbcore.load(path)
            proba = loaded.predict_proba(rows)
            loaded.predict(rows)
        except (imbcore.ModelFormatError, imbcore.DataError):
            continue
        harmless += 1
        assert np.isfinite(proba).all(), name
        assert (proba >= 0).all(), name
        np.testing.assert_allclose(proba.sum(axis=1), 1, atol=1e-9, err_msg=name)
    # If every copy were rejected, no number would be tested.
    assert harmless > 0


def table(rng):
    frame = pd.DataFrame({"number": rng.normal(size=120), "level": rng.choice(list("abcd"), 120)})
    rare = (frame["number"] > 0.8) | ((frame["level"] == "c") & (rng.random(120) < 0.6))
    rows = frame.copy()
    rows.loc[0, "number"], rows.loc[1, "number"] = 1e300, -1e300
    return frame, rare, rows


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_forged_number_is_rejected_or_harmless(method, tmp_path):
    rng = np.random.default_rng(zlib.crc32(method.name.encode()))
    frame, rare, rows = table(rng)
    has_members = "n_estimators" in [parameter.name for parameter in method.parameters]
    options = SMALL.get(method.name, {"n_estimators": 3} if has_members else {})
    ways = [{}, {"cost_matrix": [[0, 1], [5, 0]]}, {"threshold": 0.3}]
    # MetaCost needs costs.
    decision = ways[1 if method.name == "metacost" else int(rng.integers(len(ways)))]
    model = imbcore.fit(frame, rare, method.name, random_state=0, n_threads=1, **options, **decision)
    check_forged_copies(model, rows, tmp_path / "forged.imb", rng)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", ["cart", "fast_boxes", "naive_bayes", "random_forest"])
@pytest.mark.parametrize("calibrate", CALIBRATIONS)
@pytest.mark.parametrize("threshold", [None, "f1"])
def test_forged_number_of_a_calibrated_model(method, calibrate, threshold, tmp_path):
    rng = np.random.default_rng(zlib.crc32(f"{method} {calibrate} {threshold}".encode()))
    frame, rare, rows = table(rng)
    options = {"n_estimators": 3} if method == "random_forest" else {}
    if threshold is not None:
        options["threshold"] = threshold
    model = imbcore.fit(frame, rare, method, random_state=0, n_threads=1, calibrate=calibrate, **options)
    check_forged_copies(model, rows, tmp_path / "forged.imb", rng)
