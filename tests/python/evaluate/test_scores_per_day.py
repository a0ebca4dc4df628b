"""Scores of alerts per day in `evaluate` and `compare`.

Kind: a score of an evaluation is the metric of the same name, on the test rows of every fold.
"""

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression

import imbcore
from imbcore import metrics
from imbcore.exceptions import ParameterError

N = 600
NAMES = [
    "precision_at_k_per_day",
    "card_precision_at_k_per_day",
    "alerts_per_day",
    "false_alerts_per_day",
    "event_recall",
    "days_to_detection",
    "money_saved_per_day",
]


def payments(seed=0):
    rng = np.random.default_rng(seed)
    y = (rng.random(N) < 0.2).astype(int)
    day = np.datetime64("2024-03-01") + np.sort(rng.integers(0, 30, N))
    frame = pd.DataFrame(
        {
            "x": y + rng.normal(size=N),
            "amount": rng.gamma(2, 50, N),
            "card": [f"c{card}" for card in rng.integers(0, 60, N)],
            "day": day + rng.integers(0, 86_400, N).astype("timedelta64[s]"),
        }
    ).sort_values("day", ignore_index=True)
    return frame, y


def expected_scores(result, frame, k, cards, amounts, per="1d", alert_cost=0.0):
    """Apply the metrics to the predictions of every test fold."""
    found = {}
    for fold in range(result.folds):
        tested = result.fold == fold
        rows = result.rows[tested]
        score = result.proba[tested][:, list(result.classes_).index(result.positive)]
        y, alerts = result.y[tested] == result.positive, result.predicted[tested] == result.positive
        given = {"time": frame["day"].to_numpy()[rows], "per": per}
        values = {
            "precision_at_k_per_day": metrics.precision_at_k_per_day(y, score, k, **given),
            "alerts_per_day": metrics.alerts_per_day(
                alerts, **given, groups=None if cards is None else cards[rows]
            ).mean,
            "false_alerts_per_day": metrics.false_alerts_per_day(
                y, alerts, **given, groups=None if cards is None else cards[rows]
            ),
        }
        if cards is not None:
            own = given | {"groups": cards[rows]}
            values["card_precision_at_k_per_day"] = metrics.card_precision_at_k_per_day(y, score, k, **own)
            values["days_to_detection"] = metrics.days_to_detection(y, alerts, **own)
            values["event_recall"] = metrics.event_recall(y, alerts, time=own["time"], groups=own["groups"])
        if amounts is not None:
            values["money_saved_per_day"] = metrics.money_saved_per_day(
                y,
                alerts,
                amounts[rows],
                **given,
                groups=None if cards is None else cards[rows],
                alert_cost=alert_cost,
            )
        for name, value in values.items():
            found.setdefault(name, []).append(value)
    return found


@pytest.mark.parametrize("case", ["columns", "groups", "costs", "plain", "hours"])
def test_evaluate_computes_the_metrics_of_every_test_set(case):
    frame, y = payments()
    cards, amounts = frame["card"].to_numpy(), frame["amount"].to_numpy()
    alerts, options, X = {"alerts": 3.5 if case == "groups" else 3, "per": "1d"}, {"time": "day"}, frame
    if case == "columns":
        alerts |= {"by": "card", "amount": "amount"}
        expected = (cards, amounts)
    elif case == "groups":
        alerts |= {"amount": "amount"}
        options |= {"groups": "card"}
        expected = (cards, amounts)
    elif case == "costs":
        X = frame.drop(columns="card")
        options |= {"costs": {"alarm": np.int64(5), "miss": "amount"}}
        expected = (None, amounts, "1d", 5.0)
    else:
        X = frame.drop(columns="card")
        alerts["per"] = "1d" if case == "plain" else "6h"
        expected = (None, None, alerts["per"])
    found = imbcore.evaluate(X, y, "cart", alerts=alerts, folds=4, random_state=0, max_depth=3, **options)
    by_hand = expected_scores(found, frame, alerts["alerts"], *expected)
    for name, values in by_hand.items():
        assert found.metrics[name].tolist() == pytest.approx(values), name
    assert set(found.metrics) & set(NAMES) == set(by_hand) & set(NAMES)
    assert "precision_at_alerts" not in found.metrics
    assert ("precision_at_k_per_day" if case != "hours" else "precision at k per 6h") in str(found)
    assert (found.without_groups is not None) == (case == "groups")


@pytest.mark.parametrize(("per", "name"), [("7d", "7d"), ("24h", "day"), (np.timedelta64(1, "h"), "1h")])
def test_names_state_the_period_and_detection_is_in_days(per, name):
    frame, y = payments()
    budget = {"alerts": 3, "per": per, "by": "card", "amount": "amount"}
    options = {"time": "day", "random_state": 0}
    methods = {"tree": imbcore.CARTClassifier(max_depth=3, random_state=0), "line": LogisticRegression()}
    daily = imbcore.evaluate(frame, y, methods, alerts=budget | {"per": "1d"}, **options)
    found = imbcore.evaluate(frame, y, methods, alerts=budget, **options)
    for method in methods:
        assert (
            found[method].metrics["days_to_detection"].tolist()
            == daily[method].metrics["days_to_detection"].tolist()
        )
    titles = [f"{words} per {name}" for words in ("alerts", "precision at k", "money saved")]
    for text in (str(found), found._repr_html_()):
        assert all(title in text for title in [*titles, "days to detection"])
    assert ("alerts per 7d" in str(found["tree"])) == (name == "7d")
    assert found.differences(titles[0]) == found.differences("alerts_per_day")
    score = "precision_at_k_per_day"
    compared = imbcore.compare(frame, y, methods, time="day", alerts=budget, score=score, random_state=0)
    assert ("alerts_per_day" if name == "day" else f"alerts per {name}") in str(compared)
    assert f"alerts per {name}" in compared._repr_html_()


def test_no_event_found_has_an_exact_interval():
    frame, y = payments()
    budget = {"alerts": 3, "per": "1d"}
    constant = DummyClassifier(strategy="constant", constant=0)
    found = imbcore.evaluate(frame, y, constant, time="day", groups="card", alerts=budget, folds=3)
    assert found.mean()["event_recall"] == 0
    n = frame["card"][found.rows[found.y == 1]].nunique()
    assert found.interval()["event_recall"] == pytest.approx((0, 1 - 0.025 ** (1 / n)))
    alone = imbcore.evaluate(
        frame, y, constant, time="day", alerts=budget | {"by": "card"}, folds=3, random_state=0
    )
    assert all(np.isnan(alone.interval()["event_recall"]))


def test_periods_of_numbers_are_time_units():
    frame, y = payments()
    frame["day"] = frame["day"].astype("datetime64[us]").astype(np.int64) / 86_400e6
    budget = {"alerts": 3, "per": {"time": 7.0}, "by": "card"}
    found = imbcore.evaluate(frame, y, ["cart"], time="day", alerts=budget, random_state=0)
    assert "alerts per 7 time units" in str(found)
    assert "time units to detection" in str(found)
    single = imbcore.evaluate(
        frame, y, ["cart"], time="day", alerts=budget | {"per": {"time": 1.0}}, random_state=0
    )
    assert "alerts per time unit" in str(single)
    assert (
        found["cart"].metrics["days_to_detection"].tolist()
        == single["cart"].metrics["days_to_detection"].tolist()
    )


def test_evaluate_of_sources_classifiers_and_numbers(tmp_path):
    frame, y = payments(1)
    alerts = {"alerts": 3, "per": "1d", "by": "card", "amount": "amount"}
    options = {"time": "day", "alerts": alerts, "folds": 3, "random_state": 0}
    in_memory = imbcore.evaluate(frame, y, ["naive_bayes", "cart"], **options)
    frame.assign(y=y).to_parquet(tmp_path / "rows.parquet")
    of_file = imbcore.evaluate(tmp_path / "rows.parquet", "y", ["naive_bayes", "cart"], **options)
    for name in ("naive_bayes", "cart"):
        for metric, values in in_memory[name].metrics.items():
            assert of_file[name].metrics[metric].tobytes() == values.tobytes()
    numbers = frame.assign(day=frame["day"].astype("datetime64[us]").astype(np.int64) / 86_400e6)
    again = imbcore.evaluate(
        numbers, y, ["naive_bayes", "cart"], **(options | {"alerts": alerts | {"per": {"time": 1.0}}})
    )
    assert again["cart"].metrics["days_to_detection"] == pytest.approx(
        in_memory["cart"].metrics["days_to_detection"], rel=1e-6
    )
    only = frame[["x", "amount", "day", "card"]]
    other = imbcore.evaluate(only, y, LogisticRegression(), **options)
    by_hand = expected_scores(other, frame, 3, frame["card"].to_numpy(), frame["amount"].to_numpy())
    for name, values in by_hand.items():
        assert other.metrics[name].tolist() == pytest.approx(values), name


def test_compare_ranks_by_scores_per_day():
    frame, y = payments(2)
    alerts = {"alerts": 3, "per": "1d", "by": "card", "amount": "amount"}
    methods = {"cart": imbcore.CARTClassifier(max_depth=3, random_state=0), "line": LogisticRegression()}
    found = imbcore.compare(
        frame, y, methods, time="day", alerts=alerts, score="money_saved_per_day", random_state=0
    )
    assert found.score == found.measures[0] == "money_saved_per_day"
    assert set(NAMES) <= set(found.measures)
    result = imbcore.evaluate(frame, y, methods, time="day", alerts=alerts, random_state=0)
    for name in NAMES:
        means = found.summary(name).means[0]
        assert means == pytest.approx([result[method].mean()[name] for method in methods])
    assert "money_saved_per_day" in str(found)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alerts": {"alerts": 3, "per": "1d"}}, "which needs time="),
        ({"alerts": {"alerts": 3, "per": {"time": 1.0}}, "time": "day"}, "must be a time span"),
        ({"alerts": {"alerts": 3, "per": "1d"}, "time": np.arange(N)}, "time contains numbers"),
        ({"alerts": {"alerts": 3, "per": "1y"}, "time": "day"}, "must be a number of rows; a time span"),
        ({"alerts": {"alerts": 0, "per": "1d"}, "time": "day"}, "must be a number above 0"),
        ({"alerts": {"alerts": 3, "per": "1d", "amount": "sum"}, "time": "day"}, "no column 'sum'"),
        ({"alerts": {"alerts": 3, "per": "1d", "by": "kard"}, "time": "day"}, "did you mean 'card'"),
        ({"alerts": {"alerts": 3, "per": "1d", "k": 3}, "time": "day"}, "unknown key 'k'"),
    ],
)
def test_invalid_budgets_are_refused(options, message):
    frame, y = payments()
    X = frame if isinstance(options.get("time"), str) else frame.drop(columns="day")
    with pytest.raises(ParameterError, match=message):
        imbcore.evaluate(X, y, "cart", **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"score": "precision_at_k_per_day", "time": "day"}, "needs a budget and times"),
        ({"alerts": 5, "time": "day"}, "budget per period of time"),
        ({"alerts": {"alerts": 3, "per": "1d"}}, "which needs time="),
        (
            {"alerts": {"alerts": 3, "per": "1d"}, "time": "day", "score": "days_to_detection"},
            "needs groups; give groups= or alerts",
        ),
        (
            {"alerts": {"alerts": 3, "per": "1d"}, "time": "day", "score": "alerts_per_day"},
            "neither more nor less is better",
        ),
    ],
)
def test_invalid_scores_of_comparisons_are_refused(options, message):
    frame, y = payments()
    with pytest.raises(ParameterError, match=message):
        imbcore.compare(frame.drop(columns="card"), y, ["cart"], **options)


def test_scorers_get_times_by_metadata_routing():
    import sklearn
    from sklearn.model_selection import cross_validate

    frame, y = payments(3)
    X, day, card = frame[["x", "amount"]], frame["day"].to_numpy(), frame["card"].to_numpy()
    scorer = metrics.scorer("card_precision_at_k_per_day", k=3)
    with pytest.raises(ParameterError, match="needs time"):
        scorer(LogisticRegression().fit(X, y), X, y)
    with pytest.raises(ParameterError, match="needs k="):
        metrics.scorer("precision_at_k_per_day")
    splits = [(np.arange(300), np.arange(300, N))]
    with sklearn.config_context(enable_metadata_routing=True):
        found = cross_validate(
            LogisticRegression(),
            X,
            y,
            cv=splits,
            scoring=metrics.scorer("card_precision_at_k_per_day", k=3).set_score_request(
                time=True, groups=True
            ),
            params={"time": day, "groups": card},
        )
    score = LogisticRegression().fit(X[:300], y[:300]).predict_proba(X[300:])[:, 1]
    expected = metrics.card_precision_at_k_per_day(y[300:], score, 3, time=day[300:], groups=card[300:])
    assert found["test_score"] == pytest.approx([expected])
