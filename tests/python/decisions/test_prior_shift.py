"""Prior correction of probabilities of any classifier."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

import imbcore
from imbcore import costs
from imbcore.decisions import PriorShiftClassifier
from imbcore.exceptions import ParameterError
from imbcore.sampling import SMOTE, RandomUnderSampler


@pytest.fixture(scope="module")
def table():
    return make_classification(3000, 5, weights=[0.95], class_sep=0.7, random_state=0)


def test_prior_shift_of_a_sampler_is_corrected(table):
    pipeline = pytest.importorskip("imblearn.pipeline")
    X, y = table
    steps = (RandomUnderSampler(random_state=0), StandardScaler(), LogisticRegression())
    model = PriorShiftClassifier(pipeline.make_pipeline(*steps)).fit(X, y)
    assert model.train_prior_.tolist() == [0.5, 0.5]
    assert model.target_prior_[1] == y.mean()
    raw = pipeline.make_pipeline(*map(clone, steps)).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(model.estimator_.predict_proba(X), raw)
    by_theorem = costs.prior_shift(raw[:, 1], 0.5, y.mean())
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], by_theorem, rtol=1e-12)
    assert abs(model.predict_proba(X)[:, 1].mean() - y.mean()) < 0.02 < raw[:, 1].mean() - y.mean()
    np.testing.assert_array_equal(model.predict(X), (by_theorem > 0.5).astype(int))
    # The pipeline steps are those of the user.
    assert [name for name, _ in model.estimator_.steps] == [name for name, _ in model.estimator.steps]


def test_any_labels_and_over_samplers_are_supported(table):
    pipeline = pytest.importorskip("imblearn.pipeline")
    X, y = table
    labels = np.array(["well", "ill"])[y]
    sampler = SMOTE(sampling_strategy=0.5, random_state=0)
    model = PriorShiftClassifier(pipeline.make_pipeline(sampler, LogisticRegression())).fit(X, labels)
    n_common = int((y == 0).sum())
    n_rare = int((n_common * 0.5 - y.sum()) // 1) + int(y.sum())
    np.testing.assert_allclose(model.train_prior_, np.array([n_rare, n_common]) / (n_rare + n_common))
    assert model.classes_.tolist() == ["ill", "well"]


def test_frozen_pipelines_with_samplers_need_the_proportions(table):
    """A step was inserted into the fitted pipeline of the user, and the fit failed."""
    pipeline = pytest.importorskip("imblearn.pipeline")
    X, y = table
    fitted = pipeline.make_pipeline(RandomUnderSampler(random_state=0), LogisticRegression()).fit(X, y)
    with pytest.raises(ParameterError, match="frozen pipeline are unknown; give train_prior"):
        PriorShiftClassifier(FrozenEstimator(fitted)).fit(X, y)
    model = PriorShiftClassifier(FrozenEstimator(fitted), train_prior=[0.5, 0.5]).fit(X, y)
    by_theorem = costs.prior_shift(fitted.predict_proba(X)[:, 1], 0.5, y.mean())
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], by_theorem)


def test_priors_may_be_given_or_unknown(table):
    X, y = table
    plain = LogisticRegression().fit(X, y)
    same = PriorShiftClassifier(LogisticRegression()).fit(X, y)
    np.testing.assert_allclose(same.predict_proba(X), plain.predict_proba(X), rtol=1e-13)
    moved = PriorShiftClassifier(LogisticRegression(), train_prior=[95, 5], target_prior=[1, 1]).fit(X, y)
    expected = costs.prior_shift(plain.predict_proba(X)[:, 1], 0.05, 0.5)
    np.testing.assert_allclose(moved.predict_proba(X)[:, 1], expected, rtol=1e-12)
    never = PriorShiftClassifier(LogisticRegression(), target_prior=[1, 0]).fit(X, y)
    assert not never.predict(X).any()


@pytest.mark.parametrize(
    "given",
    [
        {"train_prior": [1.0, 0.0]},
        {"target_prior": [1.0]},
        {"target_prior": [-1, 2]},
        {"target_prior": [0, 0]},
    ],
)
def test_invalid_priors_are_rejected(table, given):
    with pytest.raises(imbcore.ParameterError, match=next(iter(given))):
        PriorShiftClassifier(LogisticRegression(), **given).fit(*table)
