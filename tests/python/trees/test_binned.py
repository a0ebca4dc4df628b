"""``max_bins`` through the Python API."""

import numpy as np
import pandas as pd
import pytest
from public_classes import CLASSES

import imbcore
from imbcore.exceptions import DataError, ParameterError

RNG = np.random.default_rng(0)
COUNTS = RNG.integers(0, 200, (3000, 4)).astype(float)
LABELS = (COUNTS[:, 0] + COUNTS[:, 1] + RNG.normal(scale=20, size=3000) > 320).astype(int)


# SVR-Trees place cuts in a cube, and random cuts are not between bins.
BINNED = [
    found
    for found in CLASSES
    if "max_bins" in (params := found().get_params()) and params.get("splitter") != "random"
]


@pytest.mark.parametrize("estimator_class", BINNED)
def test_one_bin_per_value_gives_the_exact_tree(estimator_class):
    few = {"n_estimators": 5} if "n_estimators" in estimator_class().get_params() else {}
    exact = estimator_class(random_state=0, **few).fit(COUNTS, LABELS)
    binned = estimator_class(random_state=0, max_bins=255, **few).fit(COUNTS, LABELS)
    assert np.array_equal(exact.predict_proba(COUNTS), binned.predict_proba(COUNTS))
    # A rule list has no tree.
    if hasattr(exact, "feature_importances_"):
        assert np.array_equal(exact.feature_importances_, binned.feature_importances_)


class TestAuto:
    SMOOTH = RNG.normal(size=(3000, 4))

    @pytest.mark.parametrize("method", ["cart", "hddt", "alpha_tree", "random_forest"])
    def test_uses_bins_if_they_lose_nothing(self, method):
        few = {"n_estimators": 5} if method == "random_forest" else {}
        for X, bins in ((COUNTS, 255), (self.SMOOTH, None)):
            auto = imbcore.fit(X, LABELS, method=method, max_bins="auto", random_state=0, **few)
            exact = imbcore.fit(X, LABELS, method=method, random_state=0, **few)
            assert auto.params["max_bins"] == bins
            assert np.array_equal(auto.predict_proba(X), exact.predict_proba(X))

    def test_uses_bins_for_many_rows(self):
        X = RNG.normal(size=(100_000, 2))
        y = X[:, 0] + RNG.normal(size=100_000) > 2
        for rows, bins in ((100_000, 255), (99_999, None)):
            model = imbcore.fit(X[:rows], y[:rows], method="cart", max_depth=2, max_bins="auto")
            assert model.params["max_bins"] == bins

    def test_uses_no_bins_if_unsupported(self):
        for given in ({"missing": "fraction"}, {"splitter": "random"}, {"splitter": {"per_node": 3}}):
            model = imbcore.fit(COUNTS, LABELS, method="cart", max_bins="auto", max_depth=2, **given)
            assert model.params["max_bins"] is None


def test_small_nodes_use_exact_values():
    X = RNG.normal(size=(1024, 3))
    y = X[:, 0] + RNG.normal(size=1024) > 2
    fits = [
        {},
        {"max_bins": 2},
        {"max_bins": 2, "exact_split_max_rows": 1023},
        {"max_bins": 2, "exact_split_max_rows": 0},
    ]
    exact, auto, root, bins = (imbcore.fit(X, y, "cart", max_leaf_nodes=4, **given) for given in fits)
    assert [model.params["exact_split_max_rows"] for model in (exact, auto, root, bins)] == [
        "auto",
        1024,
        1023,
        0,
    ]
    assert np.array_equal(exact.predict_proba(X), auto.predict_proba(X))
    assert not np.array_equal(root.predict_proba(X), bins.predict_proba(X))
    assert root.export_text().splitlines()[0] == bins.export_text().splitlines()[0]
    with pytest.raises(ParameterError, match=r"exact_split_max_rows.*at least 0"):
        imbcore.fit(X, y, "cart", max_bins=9, exact_split_max_rows=-1)


def test_levels_and_missing_values_are_binned():
    table = pd.DataFrame({"count": COUNTS[:, 0], "level": pd.Categorical(COUNTS[:, 1] % 7)})
    table.loc[::11, "count"] = np.nan
    table.loc[::13, "level"] = np.nan
    exact, binned = (imbcore.fit(table, LABELS, method="hddt", max_bins=bins) for bins in (None, 255))
    assert np.array_equal(exact.predict_proba(table), binned.predict_proba(table))


def test_few_bins_are_coarser_and_still_predict():
    tree = imbcore.fit(COUNTS, LABELS, method="cart", max_bins=4, max_depth=3)
    assert (tree.predict(COUNTS) == LABELS).mean() > 0.9


@pytest.mark.parametrize("wrong", [0, 1, 256, "many", 2.5])
def test_invalid_numbers_are_rejected(wrong):
    with pytest.raises(ParameterError, match=r"max_bins.*2 to 255"):
        imbcore.fit(COUNTS, LABELS, method="cart", max_bins=wrong)


def test_fractional_rows_are_rejected_with_the_remedy():
    holes = COUNTS.copy()
    holes[5, 2] = np.nan
    with pytest.raises(DataError, match=r"direction"):
        imbcore.fit(holes, LABELS, method="c44", max_bins=255)
    imbcore.fit(holes, LABELS, method="c44", max_bins=255, missing="direction")
