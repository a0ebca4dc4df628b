"""Kind: an object given as a classifier, sampler or learner that cannot be one.

Regressors, clusterers, outlier detectors, transformers, classes instead of instances, and values of other
types are refused with an error of the library that names the parameter.
"""

import inspect

import numpy as np
import pytest
from public_classes import CLASSES
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import imbcore
from imbcore import decisions, decompositions, evaluation, sampling
from imbcore.exceptions import DataError, ParameterError

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 3))
y = np.array([0] * 45 + [1] * 15)

WRONG = {
    "regressor": (DecisionTreeRegressor(), "regressor"),
    "linear": (LinearRegression(), "regressor"),
    "pipeline": (make_pipeline(StandardScaler(), LinearRegression()), "regressor"),
    "search": (GridSearchCV(DecisionTreeRegressor(), {"max_depth": [1]}), "regressor"),
    "clusterer": (KMeans(2), "clusterer"),
    "outliers": (IsolationForest(n_estimators=2), "outlier detector"),
    "transformer": (StandardScaler(), "with predict|transformer"),
    "class": (DecisionTreeClassifier, r"create an instance: DecisionTreeClassifier\(\)"),
    "number": (5, "got 5"),
    "list": ([DecisionTreeClassifier()], r"got \[DecisionTreeClassifier\(\)\]"),
}
ENSEMBLES = [owner for owner in CLASSES if "estimator" in inspect.signature(owner).parameters]
OTHERS = [
    *(found for name in decompositions.__all__ if isinstance(found := getattr(decompositions, name), type)),
    *(found for name in decisions.__all__ if isinstance(found := getattr(decisions, name), type)),
]
LEARNERS = {
    "Estimator": evaluation.Estimator,
    "Tuned": lambda given: evaluation.Tuned(given, [{}]),
    "TunedThreshold": evaluation.TunedThreshold,
    "Resampled": lambda given: evaluation.Resampled(sampling.SMOTE(), given),
    "Sweep": lambda given: evaluation.Sweep({"one": given}),
    "run": lambda given: evaluation.run({"one": given}, {"table": (X, y)}, "1x2"),
    "compare": lambda given: imbcore.compare(X, y, {"one": given}, "1x2"),
    "evaluate": lambda given: imbcore.evaluate(X, y, {"one": given}),
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("owner", [*ENSEMBLES, *OTHERS])
def test_ensembles_and_wrappers_need_a_classifier(owner, wrong):
    given, reason = WRONG[wrong]
    with pytest.raises(ParameterError, match=f"{owner.__name__}: parameter `estimator` must be.*({reason})"):
        owner(given).fit(X, y)


@pytest.mark.parametrize("owner", OTHERS)
def test_wrappers_take_no_names_of_methods(owner):
    with pytest.raises(ParameterError, match=r"a classifier such as CARTClassifier\(\), got 'cart'"):
        owner("cart").fit(X, y)


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("create", LEARNERS.values(), ids=LEARNERS)
def test_learners_need_a_classifier_when_they_are_created(create, wrong):
    given, _ = WRONG[wrong]
    with pytest.raises(ParameterError, match=r"a learner must be|method must be"):
        create(given)


class NoTags(BaseEstimator):
    """Estimator without a type, which predicts labels that are not in the data."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), 7)


@pytest.mark.parametrize("owner", ENSEMBLES)
def test_members_must_predict_labels_of_the_data(owner):
    """The lookup of a label of a member raises no KeyError."""
    with pytest.raises(DataError, match=r"NoTags predicted 7, which is not one of the labels \[0, 1\]"):
        owner(NoTags()).fit(X, y).predict(X)


class Untyped:
    """Classifier of a library that does not use scikit-learn's base classes."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.full((len(X), 2), 0.5)

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))

    def get_params(self, deep=True):
        return {}

    def set_params(self, **given):
        return self


@pytest.mark.parametrize(
    "owner", [imbcore.BaggingClassifier, decompositions.OVAClassifier, decisions.ThresholdClassifier]
)
def test_classifiers_without_tags_are_accepted(owner):
    assert set(owner(Untyped()).fit(X, y).predict(X)) <= {0, 1}


@pytest.mark.parametrize(
    ("create", "message"),
    [
        (lambda: evaluation.Resampled("smote", "cart"), r"sampler must be .* such as SMOTE\(\), got 'smote'"),
        (lambda: evaluation.Resampled(sampling.SMOTE, "cart"), "sampler must be"),
        (lambda: evaluation.DataDependentLearner(5), "make must be a function"),
        (lambda: evaluation.Sweep({}), "at least one entry"),
        (lambda: evaluation.Sweep("cart"), "must be a mapping"),
        (lambda: evaluation.Tuned("cart", 5), "grid must be a list"),
        (lambda: evaluation.Tuned("cart", [3]), "grid must be a dict of lists"),
        (lambda: evaluation.Tuned("cart", {"max_depth": 3}), r"grid\['max_depth'\] must be a list"),
        (lambda: evaluation.Tuned("cart", {"max_depth": []}), "at least one setting"),
        (lambda: evaluation.Tuned(DecisionTreeClassifier(), {"no": [1]}), "Invalid parameter 'no'"),
        (lambda: evaluation.Tuned("cart", [{}], folds=1), "folds must be an integer from 2"),
        (lambda: evaluation.Tuned("cart", [{}], layout="x"), "layout must be 'deal' or 'blocks'"),
        (lambda: evaluation.Tuned("cart", [{}], pooled="no"), "pooled must be True or False"),
        (lambda: evaluation.TunedThreshold("cart", "f1"), "measures must be a list"),
        (lambda: evaluation.TunedThreshold("cart", ["nonsense"]), "unknown metric `nonsense`"),
        (lambda: evaluation.TunedThreshold("cart", folds=0), "folds must be"),
        (lambda: evaluation.Procedure("own", 1, layout="x"), "layout must be 'deal' or 'blocks'"),
        (lambda: evaluation.Procedure("own", 1, 1, test_fraction="a"), "test_fraction must be a number"),
        (
            lambda: imbcore.BalancedBaggingClassifier(sampler=sampling.SMOTE).fit(X, y),
            "parameter `sampler` must be",
        ),
        (
            lambda: imbcore.TANClassifier(discretizer=imbcore.discretization.MDLPDiscretizer).fit(X, y),
            r"create an instance: MDLPDiscretizer\(\)",
        ),
    ],
)
def test_settings_are_checked_when_they_are_given(create, message):
    """Procedures and learners are validated when they are created, not in the first fit."""
    with pytest.raises(ParameterError, match=message):
        create()
