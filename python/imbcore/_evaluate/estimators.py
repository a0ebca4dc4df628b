"""Cross-validation of classifiers of any library, with the code of the published protocols."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import has_fit_parameter

from imbcore._border import native
from imbcore._evaluate.entries import Entry
from imbcore._input.labels import Target
from imbcore._input.row_costs import foreign_costs
from imbcore.exceptions import DataError, ImbcoreError, ParameterError
from imbcore.protocols import Estimator, Learner, Named, Place
from imbcore.protocols._answers import Answers
from imbcore.protocols._learners import learner_of
from imbcore.protocols._tables import Case
from imbcore.protocols._task import answered, sentence

__all__ = ["Table", "by_parts", "tested"]

# Options that define costs of predictions.
COSTS = ("cost_matrix", "costs")

Progress = Callable[[str, int, int], object]
# Options that act in training, and their replacement for estimators.
_IN_TRAINING = {
    "class_weight": "set it in the classifier",
    "calibrate": "wrap it in imbcore.decisions.CalibratedClassifier",
}

# Options that a method takes where it is fitted to each part apart.
_OF_FITS = (*COSTS, *_IN_TRAINING, "cost_strategy", "threshold", "categorical_features", "feature_names")


@dataclass(frozen=True)
class Table:
    """Rows of an evaluation.

    Parameters
    ----------
    X : table of shape (n_rows, n_features)
        Table as given by the user.
    target : Target
        Labels.
    weights : ndarray of shape (n_rows,) or None
        Row weights.
    seed : int
    """

    X: Any
    target: Target
    weights: NDArray[np.float64] | None
    seed: int


def tested(
    entry: Entry,
    table: Table,
    trial: native.models.Trial,
    given: Mapping[str, Any],
    callback: Progress | None,
) -> dict[str, Any]:
    """Cross-validate a classifier; same result format as for a method given by name.

    Probabilities are None for a classifier without them.
    """
    learner = _learner(entry, table.weights is not None)
    decide = _decision(entry, trial, given, len(table.target.classes))
    classes, codes = table.target.classes, table.target.codes
    case = Case(entry.name, table.X, classes[codes], codes, classes, trial.positive, "")
    values, parts = [], []
    for done, (repeat, fold) in enumerate(tests := trial.tests):
        train, test = trial.rows(repeat, fold)
        place = Place((table.seed, entry.name, repeat, fold), classes, classes.tolist()[trial.positive])
        weights = {} if table.weights is None else {"sample_weight": table.weights[train]}
        try:
            if len(np.unique(codes[train])) < 2:
                raise DataError(f"y has only one class; at least two classes are needed{trial.advice}")
            _, answers, _ = answered(case, train, test, learner, place, **weights)
        except MemoryError:
            raise
        except Exception as error:  # other libraries raise any type of exception
            said = f"{entry.name}, training part of fold {fold}: {sentence(error)}"
            raise (type(error) if isinstance(error, ImbcoreError) else DataError)(said) from error
        predicted = decide(answers, test)
        values.append(
            trial.judge(
                test,
                answers.truth,
                predicted,
                len(classes),
                None if answers.proba is None else np.ascontiguousarray(answers.proba),
                answers.scores,
                None if table.weights is None else table.weights[test],
            )
        )
        if repeat == 0:
            parts.append((test, answers.proba, predicted))
        if callback is not None:
            callback("folds", done + 1, len(tests))
    return {"values": np.array(values), **_joined(parts, len(codes), len(classes))}


def by_parts(
    entry: Entry, parameters: Mapping[str, Any], given: Mapping[str, Any]
) -> tuple[Entry, dict[str, Any]]:
    """Turn a method into a learner that is fitted to each training part by :func:`imbcore.fit`.

    ``given`` are the options of all methods; those that act in a fit become parameters of it.
    """
    own = {name: given[name] for name in _OF_FITS if given.get(name) is not None}
    undecided = {**dict.fromkeys(_OF_FITS), "cost_strategy": "decision"}
    return Entry(entry.name, Named(entry.what, {**parameters, **own})), {**given, **undecided}


def _joined(parts: list[Any], n_rows: int, n_classes: int) -> dict[str, Any]:
    predicted = np.zeros(n_rows, dtype=np.uint32)
    proba = None if any(own is None for _, own, _ in parts) else np.full((n_rows, n_classes), np.nan)
    for rows, own, answers in parts:
        predicted[rows] = answers
        if proba is not None:
            proba[rows] = own
    return {"proba": proba, "predicted": predicted}


def _learner(entry: Entry, weighed: bool) -> Learner:
    """Return a classifier with its own parameters as a learner."""
    own = {name: value for name, value in entry.own.items() if name not in (*COSTS, "threshold")}
    learner = learner_of(entry.what)
    learner = learner.with_parameters(**own) if own else learner
    takes_weights = isinstance(learner, Named) or (
        isinstance(learner, Estimator) and has_fit_parameter(learner.estimator, "sample_weight")
    )
    if weighed and not takes_weights:
        raise ParameterError(
            f"{entry.name}: its fit does not support sample_weight; leave out the weights or the classifier"
        )
    return learner


def _decision(
    entry: Entry, trial: native.models.Trial, given: Mapping[str, Any], n_classes: int
) -> Callable[[Answers, NDArray[np.int64]], NDArray[np.uint32]]:
    """Return the decision rule: by costs or a threshold on probabilities, or else `predict`."""
    for option, instead in _IN_TRAINING.items():
        if given[option] is not None:
            raise ParameterError(f"{entry.name}: {option} applies only to methods by name; {instead}")
    if given["cost_strategy"] != "decision":
        raise ParameterError(
            f"{entry.name}: cost_strategy='reweight' applies only to methods by name; set weights in the "
            "classifier"
        )
    for option in COSTS:
        if entry.own.get(option) is not None:
            raise ParameterError(
                f"{entry.name}: pass the {option} of a classifier to evaluate; "
                f"{{{option!r}: None}} keeps its own predictions"
            )
    by_costs = next((option for option in COSTS if given[option] is not None), None)
    if by_costs and trial.costs(np.zeros(0, dtype=np.int64), n_classes) is None:
        foreign_costs(given["costs"])
    threshold = given["threshold"]
    if threshold is not None and not (isinstance(threshold, (int, float)) and 0 <= threshold <= 1):
        raise ParameterError(
            f"{entry.name}: threshold must be a number in [0, 1] for a classifier, got {threshold!r}; "
            "wrap it in imbcore.decisions.ThresholdClassifier for a threshold rule"
        )
    if by_costs and threshold is not None:
        raise ParameterError(
            f"{entry.name}: threshold must be None if {by_costs} is given, got {threshold!r}"
        )

    def decide(answers: Answers, rows: NDArray[np.int64]) -> NDArray[np.uint32]:
        if answers.proba is not None and (by_costs or threshold is not None):
            proba = np.ascontiguousarray(answers.proba)
            costs = trial.costs(rows, n_classes) if by_costs else None
            return native.costs.decide(proba, costs, threshold, trial.positive)
        if answers.labels is None:
            raise ParameterError(f"{entry.name}: a classifier to evaluate needs predict")
        return answers.labels

    return decide
