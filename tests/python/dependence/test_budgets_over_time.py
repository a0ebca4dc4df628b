"""Checks of alert budgets on later rows.

Kind: every target that can choose a threshold, and every threshold however it was chosen, can be checked on
later rows, in the unit of the target.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import imbcore
from imbcore import metrics
from imbcore.decisions import ThresholdClassifier, check_over_time
from imbcore.exceptions import DataError, ParameterError
from imbcore.metrics import alerts_per_day

# Labels are random, so thresholds of inner folds may not fit the final model.
pytestmark = pytest.mark.filterwarnings("ignore:threshold=.* does not fit the final model:UserWarning")

START = np.datetime64("2026-01-05T00:00:00")


def table(n: int = 900, seed: int = 0) -> tuple[pd.DataFrame, Any]:
    """Rows of 40 machines in 60 days."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.2).astype(int)
    second = np.sort(rng.integers(0, 60 * 86_400, n))
    frame = pd.DataFrame(
        {
            "x": y + rng.normal(size=n),
            "machine": [f"m{number}" for number in rng.integers(0, 40, n)],
            "time": START + second.astype("timedelta64[s]"),
        }
    )
    return frame, np.where(y == 1, "fails", "runs")


def by_hand(frame: pd.DataFrame, alerts: Any, per: str, units: Any) -> pd.Series:
    """Number of units with alerts in every span with rows; weeks begin on Mondays."""
    span = frame["time"].dt.to_period({"1d": "D", "7d": "W-SUN"}[per])
    counted = pd.DataFrame({"span": span, "unit": units, "alert": alerts})
    once = counted[counted.alert].groupby("span").unit.nunique()
    return once.reindex(sorted(set(span)), fill_value=0)


X, Y = table()
EARLY = (X["time"] < START + np.timedelta64(40, "D")).to_numpy()
LATER, LABELS = X[~EARLY].reset_index(drop=True), Y[~EARLY]


def fitted(goal: Any) -> imbcore.Model:
    frame = X[EARLY][["x", "time", *(["machine"] if "by" in goal else [])]]
    return imbcore.fit(frame, Y[EARLY], "naive_bayes", threshold=goal, time="time", random_state=0)


@pytest.mark.parametrize("per", ["1d", "7d"])
def test_alerts_are_counted_in_every_span_of_the_budget(per: str) -> None:
    goal = {"alerts": 3, "per": per, "by": "machine"}
    model = fitted(goal)
    alerts = model.predict(LATER[["x"]]) == "fails"
    counts = by_hand(LATER, alerts, per, LATER["machine"])
    found = check_over_time(model, LATER, LABELS, time="time")
    assert [one["value"] for one in found] == counts.tolist()
    assert [one["met"] for one in found] == (counts <= 3).tolist()
    assert {one["target"] for one in found} == {3.0}
    assert all(one["low"] is None and one["high"] is None and one["contradicted"] is None for one in found)
    assert sum(one["n_rows"] for one in found) == len(LATER)
    assert sum(one["n_positives"] for one in found) == (LABELS == "fails").sum()
    assert sum(one["n_found"] for one in found) == (alerts & (LABELS == "fails")).sum()
    assert all(
        one["start"] <= when
        for one, when in zip(found[:1], LATER["time"].dt.tz_localize("UTC"), strict=False)
    )
    # Neither labels nor the name of the column are necessary.
    plain = check_over_time(model, LATER[["x"]], None, time=LATER["time"], groups=LATER["machine"])
    assert plain == [one | {"n_positives": None, "n_found": None} for one in found]


def test_longer_periods_hold_the_mean_and_its_interval() -> None:
    model = fitted({"alerts": 2, "per": "1d", "by": "machine"})
    found = check_over_time(model, LATER, LABELS, time="time", period="7d")
    week = LATER["time"].dt.to_period("W-SUN")
    alerts = model.predict(LATER[["x"]]) == "fails"
    for one, number in zip(found, sorted(set(week)), strict=True):
        rows = np.flatnonzero(week == number)
        given = {"time": LATER["time"].iloc[rows], "groups": LATER["machine"].iloc[rows]}
        mean, low, _ = metrics.alerts_per_day(alerts[rows], **given)
        assert one["value"] == mean
        assert one["low"] == (None if np.isnan(low) else low)
        assert one["contradicted"] == (low > 2)
    with pytest.raises(ParameterError, match="whole multiple of '1d'"):
        check_over_time(model, LATER, LABELS, time="time", period="36h")


@pytest.mark.parametrize(
    "goal",
    [
        {"alerts": 3, "per": "7d", "by": "machine"},
        {"alerts": 3, "per": "1d"},
        {"alerts": 20, "per": 100},
        {"alert_rate": 0.2},
        {"recall": 0.5},
        {"recall": 0.5, "guarantee": 0.9},
    ],
)
def test_a_threshold_of_another_origin_is_checked_against_a_given_target(goal: Any) -> None:
    """As after `predict_to_file`, `threshold_for` and `with_threshold`."""
    by_itself, later = fitted(goal), LATER[["x"]]
    other = imbcore.fit(X[EARLY][["x"]], Y[EARLY], "naive_bayes", random_state=0)
    moved = other.with_threshold(by_itself.threshold)
    period = None if "7d" in goal.values() or "1d" in goal.values() else "10d"
    groups = LATER["machine"] if "by" in goal else None
    given = {"time": LATER["time"], "period": period, "groups": groups}
    found = check_over_time(moved, later, LABELS, goal=goal, **given)
    if "guarantee" not in goal:
        # A fit with a guarantee leaves rows out, so its probabilities differ.
        assert found == check_over_time(by_itself, later, LABELS, **given)
    assert len(found) >= 2
    estimator = imbcore.NaiveBayesClassifier(threshold=moved.threshold).fit(X[EARLY][["x"]], Y[EARLY])
    assert check_over_time(estimator, later, LABELS, goal=goal, **given) == found
    if "alerts" in goal or "alert_rate" in goal:
        unlabeled = check_over_time(moved, later, None, goal=goal, **given)
        assert [one["value"] for one in unlabeled] == [one["value"] for one in found]
    else:
        with pytest.raises(ParameterError, match="y must not be None"):
            check_over_time(moved, later, None, goal=goal, **given)


def test_numeric_times_and_wrappers() -> None:
    day = (LATER["time"].to_numpy() - START) / np.timedelta64(1, "D")
    wrapper = ThresholdClassifier(imbcore.NaiveBayesClassifier(), {"alerts": 2, "per": {"time": 1.0}})
    early = (X["time"].to_numpy()[EARLY] - START) / np.timedelta64(1, "D")
    wrapper.fit(X[EARLY][["x"]], Y[EARLY], time=early)
    found = check_over_time(wrapper, LATER[["x"]], None, time=day)
    alerts = wrapper.predict(LATER[["x"]]) == "fails"
    assert [one["value"] for one in found] == by_hand(LATER, alerts, "1d", np.arange(len(LATER))).tolist()
    assert (found[0]["start"], found[0]["end"]) == (40.0, 41.0)


def test_groups_given_as_values_are_needed_again() -> None:
    machine = X[EARLY]["machine"].to_numpy()
    model = imbcore.fit(
        X[EARLY][["x", "time"]],
        Y[EARLY],
        "naive_bayes",
        threshold={"alerts": 3, "per": "7d", "by": machine},
        time="time",
        random_state=0,
    )
    given = {"time": LATER["time"]}
    with pytest.raises(ParameterError, match="groups must be given"):
        check_over_time(model, LATER[["x"]], LABELS, **given)
    named = fitted({"alerts": 3, "per": "7d", "by": "machine"})
    found = check_over_time(model, LATER[["x"]], LABELS, groups=LATER["machine"], **given)
    assert found == check_over_time(named, LATER, LABELS, time="time")


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ({"alerts": 0, "per": "7d"}, "above 0"),
        ({"alerts": 3}, 'needs "per"'),
        ({"alerts": 3, "per": {"time": 1.0}}, "must be a time span"),
        ({"recal": 0.5}, "target to check in goal"),
        ("f1", "goal='f1'"),
        ({"recall": 1.5}, "recall"),
    ],
)
def test_invalid_targets_are_errors(goal: Any, message: str) -> None:
    model = imbcore.fit(X[EARLY][["x"]], Y[EARLY], "naive_bayes")
    with pytest.raises(ParameterError, match=message):
        check_over_time(model, LATER[["x"]], LABELS, time=LATER["time"], period="7d", goal=goal)


def test_the_column_of_the_budget_is_counted_even_if_groups_are_given() -> None:
    model = fitted({"alerts": 3, "per": "1d", "by": "machine"})
    expected = check_over_time(model, LATER, LABELS, time="time")
    assert check_over_time(model, LATER, LABELS, time="time", groups=np.arange(len(LATER))) == expected


@pytest.mark.parametrize("labels", [np.repeat("failed", len(LABELS)), np.arange(len(LABELS))])
def test_unknown_labels_are_refused(labels: Any) -> None:
    model = fitted({"alerts": 3, "per": "1d", "by": "machine"})
    with pytest.raises(DataError, match="which the model does not have"):
        check_over_time(model, LATER, labels, time="time", goal={"recall": 0.5})


def test_rounded_quotients_are_periods_of_their_own() -> None:
    """Reported case: times 0, 0.1, 0.2, ... with periods of 0.1 were merged by rounding."""
    times = np.arange(30) * 0.1
    assert alerts_per_day(np.ones(30, bool), time=times, per=0.1).mean == 1
    y = np.tile([0, 1], 15)
    goal = {"alerts": 1, "per": {"time": 0.1}}
    model = imbcore.fit(y[:, None] + 0.0, y, "cart", threshold=goal, time=times)
    found = check_over_time(model, y[:, None] + 0.0, y, time=times, period=0.3)
    assert [one["n_rows"] for one in found] == [3] * 10
