"""Thresholds that limit the mean number of alerts per period of time.

Kind: the threshold is the lowest one between two predicted probabilities whose mean number of alerts per
complete period of the predicted rows is at most the budget. The reference below counts row by row.
"""

import datetime
import itertools
import math

import numpy as np
import pandas as pd
import pytest
from commands import run
from sklearn.linear_model import LogisticRegression

import imbcore
from imbcore import metrics
from imbcore.decisions import ThresholdClassifier
from imbcore.exceptions import DataError, DataWarning, ParameterError, UnsupportedError

# Labels are random, so thresholds of inner folds may not fit the final model.
pytestmark = pytest.mark.filterwarnings("ignore:threshold=.* does not fit the final model:UserWarning")

N = 400


def counts_by_period(score, threshold, time, length, units, counted):
    """Alerts of every counted period: rows, or distinct units."""
    found = {period: [] for period in counted}
    for row, value in enumerate(score):
        period = math.floor(time[row] / length)
        if value >= threshold and period in found:
            found[period].append(row if units is None else units[row])
    return [len(set(alerts)) for alerts in found.values()]


def complete_periods(all_times, predicted, length):
    """Periods all of whose rows have predictions, without ends that the times do not cover."""
    left_out = set(range(len(all_times))) - set(predicted)
    partial = {math.floor(all_times[row] / length) for row in left_out}
    found = {math.floor(all_times[row] / length) for row in predicted} - partial
    known = sorted(set(all_times))
    longest = max(later - earlier for earlier, later in itertools.pairwise(known))
    first, last = math.floor(known[0] / length), math.floor(known[-1] / length)
    uncovered = {first} if known[0] - longest >= first * length else set()
    uncovered |= {last} if known[-1] + longest < (last + 1) * length else set()
    return sorted(found - uncovered or found)


def lowest_threshold(score, time, length, budget, units, counted):
    """Try every cut between two neighboring scores, from the highest down."""
    distinct = sorted(set(score), reverse=True)
    best = None
    for at, value in enumerate(distinct):
        if np.mean(counts_by_period(score, value, time, length, units, counted)) > budget:
            break
        best = (value + distinct[at + 1]) / 2 if at + 1 < len(distinct) else 0.0
    return best if best is not None else (distinct[0] + 1) / 2


def rows(seed, ties=False, n=N):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    score = np.clip(0.35 * y + 0.6 * rng.random(n), 0, 1)
    return y, score.round(1) if ties else score, rng.normal(0, 4, n), rng.integers(0, 30, n)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("by", [False, True])
@pytest.mark.parametrize(("length", "budget"), [(1.0, 3), (0.25, 0.5), (7.0, 40), (2.5, 1000)])
@pytest.mark.filterwarnings("ignore:the threshold chosen")
def test_thresholds_are_those_of_the_definition(ties, by, length, budget):
    for seed in range(3):
        y, score, time, card = rows(seed, ties)
        goal = {"alerts": budget, "per": {"time": length}}
        units = card if by else None
        found, expected = metrics.threshold_for(y, score, goal, time=time, groups=units)
        counted = complete_periods(time, range(N), length)
        by_hand = lowest_threshold(score, time, length, budget, units, counted)
        assert found == pytest.approx(by_hand, abs=1e-12)
        counts = counts_by_period(score, found, time, length, units, counted)
        alerts = expected["alerts"]
        assert alerts["value"] == pytest.approx(np.mean(counts))
        assert alerts["value"] <= budget
        assert alerts["n_periods"] == len(counted)
        per_day = metrics.alerts_per_day(score >= found, time=time, per=length, groups=units)
        assert (alerts["value"], alerts["low"], alerts["high"]) == pytest.approx(tuple(per_day))
        of_rows = pd.DataFrame({"unit": units if by else np.arange(N), "y": y, "p": np.floor(time / length)})
        of_rows = of_rows.assign(alert=score >= found)[of_rows.p.isin(counted)]
        alerted = of_rows.groupby(["p", "unit"]).max()
        assert alerts["precision"] == pytest.approx(alerted.y[alerted.alert].mean(), nan_ok=True)
        assert expected["recall"]["value"] == pytest.approx((score >= found)[y == 1].mean())


@pytest.mark.parametrize(
    ("goal", "dated"),
    [
        ({"alerts": 3, "per": {"time": 1.0}}, True),
        ({"alerts": 5, "per": 100}, False),
        ({"alert_rate": 0.1}, False),
    ],
)
def test_budgets_need_no_labels(goal, dated):
    """Kind: a target that does not depend on labels accepts rows whose labels are not known yet."""
    y, score, time, card = rows(0, ties=False)
    given = {"time": time, "groups": card} if dated else {}
    threshold, expected = metrics.threshold_for(y, score, goal, **given)
    for label in (0, 1):
        found, of_one_class = metrics.threshold_for(np.full(N, label), score, goal, positive=1, **given)
        assert found == threshold
        assert of_one_class["alert_rate"] == expected["alert_rate"]
    found, unlabeled = metrics.threshold_for(None, score, goal, **given)
    assert found == threshold
    assert unlabeled["alert_rate"] == expected["alert_rate"]
    if dated:
        names = ("value", "low", "high", "n_periods")
        assert unlabeled["alerts"] == {name: expected["alerts"][name] for name in names}
    assert "precision" not in unlabeled
    for labels in (None, np.zeros(N)):
        with pytest.raises((ParameterError, DataError), match=r"needs labels|both classes"):
            metrics.threshold_for(labels, score, {"recall": 0.5})


def payments(n_days=40, seed=0):
    """Payments with a column of cards, at times in the day."""
    rng = np.random.default_rng(seed)
    day = np.sort(rng.integers(0, n_days, 8 * n_days))
    y = (rng.random(len(day)) < 0.25).astype(int)
    seconds = rng.integers(0, 86_400, len(day)).astype("timedelta64[s]")
    frame = pd.DataFrame(
        {
            "x": y + 0.8 * rng.normal(size=len(day)),
            "z": rng.normal(size=len(day)),
            "card": [f"c{card}" for card in rng.integers(0, 25, len(day))],
            "time": np.datetime64("2024-01-01") + day.astype("timedelta64[D]") + seconds,
        }
    )
    return frame.sort_values("time", ignore_index=True), y


def out_of_fold(frame, y):
    """Predictions of the five inner folds in time, by the splits of `evaluate`."""
    return imbcore.evaluate(frame[["x", "z"]], y, LogisticRegression(), time=frame["time"], random_state=0)


def on_scale(of_one, of_other, scores):
    """Scores of one model on the scale of another: equal quantiles, log-odds shifted beyond 20 rows."""
    one, other = sorted(of_one), sorted(of_other)
    knots = []
    for value in sorted(set(one)):
        places = [place for place, found in enumerate(one) if found == value]
        middle = (places[0] + places[-1]) // 2
        if len(one) - middle > 20:
            knots.append((value, other[middle]))
    known, mapped = np.array(knots).T
    shifts = np.log(mapped / (1 - mapped)) - np.log(known / (1 - known))
    found = np.interp(scores, known, mapped)
    for outside, shift in ((scores < known[0], shifts[0]), (scores > known[-1], shifts[-1])):
        odds = scores[outside] / (1 - scores[outside]) * np.exp(shift)
        found[outside] = odds / (1 + odds)
    return found


@pytest.mark.parametrize("by", [None, "card"])
def test_wrappers_count_periods_that_are_predicted_completely(by):
    frame, y = payments()
    goal = {"alerts": 2, "per": "1d"} | ({} if by is None else {"by": by})
    model = ThresholdClassifier(LogisticRegression(), goal, random_state=0)
    X = frame if by else frame.drop(columns="card")
    model.fit(X, y, time="time")
    found = out_of_fold(frame, y)
    first = min(
        max(k for k in range(5) if (y[found.rows[found.fold >= k]] == label).sum() >= 20) for label in (0, 1)
    )
    assert 0 < first < 4
    seconds = frame["time"].to_numpy().astype("datetime64[s]").astype(np.int64)
    plain, final, mapped = frame[["x", "z"]], LogisticRegression().fit(frame[["x", "z"]], y), []
    for fold in range(first, 5):
        test = found.rows[found.fold == fold]
        train = np.flatnonzero(seconds < seconds[test].min())
        member = LogisticRegression().fit(plain.iloc[train], y[train])
        negative = plain.iloc[train[y[train] == member.classes_[0]]]
        of_both = (one.predict_proba(negative)[:, 1] for one in (member, final))
        mapped.append(on_scale(*of_both, found.proba[found.fold == fold, 1]))
    rows = np.concatenate([found.rows[found.fold == fold] for fold in range(first, 5)])
    score = np.concatenate(mapped)
    counted = complete_periods(seconds, rows.tolist(), 86_400)
    assert len(counted) < len({second // 86_400 for second in seconds[rows]})
    time = seconds[rows]
    units = None if by is None else frame["card"].to_numpy()[rows]
    assert model.threshold_ == pytest.approx(lowest_threshold(score, time, 86_400, 2, units, counted))
    alerts = model.decision_["expected"]["alerts"]
    counts = counts_by_period(score, model.threshold_, time, 86_400, units, counted)
    assert alerts["value"] == pytest.approx(np.mean(counts))
    assert alerts["value"] <= 2
    assert model.decision_["goal"] == goal
    assert model.n_features_in_ == 2


@pytest.mark.parametrize("method", ["hddt", "random_forest"])
@pytest.mark.parametrize("by", [None, "column", "values", "groups"])
def test_every_entry_point_chooses_the_same_threshold(tmp_path, method, by):
    frame, y = payments(20)
    goal = {"alerts": 2, "per": "1d"}
    data, given = frame, {"time": "time"}
    if by == "column":
        goal |= {"by": "card"}
    elif by == "groups":
        given |= {"groups": "card"}
    else:
        data = frame.drop(columns="card")
        goal |= {} if by is None else {"by": frame["card"].to_numpy()}
    options = {"random_state": 0} | ({"n_estimators": 10} if method == "random_forest" else {})
    model = imbcore.fit(data, y, method, threshold=goal, **given, **options)
    decision = model.decision_
    assert decision["source"] == "out_of_fold"
    assert decision["expected"]["alerts"]["value"] <= 2
    assert set(decision["goal"]) == set(goal)
    kind = {"hddt": imbcore.HDDTClassifier, "random_forest": imbcore.RandomForestClassifier}[method]
    estimator = kind(threshold=goal, **options).fit(data, y, **given)
    assert estimator.model_.decision_["threshold"] == decision["threshold"]
    assert list(model.feature_names_in_) == ["x", "z"]
    assert imbcore.load(_saved(model, tmp_path)).decision_ == decision
    if by != "values":
        data.assign(y=y).to_parquet(tmp_path / "rows.parquet")
        of_file = imbcore.fit(tmp_path / "rows.parquet", "y", method, threshold=goal, **given, **options)
        assert of_file.to_bytes() == model.to_bytes()
    hours = imbcore.fit(data, y, method, threshold={**goal, "per": "24h"}, **given, **options)
    span = imbcore.fit(
        data, y, method, threshold={**goal, "per": datetime.timedelta(days=1)}, **given, **options
    )
    assert hours.decision_["threshold"] == span.decision_["threshold"] == decision["threshold"]


def _saved(model, folder):
    model.save(folder / "model.imb")
    return folder / "model.imb"


def test_groups_are_counted_unless_another_column_is_named():
    frame, y = payments(30)
    given = {"time": "time", "groups": "card", "random_state": 0}
    of_groups = imbcore.fit(frame, y, "hddt", threshold={"alerts": 2, "per": "1d"}, **given)
    named = imbcore.fit(frame, y, "hddt", threshold={"alerts": 2, "per": "1d", "by": "card"}, **given)
    assert named.decision_["expected"] == of_groups.decision_["expected"]
    each = frame.assign(row=np.arange(len(y)))
    rows = imbcore.fit(each, y, "hddt", threshold={"alerts": 2, "per": "1d", "by": "row"}, **given)
    assert rows.decision_["expected"]["alerts"] != of_groups.decision_["expected"]["alerts"]


def test_evaluations_pass_the_budget_to_every_fit(tmp_path):
    frame, y = payments(60)
    goal = {"alerts": 2, "per": "1d", "by": "card"}
    options = {"time": "time", "folds": 3, "random_state": 0}
    found = imbcore.evaluate(frame, y, ["hddt", ("cart", {"threshold": "f1"})], threshold=goal, **options)
    train, test = np.arange(0), found["hddt"].rows[found["hddt"].fold == 0]
    train = np.arange(test.min())
    model = imbcore.fit(frame.iloc[train], y[train], "hddt", threshold=goal, time="time", random_state=0)
    # Folds have their own seeds, which a tree does not use.
    assert (model.predict(frame.iloc[test]) == found["hddt"].predicted[found["hddt"].fold == 0]).all()
    estimator = imbcore.evaluate(frame, y, imbcore.HDDTClassifier(threshold=goal), **options)
    assert (estimator.predicted == found["hddt"].predicted).all()
    frame.assign(y=y).to_parquet(tmp_path / "rows.parquet")
    of_file = imbcore.evaluate(tmp_path / "rows.parquet", "y", "hddt", threshold=goal, **options)
    assert of_file.proba.tobytes() == found["hddt"].proba.tobytes()
    assert (of_file.predicted == found["hddt"].predicted).all()
    several = imbcore.compare(
        frame, y, [imbcore.HDDTClassifier(threshold=goal)], "1x3", time="time", random_state=0
    )
    assert several.failures() == []


def test_the_command_line_takes_budgets_per_period(tmp_path, capsys):
    frame, y = payments(20)
    frame.assign(y=y).to_csv(tmp_path / "rows.csv", index=False)
    path, out = str(tmp_path / "rows.csv"), str(tmp_path / "model.imb")
    shared = ["-t", "y", "-m", "hddt", "--time", "time", "--seed", "0"]
    expected = imbcore.fit(
        frame, y, "hddt", threshold={"alerts": 2, "per": "1d", "by": "card"}, time="time", random_state=0
    )
    for extra in ([], ["--batch-size", "50"]):
        rule = "alerts=2,per=1d,by=card"
        assert run("fit", path, *shared, "--threshold", rule, "-o", out, *extra) == 0
        assert imbcore.load(out).decision_["threshold"] == expected.decision_["threshold"]
    # Groups that are also named by "by", of two rows each, so that earlier rows of other groups are left.
    frame.assign(y=y, card=np.arange(len(y)) // 2).to_csv(path, index=False)
    rule = ["--threshold", "alerts=2,per=1d,by=card", "--alerts", "alerts=2,per=1d,by=card"]
    assert run("evaluate", path, *shared, "--groups", "card", *rule, "--folds", "3") == 0
    assert "card precision at k per day" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("goal", "given", "error", "message"),
    [
        ({"alerts": 2, "per": "1d"}, {}, ParameterError, "which needs time="),
        ({"alerts": 2, "per": {"time": 1.0}}, {"time": "time"}, ParameterError, "must be a time span"),
        ({"alerts": 2, "per": "1d"}, {"time": "number"}, ParameterError, "time contains numbers"),
        ({"alerts": 2, "per": "1 month"}, {"time": "time"}, ParameterError, "a number of rows; a time span"),
        ({"alerts": 2, "per": True}, {"time": "time"}, ParameterError, "a number of rows; a time span"),
        ({"alerts": 2, "per": "0d"}, {"time": "time"}, ParameterError, "a time span such as"),
        ({"alerts": 0, "per": "1d"}, {"time": "time"}, ParameterError, "above 0"),
        ({"alerts": 2, "by": "card"}, {"time": "time"}, ParameterError, "used with"),
        ({"recall": 0.9, "by": "card"}, {"time": "time"}, ParameterError, "used with"),
        ({"alerts": 2, "per": 100, "by": "card"}, {"time": "time"}, ParameterError, "used with"),
        ({"alerts": 2, "per": "1d", "by": "kard"}, {"time": "time"}, ParameterError, "did you mean 'card'"),
        ({"alerts": 2, "per": "1d", "by": [1, 2]}, {"time": "time"}, DataError, "has 2 values"),
        ({"alerts": 2, "per": "52w"}, {"time": "time"}, DataError, "no period has held-out predictions"),
    ],
)
def test_invalid_budgets_are_refused(goal, given, error, message):
    frame, y = payments(20)
    if given.get("time") == "number":
        frame = frame.assign(number=np.arange(len(y))).drop(columns="time")
    elif not given:
        frame = frame.drop(columns="time")
    with pytest.raises(error, match=message):
        imbcore.fit(frame, y, "hddt", threshold=goal, **given)
    wrapper = ThresholdClassifier(LogisticRegression(), goal)
    X = frame.drop(columns="card" if goal.get("by") is None else [])
    with pytest.raises(error, match=message):
        wrapper.fit(X, y, **given)


def test_budgets_per_period_have_no_guarantee():
    frame, y = payments(20)
    X, goal = frame[["x", "time"]], {"alerts": 2, "per": "1d", "guarantee": 0.9}
    with pytest.raises(ParameterError, match="arbitrary changes over time"):
        imbcore.fit(X, y, "hddt", threshold=goal, time="time")
    with pytest.raises(ParameterError, match="arbitrary changes over time"):
        ThresholdClassifier(LogisticRegression(), goal).fit(X, y, time="time")
    with pytest.raises(ParameterError, match="arbitrary changes over time"):
        metrics.threshold_for(y, np.linspace(0, 1, len(y)), goal, time=frame["time"])


def test_a_budget_that_limits_nothing_alerts_on_every_row():
    frame, y = payments(20)
    with pytest.warns(DataWarning, match="alerts on every row; give a lower budget"):
        model = imbcore.fit(
            frame[["x", "time"]], y, "hddt", threshold={"alerts": 500, "per": "1d"}, time="time"
        )
    assert model.decision_["threshold"] == 0


def test_budgets_per_period_are_not_moved_to_other_class_proportions():
    frame, y = payments(20)
    X = frame[["x", "time"]]
    model = imbcore.fit(X, y, "hddt", threshold={"alerts": 2, "per": "1d"}, time="time", random_state=0)
    with pytest.raises(UnsupportedError, match="needs the times of the new rows"):
        model.correct_prior(X[["x"]])


def test_a_row_of_weight_two_is_two_alerts_and_a_group_is_one():
    y, score, time, card = rows(5)
    weight = np.random.default_rng(1).integers(0, 3, N)
    goal = {"alerts": 4, "per": {"time": 1.0}}
    twice = np.repeat(np.arange(N), weight)
    for groups in (None, card):
        own = None if groups is None else groups[twice]
        expected = metrics.threshold_for(y[twice], score[twice], goal, time=time[twice], groups=own)
        found = metrics.threshold_for(y, score, goal, sample_weight=weight, time=time, groups=groups)
        assert found[0] == expected[0]
        assert found[1]["alerts"] == pytest.approx(expected[1]["alerts"])


def test_later_labels_change_no_earlier_choice():
    frame, y = payments(40)
    goal = {"alerts": 2, "per": "1d"}
    X = frame[["x", "z", "time"]]
    first = imbcore.evaluate(X, y, "hddt", threshold=goal, time="time", folds=4, random_state=0)
    start = first.rows[first.fold == 2].min()
    shuffled = y.copy()
    shuffled[start:] = np.random.default_rng(0).permutation(shuffled[start:])
    again = imbcore.evaluate(X, shuffled, "hddt", threshold=goal, time="time", folds=4, random_state=0)
    before = first.fold <= 2
    assert (first.predicted[before] == again.predicted[before]).all()
    assert first.proba[before].tobytes() == again.proba[before].tobytes()


def test_few_periods_cause_a_warning_and_the_card_has_no_interval():
    frame, y = payments()
    given = {"time": "time", "threshold": {"alerts": 9, "per": "28d"}, "random_state": 0}
    with pytest.warns(DataWarning, match=r"rests on 1 whole time span,"):
        model = imbcore.fit(frame.drop(columns="card"), y, "naive_bayes", **given)
    expected = model.decision_["expected"]["alerts"]
    assert (expected["n_periods"], expected["low"]) == (1, None)
    assert "alerts" in model.to_card()
