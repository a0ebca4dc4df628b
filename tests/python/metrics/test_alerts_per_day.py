"""Metrics per day against naive implementations of their definitions, row by row.

Kind: a metric of alerts per day is that of the Fraud Detection Handbook (chapter 4.4), in any unit of time.
"""

import datetime
import itertools

import numpy as np
import pandas as pd
import pytest

from imbcore import metrics
from imbcore.exceptions import DataError, DataWarning, ParameterError

RNG = np.random.default_rng(4)


def table(n=120, ties=False):
    score = RNG.random(n)
    return {
        "y": (RNG.random(n) < 0.3).astype(int),
        "score": score.round(1) if ties else score,
        "day": RNG.integers(0, 9, n),
        "card": RNG.integers(0, 25, n),
        "amount": RNG.gamma(2, 50, n).round(2),
        "hour": RNG.random(n),
    }


def naive_precision(of, k):
    """Mean over all orders of the tied rows, one day after the other."""
    found = []
    for day in sorted(set(of["day"])):
        rows = [(s, y) for s, y, d in zip(of["score"], of["y"], of["day"], strict=True) if d == day]
        rows.sort(key=lambda row: -row[0])
        caught, left = 0, k
        for _, tied in itertools.groupby(rows, key=lambda row: row[0]):
            labels = [y for _, y in tied]
            taken = min(left, len(labels))
            caught += taken * sum(labels) / len(labels)
            left -= taken
        found.append(caught / k)
    return sum(found) / len(found)


def naive_card_precision(of, k, remove):
    """As `card_precision_top_k` of the handbook."""
    frame = pd.DataFrame(
        {"predictions": of["score"], "CUSTOMER_ID": of["card"], "TX_FRAUD": of["y"], "d": of["day"]}
    )
    known, found = [], []
    for _, day in frame.groupby("d"):
        day = day[~day.CUSTOMER_ID.isin(known)].drop(columns="d")
        cards = day.groupby("CUSTOMER_ID").max().sort_values(by="predictions", ascending=False)[:k]
        caught = cards.index[cards.TX_FRAUD == 1].tolist()
        found.append(len(caught) / k)
        known += caught if remove else []
    return np.mean(found)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("k", [1, 3, 10, 40])
def test_precision_per_day(k, ties):
    of = table(ties=ties)
    found = metrics.precision_at_k_per_day(of["y"], of["score"], k, time=of["day"])
    assert found == pytest.approx(naive_precision(of, k), abs=1e-12)


@pytest.mark.parametrize("remove", [True, False])
@pytest.mark.parametrize("k", [1, 2, 5, 30])
def test_card_precision(k, remove):
    for _ in range(5):
        of = table()
        options = {"time": of["day"], "groups": of["card"], "remove_detected": remove}
        found = metrics.card_precision_at_k_per_day(of["y"], of["score"], k, **options)
        assert found == pytest.approx(naive_card_precision(of, k, remove), abs=1e-12)


@pytest.mark.parametrize("metric", ["precision_at_k_per_day", "card_precision_at_k_per_day"])
def test_fractions_of_alerts_are_checked_on_later_days(metric):
    """Kind: budgets are means; the alerts of the first i days sum to k i, rounded down."""
    for k, per_day in ((0.5, [0, 1, 0, 1]), (1.75, [1, 2, 2, 2]), (0.1, [0, 0, 0, 0])):
        for caught in range(4):
            # One day has positives only.
            y, day = np.repeat(np.arange(4) == caught, 3).astype(int), np.repeat(np.arange(4), 3)
            given = {"time": day, "positive": 1}
            if metric.startswith("card"):
                given["groups"] = np.arange(12)
            found = getattr(metrics, metric)(y, RNG.random(12), k, **given)
            assert found == pytest.approx(per_day[caught] / k / 4)
    y, given = RNG.integers(0, 2, 700), {"time": np.arange(700) // 7}
    if metric.startswith("card"):
        given["groups"] = np.arange(700)
    score = RNG.random(700)
    low, between, high = (
        getattr(metrics, metric)(y, score, k, **given) * k for k in (3, 3.47, np.float64(4.0))
    )
    assert low < between < high
    assert between * 100 == pytest.approx(round(between * 100))


def test_tied_cards_come_in_the_order_of_their_rows():
    options = {"time": [0, 0, 0], "groups": ["b", "a", "c"]}
    assert metrics.card_precision_at_k_per_day([1, 0, 0], [0.5, 0.5, 0.1], 1, **options) == 1.0
    assert metrics.card_precision_at_k_per_day([0, 1, 0], [0.5, 0.5, 0.1], 1, **options) == 0.0


@pytest.mark.parametrize("undetected", ["end", "skip"])
def test_days_to_detection(undetected):
    for _ in range(10):
        of = table()
        predicted = (of["score"] > 0.8).astype(int)
        times = of["day"] + of["hour"]
        waits = []
        for card in sorted(set(of["card"])):
            rows = sorted(np.flatnonzero(of["card"] == card), key=lambda row: times[row])
            frauds = [times[row] for row in rows if of["y"][row]]
            if not frauds:
                continue
            alerts = [times[row] for row in rows if predicted[row] and times[row] >= frauds[0]]
            if alerts or undetected == "end":
                waits.append((alerts[0] if alerts else max(times)) - frauds[0])
        options = {"time": times, "groups": of["card"], "undetected": undetected}
        assert metrics.days_to_detection(of["y"], predicted, **options) == pytest.approx(np.mean(waits))


@pytest.mark.parametrize("blocks", [True, False])
def test_money_saved(blocks):
    """A unit that a budget counts once a day, a row or a group, costs one alert a day."""
    for _ in range(10):
        of = table()
        predicted = (of["score"] > 0.8).astype(int)
        times = of["day"] + of["hour"]
        blocked, called, saved = set(), set(), 0.0
        for row in np.argsort(times):
            card, day = of["card"][row], of["day"][row]
            if card in blocked:
                saved += of["amount"][row] * of["y"][row]
            elif predicted[row]:
                saved += of["amount"][row] * of["y"][row]
                saved -= 0.0 if blocks and (card, day) in called else 7.0
                called.add((card, day))
                if blocks and of["y"][row]:
                    blocked.add(card)
        groups = of["card"] if blocks else None
        found = metrics.money_saved_per_day(
            of["y"], predicted, of["amount"], time=times, groups=groups, alert_cost=7.0
        )
        assert found == pytest.approx(saved / len(set(of["day"])))


def test_alerts_per_day_counts_groups_once():
    of = table()
    alerts = of["score"] > 0.5
    frame = pd.DataFrame({"day": of["day"], "card": of["card"], "alert": alerts})
    plain = frame.groupby("day").alert.sum()
    once = frame[frame.alert].groupby("day").card.nunique().reindex(plain.index, fill_value=0)
    for counts, groups in ((plain, None), (once, of["card"])):
        found = metrics.alerts_per_day(alerts, time=of["day"], groups=groups)
        half = 2.306004135 * counts.std() / 3  # t quantile with 8 degrees of freedom, nine days
        assert found == pytest.approx((counts.mean(), counts.mean() - half, counts.mean() + half))
    one = metrics.alerts_per_day([True, True], time=[0, 0])
    assert one.mean == 2
    assert np.isnan(one.low)


@pytest.mark.parametrize(
    ("time", "per"),
    [
        (lambda days: np.datetime64("2024-02-27") + days, None),
        (lambda days: pd.Series(np.datetime64("2024-02-27T13:00") + days * np.timedelta64(24, "h")), "1d"),
        (lambda days: (np.datetime64("2024-02-27") + days).astype(str), datetime.timedelta(days=1)),
        (lambda days: np.datetime64("2024-02-27T05") + days * np.timedelta64(1, "h"), "1h"),
        (lambda days: days * 7.0 + 3.0, 7),
    ],
)
def test_days_in_any_unit(time, per):
    of = table()
    options = {"time": of["day"], "groups": of["card"]}
    expected = metrics.card_precision_at_k_per_day(of["y"], of["score"], 2, **options)
    options |= {"time": time(of["day"]), "per": per}
    assert metrics.card_precision_at_k_per_day(of["y"], of["score"], 2, **options) == expected


@pytest.mark.parametrize(
    ("metric", "third", "options", "error", "message"),
    [
        ("precision_at_k_per_day", 0, {}, ParameterError, "k must be a number above 0"),
        ("precision_at_k_per_day", "2", {}, ParameterError, "k must be"),
        ("precision_at_k_per_day", np.nan, {}, ParameterError, "k must be"),
        ("precision_at_k_per_day", 1, {"time": [0]}, DataError, "time has 1 values"),
        ("precision_at_k_per_day", 1, {"time": [0, None]}, DataError, "missing in row 1"),
        ("precision_at_k_per_day", 1, {"per": "1d"}, ParameterError, "per must be a number"),
        ("precision_at_k_per_day", 1, {"time": ["2024-01-01"] * 2, "per": 1}, ParameterError, "time span"),
        ("precision_at_k_per_day", 1, {"per": -1}, ParameterError, "above 0"),
        ("card_precision_at_k_per_day", 1, {"groups": [1]}, DataError, "groups has 1"),
        ("money_saved_per_day", [1, -1], {}, DataError, "amount must contain"),
        ("money_saved_per_day", [1], {}, DataError, "amount must have"),
        ("money_saved_per_day", [1, 1], {"alert_cost": -1}, ParameterError, "alert_cost"),
    ],
)
def test_invalid_arguments_are_errors(metric, third, options, error, message):
    with pytest.raises(error, match=message):
        getattr(metrics, metric)([0, 1], [0, 1], third, **{"time": [0, 1], **options})


def test_invalid_predictions_are_errors():
    with pytest.raises(DataError, match="y_score must have one value per row"):
        metrics.precision_at_k_per_day([0, 1], [0, 1, 1], 1, time=[0, 1])
    with pytest.raises(ParameterError, match="undetected must be"):
        metrics.days_to_detection([0, 1], [0, 1], time=[0, 1], groups=[1, 1], undetected="no")
    with pytest.raises(DataError, match="booleans"):
        metrics.alerts_per_day([0.5, 1], time=[0, 1])


def test_no_positive_group_is_undefined():
    with pytest.warns(UserWarning, match="no group has a positive row"):
        found = metrics.days_to_detection([0, 0], [0, 1], time=[0, 1], groups=[1, 2], positive=1)
    assert np.isnan(found)


def test_events_are_runs_of_positive_rows():
    """By hand: three events of two machines; the rows are not in the order of time."""
    time = np.array([1, 2, 3, 4, 5, 1, 2, 3])
    machine = np.array(["a"] * 5 + ["b"] * 3)
    fails = np.array([1, 1, 0, 1, 1, 1, 1, 1])
    alerts = np.array([0, 1, 1, 0, 0, 0, 0, 1])
    order = np.random.default_rng(0).permutation(8)
    given = {"time": time[order], "groups": machine[order]}
    assert metrics.event_recall(fails[order], alerts[order], **given) == pytest.approx(2 / 3)
    assert metrics.event_recall(fails[order], 1 - fails[order], **given) == 0
    with pytest.warns(DataWarning, match="event_recall is undefined"):
        assert np.isnan(metrics.event_recall(0 * fails, alerts, positive=1, **given))


def test_false_alerts_have_no_positive_row_on_their_day():
    time, machine = [0, 0, 0, 1, 1, 3], ["a", "a", "b", "a", "b", "b"]
    fails, alerts = [1, 0, 0, 0, 0, 0], [0, 1, 1, 1, 1, 0]
    # Without groups, four of the six rows are false alerts, in three days.
    assert metrics.false_alerts_per_day(fails, alerts, time=time) == pytest.approx(4 / 3)
    # The alert for machine a on day 0 is not false, because another row of this day is positive.
    assert metrics.false_alerts_per_day(fails, alerts, time=time, groups=machine) == 1
    assert metrics.false_alerts_per_day(fails, alerts, time=time, groups=machine, per=4) == 1


@pytest.mark.parametrize("name", ["event_recall", "false_alerts_per_day"])
def test_events_reject_invalid_rows(name):
    function = getattr(metrics, name)
    with pytest.raises(DataError, match="time"):
        function([0, 1], [0, 1], time=[0.0, np.nan], groups=["a", "b"])
    with pytest.raises(DataError, match="one value per row"):
        function([0, 1], [0, 1, 1], time=[0, 1], groups=["a", "b"])


@pytest.mark.parametrize("negative", [0, -1, False])
def test_days_without_positive_rows_have_alerts(negative):
    """Only the negative label of a known pair is in y_true."""
    truth, alerts = [negative] * 3, [negative, type(negative)(1), negative]
    assert metrics.false_alerts_per_day(truth, alerts, time=[0, 0, 1]) == 0.5
    assert metrics.false_alerts_per_day(truth, truth, time=[0, 0, 1]) == 0
    with pytest.warns(DataWarning, match="event_recall is undefined"):
        assert np.isnan(metrics.event_recall(truth, alerts, time=[0, 0, 1], groups=["a", "b", "a"]))
    with pytest.raises(DataError, match="no row of the positive class"):
        metrics.false_alerts_per_day([0, 0], [0, 2], time=[0, 1])


@pytest.mark.parametrize("dated", [False, True])
def test_weeks_that_the_rows_do_not_cover_are_left_out(dated):
    """Rows from Thursday to Wednesday: one alert a day is seven alerts a week, not 35 / 6."""
    day = np.arange(3, 38)
    time = pd.Timestamp("2026-01-05") + pd.to_timedelta(day, unit="D") if dated else day
    given = {"time": time, "per": "7d" if dated else 7}
    assert metrics.alerts_per_day(np.ones(35, bool), **given) == (7, 7, 7)
    truth = np.zeros(35, int)
    assert metrics.false_alerts_per_day(truth, np.ones(35, int), positive=1, **given) == 7
    # A week in which rows are possible only on some days is covered.
    workdays = day % 7 < 5
    given["time"] = np.asarray(time)[workdays & (day >= 7) & (day < 35)]
    assert metrics.alerts_per_day(np.ones(20, bool), **given).mean == 5
    # No week is covered.
    given["time"] = np.asarray(time)[:7]
    assert metrics.alerts_per_day(np.ones(7, bool), **given).mean == 3.5
