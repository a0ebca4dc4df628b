"""For any valid parameters, predictions are numbers, files are read back, and streamed fits are equal.

A hundred models per 25 of `IMBCORE_EXPORTS`, of which `make fuzz` uses a thousand.
"""

import os
import pickle
import re

import numpy as np
import pandas as pd
import pytest

import imbcore
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

pytestmark = [pytest.mark.filterwarnings("ignore::imbcore.DataWarning"), pytest.mark.hypothesis]

BATCH = 100
N_BATCHES = int(os.environ.get("IMBCORE_EXPORTS", 25)) // 25
SEED = int(os.environ.get("IMBCORE_EXPORTS_SEED", 0))
METHODS = [method for method in imbcore.methods() if method.name != "metacost"]
WHOLE, SHARES = [0, 1, 2, 3, 5, 20], [0.0, 0.05, 0.3, 0.5, 0.9, 1.0, 7.5]
MEMBERS = ["cart", "hddt", "c45", "boosted_trees", "optimal_tree", "prim", "fast_boxes", "naive_bayes", "tan"]
# Parameters that make fits slow are fixed. None keeps the default: a time limit makes models irreproducible.
QUICK = {
    "n_estimators": 3,
    "n_rounds": 4,
    "n_rounds_per_subset": 2,
    "n_init": 2,
    "n_boxes": 1,
    "max_candidates": 8,
    "grid_cv": 2,
    "grid": [0.3, 0.7],
    "time_limit": None,
    "formulation": "columns",
    "estimator_params": None,
    "sampler_params": None,
}


def random_value(parameter, rng):
    """A value of the type that a parameter states; its domain may still reject it."""
    values = re.findall(r'"([^"]*)"', parameter.type)
    values += [None] if "None" in parameter.type else []
    values += [True, False] if "bool" in parameter.type else []
    values += WHOLE if re.search(r"\bint\b", parameter.type) else []
    values += SHARES if "float" in parameter.type else []
    values += MEMBERS if parameter.type == "MethodName" else []
    return values[rng.integers(len(values))] if values else parameter.default


def table(rng):
    """Few rows of numbers of any size, counts, constants and levels, some missing; two or three classes."""
    n = int(rng.integers(12, 120))
    kinds = [
        lambda: rng.normal(size=n),
        lambda: rng.normal(size=n) * 10.0 ** rng.integers(-12, 13),
        lambda: rng.integers(0, 4, n).astype(float),
        lambda: np.full(n, 3.0),
        lambda: rng.choice(list("abcd"), n).astype(object),
    ]
    frame = pd.DataFrame({f"c{at}": kinds[rng.integers(5)]() for at in range(rng.integers(1, 5))})
    ranks = sum(frame[name].rank() / n for name in frame)
    gaps = rng.random(frame.shape) < rng.choice([0.0, 0.15])
    rare = np.quantile(ranks, [0.8, 0.93][: rng.integers(1, 3)])
    y = np.digitize(ranks + 0.3 * rng.normal(size=n), rare)
    y[: 2 * len(rare) + 2] = np.tile(np.arange(len(rare) + 1), 2)
    return frame.mask(gaps), y


def fit_source(folder, frame, y, rng, method, given, params):
    """The model of the same rows from a file read in batches; None if the fit is rejected."""
    rows = frame.assign(target=y)
    if "sample_weight" in given:
        rows["weight"], given = given["sample_weight"], given | {"sample_weight": "weight"}
    path = folder / "rows.parquet"
    rows.to_parquet(path, row_group_size=int(rng.integers(3, 60)))
    batch_size = int(rng.integers(1, 90))
    try:
        return imbcore.fit(path, "target", method, random_state=1, batch_size=batch_size, **given, **params)
    except (DataError, ParameterError, UnsupportedError):
        return None


def check(number, folder):
    """Return whether model ``number`` was fitted, and not rejected."""
    rng = np.random.default_rng([SEED, number])
    frame, y = table(rng)
    method = METHODS[number % len(METHODS)]
    n = len(method.parameters)
    names = {parameter.name for parameter in method.parameters}
    params = {
        p.name: random_value(p, rng) for p in method.parameters if rng.random() < min(0.5, 3 / max(n, 1))
    }
    params = {name: value for name, value in params.items() if name not in QUICK}
    params |= {name: value for name, value in QUICK.items() if name in names and value is not None}
    if method.name == "optimal_tree":
        params.pop("max_depth", None)
    # Options of all methods.
    given = {"class_weight": "balanced"} if rng.random() < 0.2 else {}
    given |= {"sample_weight": rng.choice([0.5, 1.0, 3.0], len(y))} if rng.random() < 0.2 else {}
    what = f"model {number} of seed {SEED}: {method.name}, {params}, {sorted(given)}"
    try:
        model = imbcore.fit(frame, y, method.name, random_state=1, **given, **params)
        proba = model.predict_proba(frame)
    except (DataError, ParameterError, UnsupportedError):
        return False
    assert np.isfinite(proba).all(), what
    assert abs(proba.sum(axis=1) - 1.0).max() < 1e-9, what
    assert proba.min() >= 0.0, what
    back = pickle.loads(pickle.dumps(model))
    assert back.to_bytes() == model.to_bytes(), what
    np.testing.assert_array_equal(back.predict_proba(frame), proba, err_msg=what)
    some = rng.permutation(len(y))[:7]
    np.testing.assert_array_equal(model.predict_proba(frame.iloc[some]), proba[some], err_msg=what)
    again = imbcore.fit(frame, y, method.name, random_state=1, n_threads=1, **given, **params)
    assert again.to_bytes() == model.to_bytes(), what
    streamed = fit_source(folder, frame, y, rng, method.name, given, params)
    # A table in memory stores its values besides the bins, and records it.
    if streamed is not None and streamed.params == model.params:
        assert streamed.to_bytes() == model.to_bytes(), what
    return True


@pytest.mark.parametrize("batch", range(N_BATCHES))
def test_any_parameters(batch, tmp_path):
    fitted = sum(check(batch * BATCH + number, tmp_path) for number in range(BATCH))
    assert fitted > BATCH / 3, f"only {fitted} of {BATCH} models were fitted"
