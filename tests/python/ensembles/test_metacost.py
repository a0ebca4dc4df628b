"""MetaCost with models of any library, and its relabeling."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import imbcore
from imbcore import MetaCostClassifier
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

COSTS = np.array([[0.0, 1.0], [6.0, 0.0]])


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(240, 3))
    return X, np.where(X[:, 0] + rng.normal(size=240) > 1.3, "ill", "well")


def two(matrix):
    """Costs in the order of the labels ill, well."""
    return np.asarray(matrix)[::-1, ::-1]


@pytest.mark.parametrize("estimator", ["cart", LogisticRegression()])
def test_final_model_is_fitted_on_the_relabeled_rows(estimator, table):
    X, y = table
    model = MetaCostClassifier(estimator, n_estimators=9, cost_matrix=two(COSTS), random_state=0).fit(X, y)
    assert model.relabeled_.shape == y.shape
    assert set(model.relabeled_) == {"ill", "well"}
    # Missing an ill row costs more, so more rows are labeled ill.
    assert np.sum(model.relabeled_ == "ill") > np.sum(y == "ill")
    if estimator == "cart":
        # A fully grown tree reproduces its training labels.
        np.testing.assert_array_equal(model.predict(X), model.relabeled_)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.relabeled_, model.relabeled_)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_final_model_of_other_libraries_is_a_clone_fitted_on_the_labels(table):
    X, y = table
    model = MetaCostClassifier(LogisticRegression(), n_estimators=9, cost_matrix=two(COSTS), random_state=0)
    model.fit(X, y)
    by_hand = clone(LogisticRegression()).fit(X, model.relabeled_)
    np.testing.assert_array_equal(model.predict_proba(X), by_hand.predict_proba(X))
    np.testing.assert_array_equal(model.predict(X), by_hand.predict(X))
    np.testing.assert_array_equal(model.classes_, ["ill", "well"])
    assert model.n_features_in_ == 3
    assert not hasattr(model, "model_")
    with pytest.raises(UnsupportedError, match="members of type LogisticRegression"):
        model.save("nowhere.imb")
    assert MetaCostClassifier("cart", random_state=0, n_estimators=3).fit(X, y).model_.method == "metacost"


def test_labels_match_the_definition_on_all_rows(table):
    """All models return the same probabilities, so the cheapest class is known."""
    X, y = table

    class FixedProbabilities(LogisticRegression):
        def predict_proba(self, X):
            p = 1.0 / (1.0 + np.exp(-X[:, 0]))
            return np.column_stack([p, 1.0 - p])

        def predict(self, X):
            return np.where(X[:, 0] > 0, "ill", "well")

    p = 1.0 / (1.0 + np.exp(-X[:, 0]))
    for out_of_bag in (False, True):
        model = MetaCostClassifier(
            FixedProbabilities(),
            n_estimators=4,
            cost_matrix=two(COSTS),
            out_of_bag=out_of_bag,
            random_state=1,
        )
        np.testing.assert_array_equal(model.fit(X, y).relabeled_ == "ill", p * 6 >= 1 - p)
        # Probabilities of 0 and 1 leave nothing for costs to decide.
        model.set_params(use_proba=False).fit(X, y)
        np.testing.assert_array_equal(model.relabeled_ == "ill", X[:, 0] > 0)


def test_votes_can_replace_probabilities(table):
    X, y = table
    options = {"n_estimators": 15, "cost_matrix": two(COSTS), "random_state": 0}
    model = MetaCostClassifier("c44", **options).fit(X, y)
    answers = MetaCostClassifier("c44", use_proba=False, **options).fit(X, y)
    assert (model.relabeled_ != answers.relabeled_).any()
    # Members are not called for probabilities, so models without them work.
    assert MetaCostClassifier(LinearSVC(), use_proba=False, **options).fit(X, y).score(X, y) > 0.5


@pytest.mark.parametrize("method", ["cart", None])
def test_costs_may_follow_the_class_imbalance(method, table):
    X, y = table
    n = np.array([np.sum(y == "ill"), np.sum(y == "well")], dtype=float)
    matrix = n[None, :] / n[:, None] * (1 - np.eye(2))
    estimator = method or LogisticRegression()
    given = MetaCostClassifier(estimator, n_estimators=5, cost_matrix=matrix, random_state=0).fit(X, y)
    named = MetaCostClassifier(estimator, n_estimators=5, cost_matrix="imbalance", random_state=0).fit(X, y)
    np.testing.assert_array_equal(given.relabeled_, named.relabeled_)
    fitted = imbcore.fit(X, y, "cart", cost_matrix="imbalance", max_depth=2)
    np.testing.assert_allclose(fitted.cost_matrix, matrix)


@pytest.mark.parametrize(
    "container", [np.asarray, pd.DataFrame, sparse.csr_array, lambda X: X.tolist()], ids=lambda c: c.__name__
)
def test_any_container_is_accepted(container, table):
    X, y = table
    estimator = make_pipeline(StandardScaler(with_mean=False), LogisticRegression())
    options = {"n_estimators": 4, "random_state": 0}
    plain = MetaCostClassifier(estimator, **options).fit(X, y)
    model = MetaCostClassifier(estimator, **options).fit(container(X), y)
    np.testing.assert_array_equal(model.predict(container(X)), plain.predict(X))


def test_weights_and_thresholds_and_members_without_weights(table):
    X, y = table
    weights = np.where(y == "ill", 5.0, 1.0)
    options = {"n_estimators": 5, "random_state": 0, "cost_matrix": two(COSTS)}
    for estimator in (LogisticRegression(), KNeighborsClassifier()):
        light = MetaCostClassifier(estimator, **options).fit(X, y)
        heavy = MetaCostClassifier(estimator, **options).fit(X, y, sample_weight=weights)
        assert np.mean(heavy.predict_proba(X)[:, 0]) > np.mean(light.predict_proba(X)[:, 0])
    model = MetaCostClassifier(LogisticRegression(), threshold=0.9, positive="ill", **options).fit(X, y)
    np.testing.assert_array_equal(model.predict(X) == "ill", model.predict_proba(X)[:, 0] >= 0.9)
    assert model.positive_ == "ill"
    assert (light.predict(X, cost_matrix=two(COSTS)) == "ill").sum() >= (light.predict(X) == "ill").sum()


def test_invalid_arguments_are_rejected(table):
    X, y = table
    for estimator in ("cart", LogisticRegression()):
        with pytest.raises(ParameterError, match="cost_strategy"):
            MetaCostClassifier(estimator, cost_strategy="reweight").fit(X, y)
    with pytest.raises(UnsupportedError, match="costs="):
        MetaCostClassifier(LogisticRegression(), cost_matrix=None, costs={"miss": 2}).fit(X, y)
    with pytest.raises(DataError, match="inconsistent"):
        MetaCostClassifier(LogisticRegression()).fit(X[1:], y)
    with pytest.raises(ParameterError, match="`estimator` must be"):
        MetaCostClassifier(3).fit(X, y)


@pytest.mark.parametrize("estimator", ["cart", LogisticRegression()])
def test_equal_new_labels_warn(estimator, table):
    """Members of other libraries gave no warning."""
    with pytest.warns(imbcore.exceptions.DataWarning, match="of class 'ill': the model always predicts it"):
        model = MetaCostClassifier(
            estimator, n_estimators=3, cost_matrix={("ill", "well"): 1.0}, out_of_bag=False
        ).fit(*table)
    assert set(model.predict(table[0])) == set(model.relabeled_) == {"ill"}


def test_one_class_is_always_predicted(table):
    X, _ = table
    for estimator in ("cart", LogisticRegression()):
        with pytest.warns(imbcore.exceptions.DataWarning, match="one class|class 'only'"):
            model = MetaCostClassifier(estimator, n_estimators=2).fit(X, ["only"] * len(X))
        assert set(model.predict(X)) == set(model.relabeled_) == {"only"}


# A container that is not an array is indexed by rows, as in all ensembles with members of other libraries.
IMPOSSIBLE = {
    **dict.fromkeys(
        (
            "check_sample_weights_not_an_array",
            "check_classifier_data_not_an_array",
            "check_estimators_empty_data_messages",
        ),
        "the rows are read by the shape of X, and handed to the estimator as they are",
    ),
    **dict.fromkeys(
        (
            "check_sample_weight_equivalence_on_dense_data",
            "check_sample_weight_equivalence_on_sparse_data",
        ),
        "two equal rows may lie in different bags",
    ),
}


@pytest.mark.filterwarnings("ignore::imbcore.exceptions.DataWarning")
@parametrize_with_checks(
    [MetaCostClassifier(LogisticRegression(), n_estimators=3, random_state=0)],
    expected_failed_checks=lambda _: IMPOSSIBLE,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
