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
from imbcore.evaluation._comparison_page import _tables
from imbcore.evaluation._document import Best
from imbcore.evaluation._group_intervals import group_variance, jackknife_variance

X = np.arange(200.0)[:, None]
Y = (np.arange(200) % 20 == 0).astype(int)
GROUPS = np.arange(200) // 40


class FixedColumn(ClassifierMixin, BaseEstimator):
    """Predicts the class in a column of the table."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
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
    assert difference.low == pytest.approx(0.025 ** (1 / 2))


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
    ((_, _, rows),) = _tables(imbcore.compare(X, Y, methods))
    assert rows[0][1:] == rows[1][1:]
    assert not any(isinstance(cell, Best) for row in rows for cell in row)
