"""Bayesian classifiers with columns of many levels.

Kind: estimates from fewer rows than parameters that are used as if they were exact, without a warning.
"""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss

import imbcore
from imbcore.exceptions import DataWarning

METHODS = ["tan", "kdb", "aode", "naive_bayes", "full_bayes"]
RARE_LEVELS = "column 'shop' has"


def shops(seed, n_rows=20_000, n_levels=1000, effect=1.0):
    """Rows of three numbers and a shop with an effect of its own, labels, and true probabilities."""
    rng = np.random.default_rng(seed)
    shop, x = rng.integers(0, n_levels, n_rows), rng.normal(size=(n_rows, 3))
    p = 1 / (1 + np.exp(4 - x[:, 0] - rng.normal(0, effect, n_levels)[shop]))
    frame = pd.DataFrame(x, columns=list("abc"))
    frame["shop"] = [f"s{code:04d}" for code in shop]
    frame["kind"] = [f"k{code}" for code in rng.integers(0, 5, n_rows)]
    return frame, (rng.random(n_rows) < p).astype(int), p


def relative_loss(model, X, y, prior):
    """Log loss relative to that of the training prior."""
    return log_loss(y, model.predict_proba(X)[:, 1]) / log_loss(y, np.full(len(y), prior))


@pytest.mark.filterwarnings(
    f"ignore:{RARE_LEVELS}", "ignore:column 'shop' has 1? ?value", "ignore:.*not seen during fit"
)
@pytest.mark.parametrize("method", METHODS)
def test_a_column_of_many_levels_does_not_make_predictions_worse_than_the_prior(method):
    for seed, n_levels in ((0, 1000), (1, 1000), (2, 4000), (3, 150)):
        X, y, _ = shops(seed, n_levels=n_levels)
        half = len(y) // 2
        with_shop, without = (
            relative_loss(
                imbcore.fit(columns[:half], y[:half], method), columns[half:], y[half:], y[:half].mean()
            )
            for columns in (X, X.drop(columns="shop"))
        )
        assert with_shop <= 0.95, (seed, with_shop)
        assert with_shop <= 1.01 * without, (seed, with_shop, without)


@pytest.mark.filterwarnings(f"ignore:{RARE_LEVELS}", "ignore:.*not seen during fit")
@pytest.mark.parametrize("method", METHODS)
def test_levels_without_effect_are_harmless(method):
    X, y, _ = shops(5, n_rows=8000, effect=0.0)
    found = imbcore.fit(X[:4000], y[:4000], method)
    assert relative_loss(found, X[4000:], y[4000:], y[:4000].mean()) < 1.0


def test_sparse_columns_are_reported_and_others_are_not():
    X, y, _ = shops(0, n_rows=4000)
    for method in METHODS:
        with pytest.warns(DataWarning, match=r"column 'shop' has \d+ levels, .*smoothed"):
            imbcore.fit(X, y, method)
    with pytest.warns(DataWarning, match="probabilities are unreliable; set smooth_levels=True"):
        imbcore.fit(X, y, "tan", smooth_levels=False)
    imbcore.fit(X.drop(columns="shop"), y, "tan")


def test_models_without_sparse_columns_are_the_published_ones():
    X, y, _ = shops(0, n_rows=4000, n_levels=15)
    for method in METHODS:
        corrected, published = (
            imbcore.fit(X, y, method, smooth_levels=choice).predict_proba(X) for choice in (True, False)
        )
        np.testing.assert_array_equal(corrected, published)


@pytest.mark.filterwarnings(f"ignore:{RARE_LEVELS}")
def test_published_estimates_remain_available():
    """The published estimate of a level is its count in the class plus the weight of the prior."""
    X, y, _ = shops(1, n_rows=4000, n_levels=200)
    X = X[["shop"]]
    found = imbcore.fit(X, y, "naive_bayes", smooth_levels=False)
    counts = pd.crosstab(X["shop"], y).to_numpy() + 1 / (2 * 200)
    odds = counts[:, 1] / counts[:, 1].sum() / (counts[:, 0] / counts[:, 0].sum())
    prior = (np.bincount(y) + 0.5) / (len(y) + 1)
    wanted = odds * prior[1] / prior[0]
    levels = pd.DataFrame({"shop": np.unique(X["shop"])})
    proba = found.predict_proba(levels)
    np.testing.assert_allclose(proba[:, 1] / proba[:, 0], wanted, rtol=1e-9)
