"""Periods of `check_over_time`: where they begin, and whether rows cover them."""

import numpy as np
import pandas as pd
import pytest

import imbcore
from imbcore.decisions import ThresholdClassifier, check_over_time
from imbcore.exceptions import ParameterError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 2))
Y = (X[:, 0] + RNG.normal(size=400) > 1.2).astype(int)
MODEL = imbcore.fit(X, Y, "naive_bayes", random_state=0)


def days(first: str, n: int, step: str = "1D") -> pd.DatetimeIndex:
    """Times of two rows at each step."""
    return pd.DatetimeIndex(np.repeat(pd.date_range(first, periods=n, freq=step), 2))


def periods(time, goal, period=None, **options):
    found = check_over_time(
        MODEL, X[: len(time)], Y[: len(time)], time=time, goal=goal, period=period, **options
    )
    return [(f"{one['start']:%Y-%m-%d %H:%M}", one["n_rows"], one["complete"]) for one in found]


@pytest.mark.parametrize("goal", [{"recall": 0.5}, {"alerts": 2, "per": "7d"}, {"alerts": 2, "per": "1d"}])
def test_periods_of_all_targets_are_the_same(goal):
    # 2026-06-04 is a Thursday; 60 days end on 2026-08-02, a Sunday.
    assert periods(days("2026-06-04", 60), goal, "28d") == [
        ("2026-06-01 00:00", 50, False),
        ("2026-06-29 00:00", 56, True),
        ("2026-07-27 00:00", 14, False),
    ]
    assert periods(days("2026-06-01", 28), goal, "28d") == [("2026-06-01 00:00", 56, True)]


def test_other_periods():
    goal = {"recall": 0.5}
    late = days("2026-06-04 10:30", 60)
    assert [one[0] for one in periods(late, goal, "30d")] == ["2026-06-04 00:00", "2026-07-04 00:00"]
    assert periods(late, goal, "36h")[0][0] == "2026-06-04 10:30"
    # A period of a budget contains whole time spans of it.
    assert periods(late, {"alerts": 2, "per": "14d"}, "28d")[0][0] == "2026-05-25 00:00"
    assert periods(late, {"alerts": 2, "per": "12h"}, "36h")[0][0] == "2026-06-04 00:00"
    numbers = np.repeat(np.arange(30, 90), 2)
    found = check_over_time(MODEL, X[:120], Y[:120], time=numbers, period=25, goal=goal)
    assert [(one["start"], one["n_rows"], one["complete"]) for one in found] == [
        (30.0, 50, True),
        (55.0, 50, True),
        (80.0, 20, False),
    ]


def test_days_without_work_do_not_make_a_period_incomplete():
    time = days("2026-06-01", 40, "B")
    assert [one[2] for one in periods(time, {"recall": 0.5}, "7d")] == [True] * 8
    assert [one[2] for one in periods(time[:-4], {"recall": 0.5}, "7d")] == [True] * 7 + [False]


def test_undefined_values_contradict_nothing():
    """Without positives `contradicted` was False, as if an interval were known."""
    (found,) = check_over_time(MODEL, X[:20], 0 * Y[:20], time=np.arange(20), period=20, goal={"recall": 0.5})
    assert [found[name] for name in ("value", "low", "high", "met", "contradicted")] == [None] * 5


def test_the_number_of_threads_changes_no_result():
    time, goal = days("2026-06-01", 30), {"recall": 0.5}
    assert periods(time, goal, "7d", n_threads=1) == periods(time, goal, "7d")
    wrapper = ThresholdClassifier(imbcore.NaiveBayesClassifier(), threshold=goal).fit(X, Y)
    with pytest.raises(ParameterError, match="n_threads must be None"):
        check_over_time(wrapper, X[:60], Y[:60], time=time, period="7d", n_threads=1)
