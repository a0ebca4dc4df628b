"""`compare` accepts the methods that `evaluate` accepts; unusable classifiers fail before the first fit.

Kind: an entry that one of the two functions accepts, or a classifier that cannot be cloned, was found only
after the fits of other methods.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import imbcore
from imbcore import evaluation
from imbcore.decisions import ThresholdClassifier
from imbcore.exceptions import ParameterError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 2))
Y = (X[:, 0] + RNG.normal(size=80) > 0.8).astype(int)


class Changing(ClassifierMixin, BaseEstimator):
    """A classifier whose constructor copies a list, as that of CatBoost does."""

    def __init__(self, columns=None, depth=1):
        self.columns = list(columns) if isinstance(columns, list) else columns
        self.depth = depth if isinstance(depth, int) else np.array(depth)

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])

    def predict_proba(self, X):
        return np.tile([0.9, 0.1], (len(X), 1))


def never_fitted(monkeypatch):
    def fail(*_, **__):
        raise AssertionError("a fit came before the checks")

    monkeypatch.setattr(LogisticRegression, "fit", fail)


ENTRIES = [
    lambda entry: imbcore.evaluate(X, Y, {"logistic": LogisticRegression(), "changing": entry}),
    lambda entry: imbcore.compare(X, Y, {"logistic": LogisticRegression(), "changing": entry}),
    lambda entry: evaluation.run(
        {"logistic": LogisticRegression(), "changing": entry}, {"data": (X, Y)}, "1x2"
    ),
]


@pytest.mark.parametrize("call", ENTRIES)
@pytest.mark.parametrize(
    ("given", "words"),
    [
        (Changing(["a"]), r"changes `columns`; give a tuple instead of a list"),
        (Changing(depth=2.5), "changes `depth`; a constructor must store"),
        (make_pipeline(StandardScaler(), Changing(["a"])), r"changes `columns`; give a tuple"),
    ],
    ids=["list", "number", "pipeline"],
)
def test_a_classifier_that_cannot_be_cloned_fails_first(monkeypatch, call, given, words):
    never_fitted(monkeypatch)
    with pytest.raises(ParameterError, match=words):
        call(given)


def test_a_wrapper_names_the_parameter_that_prevents_a_clone():
    with pytest.raises(ParameterError, match="give a tuple instead of a list"):
        ThresholdClassifier(Changing(["a"])).fit(X, Y)


def test_a_parameter_in_an_unchanged_form_is_accepted():
    found = imbcore.evaluate(X, Y, [Changing(("a",)), "cart"], random_state=0)
    assert list(found) == ["Changing", "cart"]


PAIRS = {
    "method": ("cart", {"max_depth": 2}),
    "option": ("cart", {"max_depth": 2, "class_weight": "balanced"}),
    "classifier": (imbcore.CARTClassifier(), {"max_depth": 2}),
    "kept": (LogisticRegression(), {"cost_matrix": None, "C": 0.5}),
}


@pytest.mark.parametrize("name", PAIRS)
def test_compare_accepts_the_pairs_of_evaluate(name):
    assert imbcore.evaluate(X, Y, {name: PAIRS[name]}, folds=2, random_state=0)[name].method == name
    found = imbcore.compare(X, Y, {name: PAIRS[name]}, "1x2")
    assert all(record["failure"] is None for record in found.records)


def test_a_pair_sets_the_parameters():
    pairs = imbcore.compare(
        X, Y, {"a": ("cart", {"max_depth": 1}), "b": (imbcore.CARTClassifier(), {"max_depth": 1})}
    )
    same = imbcore.compare(X, Y, {"a": evaluation.NamedMethod("cart", {"max_depth": 1})})
    assert [record["auc"] for record in pairs.records if record["method"] == "a"] == [
        record["auc"] for record in same.records
    ]
    deep = imbcore.compare(X, Y, {"a": "cart"})
    assert [record["auc"] for record in deep.records] != [record["auc"] for record in same.records]


def test_a_single_pair_and_a_list_of_pairs_have_names():
    alone = imbcore.compare(X, Y, ("cart", {"max_depth": 1}), "1x2")
    assert {record["method"] for record in alone.records} == {"cart"}
    both = imbcore.compare(X, Y, ["cart", ("cart", {"max_depth": 1})], "1x2")
    assert {record["method"] for record in both.records} == {"cart", "cart 2"}


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ({"random_state": 1}, "random_state is shared by all methods; pass it to compare"),
        ({"sample_weight": [1.0]}, "compare does not support sample_weight"),
        ({"maxdepth": 1}, "max_depth"),
    ],
)
def test_invalid_pairs_are_refused_before_the_first_fit(own, words):
    with pytest.raises(ParameterError, match=words):
        imbcore.compare(X, Y, {"a": ("cart", own)})


def test_options_of_methods_do_not_apply_to_classifiers():
    with pytest.raises(ParameterError, match="threshold applies only to methods by name"):
        imbcore.compare(X, Y, {"a": (LogisticRegression(), {"threshold": 0.2})})
