"""A fit whose held-out rows show no signal gives one warning.

Kind: every fit that evaluates itself on held-out rows compares their log loss with that of the class prior,
over groups if rows have groups, and warns with the same text if it is not better by one standard error.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import imbcore
from imbcore import DataWarning

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
TEXT = "no signal was found: the log loss on held-out rows is less than one standard error better"

FITS: dict[str, dict[str, Any]] = {
    "forest": {"method": "forest"},
    "boosted": {"method": "boosted_trees"},
    "boosted balanced": {"method": "boosted_trees", "objective": "balanced"},
    "boosted focal": {"method": "boosted_trees", "objective": "focal"},
    "boosted cost": {"method": "boosted_trees", "objective": "cost", "cost_matrix": [[0, 1], [5, 0]]},
    "boosted ranking": {"method": "boosted_trees", "objective": "pairwise_auc"},
    "boosted smooth AP": {"method": "boosted_trees", "objective": "smooth_ap", "stopping_folds": 2},
    "boosted by AP": {"method": "boosted_trees", "stopping_score": "average_precision"},
    "logistic": {"method": "logistic_regression"},
    "auto": {"method": "auto", "budget": 2.0, "n_estimators": 5},
    "auto by AP": {"method": "auto", "budget": 2.0, "n_estimators": 5, "metric": "average_precision"},
    "calibrated tree": {"method": "cart", "calibrate": "isotonic"},
    "calibrated bags": {"method": "random_forest", "n_estimators": 30, "calibrate": "sigmoid"},
    "calibrated boosting": {"method": "boosted_trees", "calibrate": "venn_abers"},
    "threshold": {"method": "naive_bayes", "threshold": "f1"},
}
SEVERAL = ["forest", "boosted", "boosted balanced", "logistic", "auto", "calibrated tree"]


def table(seed: int, signal: float, n: int = 500, n_classes: int = 2) -> tuple[Floats, Codes]:
    """Rows of several classes; the larger ``signal``, the better the first column separates them."""
    r = np.random.default_rng(seed)
    X = r.normal(size=(n, 4))
    y = np.minimum((r.random(n) * 8).astype(np.int64), n_classes - 1) if n_classes > 2 else r.random(n) < 0.15
    X[:, 0] += signal * y
    return X, np.asarray(y, dtype=np.int64)


def texts(fit: Callable[[], Any]) -> list[str]:
    """Texts of the warnings of a fit."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit()
    return [str(warning.message) for warning in caught if issubclass(warning.category, DataWarning)]


def found(seed: int, signal: float, options: dict[str, Any], n_classes: int = 2) -> int:
    """Return the number of warnings about missing signal."""
    X, y = table(seed, signal, n_classes=n_classes)
    positive = 1 if n_classes == 2 else None
    notes = texts(lambda: imbcore.fit(X, y, positive=positive, random_state=seed, **options))
    return sum(note.startswith(TEXT) for note in notes)


@pytest.mark.parametrize("name", FITS)
def test_noise_gives_one_warning_and_signal_none(name: str) -> None:
    assert found(1, 0.0, FITS[name]) == 1
    assert found(1, 2.0, FITS[name]) == 0


@pytest.mark.parametrize("name", SEVERAL)
def test_several_classes(name: str) -> None:
    assert found(3, 0.0, FITS[name], 3) == 1
    assert found(3, 2.0, FITS[name], 3) == 0


@pytest.mark.parametrize("name", ["forest", "boosted", "logistic", "auto", "calibrated tree"])
def test_rows_of_a_group_are_no_evidence_for_other_groups(name: str) -> None:
    r = np.random.default_rng(0)
    group = np.repeat(np.arange(100), 8)
    base, label = r.normal(size=(100, 4)), (r.random(100) < 0.3).astype(int)
    X, y = base[group] + 0.01 * r.normal(size=(800, 4)), label[group]
    notes = texts(lambda: imbcore.fit(X, y, positive=1, random_state=0, groups=group, **FITS[name]))
    assert sum(note.startswith(TEXT) for note in notes) == 1


def test_fits_without_held_out_rows_and_few_rows_do_not_warn() -> None:
    X, y = table(0, 0.0)
    for options in (
        {"method": "forest", "min_samples_leaf": 2},
        {"method": "boosted_trees", "n_rounds": 3},
        {"method": "logistic_regression", "C": 1.0},
        {"method": "cart"},
        {"method": "bagging", "estimator": "boosted_trees", "n_estimators": 2},
    ):
        assert not texts(lambda options=options: imbcore.fit(X, y, positive=1, random_state=0, **options))
    few, labels = np.arange(18.0)[:, None], np.arange(18) % 3 // 2
    for method in ("forest", "boosted_trees", "logistic_regression"):
        notes = texts(lambda method=method: imbcore.fit(few, labels, method, positive=1, random_state=0))
        assert not any(note.startswith(TEXT) for note in notes)


def test_a_ranking_in_the_wrong_order_is_no_signal() -> None:
    """Predictions of held-out rows that are reversed cannot be mended by a calibration."""
    n = 400
    time = np.arange(n)
    y = (np.random.default_rng(0).random(n) < 0.3).astype(int)
    X = np.where(time % 134 < 67, 1, -1)[:, None] * (y[:, None] - 0.5)
    options = {"method": "cart", "calibrate": "sigmoid", "max_depth": 1, "time": time}
    notes = texts(lambda: imbcore.fit(X, y, positive=1, random_state=0, **options))
    assert any(note.startswith(TEXT) for note in notes)
