"""Cross-validation of classifiers of any library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.progress import progress_callback
from imbcore._bindings.training import validate_sample_weights
from imbcore._estimators.row_arguments import fit_arguments, supports_weights, unsupported_weights_message
from imbcore._validation.labels import Target
from imbcore._validation.row_costs import reject_row_costs
from imbcore._validation.value_text import value_text
from imbcore.evaluation._budget_groups import with_alert_budget_of_fit
from imbcore.evaluation._cross_validation import cross_validate, name_training_rows_in_errors
from imbcore.evaluation._dependence import Splits
from imbcore.evaluation._entries import MethodToEvaluate
from imbcore.evaluation._fold_fits import FoldFit, Rows
from imbcore.evaluation._fold_ref import FoldRef
from imbcore.evaluation._learners import (
    Estimator,
    Learner,
    NamedMethod,
    estimator_to_fit,
    to_learner,
    warn_of_ungrouped_fits,
)
from imbcore.evaluation._policies import Policy
from imbcore.evaluation._predictions import Predictions
from imbcore.evaluation._tables import EvaluationTable
from imbcore.evaluation._task import fit_and_predict
from imbcore.evaluation._tuning import Sweep, TunedThreshold
from imbcore.exceptions import ParameterError

__all__ = ["evaluate_estimator", "learner_and_decision_rule", "method_to_learner"]

# Options that define costs of predictions.
COSTS = ("cost_matrix", "costs")

# Options that act in training, and their replacement for estimators.
_IN_TRAINING = {
    "class_weight": "set it in the classifier",
    "calibrate": "wrap it in imbcore.decisions.CalibratedClassifier",
}

# Options of a method that is fitted to each training part by itself.
_OF_FITS = (*COSTS, *_IN_TRAINING, "cost_strategy", "threshold", "categorical_features", "feature_names")
_THREADS = ("n_threads", "n_jobs")


def evaluate_estimator(
    entry: MethodToEvaluate,
    X: Any,
    target: Target,
    splits: Splits,
    given: Mapping[str, Any],
) -> dict[str, Any]:
    """Cross-validate a classifier, with the options of all methods; see :func:`cross_validate`.

    Probabilities are None for a classifier without them.
    """
    classes, codes, trial = target.classes, target.codes, splits.trial
    weights = validate_sample_weights(given["sample_weight"], len(codes))
    learner, decide = learner_and_decision_rule(entry, splits, given, len(classes))
    warn_of_ungrouped_fits(learner, splits.row_dependence)
    case = EvaluationTable(entry.name, X, classes[codes], codes, classes, trial.positive, "")

    def predict_test_rows(fit: FoldFit, at: tuple[int, int], part: str) -> Predictions:
        place = FoldRef((given["random_state"], *at), classes, classes.tolist()[trial.positive])
        own = None if weights is None else weights[fit.train]
        options = fit_arguments(estimator_to_fit(learner), splits.row_dependence, fit.train, own)
        with name_training_rows_in_errors(part, Exception):  # other libraries raise any type of exception
            own = with_alert_budget_of_fit(learner, splits.budget_groups, fit)
            found = fit_and_predict(case, fit, own, place, **options)[1]
        return replace(found, labels=decide(found, fit.test))

    with progress_callback(entry.name, given["verbose"], given["callback"]) as callback:
        return cross_validate(
            splits,
            codes,
            len(classes),
            predict_test_rows,
            name=f"{entry.name}, ",
            weights=weights,
            callback=callback,
        )


def learner_and_decision_rule(
    entry: MethodToEvaluate, splits: Splits, given: Mapping[str, Any], n_classes: int
) -> tuple[Learner, Callable[[Predictions, Rows], NDArray[np.uint32]]]:
    """Return the learner of an entry and its decision rule, after all checks that need no fit."""
    learner = _classifier_to_learner(entry, given["sample_weight"] is not None)
    return learner, _decision_rule(entry, splits.trial, given, n_classes)


def method_to_learner(
    entry: MethodToEvaluate, parameters: Mapping[str, Any], given: Mapping[str, Any]
) -> tuple[MethodToEvaluate, dict[str, Any]]:
    """Turn a method into a learner that is fitted to each training part by :func:`imbcore.fit`.

    ``given`` are the options of all methods; those that act in a fit become parameters of it.
    """
    own = {name: given[name] for name in (*_OF_FITS, *_THREADS) if given.get(name) is not None}
    undecided = {**dict.fromkeys(_OF_FITS), "cost_strategy": "decision"}
    return MethodToEvaluate(entry.name, NamedMethod(entry.what, {**parameters, **own})), {
        **given,
        **undecided,
    }


def _classifier_to_learner(entry: MethodToEvaluate, weighed: bool) -> Learner:
    """Return a classifier with its own parameters as a learner."""
    own = {name: value for name, value in entry.own.items() if name not in (*_OF_FITS, "cost_strategy")}
    learner = to_learner(entry.what)
    learner = learner.with_parameters(**own) if own else learner
    if isinstance(learner, (Sweep, TunedThreshold)):
        raise ParameterError(
            f"{entry.name} gives several predictions per row; use imbcore.evaluation.run for it, "
            'or evaluate a method with its threshold, such as ("forest", {"threshold": "f1"})'
        )
    if not weighed or isinstance(learner, (NamedMethod, Policy)):
        return learner
    if not isinstance(learner, Estimator):
        raise ParameterError(
            f"{entry.name}: its fit does not support sample_weight; leave out the weights or the classifier"
        )
    if not supports_weights(learner.estimator, refusal=True):
        raise ParameterError(
            f"{entry.name}: {unsupported_weights_message(learner.estimator)}; "
            "leave out the weights or the classifier"
        )
    return learner


def _decision_rule(
    entry: MethodToEvaluate, trial: native.models.NativeEvaluation, given: Mapping[str, Any], n_classes: int
) -> Callable[[Predictions, Rows], NDArray[np.uint32]]:
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
        reject_row_costs(given["costs"])
    threshold = given["threshold"]
    if threshold is not None and not (isinstance(threshold, (int, float)) and 0 <= threshold <= 1):
        raise ParameterError(
            f"{entry.name}: threshold must be a number in [0, 1] for a classifier, "
            f"got {value_text(threshold)}; wrap it in imbcore.decisions.ThresholdClassifier for a threshold "
            "rule; or, to keep its own predictions, give each method its own threshold, such as "
            '("forest", {"threshold": ...})'
        )
    if by_costs and threshold is not None:
        raise ParameterError(
            f"{entry.name}: threshold must be None if {by_costs} is given, got {value_text(threshold)}"
        )

    def decide(found: Predictions, rows: Rows) -> NDArray[np.uint32]:
        if found.proba is not None and (by_costs or threshold is not None):
            proba = np.ascontiguousarray(found.proba)
            costs = trial.costs(rows, n_classes) if by_costs else None
            return native.costs.decide(proba, costs, threshold, trial.positive)
        if found.labels is None:
            raise ParameterError(f"{entry.name}: a classifier to evaluate needs predict")
        return found.labels

    return decide
