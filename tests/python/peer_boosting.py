"""Pytest plugin: runs scikit-learn's classifier tests on our boosted trees.

The rules are those of ``peer_trees``. ``translated`` maps scikit-learn's parameters to ours; those without a
counterpart are ignored. Private attributes used by the tests are mapped to ours. Tests require that an error
is raised, not its message.
"""

from __future__ import annotations

import inspect
import json

import numpy as np
import peer_trees
import pytest
from peer_trees import (  # noqa: F401
    pytest_runtest_makereport,
    pytest_runtest_protocol,
    pytest_sessionfinish,
)
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

import imbcore

# Attributes of inner objects, and their values.
INSIDE = {"raw_left_cat_bitsets": "the levels that go left as scikit-learn's trees keep them, in bits"}


class SklearnParameters:
    """The parameters as in scikit-learn."""

    def __init__(
        self,
        loss="log_loss",
        *,
        learning_rate=0.1,
        max_iter=100,
        max_leaf_nodes=31,
        max_depth=None,
        min_samples_leaf=20,
        l2_regularization=0.0,
        max_features=1.0,
        max_bins=255,
        categorical_features="from_dtype",
        monotonic_cst=None,
        interaction_cst=None,
        warm_start=False,
        early_stopping="auto",
        scoring="loss",
        validation_fraction=0.1,
        n_iter_no_change=10,
        tol=1e-7,
        verbose=0,
        random_state=None,
        class_weight=None,
    ):
        for name, value in list(locals().items()):
            if name != "self":
                setattr(self, name, value)


class Boosted(SklearnParameters, ClassifierMixin, BaseEstimator):
    """Our classifier with these parameters."""

    def translated(self, n_rows):
        stops = n_rows > 10_000 if self.early_stopping == "auto" else self.early_stopping
        nominal = self.categorical_features
        same = ("learning_rate", "max_leaf_nodes", "max_depth", "min_samples_leaf", "max_bins", "verbose")
        same += ("monotonic_cst", "interaction_cst", "warm_start", "random_state", "class_weight")
        return (
            {name: getattr(self, name) for name in same}
            | {
                "objective": self.loss,
                "n_rounds": "auto" if stops else self.max_iter,
                "reg_lambda": self.l2_regularization,
                "subsample": 1.0,
                "colsample_bytree": self.max_features,
                "categorical_features": None if isinstance(nominal, str) else nominal,
            }
            | (self.stopping() if stops else {})
        )

    def stopping(self):
        return {
            "max_rounds": self.max_iter,
            "early_stopping_rounds": self.n_iter_no_change,
            "early_stopping_min_delta": self.tol,
        }

    def fit(self, X, y, sample_weight=None):
        # Only warm starts keep the fitted model.
        if not (self.warm_start and hasattr(self, "inner_")):
            self.inner_ = imbcore.BoostedTreesClassifier()
        self.inner_.set_params(**self.translated(len(y))).fit(X, y, sample_weight=sample_weight)
        self.classes_, self.n_iter_ = self.inner_.classes_, self.inner_.n_rounds_
        self.validation_score_ = -self.inner_.validation_path_
        if not len(self.validation_score_):
            # scikit-learn has no training scores either, unless rounds are chosen.
            self.train_score_ = np.empty(0)
        return self

    def predict(self, X):
        check_is_fitted(self)
        return self.inner_.predict(X)

    def predict_proba(self, X):
        check_is_fitted(self)
        return self.inner_.predict_proba(X)

    def decision_function(self, X):
        check_is_fitted(self)
        return self.inner_.decision_function(X)

    def staged_predict(self, X):
        check_is_fitted(self)
        yield from self.inner_.staged_predict(X)

    def staged_predict_proba(self, X):
        check_is_fitted(self)
        yield from self.inner_.staged_predict_proba(X)

    def staged_decision_function(self, X):
        check_is_fitted(self)
        yield from self.inner_.staged_decision_function(X)

    def _raw_predict(self, X):
        return self.inner_.decision_function(X)

    def _written(self):
        return json.loads(self.inner_.to_json())

    @property
    def _predictors(self):
        scores = len(self.classes_) if len(self.classes_) > 2 else 1
        # A model of one class has no rounds.
        trees = [Tree(nodes) for nodes in self._written()["steps"][0]["trees"]] if self.n_iter_ else []
        return [trees[at : at + scores] for at in range(0, len(trees), scores)]

    @property
    def is_categorical_(self):
        is_nominal = np.array([feature["kind"] == "nominal" for feature in self._written()["features"]])
        return is_nominal if is_nominal.any() else None


class PytestWithoutMatch:
    """Pytest with ``raises`` that ignores the message of another library."""

    def __getattr__(self, name):
        return getattr(pytest, name)

    @staticmethod
    def raises(expected, match=None):
        del match
        return pytest.raises(expected)


def private(test, before=peer_trees.private):
    """Name of a private object of scikit-learn that a test uses."""
    found = next((name for name in inspect.unwrap(test).__code__.co_names if name in INSIDE), None)
    return before(test) or (found and f"asks for {found}, {INSIDE[found]}")


def elsewhere(value, before=peer_trees.elsewhere):
    """Reason why a parameter of a test has no counterpart: loss objects are private to scikit-learn."""
    is_loss = type(value).__module__.startswith("sklearn._loss")
    return "a loss as an object, which is private to scikit-learn" if is_loss else before(value)


def pytest_collection_modifyitems(items):
    for module in {item.module for item in items}:
        module.pytest = PytestWithoutMatch()
    peer_trees.private, peer_trees.elsewhere = private, elsewhere
    peer_trees.pytest_collection_modifyitems(items)


class Tree:
    """One tree with the attributes of scikit-learn."""

    def __init__(self, nodes):
        # Arrays are compared by these fields.
        self.nodes = np.array([json.dumps(node) for node in nodes])
        self.written = nodes

    def get_n_leaf_nodes(self):
        return sum("values" in node for node in self.written)

    def get_max_depth(self, at=0):
        children = self.written[at].get("children", [])
        return max((1 + self.get_max_depth(child) for child in children), default=0)


peer_trees.SHOWN |= {"_predictors", "_raw_predict", "_assert_predictor_equal", "_make_dumb_dataset"}
peer_trees.OURS.clear()
peer_trees.OURS["HistGradientBoostingClassifier"] = Boosted
