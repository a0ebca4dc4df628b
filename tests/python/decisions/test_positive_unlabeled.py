"""Positive and unlabeled rows: the estimates of Elkan and Noto compared with NumPy and with the truth."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import imbcore
from imbcore.decisions import PUClassifier
from imbcore.evaluation import StratifiedFolds
from imbcore.exceptions import DataError, ParameterError


@pytest.fixture(scope="module")
def table():
    """Rows, their true classes, and labels: each positive is labeled with probability 0.4."""
    rng = np.random.default_rng(0)
    y = np.arange(4000) % 4 == 0
    X = rng.normal(size=(4000, 2)) + 3.0 * y[:, None]
    return X, y, (y & (rng.random(4000) < 0.4)).astype(int)


def test_estimates_match_elkan_and_noto(table):
    X, _, s = table
    model = PUClassifier(LogisticRegression(), random_state=3).fit(X, s)
    g = np.empty(len(s))
    for train, test in StratifiedFolds(5, 1, random_state=3).split(y=s):
        g[test] = LogisticRegression().fit(X[train], s[train]).predict_proba(X[test])[:, 1]
    c = g[s == 1].mean()
    assert model.label_frequency_ == pytest.approx(c, rel=1e-12)
    assert model.prior_ == pytest.approx(s.mean() / c)
    plain = LogisticRegression().fit(X, s).predict_proba(X)[:, 1]
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], np.minimum(plain / c, 1), rtol=1e-12)
    again = PUClassifier(LogisticRegression(), reweight=True, random_state=3).fit(X, s)
    w = np.minimum((1 - c) / c * g / (1 - g), 1)[s == 0]
    both = LogisticRegression().fit(
        np.concatenate([X[s == 1], X[s == 0], X[s == 0]]),
        np.repeat([1, 1, 0], [np.sum(s == 1), np.sum(s == 0), np.sum(s == 0)]),
        np.concatenate([np.ones(np.sum(s == 1)), w, 1 - w]),
    )
    np.testing.assert_allclose(again.predict_proba(X), both.predict_proba(X), rtol=1e-6, atol=1e-9)


def test_truth_is_recovered_if_positives_are_labeled_at_random(table):
    X, y, s = table
    naive = LogisticRegression().fit(X, s).predict(X)
    for reweight in (False, True):
        model = PUClassifier(LogisticRegression(), reweight=reweight, random_state=0).fit(X, s)
        # Standard error of the labels of 1000 positives, and the bias of a misspecified logistic model for s.
        assert model.label_frequency_ == pytest.approx(0.4, abs=0.06)
        assert model.prior_ == pytest.approx(0.25, abs=0.04)
        found = model.predict(X)
        assert np.mean(found == y) > 0.95 > np.mean(naive == y)


def test_methods_of_imbcore_and_text_labels(table):
    X, y, s = table
    names = np.where(s == 1, "reported", "open")
    forest = imbcore.RandomForestClassifier(n_estimators=20, min_samples_leaf=10, random_state=0)
    model = PUClassifier(forest, positive="reported", random_state=0).fit(X, names)
    assert model.positive_ == "reported"
    assert list(model.classes_) == ["open", "reported"]
    assert model.label_frequency_ == pytest.approx(0.4, abs=0.06)
    assert np.mean((model.predict(X) == "reported") == y) > 0.93
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


@pytest.mark.parametrize(
    ("estimator", "given", "labels", "error", "text"),
    [
        (LogisticRegression(), {}, [0, 1, 2], DataError, "separates labeled from unlabeled rows"),
        (LogisticRegression(), {}, [1, 1, 1], DataError, "one class"),
        (KNeighborsClassifier(2), {"reweight": True}, [0, 0, 1], ParameterError, "supports sample_weight"),
        (LogisticRegression(), {"positive": 3}, [0, 0, 1], ParameterError, "positive must be one of"),
    ],
)
def test_invalid_input_is_rejected(estimator, given, labels, error, text):
    X = np.arange(30.0).reshape(-1, 1)
    with pytest.raises(error, match=text):
        PUClassifier(estimator, **given).fit(X, labels * 10)


def test_uninformative_columns_are_rejected():
    class ConstantClassifier(LogisticRegression):
        def predict_proba(self, X):
            return np.column_stack([np.ones(len(X)), np.zeros(len(X))])

    with pytest.raises(DataError, match="predicts probability 0 of a label"):
        PUClassifier(ConstantClassifier()).fit(np.arange(30.0).reshape(-1, 1), [0, 0, 1] * 10)


@parametrize_with_checks(
    [PUClassifier(LogisticRegression(), random_state=0)],
    expected_failed_checks=lambda _: {
        f"check_sample_weight_equivalence_on_{kind}_data": "the chance of a label counts rows"
        for kind in ("dense", "sparse")
    },
    xfail_strict=False,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_reweighting_that_leaves_one_class_is_rejected():
    """Previously all rows had the first label, regardless of the remaining class."""
    # The same row with and without a label: the proportion of labels is the labeling probability.
    X, s = np.zeros((40, 1)), np.tile([0, 1], 20)
    with pytest.raises(DataError, match="every unlabeled row is predicted positive with certainty"):
        PUClassifier(imbcore.CARTClassifier(), reweight=True, random_state=0).fit(X, s)
