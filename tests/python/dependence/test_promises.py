"""Kind: a promise for rows of groups is made, proved and stated in one unit, by every way to ask for it.

Before, precision, alert rate and cost used one row of each held-out group, wrappers refused groups and time,
no promise about all rows together was possible, and intervals counted the rows of a group as independent.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from dependent_rows import Recorder, customers
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

import imbcore
from imbcore.decisions import ConformalClassifier, ThresholdClassifier, check_over_time
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

GOALS: list[dict[str, Any]] = [
    {"recall": 0.5},
    {"fpr": 0.3},
    {"precision": 0.15},
    {"alert_rate": 0.3},
    {"alerts": 30, "per": 100},
    {"cost": [[0, 1], [2, 0]], "at_most": 0.9},
]
X, Y, GROUPS = customers(400, 5, 3)


class Table(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier whose input is the probability of class 1."""

    classes_ = np.array([0, 1])

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, X: Any, y: Any) -> Table:
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        return np.column_stack([1 - np.asarray(X)[:, 0], np.asarray(X)[:, 0]])


def rule(p: Any, y: Any, goal: dict[str, Any], **given: Any) -> ThresholdClassifier:
    model = ThresholdClassifier(FrozenEstimator(Table()), goal, positive=1, random_state=0)
    return model.fit(np.asarray(p)[:, None], y, **given)


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_groups_of_one_row_are_no_groups(goal: dict[str, Any]) -> None:
    rows = np.arange(0, len(Y), 5)
    x, y, goal = X[rows], Y[rows], goal | {"guarantee": 0.8, "guarantee_rows": 0.5}
    own = {"groups": [f"row {row}" for row in rows]}
    model = imbcore.fit(x, y, "naive_bayes", threshold=goal, random_state=0)
    grouped = imbcore.fit(x, y, "naive_bayes", threshold=goal, random_state=0, **own)
    assert grouped.to_bytes() == model.to_bytes()
    wrapper = ThresholdClassifier(LogisticRegression(), goal, random_state=0)
    assert wrapper.fit(x, y, **own).decision_ == wrapper.fit(x, y).decision_


def test_conformal_sets_of_groups_of_one_row_are_those_of_rows() -> None:
    rows = np.arange(0, len(Y), 5)
    for method in ("split", "cross", "out_of_bag", "out_of_bag_plus"):
        forest = imbcore.RandomForestClassifier(n_estimators=20, random_state=0)
        model = ConformalClassifier(forest, 0.3, method=method, random_state=0)
        sets = model.fit(X[rows], Y[rows]).p_values(X)
        assert np.array_equal(model.fit(X[rows], Y[rows], groups=rows).p_values(X), sets), method


@pytest.mark.parametrize("goal", GOALS, ids=str)
@pytest.mark.parametrize("largest", [None, 5])
def test_the_unit_is_stated_and_expected_values_have_both_weights(goal: dict[str, Any], largest: Any) -> None:
    goal = goal | {"guarantee": 0.8, "guarantee_rows": 0.5}
    goal |= {} if largest is None else {"max_group_size": largest}
    model = imbcore.fit(X, Y, "naive_bayes", threshold=goal, random_state=0, groups=GROUPS)
    wrapper = ThresholdClassifier(LogisticRegression(), goal, random_state=0).fit(X, Y, groups=GROUPS)
    for decision in (model.decision_, wrapper.decision_):
        unit = (
            "random row of a random new group: a group is drawn" if largest is None else "at most 5 rows each"
        )
        assert unit in decision["assumes"]
        assert ("at most 2, the largest entry" in decision["assumes"]) == ("cost" in goal)
        # All groups have five rows.
        for name in ("alert_rate", "precision", "cost"):
            by_row, by_group = decision["expected"][name], decision["expected_by_group"][name]
            if isinstance(by_row, dict):
                by_row, by_group = by_row["value"], by_group["value"]
            assert by_row == (None if by_row is None else pytest.approx(by_group))
        assert ("cost_interval" in decision["expected"]) == ("cost" in goal)


def test_every_row_of_a_held_out_group_counts() -> None:
    """Independent rows in groups prove more than one row of each group: 500 rows allow at most 0.078."""
    rng = np.random.default_rng(0)
    p, groups = rng.random(5000), np.repeat(np.arange(500), 10)
    y = (rng.random(5000) < p).astype(int)
    found = rule(p, y, {"alert_rate": 0.1, "guarantee": 0.95}, groups=groups).decision_
    assert 0.085 < found["expected_by_group"]["alert_rate"]["value"] < 0.1
    # With equal rows in every group, the groups count.
    shared = np.repeat(p[:500], 10)
    found = rule(shared, y, {"alert_rate": 0.1, "guarantee": 0.95}, groups=groups).decision_
    assert 0.04 < found["expected_by_group"]["alert_rate"]["value"] < 0.078


def test_thresholds_do_not_depend_on_the_order_of_rows_within_groups() -> None:
    rng = np.random.default_rng(0)
    order = np.lexsort((rng.random(len(Y)), GROUPS))
    p = 1 / (1 + np.exp(1.5 - X[:, 0] - 0.1 * rng.normal(size=len(Y))))
    for goal in GOALS[2:]:
        goal = goal | {"guarantee": 0.8}
        first = rule(p, Y, goal, groups=GROUPS)
        assert rule(p[order], Y[order], goal, groups=GROUPS[order]).threshold_ == first.threshold_, goal


def sized(n_groups: int, seed: int) -> tuple[Any, Any, Any]:
    """Groups of 1 or 20 rows; rows of large groups are positive more often."""
    rng = np.random.default_rng(seed)
    sizes = np.where(rng.random(n_groups) < 0.2, 20, 1)
    groups = np.repeat(np.arange(n_groups), sizes)
    p = rng.random(len(groups)) ** np.where(sizes[groups] == 20, 1.0, 3.0)
    return p, (rng.random(len(groups)) < p).astype(int), groups


@pytest.mark.parametrize(
    ("goal", "loss"),
    [
        ({"alert_rate": 0.3}, lambda alert, y: (alert, alert >= 0)),
        ({"fpr": 0.2}, lambda alert, y: (alert, y == 0)),
        ({"recall": 0.7}, lambda alert, y: (~alert, y == 1)),
        ({"precision": 0.6}, lambda alert, y: (y == 0, alert)),
        ({"cost": [[0, 1], [2, 0]], "at_most": 0.6}, lambda a, y: (np.where(y == 1, 2 * ~a, a), a >= 0)),
    ],
    ids=["alert_rate", "fpr", "recall", "precision", "cost"],
)
def test_a_promise_about_all_rows_needs_the_largest_group(goal: dict[str, Any], loss: Any) -> None:
    p, y, groups = sized(3000, 0)
    goal = goal | {"guarantee": 0.9}
    pooled = rule(p, y, goal | {"max_group_size": 20}, groups=groups)
    limit = goal.get("at_most", goal.get("alert_rate", goal.get("fpr", 0.3 if "recall" in goal else 0.4)))
    new_p, new_y, _ = sized(20_000, 1)
    alert = new_p >= pooled.threshold_
    values, counted = loss(alert, new_y)
    assert values[counted].mean() <= limit
    # The other unit is another promise.
    by_group = rule(p, y, goal, groups=groups)
    assert by_group.threshold_ != pooled.threshold_
    with pytest.raises(DataError, match=r"a group has 20 rows, but threshold\[\"max_group_size\"\] is 19"):
        rule(p, y, goal | {"max_group_size": 19}, groups=groups)
    fit = {"threshold": goal | {"max_group_size": 19}, "groups": groups}
    with pytest.raises(DataError, match="a group has 20 rows"):
        imbcore.fit(p[:, None], y, "naive_bayes", **fit)


def test_the_size_of_groups_belongs_to_a_guarantee() -> None:
    with pytest.raises(ParameterError, match=r'max_group_size.*used together with "guarantee"'):
        imbcore.fit(X, Y, "hddt", threshold={"recall": 0.5, "max_group_size": 5}, groups=GROUPS)
    goal = {"recall": 0.5, "guarantee": 0.9, "max_group_size": 2.5}
    with pytest.raises(ParameterError, match="a whole number of rows"):
        imbcore.fit(X, Y, "hddt", threshold=goal, groups=GROUPS)
    with pytest.warns(UserWarning, match="no two rows are of one group"):
        imbcore.fit(X, Y, "hddt", threshold=goal | {"max_group_size": 5}, random_state=0)


STRICT: list[dict[str, Any]] = [
    {"recall": 0.999},
    {"fpr": 0.001},
    {"precision": 0.999},
    {"alert_rate": 0.001},
    {"alerts": 1, "per": 1000},
    {"cost": [[0, 1], [2, 0]], "at_most": 0.002},
]


@pytest.mark.parametrize("goal", STRICT, ids=str)
@pytest.mark.parametrize("largest", [None, 5])
@pytest.mark.parametrize("grouped", [True, False])
def test_too_few_groups_are_refused_before_fitting(goal: dict[str, Any], largest: Any, grouped: bool) -> None:
    goal = goal | {"guarantee": 0.95} | ({"max_group_size": largest} if largest and grouped else {})
    given = {"groups": GROUPS} if grouped else {}
    unit = (
        r"\d+ groups.* are held out.*requires at least \d+" if grouped else r"rows are held out.*at least \d+"
    )
    Recorder.fits.clear()
    with pytest.raises(DataError, match=unit):
        ThresholdClassifier(Recorder(), goal, random_state=0).fit(X, Y, **given)
    assert not Recorder.fits
    with pytest.raises(DataError, match=unit):
        imbcore.fit(X, Y, "hddt", threshold=goal, **given)


@pytest.mark.parametrize("goal", STRICT[1:4:2] + STRICT[5:], ids=str)
def test_the_required_number_of_groups_suffices(goal: dict[str, Any]) -> None:
    goal = {name: 0.05 if name == "alert_rate" else value for name, value in goal.items()}
    goal |= {"guarantee": 0.9} | ({"at_most": 0.1} if "cost" in goal else {})

    def fit(n_groups: int) -> ThresholdClassifier:
        groups = np.repeat(np.arange(n_groups), 2)
        y = (groups % 2 == 0).astype(int)
        return rule(np.where(y == 1, 0.99, 0.01), y, goal, groups=groups)

    with pytest.raises(DataError) as refused:
        fit(10)
    found = re.search(r"at least (\d+)", str(refused.value))
    assert found is not None
    needed = int(found[1])
    if "fpr" in goal:
        needed *= 2
    assert fit(needed + 6).threshold_ > 0
    with pytest.raises(DataError, match="are held out"):
        fit(needed - 6)


def test_conformal_sets_count_one_row_per_group_and_class() -> None:
    new_x, new_y, _ = customers(4000, 1, 99)
    model = ConformalClassifier(LogisticRegression(), 0.2, calibration_rows=0.4, random_state=0)
    model.fit(X, Y, groups=GROUPS)
    assert sum(model.n_calibration_.values()) == 160
    assert "random row of a random new group" in model.assumes_
    covered = model.predict_set(new_x)[np.arange(len(new_y)), new_y]
    assert all(covered[new_y == k].mean() > 0.7 for k in (0, 1))
    assert model.set_params(method="cross").fit(X, Y, groups=GROUPS).n_calibration_[1] <= 400
    careful = ConformalClassifier(LogisticRegression(), 0.2, miss=0.3, confidence=0.9, random_state=0)
    careful.fit(X, Y, groups=GROUPS)
    assert (careful.predict(new_x)[new_y == 1] == 1).mean() >= 0.7
    with pytest.raises(DataError, match=r"groups with positive rows are held out.*at least 230"):
        careful.set_params(miss=0.01, alpha=0.2).fit(X, Y, groups=GROUPS)
    with pytest.raises(DataError, match=r"one row per group counts.*calibration rows.*at least 199"):
        careful.set_params(alpha=0.005, miss=None, confidence=None).fit(X, Y, groups=GROUPS)


def test_conformal_sets_over_time_promise_nothing_more() -> None:
    time = np.arange(len(Y))
    model = ConformalClassifier(LogisticRegression(), 0.2, random_state=0).fit(X, Y, time=time)
    assert model.assumes_.startswith("no guarantee covers arbitrary changes over time")
    assert sum(model.n_calibration_.values()) == len(Y) // 4
    both = model.fit(X, Y, groups=GROUPS, time=time)
    assert "random new group" in both.assumes_
    assert "; no guarantee" in both.assumes_
    assert model.fit(X, Y).assumes_ is None
    promise = ThresholdClassifier(LogisticRegression(), {"recall": 0.5, "guarantee": 0.9}, random_state=0)
    assert "no guarantee" in promise.fit(X, Y, time=time).decision_["assumes"]
    forest = imbcore.RandomForestClassifier(n_estimators=5, random_state=0)
    for method, given in [
        ("out_of_bag_plus", {"groups": GROUPS}),
        ("out_of_bag_plus", {"time": time}),
        ("cross", {"time": time}),
        ("out_of_bag", {"time": time}),
    ]:
        with pytest.raises(UnsupportedError, match='use method="split"'):
            ConformalClassifier(forest, method=method).fit(X, Y, **given)


def test_conformal_assumptions_are_stored(tmp_path: Any) -> None:
    model = ConformalClassifier(imbcore.HDDTClassifier(), 0.2, random_state=0).fit(X, Y, groups=GROUPS)
    model.save(tmp_path / "sets.imb")
    assert imbcore.decisions.load(tmp_path / "sets.imb").assumes_ == model.assumes_


@pytest.mark.parametrize("goal", ["f1", {"recall": 0.7}, {"recall": 0.7, "guarantee": 0.9}], ids=str)
def test_copies_of_rows_do_not_narrow_the_intervals(goal: Any) -> None:
    """Intervals count groups, for thresholds with and without a guarantee."""
    x, y, _ = customers(600, 1, 5)
    p = 1 / (1 + np.exp(1.5 - x[:, 0]))
    groups = np.repeat(np.arange(600), 20)
    single = ThresholdClassifier(LogisticRegression(), goal, random_state=0).fit(p[:, None], y)
    copies = ThresholdClassifier(LogisticRegression(), goal, random_state=0)
    copies.fit(np.repeat(p, 20)[:, None], np.repeat(y, 20), groups=groups)
    for name in ("recall", "precision", "fpr", "alert_rate"):
        widths = [
            part[name]["high"] - part[name]["low"]
            for part in (
                single.decision_["expected"],
                copies.decision_["expected"],
                copies.decision_["expected_by_group"],
            )
        ]
        assert max(widths) < 1.5 * min(widths), (name, widths)


def test_the_intervals_of_a_fit_count_groups() -> None:
    for method in ("naive_bayes", "random_forest"):
        given = {"threshold": "f1", "random_state": 0, "groups": GROUPS}
        decision = imbcore.fit(X, Y, method, **given).decision_
        n_positive = len(np.unique(GROUPS[Y == 1]))
        recall = decision["expected"]["recall"]
        # Half the width of an interval for independent groups.
        half = 1.96 * np.sqrt(recall["value"] * (1 - recall["value"]) / n_positive)
        assert recall["high"] - recall["low"] > 1.6 * half, method
        assert decision["expected_by_group"]["recall"]["value"] == pytest.approx(recall["value"], abs=1e-9)


@pytest.mark.filterwarnings("ignore:threshold=.* does not fit the final model:UserWarning")
def test_a_promise_is_checked_in_later_periods() -> None:
    """The realized value, its interval, and whether the target is met, for every period with rows."""
    rng = np.random.default_rng(0)
    start = datetime(2026, 1, 1)
    day = np.sort(rng.integers(0, 90, 3000))
    x, y, groups = customers(600, 5, 8)
    dates = [start + timedelta(days=int(one)) for one in day]
    early = day < 30
    goal = {"recall": 0.6, "guarantee": 0.9}
    model = imbcore.fit(x[early], y[early], "naive_bayes", threshold=goal, random_state=0)
    # From day 60 on, positive rows look like the negative row of the smallest probability.
    p = model.predict_proba(x[early])[:, 1]
    x[(day >= 60) & (y == 1)] = x[early][np.argmin(p)]
    later = ~early
    given = {"time": [one for one, use in zip(dates, later, strict=True) if use], "period": "30d"}
    found = check_over_time(model, x[later], y[later], **given)
    assert [(one["n_rows"], one["n_positives"]) for one in found] == [
        (int((own := (day >= low) & (day < low + 30)).sum()), int(y[own].sum())) for low in (30, 60)
    ]
    assert found[0]["start"].isoformat() == "2026-01-31T00:00:00+00:00"
    assert [one["met"] for one in found] == [True, False]
    assert [one["contradicted"] for one in found] == [False, True]
    alert = model.predict(x) == 1
    own = (day >= 60) & (y == 1)
    assert found[1]["value"] == pytest.approx(alert[own].mean())
    grouped = check_over_time(model, x[later], y[later], groups=groups[later], **given)
    rows = np.unique(groups[own])
    assert grouped[1]["value"] == pytest.approx(np.mean([alert[own & (groups == g)].mean() for g in rows]))
    numbers = check_over_time(model, x[later], y[later], time=day[later], period=15)
    assert len(numbers) == 4
    assert numbers[0]["start"] == 30.0
    for goal in GOALS[1:]:
        other = imbcore.fit(x[early], y[early], "naive_bayes", threshold=goal, random_state=0)
        first = check_over_time(other, x[later], y[later], **given)[0]
        assert first["low"] <= first["value"] <= first["high"]
    with pytest.raises(ParameterError, match="target in threshold="):
        check_over_time(imbcore.fit(x, y, "naive_bayes"), x, y, time=day, period=1)
    with pytest.raises(ParameterError, match="period must be a time span"):
        check_over_time(model, x[later], y[later], **(given | {"period": 30}))


def test_promises_hold_on_draws_from_a_known_distribution() -> None:
    """Each guarantee of 0.8 holds in at least 80 % of 60 draws, less a binomial margin at level 0.001."""
    rng = np.random.default_rng(5)
    goals: list[dict[str, Any]] = [{"recall": 0.5}, {"fpr": 0.3}, {"precision": 0.4}, {"alert_rate": 0.3}]
    kept = {str(goal): 0 for goal in goals}
    issued = dict.fromkeys(kept, 0)
    for _ in range(60):
        base = np.repeat(rng.normal(size=300), 6)
        latent = np.sqrt(0.7) * base + np.sqrt(0.3) * rng.normal(size=len(base))
        noise = np.sqrt(0.7) * np.repeat(rng.normal(size=300), 6) + np.sqrt(0.3) * rng.normal(size=len(base))
        y = (0.8 * latent + 0.6 * noise > 1).astype(int)
        p = 1 / (1 + np.exp(1 - 2 * latent))
        for goal in goals:
            try:
                at = rule(p, y, goal | {"guarantee": 0.8}, groups=np.repeat(np.arange(300), 6)).threshold_
            except DataError:
                continue
            issued[str(goal)] += 1
            alert = at <= TRUE_P
            if "recall" in goal:
                # Of groups with a positive row, which have other latent variables than other groups.
                met = np.average(alert[TRUE_Y == 1], weights=RECALL_WEIGHTS) >= goal["recall"]
            elif "precision" in goal:
                met = TRUE_Y[alert].mean() >= goal["precision"]
            elif "fpr" in goal:
                met = np.average(alert[TRUE_Y == 0], weights=FPR_WEIGHTS) <= goal["fpr"]
            else:
                met = alert.mean() <= goal["alert_rate"]
            kept[str(goal)] += bool(met)
    for name, count in kept.items():
        assert issued[name] >= 50, issued
        assert count >= 0.62 * issued[name], (kept, issued)


def _population() -> tuple[Any, ...]:
    rng = np.random.default_rng(6)
    groups = np.repeat(np.arange(20_000), 6)
    latent, noise = (
        np.sqrt(0.7) * np.repeat(rng.normal(size=20_000), 6) + np.sqrt(0.3) * rng.normal(size=len(groups))
        for _ in range(2)
    )
    y = (0.8 * latent + 0.6 * noise > 1).astype(int)
    positives = np.bincount(groups, weights=y)[groups]
    return 1 / (1 + np.exp(1 - 2 * latent)), y, 1 / positives[y == 1], 1 / (6 - positives[y == 0])


TRUE_P, TRUE_Y, RECALL_WEIGHTS, FPR_WEIGHTS = _population()
