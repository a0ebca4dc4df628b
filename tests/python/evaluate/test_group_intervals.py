"""Intervals and paired tests by group.

Kind: the variance of a score counts groups, not rows, so that it holds for groups of any sizes.
"""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

import imbcore
from imbcore._validation.labels import Target
from imbcore.evaluation._evaluation import Evaluation, Evaluations
from imbcore.evaluation._group_intervals import jackknife_means, jackknife_variance
from imbcore.evaluation._held_out_scores import HeldOutScores


class FixedClassifier(ClassifierMixin, BaseEstimator):
    """Predicts from one column without fitting, so that all variation comes from the test rows."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        positive = 1 / (1 + np.exp(1 - X[:, self.column]))
        return np.column_stack([1 - positive, positive])

    def predict(self, X):
        return (self.predict_proba(X)[:, 1] > 0.5).astype(int)


def draw(rng, n_groups=90):
    """Groups of 1, 3 and 20 nearly equal rows. Columns 0 and 1 are equally informative."""
    sizes = rng.choice([1, 3, 20], n_groups, p=[0.4, 0.4, 0.2])
    groups = np.repeat(np.arange(n_groups), sizes)
    truth = rng.normal(size=(n_groups, 1))
    base = truth + rng.normal(size=(n_groups, 2))
    y = (truth[groups, 0] + 0.3 * rng.normal(size=len(groups)) > 0.7).astype(int)
    return base[groups] + 0.05 * rng.normal(size=(len(groups), 2)), y, groups


class TwoFolds:
    """Splits of whole groups into two folds, and two scores computed with NumPy."""

    names = ("brier", "accuracy")
    positive = 1
    tests = ((0, 0), (0, 1))

    def __init__(self, y, fold):
        self.trial, self.y, self.fold, self.tested = self, y, fold, fold

    def rows(self, repeat, fold):
        return None, np.flatnonzero(self.fold == fold)

    def metric_values(self, rows, truth, predicted, n_classes, proba, scores, weights):
        return np.array([np.mean((proba[:, 1] - truth) ** 2), np.mean(predicted == truth)])


def result_of(column, X, y, groups, fold):
    """Evaluation of a fixed classifier, from the parts that intervals need."""
    proba = FixedClassifier(column).predict_proba(X)
    found = {"proba": proba, "predicted": FixedClassifier(column).predict(X).astype(np.uint32)}
    splits, target = TwoFolds(y, fold), Target(y.astype(np.uint32), np.array([0, 1]), False)
    scored = HeldOutScores(found, target, splits, None, None)
    without = jackknife_means(scored, groups.astype(np.uint32), 0)
    values = np.array(
        [
            splits.metric_values(rows, y[rows], found["predicted"][rows], 2, proba[rows], None, None)
            for rows in (splits.rows(0, 0)[1], splits.rows(0, 1)[1])
        ]
    )
    everything = dict.fromkeys(("y", "proba", "predicted", "rows"))
    return Evaluation(
        method="fixed",
        metrics=dict(zip(splits.names, values.T.copy(), strict=True)),
        folds=2,
        repeats=1,
        positive=1,
        classes_=np.array([0, 1]),
        fold=fold,
        n_rows=len(y),
        division="",
        dropped={},
        test_to_train=1.0,
        level=0.95,
        without_groups=without,
        **everything,
    )


@pytest.fixture(scope="module")
def draws():
    rng = np.random.default_rng(11)
    found = []
    for _ in range(200):
        X, y, groups = draw(rng)
        fold = rng.permutation(np.arange(90) % 2)[groups]
        results = {name: result_of(at, X, y, groups, fold) for at, name in enumerate(("first", "second"))}
        found.append(Evaluations(results))
    return found


@pytest.mark.parametrize("score", TwoFolds.names)
def test_the_jackknife_variance_is_that_over_draws(draws, score):
    means = np.array([result["first"].mean()[score] for result in draws])
    variances = [jackknife_variance(result["first"].without_groups[score]) for result in draws]
    # The standard deviation of a standard deviation of 200 values is 5 %.
    assert np.sqrt(np.mean(variances)) / means.std(ddof=1) == pytest.approx(1.0, abs=0.2)
    if score == "accuracy":
        # Rows that were independent would have a much smaller variance.
        n_rows = np.mean([result["first"].n_rows for result in draws])
        assert np.mean(variances) > 3 * means.mean() * (1 - means.mean()) / n_rows
    # The interval corrects for overlapping training sets, which these classifiers do not have.
    ends = [result["first"].interval()[score] for result in draws]
    assert np.mean([low <= means.mean() <= high for low, high in ends]) >= 0.95


@pytest.mark.parametrize("score", TwoFolds.names)
def test_equal_methods_rarely_differ(draws, score):
    tests = [result.differences(score)[0] for result in draws]
    assert np.mean([test.p < 0.05 for test in tests]) <= 0.05
    assert all((test.p < 0.05) == (not test.low <= 0 <= test.high) for test in tests)
    # Tests with the correction are conservative, but not useless.
    assert np.mean([test.p < 0.5 for test in tests]) > 0.1


def test_a_better_method_is_found():
    rng = np.random.default_rng(3)
    X, y, groups = draw(rng, 400)
    X[:, 1] = rng.normal(size=len(y))
    methods = {"first": FixedClassifier(0), "second": FixedClassifier(1)}
    (test,) = imbcore.evaluate(X, y, methods, groups=groups, folds=2, random_state=0).differences("roc_auc")
    assert test.difference > 0
    assert test.p < 0.01


def test_intervals_do_not_depend_on_names_and_threads():
    X, y, groups = draw(np.random.default_rng(5))
    options = {"random_state": 1, "folds": 3}
    first = imbcore.evaluate(X, y, "naive_bayes", groups=groups, n_threads=1, **options)
    names = [f"g{group}" for group in groups]
    second = imbcore.evaluate(X, y, "naive_bayes", groups=names, n_threads=2, **options)
    assert first.interval() == second.interval()
    plain = imbcore.evaluate(X, y, "naive_bayes", **options)
    assert plain.without_groups is None


def test_without_a_set_means_without_its_rows():
    """Naive computation: the score of every fold without the rows of the set."""
    X, y, groups = draw(np.random.default_rng(6), 12)
    result = imbcore.evaluate(X, y, FixedClassifier(), groups=groups, folds=2, random_state=0)
    proba = result.proba[:, 1]
    expected = []
    for left_out in np.unique(groups):
        values = []
        for fold in range(2):
            rows = (result.fold == fold) & (groups != left_out)
            values.append(np.mean((proba[rows] - y[rows]) ** 2))
        expected.append(np.mean(values))
    assert sorted(result.without_groups["brier"].tolist()) == pytest.approx(sorted(expected))
