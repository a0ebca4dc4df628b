"""Intervals and stars of scores that do not vary.

Kind: an interval uses all repetitions, and has a width whatever the scores are: equal in all test sets, equal
in the first repetition, or at an end of their range. Only a score that is constant by necessity, such as the
AUC of equal probabilities, has none.
"""

from typing import ClassVar

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.base import BaseEstimator, ClassifierMixin

import imbcore
from imbcore.evaluation import NamedMethod
from imbcore.evaluation._comparison_page import tables_of_means
from imbcore.evaluation._document import BestCellText
from imbcore.evaluation._group_intervals import group_variance, jackknife_variance

X = np.arange(200.0)[:, None]
Y = (np.arange(200) % 20 == 0).astype(int)
GROUPS = np.arange(200) // 40


class FixedColumn(ClassifierMixin, BaseEstimator):
    """Predicts the class in a column of the table."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[X[:, self.column].astype(int)]


# Both find no positive row; the second predicts equal probabilities.
FINDS_NOTHING = {"first": "logistic_regression", "second": ("cart", {"min_samples_leaf": 150})}


@pytest.fixture(scope="module")
def nothing():
    return imbcore.evaluate(X, Y, FINDS_NOTHING, random_state=0)


def test_a_recall_of_0_or_1_has_a_binomial_bound(nothing):
    result = nothing["first"]
    assert result.mean()["recall"] == 0
    bound = binomtest(0, 10).proportion_ci(0.95, method="exact").high
    assert result.interval()["recall"] == pytest.approx((0, bound))
    # Without alerts nothing is known of their precision.
    assert result.interval()["precision"] == (0, 1)
    assert result.interval()["f1"][1] == pytest.approx(2 * bound / (1 + bound))
    perfect = imbcore.evaluate(np.c_[Y], Y, FixedColumn(), random_state=0).interval()
    assert perfect["recall"] == pytest.approx((1 - bound, 1))
    assert perfect["accuracy"] == pytest.approx((0.025 ** (1 / 200), 1))
    for metric in ("recall", "precision", "f1", "g_mean", "balanced_accuracy", "mcc", "accuracy"):
        assert perfect[metric][0] < 1 == pytest.approx(perfect[metric][1]), metric


def test_units_are_groups():
    result = imbcore.evaluate(X, Y, "logistic_regression", groups=GROUPS, folds=2, random_state=0)
    assert result.interval()["recall"] == pytest.approx((0, 1 - 0.025 ** (1 / 5)))


def test_an_equal_proportion_within_the_range_has_a_width():
    y = np.repeat([1, 0], [10, 30])
    # Four of ten positive rows are found; the folds have equal recalls for some seed.
    predicted = np.isin(np.arange(40), [0, 1, 2, 3])
    for seed in range(20):
        found = imbcore.evaluate(np.c_[predicted], y, FixedColumn(), folds=2, random_state=seed)
        if np.ptp(found.metrics["recall"]) == 0:
            break
    ends = binomtest(4, 10).proportion_ci(0.95, method="exact")
    assert found.interval()["recall"] == pytest.approx((ends.low, ends.high))


def test_scores_of_equal_probabilities_have_no_width(nothing):
    interval = nothing["second"].interval()
    assert interval["roc_auc"] == (0.5, 0.5)
    assert interval["recall"][1] > 0.3


@pytest.mark.parametrize("metric", ["recall", "f1", "g_mean", "precision"])
def test_a_difference_of_equal_scores_has_a_width(nothing, metric):
    (found,) = nothing.differences(metric)
    assert found.difference == 0
    assert -found.high == found.low < 0
    assert found.p == 1


def test_a_constant_difference_has_the_p_value_of_the_sign_test():
    y = Y[:40]
    table = np.c_[y, np.zeros(40)]
    found = imbcore.evaluate(
        table, y, {"all": FixedColumn(0), "none": FixedColumn(1)}, folds=2, random_state=0
    )
    (difference,) = found.differences("recall")
    assert difference.difference == 1
    assert difference.p == pytest.approx(binomtest(2, 2).pvalue)
    # Each recall has half of the error probability: 1 is at least 0.0125^(1/2).
    bound = 0.0125 ** (1 / 2)
    assert difference.low == pytest.approx(bound - (1 - bound))


def differ_in_two_sets(first, second, y, metric, **options):
    """Difference of two fixed predictions in two test sets of equal scores."""
    table = np.c_[first, second]
    half = np.arange(len(y)) % 2 == 0
    folds = [(np.flatnonzero(half != own), np.flatnonzero(half == own)) for own in (True, False)]
    methods = {"first": FixedColumn(0), "second": FixedColumn(1)}
    found = imbcore.evaluate(table, y, methods, folds=folds, random_state=0, **options)
    (difference,) = found.differences(metric)
    return found, difference


def test_the_sign_test_counts_losses_too():
    """Reported case: 120 rows are won and 80 lost, but the p-value was that of 40 wins."""
    y = np.repeat([0, 1], 200)
    wrong = np.zeros((2, 400), dtype=bool)
    wrong[0, :80] = True
    wrong[1, 80:200] = True
    first, second = np.where(wrong, 1 - y, y)
    found, difference = differ_in_two_sets(first, second, y, "accuracy")
    assert np.ptp(found["first"].metrics["accuracy"] - found["second"].metrics["accuracy"]) < 1e-12
    assert difference.p == pytest.approx(binomtest(120, 200).pvalue)
    assert difference.low < 0.1 < difference.high


def test_equal_scores_of_disjoint_errors_have_a_wide_interval():
    y = np.repeat([0, 1], 200)
    wrong = np.zeros((2, 400), dtype=bool)
    wrong[0, :100] = wrong[1, 100:200] = True
    _, difference = differ_in_two_sets(*np.where(wrong, 1 - y, y), y, "accuracy")
    assert difference.difference == pytest.approx(0)
    assert difference.p == 1
    assert difference.low < -0.08
    assert difference.high > 0.08


@pytest.mark.parametrize("metric", ["f1", "g_mean", "mcc", "precision"])
def test_other_metrics_have_no_sign_test(metric):
    y = np.repeat([1, 0], [100, 100])
    first = np.isin(np.arange(200), [0, 1])
    _, difference = differ_in_two_sets(first, np.zeros(200), y, metric)
    assert difference.difference > 0
    assert np.isnan(difference.p)


def test_the_number_of_alerts_determines_a_precision():
    y = np.repeat([1, 0], [500, 500])
    first = np.isin(np.arange(1000), [0, 1])
    found, _ = differ_in_two_sets(first, np.zeros(1000), y, "precision")
    bound = binomtest(2, 2).proportion_ci(0.95, method="exact").low
    assert found["first"].interval()["precision"] == pytest.approx((bound, 1))


def test_rows_without_weight_do_not_count():
    y = np.repeat([1, 0], [40, 40])
    found = y.copy()
    found[:20] = 0
    weight = np.ones(80)
    weight[:20] = 0
    interval = differ_in_two_sets(found, found, y, "recall", sample_weight=weight)[0]["first"].interval()
    bound = binomtest(20, 20).proportion_ci(0.95, method="exact").low
    assert interval["recall"] == pytest.approx((bound, 1))
    weight[20:30] = 2
    interval = differ_in_two_sets(found, found, y, "recall", sample_weight=weight)[0]["first"].interval()
    assert np.isnan(interval["recall"]).all()


def test_rounding_does_not_hide_equal_differences():
    """Reported case: accuracies 0.8 and 0.9 against 0.7 and 0.8 had p = 6e-16."""
    y = np.repeat([0, 1], 10)
    wrong = np.zeros((2, 20), dtype=bool)
    wrong[0, [0, 2, 1]] = wrong[1, [4, 6, 8, 3, 5]] = True
    found, difference = differ_in_two_sets(*np.where(wrong, 1 - y, y), y, "accuracy")
    assert found["first"].metrics["accuracy"] == pytest.approx([0.8, 0.9])
    assert found["second"].metrics["accuracy"] == pytest.approx([0.7, 0.8])
    assert difference.p == pytest.approx(binomtest(5, 8).pvalue)
    assert difference.high - difference.low > 0.2


def test_under_the_null_few_equal_differences_are_significant():
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], [40, 40])
    n, significant = 0, 0
    for _ in range(150):
        first, second = (np.where(y == 1, rng.random(80) < 0.5, 0) for _ in range(2))
        found, difference = differ_in_two_sets(first, second, y, "recall")
        if np.ptp(found["first"].metrics["recall"] - found["second"].metrics["recall"]) < 1e-12:
            n += 1
            significant += difference.p <= 0.05
    assert n >= 5
    assert significant <= 0.05 * n + 2 * (0.05 * 0.95 * n) ** 0.5


def test_comparisons_do_not_test_equal_differences():
    y = Y[:40]
    table = np.c_[y, np.zeros(40)]
    methods = {"all": FixedColumn(0), "none": FixedColumn(1)}
    found = imbcore.compare(table, y, methods, score="f1")
    (test,) = found.tests()
    assert test.difference == 1
    assert np.isnan([test.p, test.adjusted]).all()


def test_the_variance_by_group_uses_all_repetitions():
    without = np.zeros(8)
    values = np.array([0.0, 0.0, 0.0, 0.0, 0.1, -0.3])
    variance, freedom = group_variance(without, values, 3, 1.0)
    assert variance == pytest.approx(np.var([0, 0, -0.1], ddof=1) / 3)
    assert freedom == pytest.approx(2)
    # Without further repetitions it is that of the jackknife.
    without = np.array([0.1, 0.2, 0.4, 0.1])
    assert group_variance(without, values[:2], 1, 1.0) == (jackknife_variance(without) * 3, 3)


class Recorder(FixedColumn):
    """Finds nothing if it is fitted to given rows, which are numbered by the second column."""

    fits: ClassVar = []

    def __init__(self, column=0, refused=None):
        super().__init__(column)
        self.refused = refused

    def fit(self, X, y):
        rows = sorted(X[:, 1])
        self.fits.append(rows)
        self.found_ = rows != self.refused
        return super().fit(X, y)

    def predict(self, X):
        return super().predict(X * self.found_)


def test_methods_that_differ_in_a_later_repetition_only_have_a_wide_interval():
    table = np.c_[Y, np.arange(200.0)]
    options = {"groups": np.arange(200) // 8, "folds": 5, "repeats": 3, "random_state": 0}
    imbcore.evaluate(table, Y, Recorder(), **options)
    last = Recorder.fits[-1]
    found = imbcore.evaluate(table, Y, {"later": Recorder(refused=last), "same": FixedColumn()}, **options)
    (difference,) = found.differences("recall")
    assert difference.difference < 0
    assert difference.low < 0 < difference.high
    assert difference.p > 0.05


def test_no_method_has_a_star_if_all_are_equal(nothing):
    lines = str(nothing).splitlines()
    assert "*" not in next(line for line in lines if line.startswith("recall"))
    assert "*" in next(line for line in lines if line.startswith("average precision"))
    methods = {name: NamedMethod("cart", {"min_samples_leaf": 90 + i}) for i, name in enumerate("ab")}
    ((_, _, rows),) = tables_of_means(imbcore.compare(X, Y, methods))
    assert rows[0][1:] == rows[1][1:]
    assert not any(isinstance(cell, BestCellText) for row in rows for cell in row)
