"""Adaptation of the default forest to the strength of the signal.

Kind: the default forest must not predict worse than the class prior, whatever the strength of the signal, the
weights, the groups and the times of the rows, and it must state that it found no signal.
"""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import imbcore
from imbcore import DataWarning, ForestClassifier, ParameterError

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


def table(seed: int, n: int, slope: float, start: float = -3.0) -> tuple[Floats, Codes]:
    """Rows of two classes; the larger ``slope``, the stronger the signal."""
    r = np.random.default_rng(seed)
    X = r.normal(size=(n, 6))
    z = start + slope * (X[:, 0] + 0.7 * X[:, 1] * X[:, 2])
    return X, (r.random(n) < 1 / (1 + np.exp(-z))).astype(np.int64)


def relative_loss(model: Any, X: Floats, y: Codes, train: Codes) -> float:
    """Log loss divided by that of the class proportions of the training rows."""
    p = np.clip(model.predict_proba(X)[:, 1], 1e-15, 1 - 1e-15)
    q = train.mean()
    loss = -np.mean(np.where(y == 1, np.log(p), np.log1p(-p)))
    return float(loss / -np.mean(np.where(y == 1, np.log(q), np.log1p(-q))))


@pytest.mark.parametrize(
    ("slope", "limit", "before"), [(0.0, 1.005, 1.05), (0.4, 1.0, 1.05), (6.0, 0.45, 0.0)]
)
def test_log_loss_is_not_worse_than_that_of_the_prior(slope: float, limit: float, before: float) -> None:
    found, fixed = [], []
    for seed in range(2):
        X, y = table(seed, 4000, slope)
        train, test = (X[:1000], y[:1000]), (X[1000:], y[1000:])
        adaptive = imbcore.fit(*train, positive=1, random_state=seed)
        found.append(relative_loss(adaptive, *test, train[1]))
        leaves = imbcore.fit(*train, positive=1, random_state=seed, min_samples_leaf=2)
        fixed.append(relative_loss(leaves, *test, train[1]))
    assert np.mean(found) <= limit
    # The same trees without shrinkage are worse than the prior if the signal is weak.
    assert np.mean(fixed) > before


def test_a_strong_signal_is_hardly_shrunk() -> None:
    X, y = table(0, 500, 12.0)
    weak = imbcore.fit(*table(0, 500, 0.3), positive=1, random_state=0)
    strong = imbcore.fit(X, y, positive=1, random_state=0)
    assert strong.shrinkage_["amount"] < weak.shrinkage_["amount"]
    assert strong.shrinkage_["log_loss"] < strong.shrinkage_["prior_log_loss"]


def test_a_fit_without_signal_gives_a_warning() -> None:
    X, y = table(5, 600, 0.0)
    with pytest.warns(DataWarning, match="no signal was found: the log loss on held-out rows"):
        model = imbcore.fit(X, y, positive=1, random_state=0)
    assert model.shrinkage_["beats_prior"] is False
    assert model.shrinkage_["n_rows"] == 600
    assert np.ptp(model.predict_proba(X)[:, 1]) < 0.1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        imbcore.fit(X, y, positive=1, random_state=0, min_samples_leaf=2)
        imbcore.fit(*table(5, 600, 8.0), positive=1, random_state=0)


def test_groups_and_times_are_held_out_together() -> None:
    """Rows of a group with one label are no evidence for other groups."""
    r = np.random.default_rng(0)
    group = np.repeat(np.arange(100), 8)
    base, label = r.normal(size=(100, 4)), (r.random(100) < 0.3).astype(int)
    X, y = base[group] + 0.01 * r.normal(size=(800, 4)), label[group]
    apart = imbcore.fit(X, y, positive=1, random_state=0)
    assert apart.shrinkage_["beats_prior"]
    assert apart.shrinkage_["log_loss"] < 0.1
    whole = imbcore.fit(X, y, positive=1, random_state=0, groups=group)
    assert not whole.shrinkage_["beats_prior"]
    assert whole.shrinkage_["n_rows"] == 800
    # The meaning of the columns is reversed with time: earlier rows are no evidence for later rows.
    time = np.arange(800.0)
    Z = X.copy()
    Z[:, 0] = np.where(y == 1, 1.0, -1.0) * np.where(time % 534 < 267, 1.0, -1.0)
    forward = imbcore.fit(Z[:, :1], y, positive=1, random_state=0, time=time)
    assert not forward.shrinkage_["beats_prior"]
    assert forward.shrinkage_["n_rows"] < 800


def test_files_and_members_use_the_shrunk_leaves() -> None:
    X, y = table(2, 500, 1.0)
    estimator = ForestClassifier(n_estimators=12, random_state=0).fit(X, y)
    model = estimator.model_
    assert estimator.shrinkage_ == model.shrinkage_
    assert model.shrinkage_["amount"] > 0
    again = pickle.loads(pickle.dumps(model))
    assert again.shrinkage_ == model.shrinkage_
    proba = model.predict_proba(X)
    np.testing.assert_array_equal(again.predict_proba(X), proba)
    members = np.mean([tree.predict_proba(X) for tree in model.estimators_], axis=0)
    np.testing.assert_allclose(members, proba, atol=1e-12)
    assert model.estimators_[0].params["min_samples_leaf"] == 2
    # The mean probability is the proportion of the class.
    np.testing.assert_allclose(proba.mean(axis=0), [1 - y.mean(), y.mean()], atol=1e-9)


def test_multiplied_weights_and_renamed_classes_do_not_change_the_choice() -> None:
    X, y = table(3, 400, 1.5)
    weights = np.random.default_rng(0).integers(1, 5, 400).astype(float)
    one = ForestClassifier(n_estimators=9, random_state=0).fit(X, y, sample_weight=weights)
    other = ForestClassifier(n_estimators=9, random_state=0).fit(X, y, sample_weight=4 * weights)
    assert one.shrinkage_ == other.shrinkage_
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
    renamed = ForestClassifier(n_estimators=9, random_state=0).fit(
        X, np.where(y == 1, "a", "b"), sample_weight=weights
    )
    assert renamed.shrinkage_ == one.shrinkage_


def test_warm_start_and_threads_give_the_same_trees() -> None:
    X, y = table(4, 400, 1.5)
    grown = ForestClassifier(n_estimators=5, random_state=0, warm_start=True, n_threads=1).fit(X, y)
    grown.set_params(n_estimators=15).fit(X, y)
    fresh = ForestClassifier(n_estimators=15, random_state=0, n_threads=2).fit(X, y)
    assert grown.model_.to_bytes() == fresh.model_.to_bytes()


@pytest.mark.parametrize(
    ("name", "value"),
    [("min_samples_leaf", 0), ("min_samples_leaf", "large"), ("hierarchical_shrinkage", -1.0)],
)
def test_bad_values_name_the_parameter(name: str, value: Any) -> None:
    with pytest.raises(ParameterError, match=name):
        imbcore.fit(*table(0, 50, 1.0), **{name: value})


@pytest.mark.parametrize("n", [4, 5, 8, 12])
def test_tables_of_few_rows(n: int) -> None:
    """Two folds need two rows of each of two classes."""
    X = np.arange(n, dtype=float)[:, None]
    y = (np.arange(n) >= n - n // 4).astype(int)
    model = imbcore.fit(X, y, random_state=0)
    assert (model.shrinkage_ is not None) == (n // 4 >= 2)
    assert np.isfinite(model.predict_proba(X)).all()
