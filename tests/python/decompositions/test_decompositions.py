"""Decompositions of classifiers of imbcore and scikit-learn, in the Python and the native implementation."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

import imbcore
from imbcore import CARTClassifier, ECOCClassifier, HDDTClassifier, OVAClassifier, OVOClassifier
from imbcore._validation.options import ESTIMATOR_OPTIONS
from imbcore.decompositions._base import ConstantMember
from imbcore.exceptions import ParameterError

# Some checks train on rows of one class, on which every class here warns; test_one_class.py tests that.
pytestmark = pytest.mark.filterwarnings("ignore:all training rows:imbcore.DataWarning")

CLASSES = [OVAClassifier, ECOCClassifier, OVOClassifier]
RNG = np.random.default_rng(7)
X = RNG.normal(size=(240, 4))
Y = np.digitize(X[:, 0] + RNG.normal(scale=0.5, size=240), [-1.0, 0.0, 1.2])
WEIGHTS = RNG.uniform(0.5, 2.0, size=240)


def expected_failures(estimator):
    """List checks that default trees cannot pass.

    The check sets ``min_weight_fraction_leaf`` if the estimator has it; here only the members have it.
    """
    if estimator.estimator is None:
        return {
            "check_class_weight_classifiers": "fully grown members; with min_weight_fraction_leaf it holds"
        }
    return {}


@parametrize_with_checks(
    [
        *(c() for c in CLASSES),
        ECOCClassifier(HDDTClassifier(missing="error", min_weight_fraction_leaf=0.01), n_jobs=1),
        OVOClassifier(GaussianNB()),
        OVAClassifier(LogisticRegression()),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("estimator_class", "own"),
    [
        (OVAClassifier, {}),
        (OVAClassifier, {"decoding": "sum"}),
        (ECOCClassifier, {}),
        (ECOCClassifier, {"code": "random", "code_size": 5, "decoding": "log"}),
        (ECOCClassifier, {"code": [[1, 0], [0, 1], [1, 1], [0, 0]], "decoding": "hamming"}),
        (OVOClassifier, {}),
        (OVOClassifier, {"decoding": "vote"}),
    ],
)
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_python_and_native_implementations_agree(estimator_class, own, weights):
    # Random features: the members' seeds must be equal, too.
    tree = {"max_features": 2, "max_depth": 4}
    options = {"random_state": 11, "class_weight": "balanced", "cost_matrix": "balanced", **own}
    python = estimator_class(CARTClassifier(**tree), **options).fit(X, Y, sample_weight=weights)
    native = imbcore.fit(
        X,
        Y,
        estimator_class._method,
        sample_weight=weights,
        estimator="cart",
        estimator_params=tree,
        **options,
    )
    np.testing.assert_array_equal(python.predict_proba(X), native.predict_proba(X))
    np.testing.assert_array_equal(python.predict(X), native.predict(X))
    np.testing.assert_array_equal(python.code_book_, native.code_book_)


def test_signatures_match_the_native_methods():
    native = {method.name: {p.name: p.default for p in method.parameters} for method in imbcore.methods()}
    options = {"estimator", *ESTIMATOR_OPTIONS}
    for estimator_class in CLASSES:
        own = {k: v for k, v in estimator_class().get_params().items() if k not in options}
        theirs = native[estimator_class._method]
        assert own == {k: v for k, v in theirs.items() if k not in ("estimator", "estimator_params")}


def test_code_books_are_as_requested():
    assert OVAClassifier().fit(X, Y).code_book_.tolist() == np.eye(4).tolist()
    exhaustive = ECOCClassifier().fit(X, Y)
    assert exhaustive.code_book_.shape == (4, 7)
    assert exhaustive.code_book_[0].tolist() == [1] * 7
    pairs = OVOClassifier().fit(X, Y)
    assert pairs.code_book_[:, 0].tolist() == [0, 1, -1, -1]
    assert len(pairs.estimators_) == 6
    nine = np.arange(240) % 9
    assert ECOCClassifier(CARTClassifier(max_depth=2), random_state=0).fit(X, nine).code_book_.shape == (
        9,
        18,
    )


def test_members_are_of_the_given_kind_and_seeded():
    model = OVAClassifier(CARTClassifier(max_depth=2), random_state=3).fit(X, Y)
    assert all(isinstance(member, CARTClassifier) for member in model.estimators_)
    seeds = [member.random_state for member in model.estimators_]
    assert len(set(seeds)) == 4
    assert seeds == [member.random_state for member in clone(model).fit(X, Y).estimators_]
    untouched = OVAClassifier(CARTClassifier(random_state=5)).fit(X, Y)
    assert [member.random_state for member in untouched.estimators_] == [5] * 4
    piped = make_pipeline(StandardScaler(), CARTClassifier(max_features=1))
    members = OVAClassifier(piped, random_state=3).fit(X, Y).estimators_
    assert [member[-1].random_state for member in members] == seeds


@pytest.mark.parametrize("estimator_class", CLASSES)
def test_members_receive_tables_unchanged(estimator_class):
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["colour"] = pd.Categorical(
        # One red row has another class: a color that reveals the class would cause a warning.
        np.where((Y == 2) | (np.arange(240) == 5), "red", np.where(RNG.random(240) < 0.5, "blue", "green"))
    )
    frame.loc[::7, "a"] = np.nan
    model = estimator_class(HDDTClassifier(max_depth=4)).fit(frame, Y)
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "d", "colour"]
    assert model.n_features_in_ == 5
    assert any("colour" in member.model_.export_text() for member in model.estimators_)
    columns = {name: frame[name].to_numpy() for name in "abcd"}
    same = estimator_class(HDDTClassifier(max_depth=4)).fit(columns, Y)
    plain = estimator_class(HDDTClassifier(max_depth=4)).fit(frame[list("abcd")], Y)
    np.testing.assert_array_equal(same.predict_proba(columns), plain.predict_proba(frame[list("abcd")]))


def test_scores_without_probabilities_use_the_logistic_function():
    model = OVAClassifier(RidgeClassifier(), decoding="normalize").fit(X, Y)
    scores = np.column_stack([member.decision_function(X) for member in model.estimators_])
    p = 1 / (1 + np.exp(-scores))
    np.testing.assert_allclose(model.predict_proba(X), p / p.sum(axis=1, keepdims=True), rtol=1e-12)


def test_unsupported_features_of_members_are_reported():
    with pytest.raises(imbcore.ParameterError, match="predict_proba or decision_function"):
        OVAClassifier(NearestNeighbors()).fit(X, Y)
    with pytest.raises(imbcore.ParameterError, match="does not support sample_weight"):
        OVAClassifier(KNeighborsClassifier()).fit(X, Y, sample_weight=WEIGHTS)
    with pytest.raises(imbcore.ParameterError, match="does not support sample_weight"):
        OVAClassifier(KNeighborsClassifier(), class_weight="balanced").fit(X, Y)
    assert OVAClassifier(KNeighborsClassifier()).fit(X, Y).score(X, Y) > 0.5


def test_class_without_weight_gets_a_constant_member():
    weights = np.where(Y == 3, 0.0, 1.0)
    model = OVAClassifier(CARTClassifier(max_depth=3)).fit(X, Y, sample_weight=weights)
    assert isinstance(model.estimators_[3], ConstantMember)
    assert repr(model.estimators_[3]) == "ConstantMember(0.0)"
    assert model.predict_proba(X)[:, 3].max() == 0.0
    native = imbcore.fit(
        X, Y, "ova", estimator="cart", estimator_params={"max_depth": 3}, sample_weight=weights
    )
    np.testing.assert_array_equal(model.predict_proba(X), native.predict_proba(X))


def test_tags_are_those_of_the_members():
    assert get_tags(OVAClassifier()).input_tags.allow_nan
    assert not get_tags(OVAClassifier(LogisticRegression())).input_tags.allow_nan
    assert not get_tags(OVAClassifier(CARTClassifier(missing="error"))).input_tags.allow_nan


def test_members_are_fitted_separately_and_models_are_pickled():
    model = ECOCClassifier(CARTClassifier(max_depth=3, n_jobs=1), n_jobs=2, random_state=0).fit(X, Y)
    alone = ECOCClassifier(CARTClassifier(max_depth=3), random_state=0).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), alone.predict_proba(X))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_grid_search_reaches_the_members():
    search = GridSearchCV(OVAClassifier(CARTClassifier()), {"estimator__max_depth": [1, 4]}, cv=3).fit(X, Y)
    depths = [member.get_depth() for member in search.best_estimator_.estimators_]
    assert max(depths) == search.best_params_["estimator__max_depth"]


def test_weights_are_passed_through_a_search():
    with config_context(enable_metadata_routing=True):
        model = OVAClassifier(CARTClassifier()).set_fit_request(sample_weight=True)
        model.set_score_request(sample_weight=True)
        search = GridSearchCV(model, {"estimator__max_depth": [2]}, cv=3).fit(X, Y, sample_weight=WEIGHTS)
    alone = OVAClassifier(CARTClassifier(max_depth=2)).fit(X, Y, sample_weight=WEIGHTS)
    np.testing.assert_array_equal(search.predict_proba(X), alone.predict_proba(X))


class Grouped(CARTClassifier):
    """A member with further metadata besides weights."""

    def fit(self, X, y, sample_weight=None, groups=None, note=None):
        self.received_ = (len(X), None if groups is None else list(groups), note)
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize("decomposition", [OVAClassifier, OVOClassifier])
def test_metadata_are_routed_to_the_members(decomposition):
    groups = np.arange(len(Y))
    with config_context(enable_metadata_routing=True):
        member = Grouped(max_depth=2).set_fit_request(groups=True, note=True, sample_weight=True)
        model = decomposition(member).fit(X, Y, sample_weight=WEIGHTS, groups=groups, note="a word")
        plain = Grouped().set_fit_request(groups=False)
        with pytest.raises(TypeError, match="groups"):
            decomposition(plain).fit(X, Y, groups=groups)
    for task in model.estimators_:
        n_rows, received, note = task.received_
        assert (len(received), note) == (n_rows, "a word")
        if decomposition is OVAClassifier:
            assert received == groups.tolist()
        else:
            assert len(set(Y[received])) == 2
    with pytest.raises(ParameterError, match="metadata routing"):
        decomposition(CARTClassifier()).fit(X, Y, groups=groups)


def test_weights_reach_the_last_step_of_a_pipeline():
    with config_context(enable_metadata_routing=True):
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        tree = CARTClassifier(max_depth=2)
        through = OVAClassifier(make_pipeline(scaler, tree.set_fit_request(sample_weight=True)))
        through.fit(X, Y, sample_weight=WEIGHTS)
    alone = OVAClassifier(CARTClassifier(max_depth=2)).fit(X, Y, sample_weight=WEIGHTS)
    np.testing.assert_allclose(through.predict_proba(X), alone.predict_proba(X), rtol=0, atol=1e-12)


def test_plot_needs_one_of_the_members():
    model = OVAClassifier(CARTClassifier(max_depth=2)).fit(X, Y)
    with pytest.raises(imbcore.UnsupportedError, match="estimators_"):
        imbcore.export_text(model)
    assert imbcore.export_text(model.estimators_[0])


def test_costs_and_thresholds_are_supported():
    costly = OVAClassifier(
        CARTClassifier(max_depth=3), cost_matrix=(np.ones((4, 4)) - np.eye(4)) * [[1], [1], [1], [9]]
    )
    plain = OVAClassifier(CARTClassifier(max_depth=3)).fit(X, Y)
    assert (costly.fit(X, Y).predict(X) == 3).sum() > (plain.predict(X) == 3).sum()
    np.testing.assert_array_equal(costly.predict_proba(X), plain.predict_proba(X))
    two = OVAClassifier(GaussianNB(), threshold=0.1).fit(X, Y == 3)
    assert two.predict(X).tolist() == (two.predict_proba(X)[:, 1] >= 0.1).tolist()


def test_native_models_are_supported():
    X11, y11 = RNG.normal(size=(220, 3)), np.arange(220) % 11
    model = imbcore.fit(X11, y11, "ecoc", code="exhaustive", estimator_params={"max_depth": 1})
    assert repr(model) == "<imbcore.Model ecoc: 11 classes, 3 features, 1023 members>"
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X11), model.predict_proba(X11))
    assert model.params["estimator_params"]["max_depth"] == 1
    assert model.params["estimator_params"]["criterion"] == "hellinger"
    assert not hasattr(model, "rules")
    with pytest.raises(AttributeError, match="'hddt' has no code_book_; decompositions have"):
        _ = imbcore.fit(X, Y, "hddt").code_book_
    ova = imbcore.fit(X, Y, "ova", estimator_params={"missing": "error"})
    with pytest.raises(imbcore.DataError, match="missing"):
        ova.predict(np.full((1, 4), np.nan))


def test_progress_counts_columns_of_the_code_book():
    seen = []
    imbcore.fit(X, Y, "ecoc", callback=lambda *step: seen.append(step))
    assert {stage for stage, _, _ in seen} == {"columns"}
    assert all(total == 7 for _, _, total in seen)
