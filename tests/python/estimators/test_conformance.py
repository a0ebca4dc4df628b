"""scikit-learn's own checks on every public class; forests cannot pass one of them."""

import inspect
import secrets

import numpy as np
import pandas as pd
import polars as pl
import pytest
from public_classes import CLASSES, ESTIMATORS
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import (
    check_sample_weight_equivalence_on_dense_data,
    parametrize_with_checks,
)

import imbcore
from imbcore.boxes._base import BoxClassifier
from imbcore.ensembles._base import BaseForest
from imbcore.ensembles._generic import BoostingClassifier, GenericEnsemble

# One class per family, for settings that the whole family shares.
FAMILIES = [
    imbcore.HDDTClassifier,
    imbcore.SVRTreeClassifier,
    imbcore.RandomForestClassifier,
    imbcore.MetaCostClassifier,
    imbcore.UnderBaggingClassifier,
    imbcore.FastBoxesClassifier,
    imbcore.FullBayesClassifier,
    imbcore.LogisticRegressionClassifier,
]

# Some checks train on rows of one class, on which every class here warns; test_one_class.py tests that.
pytestmark = pytest.mark.filterwarnings("ignore:all training rows:imbcore.DataWarning")


def test_every_class_is_tested():
    assert {c.__name__ for c in CLASSES} >= {"HDDTClassifier", "C44Classifier", "CARTClassifier"}
    assert {c.__module__.split(".")[1] for c in CLASSES} == {c.__module__.split(".")[1] for c in FAMILIES}


def fast_estimator(estimator_class, **options):
    """An estimator that is fitted quickly: few trees."""
    if "n_estimators" in inspect.signature(estimator_class).parameters:
        options["n_estimators"] = 5
    inner = (imbcore.MetaCostClassifier, GenericEnsemble)
    if issubclass(estimator_class, inner) and "missing" in options:
        options["estimator_params"] = {"missing": options.pop("missing")}
    return estimator_class(**options)


def weight_check_failures(reason):
    """Checks of weights that fail because rows are not sampled by weight."""
    return {f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in ("dense", "sparse")}


def expected_failures(estimator):
    """Checks that a method cannot pass by its nature, with the reason."""
    drawn = "rows are sampled regardless of their weight, so a row of weight 2 is not sampled as two rows are"
    # On rounded data no leaf of the checks has a label other than its dominant class.
    labelled = {"check_classifiers_train": "predict returns assigned labels, not the most probable class"}
    if isinstance(estimator, imbcore.SVRTreeCV):
        by_score = "the penalty is chosen by the F-measure, in which class weights do not count"
        found = {"check_class_weight_classifiers": by_score}
        return found | labelled if not estimator.__sklearn_tags__().input_tags.categorical else found
    if isinstance(estimator, imbcore.SVRTreeClassifier) and type(estimator) is not imbcore.SVRTreeClassifier:
        return labelled
    if isinstance(estimator, BoxClassifier):
        return expected_failures_of_boxes(estimator, drawn)
    if isinstance(estimator, imbcore.SVRForestClassifier):
        pure = "a leaf of one class predicts it for any weight, and no parameter makes leaves larger"
        return {
            **weight_check_failures(drawn),
            "check_class_weight_classifiers": pure,
        }
    if isinstance(estimator, BoostingClassifier):
        return expected_failures_of_boosting(estimator, drawn)
    if isinstance(estimator, GenericEnsemble):
        found = {
            **weight_check_failures(drawn),
            "check_class_weight_classifiers": "a leaf of one class predicts it for any weight",
        }
        if isinstance(estimator, imbcore.SMOTEBaggingClassifier):
            found["check_estimators_nan_inf"] = "only the rows that train need all their values"
        return found
    if isinstance(estimator, imbcore.BoostedTreesClassifier):
        return weight_check_failures(
            f"{drawn}; leaves have a least number of rows, and folds are assigned by rows"
        )
    if isinstance(estimator, imbcore.LogisticRegressionClassifier):
        return weight_check_failures("the inner folds for C are assigned by rows")
    if isinstance(estimator, imbcore.AutoClassifier):
        return weight_check_failures("folds are assigned by rows, and leaves have a least number of rows")
    if isinstance(estimator, imbcore.ForestClassifier):
        return weight_check_failures("leaves have a least number of rows")
    if isinstance(estimator, imbcore.ExtraTreesClassifier):
        # No row is sampled, and the threshold does not depend on the number of repetitions of a value.
        return {}
    bagged = (BaseForest, imbcore.BayesBaggingClassifier, imbcore.MetaCostClassifier)
    if isinstance(estimator, bagged):
        return weight_check_failures(drawn)
    return {}


def expected_failures_of_boosting(estimator, drawn):
    """Checks that boosting cannot pass, with the reason."""
    found = {}
    if not isinstance(estimator, imbcore.AdaC3Classifier):
        raised = "later rounds increase the weights of misclassified rows, however small they were"
        found["check_class_weight_classifiers"] = raised
    sampled = (imbcore.RUSBoostClassifier, imbcore.EasyEnsembleClassifier, imbcore.BalanceCascadeClassifier)
    if isinstance(estimator, (*sampled, imbcore.SMOTEBoostClassifier)):
        found |= weight_check_failures(drawn)
    if isinstance(estimator, imbcore.SMOTEBoostClassifier):
        found["check_estimators_nan_inf"] = "only the rows that train need all their values"
    return found


def expected_failures_of_boxes(estimator, drawn):
    """Checks that box drawings cannot pass, with the reason."""
    if isinstance(estimator, imbcore.RuleListClassifier):
        gains = "a rule that holds nothing but the positive class gains, however little that weighs"
        return weight_check_failures(drawn) | {"check_class_weight_classifiers": gains}
    if isinstance(estimator, imbcore.PRIMClassifier):
        undone = "without c the ratio of the weighted classes is made even, which undoes their weights"
        return {"check_class_weight_classifiers": undone}
    kept = "a box never loses a row of its cluster, however little the class weighs or however few rows stray"
    found = {}
    if estimator.__sklearn_tags__().input_tags.categorical:
        # If X is rounded, a stray row of the other class pulls a whole cell of it into a box.
        found["check_classifiers_train"] = kept
    if isinstance(estimator, imbcore.FastBoxesClassifier):
        found["check_class_weight_classifiers"] = kept
    return found


@pytest.fixture(autouse=True)
def fixed_seeds(monkeypatch):
    """Some checks set no seed and fit ensembles to noise: occasionally no member would beat chance."""
    monkeypatch.setattr(secrets, "randbits", lambda _: 0)


# Fits of many models took most of the time of all checks: these have few members or candidates. A test below
# fits every class with its defaults.
FEW = {
    imbcore.AutoClassifier: {"n_estimators": 5, "budget": 0.6},
    imbcore.CARTClassifierCV: {"cv": 3},
    imbcore.FastBoxesCV: {"n_boxes_grid": (1, 2, 5), "expansion_grid": (0.0, 10.0)},
    # Its costs have an effect after several rounds.
    imbcore.AdaC3Classifier: {"n_estimators": 10},
    imbcore.RuleListClassifier: {"n_estimators": 20},
    imbcore.BoostedTreesClassifier: {"n_rounds": 20},
    imbcore.SVRTreeCV: {"penalties": (0.0, 0.001, 0.1), "cv": 3},
}
CHECKED = [c(**FEW[c]) if c in FEW else fast_estimator(c) for c in CLASSES]
# The first class of each base class has all checks. The others have a third of the checks in turn, so that
# each check is run for a third of the classes; `make fuzz` runs all pairs.
FIRST = set({found.__bases__[-1]: found for found in reversed(CLASSES)}.values())


def in_turn(checks):
    """Mark two thirds of the checks of most classes as slow."""
    names, pairs = checks.mark.args
    found = []
    for number, pair in enumerate(pairs):
        values, marks = (pair.values, pair.marks) if hasattr(pair, "marks") else (pair, ())
        kind = type(values[0])
        if kind not in FIRST and (number + CLASSES.index(kind)) % 3:
            marks = (*marks, pytest.mark.slow)
        found.append(pytest.param(*values, marks=marks))
    return pytest.mark.parametrize(names, found, **checks.mark.kwargs)


@in_turn(parametrize_with_checks(CHECKED, expected_failed_checks=expected_failures))
def test_scikit_learn(estimator, check):
    check(estimator)


@parametrize_with_checks(
    [fast_estimator(c, missing="error", n_jobs=2) for c in FAMILIES], expected_failed_checks=expected_failures
)
def test_scikit_learn_without_missing_values(estimator, check):
    check(estimator)


def continuous(base):
    """Remove the tag that makes the checks round X."""

    def tags(self):
        found = base.__sklearn_tags__(self)
        found.input_tags.categorical = False
        return found

    return type(f"Continuous{base.__name__}", (base,), {"__sklearn_tags__": tags, "__module__": __name__})


# Pickle looks classes up by name.
CONTINUOUS = [globals().setdefault(f"Continuous{base.__name__}", continuous(base)) for base in FAMILIES]


@parametrize_with_checks([fast_estimator(c) for c in CONTINUOUS], expected_failed_checks=expected_failures)
def test_scikit_learn_on_continuous_data(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator_class", CLASSES)
@pytest.mark.parametrize("frame_class", [pd.DataFrame, pl.DataFrame])
class TestColumnNames:
    """Tests of scikit-learn's own suite about column names."""

    X = np.random.default_rng(0).normal(size=(20, 3))
    y = np.arange(20) % 2
    names = ("a", "b", "c")

    def frame(self, frame_class, names=names):
        return frame_class(dict(zip(names, self.X.T, strict=True)))

    def test_feature_names_are_stored(self, estimator_class, frame_class):
        assert "feature_names_in_" in estimator_class.__doc__
        fitted = fast_estimator(estimator_class).fit(self.frame(frame_class), self.y)
        assert fitted.feature_names_in_.dtype == object
        assert fitted.feature_names_in_.tolist() == list(self.names)
        fitted.predict(self.frame(frame_class))
        assert not hasattr(fitted.fit(self.X, self.y), "feature_names_in_")

    def test_missing_names_warn(self, estimator_class, frame_class):
        fitted = fast_estimator(estimator_class).fit(self.frame(frame_class), self.y)
        with pytest.warns(UserWarning, match=r"X does not have valid feature names, but \w+ was fitted with"):
            fitted.predict(self.X)

    def test_unexpected_names_warn(self, estimator_class, frame_class):
        fitted = fast_estimator(estimator_class).fit(self.X, self.y)
        with pytest.warns(
            UserWarning, match=r"X has feature names, but \w+ was fitted without feature names"
        ):
            fitted.predict(self.frame(frame_class))

    @pytest.mark.parametrize(
        ("names", "message"),
        [
            (("a", "c", "b"), "must be in the same order"),
            (
                ("a", "b", "d"),
                "unseen at fit time:\n- d\nFeature names seen at fit time, yet now missing:\n- c",
            ),
        ],
    )
    def test_other_names_are_rejected(self, estimator_class, frame_class, names, message):
        fitted = fast_estimator(estimator_class).fit(self.frame(frame_class), self.y)
        with pytest.raises(ValueError, match="The feature names should match") as caught:
            fitted.predict(self.frame(frame_class, names))
        assert message in str(caught.value)


def test_names_of_mixed_types_are_rejected():
    X = pd.DataFrame({"a": [1.0, 2.0], 3: [1.0, 2.0]})
    with pytest.raises(
        TypeError, match="Feature names are only supported if all input features have string names"
    ):
        imbcore.HDDTClassifier().fit(X, [0, 1])


@pytest.mark.parametrize("estimator_class", ESTIMATORS)
def test_every_class_is_constructed_and_fitted_without_arguments(estimator_class):
    X, y = load_iris(return_X_y=True)
    # Two classes that all methods can separate.
    X, y = X[50:], y[50:]
    estimator = estimator_class().fit(X, y)
    answer = estimator.predict if hasattr(estimator, "predict") else estimator.transform
    assert len(answer(X)) == len(X)


def test_weights_of_logistic_regression_equal_repeated_rows_without_folds():
    for numeric in ("spline", "quantile", "linear"):
        plain = imbcore.LogisticRegressionClassifier(C=1.0, numeric=numeric)
        check_sample_weight_equivalence_on_dense_data("LogisticRegressionClassifier", plain)


def test_weights_of_boosted_trees_equal_repeated_rows_without_sampling():
    options = {"n_rounds": 20, "subsample": 1.0, "colsample_bytree": 1.0, "min_samples_leaf": 1}
    name, plain = "BoostedTreesClassifier", imbcore.BoostedTreesClassifier(**options)
    check_sample_weight_equivalence_on_dense_data(name, plain)
