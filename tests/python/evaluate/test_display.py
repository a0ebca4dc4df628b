"""Display of scores: ranges, digits, time spans, and row order."""

import json
import re
from datetime import timedelta

import numpy as np
import pandas as pd
import pytest

import imbcore
from imbcore import DataWarning
from imbcore._validation.dependence import format_time_span
from imbcore._validation.digits import score_text
from imbcore.evaluation._document import Table
from imbcore.evaluation._evaluation import format_score_table
from imbcore.evaluation._scores import METRICS, metric_range


@pytest.fixture(scope="module")
def found():
    """Few positives, so that folds differ much and plain intervals exceed the range of a score."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 3))
    y = np.where(X[:, 0] > 2.0, "fraud", "fine")
    return imbcore.evaluate(X, y, ["cart", "naive_bayes"], folds=3, random_state=0)


def test_intervals_stay_within_the_range_of_their_score(found):
    for result in found.values():
        for metric, (low, high) in result.interval().items():
            lowest, highest = metric_range(metric, 2)
            assert not low < lowest
            assert not high > highest
    assert any(high == 1.0 for result in found.values() for _, high in result.interval().values())
    for difference in found.differences("recall"):
        assert -1 <= difference.low <= difference.high <= 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.93512, "0.935"),
        (0.0, "0.000"),
        (1.0, "1.000"),
        (0.000416, "0.00042"),
        (0.0123, "0.012"),
        (-0.00037, "-0.00037"),
        (2e-9, "2.0e-09"),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
    ],
)
def test_small_scores_keep_two_significant_digits(value, text):
    assert score_text(value) == text


def test_no_small_score_is_shown_as_zero():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 2))
    y = (X[:, 0] + 0.1 * X[:, 1] > 3.0).astype(int)
    y[:3] = 1
    result = imbcore.evaluate(X, y, "cart", folds=3, random_state=0)
    mean = result.mean()["brier"]
    assert 0 < mean < 0.01
    shown = next(line for line in format_score_table({"cart": result}).splitlines() if "Brier" in line)
    assert "0.000 " not in shown
    assert float(re.search(r"\s([0-9.e-]+) ±", shown)[1]) == pytest.approx(mean, rel=0.06)


@pytest.mark.parametrize(
    ("span", "text"),
    [
        (timedelta(days=7), "7 days"),
        (timedelta(days=1), "1 day"),
        (timedelta(hours=36), "1 day 12 hours"),
        (timedelta(minutes=5), "5 minutes"),
        (timedelta(seconds=90.5), "1 minute 30.5 seconds"),
        (timedelta(0), "0 seconds"),
    ],
)
def test_time_spans_are_written_in_their_units(span, text):
    assert format_time_span(span.total_seconds()) == text


def test_gap_of_days_is_written_in_days():
    rng = np.random.default_rng(0)
    when = pd.date_range("2026-01-01", periods=300, freq="D")
    X = pd.DataFrame({"a": rng.normal(size=300)})
    result = imbcore.evaluate(X, rng.random(300) < 0.3, "cart", folds=3, time=when, time_gap="7d")
    assert result.division == "folds forward in time, gap of 7 days"


def test_accuracy_is_not_the_first_row(found):
    for result in found.values():
        names = [row["metric"] for row in result.table()]
        assert names[0] != "accuracy"
        assert names == [name for name in METRICS if name in names]
    assert not str(found).splitlines()[2].startswith("accuracy")
    assert "accuracy" not in str(found["cart"]).splitlines()[2].split()[0]


def test_one_test_set_has_no_interval():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 2)), rng.integers(0, 2, 200)
    folds, groups = [(np.arange(100), np.arange(100, 200))], np.arange(200) // 2
    words = "no interval, because there is only one test set"
    several = imbcore.evaluate(X, y, ["cart", "hddt"], folds=folds, random_state=0)
    one = imbcore.evaluate(X, y, ["cart"], folds=folds, random_state=0)
    for text in (str(one), str(several), str(one["cart"]), one._repr_html_()):
        assert words in text
        assert "95 %" not in text
        assert "nan" not in text
        assert not re.search(r"\n\n\s*\n|\n +\n|difference", text)
    assert all(line.strip() for block in str(one).split("\n\n") for line in block.split("\n"))
    in_groups = imbcore.evaluate(X, y, ["cart"], folds=folds, groups=groups, random_state=0)
    assert "95 % interval of the mean" in str(in_groups)
    assert words not in str(in_groups)


def test_methods_that_never_predict_the_positive_class_are_named():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    y = np.where(rng.random(400) < 0.05, "fraud", "fine")
    quiet = imbcore.evaluate(X, y, "naive_bayes", threshold=1.0, folds=2, random_state=0)
    note = "naive_bayes predicts class 'fraud' for no row, so recall is 0; choose a threshold"
    assert note in str(quiet)
    assert "choose a threshold" in quiet._repr_html_()
    both = imbcore.evaluate(X, y, ["naive_bayes", "cart"], folds=2, random_state=0)
    assert ("naive_bayes predicts" in str(both)) == (not (both["naive_bayes"].predicted == "fraud").any())
    assert "cart predict" not in str(both)


@pytest.mark.filterwarnings("ignore:.*does not fit the final model:UserWarning")
@pytest.mark.parametrize(
    ("alerts", "rule"),
    [
        ({"alerts": 5, "per": "1d", "by": "card", "amount": "a"}, '{"alerts": 5, "per": "1d", "by": "card"}'),
        ({"alerts": 2.0, "per": timedelta(days=7)}, '{"alerts": 2, "per": "7d"}'),
        (8, '{"alerts": 8, "per": 400}'),
        ({"alert_rate": 0.01}, '{"alert_rate": 0.01}'),
        ({"alert_rate": np.float32(0.25)}, '{"alert_rate": 0.25}'),
    ],
)
def test_the_note_names_the_alert_budget_of_the_scores(alerts, rule):
    """Kind: a remedy uses the values of the caller and is valid."""
    rng = np.random.default_rng(0)
    times = np.datetime64("2024-03-01T00") + np.arange(400)
    X = pd.DataFrame({"a": rng.random(400), "card": np.arange(400) // 2, "time": times})
    y = (X["a"] + 0.3 * rng.random(400) > 0.9).astype(int)
    given = {"alerts": alerts, "folds": 2, "time": "time", "random_state": 0}
    quiet = imbcore.evaluate(X, y, "naive_bayes", threshold=1.0, **given)
    assert str(quiet).endswith(f"threshold={rule}")
    imbcore.evaluate(X, y, "naive_bayes", threshold=json.loads(rule), **given)


def test_p_values_are_never_shown_as_zero():
    rows = (("a", 0.0001, 0.0001), ("b", 0.0005, 0.0), ("p of F", float("nan"), 0.0))
    table = Table("t", ("set", "mean", "adjusted p"), rows)
    shown = [line.strip("| ").split(" | ") for line in table.markdown().splitlines()[4:]]
    assert shown == [["a", "0.000", "< 0.001"], ["b", "0.001", "< 0.001"], ["p of F", "-", "< 0.001"]]
    assert table.html().count("<td>&lt; 0.001</td>") == 3
    assert "< 0.01" in Table("t", ("p",), ((0.0049,),), digits=2).markdown()


def test_npv_is_undefined_in_folds_without_negative_predictions():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 1))
    y = np.repeat([0, 1], [160, 40])
    found = imbcore.evaluate(X, y, "naive_bayes", threshold=0.0, folds=2, random_state=0)
    assert np.isnan(found.metrics["npv"]).all()
    assert found.n_defined()["npv"] == 0


def test_warnings_of_the_fits_are_merged():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 2)), (np.arange(300) % 6 == 0).astype(int)
    with pytest.warns(DataWarning) as emitted:
        imbcore.evaluate(X, y, {"mine": "logistic_regression"}, folds=4, random_state=0)
    texts = [str(one.message) for one in emitted if "fits of the evaluation" in str(one.message)]
    assert len(texts) == 1
    assert re.match(r"mine, in [1-4] of 4 fits of the evaluation: no signal was found", texts[0])
