"""Thresholds and calibration of rows with times are chosen on the latest rows.

Models of early folds are trained on few rows, so their probabilities are on another scale than those of the
final model.
"""

import numpy as np
import pandas as pd
import pytest

import imbcore
from imbcore.decisions import ThresholdClassifier

DAYS, PER_DAY = 60, 100


def growing_history(seed):
    """Rows of 60 days whose feature is informative from the 20th day on, and later rows of 20 days."""
    rng = np.random.default_rng(seed)
    day = np.repeat(np.arange(DAYS + 20), PER_DAY)
    y = (rng.random(len(day)) < 0.04).astype(int)
    known = np.clip((day - 20) / 10, 0, 1)
    X = pd.DataFrame({"x": 2.5 * y * known + rng.normal(size=len(day)), "z": rng.normal(size=len(day))})
    X["time"] = np.datetime64("2026-01-01") + day.astype("timedelta64[D]")
    return X, y, day


def alerts_per_day(model, X, day):
    new = day >= DAYS
    return model.predict(X[new]).sum() / 20


# Single trees have too few distinct probabilities for a budget: those of two trees differ by whole leaves.
@pytest.mark.parametrize("method", ["boosted_trees", "forest", "logistic_regression", "naive_bayes"])
def test_budgets_hold_on_later_rows_if_early_rows_differ(method):
    options = {"n_estimators": 30} if method == "forest" else {}
    found = []
    for seed in range(3):
        X, y, day = growing_history(seed)
        old = day < DAYS
        goal = {"alerts": 5, "per": "1d"}
        model = imbcore.fit(X[old], y[old], method, threshold=goal, time="time", random_state=0, **options)
        found.append(alerts_per_day(model, X, day))
    # The standard deviation of a mean of 3 x 20 days is below 0.5.
    assert 3.5 < np.mean(found) < 6.5, found


def test_wrappers_choose_on_the_latest_rows():
    X, y, day = growing_history(0)
    old = day < DAYS
    times = X.pop("time")
    goal = {"alerts": 5, "per": "1d"}
    wrapper = ThresholdClassifier(imbcore.HDDTClassifier(max_depth=4), goal, random_state=0)
    wrapper.fit(X[old], y[old], time=times[old])
    native = imbcore.HDDTClassifier(max_depth=4, threshold=goal).fit(X[old], y[old], time=times[old])
    assert wrapper.threshold_ == pytest.approx(native.model_.decision_["threshold"], rel=1e-6)
    # Labels of the first half do not change the rows that the threshold is chosen on.
    assert native.model_.decision_["expected"]["alerts"]["n_periods"] <= 10
