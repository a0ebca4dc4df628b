"""Tables in row order, column order, with gaps in memory and in half precision: one model, byte for byte."""

import numpy as np
import pandas as pd
import pytest
from alike import first
from public_classes import CLASSES

import imbcore

RNG = np.random.default_rng(11)
# Separated columns are copied in blocks of 16,384 rows per thread: the data have more rows, and ties.
TABLE = RNG.normal(size=(20_000, 11))
TABLE[:, 3] = TABLE[:, 3].round(1)
TABLE[:, 4] = TABLE[:, 4] > 0
TABLE = TABLE.astype(np.float32).astype(float)
LABELS = (TABLE[:, 0] + TABLE[:, 3] * TABLE[:, 1] + RNG.normal(size=len(TABLE)) > 3).astype(int)
WEIGHTS = RNG.choice([0.0, 0.5, 1.7, 3.0], len(TABLE))
HOLES = np.where(RNG.random(TABLE.shape) < 0.02, np.nan, TABLE)

BINS = {"max_bins": 255}
TREES = [found for found in CLASSES if {"max_bins", "max_leaf_nodes"} & found().get_params().keys()]
GROWN = [
    ("cart", {}),
    ("cart", {"missing": "direction"}),
    ("cart", {"missing": "fraction", "max_depth": 5}),
    ("cart", {"missing": "direction", "splitter": "random"}),
    ("cart", {"missing": "direction", "splitter": {"per_node": 7}}),
    ("cart", {"missing": "direction", "max_features": 3, "min_samples_leaf": 5}),
    ("cart", {"missing": "direction", "max_bins": 255}),
    ("cart", {"missing": "direction", "max_bins": 7, "exact_split_max_rows": 0}),
    ("c45", {"max_depth": 6}),
    ("c45", {"max_depth": 6, "min_value_difference": 0.001, "threshold_placement": "data"}),
    ("c45", {"max_depth": 6, "max_bins": 255}),
    ("c45", {"subtree_raising": True, "threshold_placement": "data"}),
    ("c45", {"subtree_raising": True, "threshold_placement": "data", "max_bins": 255}),
    ("random_forest", {"n_estimators": 3, "missing": "direction"}),
    ("random_forest", {"n_estimators": 3, "missing": "direction", "max_bins": 255}),
    ("extra_trees", {"n_estimators": 3}),
    ("balanced_random_forest", {"n_estimators": 3, "missing": "direction"}),
    ("boosted_trees", {"n_rounds": 4}),
    ("svr_tree", {"max_leaf_nodes": 4}),
]


def layouts(X):
    """The same numbers in other memory layouts; the first is column-major, which needs no copy."""
    wide, long = np.full((len(X), 2 * X.shape[1]), np.inf), np.full((2 * len(X), X.shape[1]), np.inf)
    wide[:, ::2], long[::2] = X, X
    return {
        "by columns": np.asfortranarray(X),
        "by rows": np.ascontiguousarray(X),
        "every other column": wide[:, ::2],
        "every other row": long[::2],
        "float32 by rows": X.astype(np.float32),
        "float32 by columns": np.asfortranarray(X, dtype=np.float32),
        "columns of a frame": pd.DataFrame(
            {f"x{at}": X[:, at].copy() for at in range(X.shape[1])}
        ).to_numpy(),
    }


@pytest.mark.parametrize("estimator_class", TREES)
def test_memory_layout_does_not_change_the_model(estimator_class):
    X, y = TABLE[:600], LABELS[:600]
    given = estimator_class().get_params()
    ways = [{}, BINS] if "max_bins" in given and given.get("splitter") != "random" else [{}]
    for way in ways:
        small = {"n_estimators": 2} if "n_estimators" in given else {}
        models = {
            layout: estimator_class(random_state=0, n_threads=1, **way, **small)
            .fit(data, y)
            .model_.to_bytes()
            for layout, data in layouts(X).items()
        }
        assert len(set(models.values())) == 1, [
            name for name in models if models[name] != models["by columns"]
        ]


@pytest.mark.parametrize(("method", "given"), GROWN)
@pytest.mark.parametrize("weights", first(1, [WEIGHTS, None]), ids=["weighted", "plain"])
def test_large_tables_do_not_depend_on_threads(method, given, weights):
    rows = 2_000 if method == "svr_tree" else len(TABLE)
    X = (HOLES if given.get("missing") else TABLE)[:rows]
    options = {"sample_weight": None if weights is None else weights[:rows], "random_state": 0, **given}
    models = [
        imbcore.fit(data, LABELS[:rows], method, n_threads=threads, **options).to_bytes()
        for data in (np.asfortranarray(X), np.ascontiguousarray(X))
        for threads in (1, 2)
    ]
    assert len(set(models)) == 1


def test_missing_values_are_found_in_any_row():
    for row in (0, 511, 512, 16_384, len(TABLE) - 1):
        for order in "CF":
            X = np.array(TABLE, order=order)
            X[row, 9] = np.nan
            with pytest.raises(imbcore.exceptions.DataError, match=r"column 'x9'.* has missing values"):
                imbcore.fit(X, LABELS, "cart", missing="error")
