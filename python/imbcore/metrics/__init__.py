"""Metrics for imbalanced classification.

Functions that scikit-learn also has are called in the same way and agree with it. They are computed natively.

Examples
--------
>>> from imbcore import metrics
>>> metrics.geometric_mean_score([0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1])
0.8660254037844386
>>> metrics.roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
0.75
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from imbcore._bindings.positive import (
    default_positive_code,
    default_positive_label,
    is_fitted_to_resampled_rows,
    positive_label_of_model,
)
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.values import resolve_positive_alias, unknown_name_error
from imbcore.exceptions import ParameterError
from imbcore.metrics._alert_events import event_recall, false_alerts_per_day
from imbcore.metrics._alerts_per_day import (
    AlertRate,
    alerts_per_day,
    card_precision_at_k_per_day,
    days_to_detection,
    money_saved_per_day,
    precision_at_k_per_day,
)
from imbcore.metrics._budgets import (
    CostCurve,
    DecisionCurve,
    GainTable,
    brier_curve,
    cost_curve,
    decision_curve,
    gain_table,
    h_measure_score,
    partial_auc_score,
    precision_at_k,
    recall_at_k,
)
from imbcore.metrics._class_curves import precision_recall_curves, roc_curves
from imbcore.metrics._costs import cost_score, expected_cost, savings_score, total_cost
from imbcore.metrics._isometrics import Isometrics, isometrics, skew_sensitivity
from imbcore.metrics._labels import (
    accuracy_score,
    balanced_accuracy_score,
    cohen_kappa_score,
    confusion_matrix,
    error,
    geometric_mean_score,
    is_trivial,
    matthews_corrcoef,
    power_mean,
    power_mean_score,
)
from imbcore.metrics._one_class import (
    f1_score,
    fbeta_score,
    negative_predictive_value,
    precision_score,
    recall_score,
    specificity_score,
)
from imbcore.metrics._probability import (
    brier_by_class,
    brier_score_loss,
    coefficient_of_variation,
    entropy_deficit,
    imbalance_ratio,
    log_loss,
    minority_fraction,
)
from imbcore.metrics._reliability import (
    BrierDecomposition,
    CalibrationErrors,
    CalibrationTable,
    brier_decomposition,
    calibration_errors,
    calibration_intercept,
    calibration_slope,
    calibration_table,
)
from imbcore.metrics._scores import (
    auh_score,
    average_precision_score,
    best_threshold,
    convex_hull,
    hand_till_score,
    hull_area,
    hull_operating_point,
    pr_auc_score,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
    wauroc_score,
)
from imbcore.metrics._threshold_for import threshold_for

__all__ = [
    "AlertRate",
    "BrierDecomposition",
    "CalibrationErrors",
    "CalibrationTable",
    "CostCurve",
    "DecisionCurve",
    "GainTable",
    "Isometrics",
    "accuracy_score",
    "alerts_per_day",
    "auh_score",
    "average_precision_score",
    "balanced_accuracy_score",
    "best_threshold",
    "brier_by_class",
    "brier_curve",
    "brier_decomposition",
    "brier_score_loss",
    "calibration_errors",
    "calibration_intercept",
    "calibration_slope",
    "calibration_table",
    "card_precision_at_k_per_day",
    "coefficient_of_variation",
    "cohen_kappa_score",
    "confusion_matrix",
    "convex_hull",
    "cost_curve",
    "cost_score",
    "days_to_detection",
    "decision_curve",
    "entropy_deficit",
    "error",
    "event_recall",
    "expected_cost",
    "f1_score",
    "false_alerts_per_day",
    "fbeta_score",
    "gain_table",
    "geometric_mean_score",
    "h_measure_score",
    "hand_till_score",
    "hull_area",
    "hull_operating_point",
    "imbalance_ratio",
    "is_trivial",
    "isometrics",
    "log_loss",
    "matthews_corrcoef",
    "minority_fraction",
    "money_saved_per_day",
    "negative_predictive_value",
    "partial_auc_score",
    "power_mean",
    "power_mean_score",
    "pr_auc_score",
    "precision_at_k",
    "precision_at_k_per_day",
    "precision_recall_curve",
    "precision_recall_curves",
    "precision_score",
    "recall_at_k",
    "recall_score",
    "roc_auc_score",
    "roc_curve",
    "roc_curves",
    "savings_score",
    "scorer",
    "skew_sensitivity",
    "specificity_score",
    "threshold_for",
    "total_cost",
    "wauroc_score",
]


_RANKING = ("decision_function", "predict_proba")
# Name -> function, its fixed arguments, the response method of the estimator, and whether more is better.
_Entry = tuple[Callable[..., Any], dict[str, Any], str | tuple[str, ...], bool]
_SCORERS: dict[str, _Entry] = {
    "accuracy": (accuracy_score, {}, "predict", True),
    "error": (error, {}, "predict", False),
    "balanced_accuracy": (balanced_accuracy_score, {}, "predict", True),
    "a_mean": (balanced_accuracy_score, {}, "predict", True),
    "g_mean": (geometric_mean_score, {}, "predict", True),
    "mcc": (matthews_corrcoef, {}, "predict", True),
    "kappa": (cohen_kappa_score, {}, "predict", True),
    "cost": (cost_score, {}, "predict", False),
}
# The same for scores of the positive class, which need its label, and its column of probabilities.
_OF_POSITIVE: dict[str, _Entry] = {
    "f1": (f1_score, {}, "predict", True),
    "f2": (fbeta_score, {"beta": 2.0}, "predict", True),
    "precision": (precision_score, {}, "predict", True),
    "recall": (recall_score, {}, "predict", True),
    "specificity": (specificity_score, {}, "predict", True),
    "npv": (negative_predictive_value, {}, "predict", True),
    "roc_auc": (roc_auc_score, {}, _RANKING, True),
    "wauroc": (wauroc_score, {}, "predict_proba", True),
    "hand_till": (hand_till_score, {}, "predict_proba", True),
    "auh": (auh_score, {}, _RANKING, True),
    "pr_auc": (pr_auc_score, {}, _RANKING, True),
    "average_precision": (average_precision_score, {}, _RANKING, True),
    "brier": (brier_score_loss, {}, "predict_proba", False),
    "log_loss": (log_loss, {}, "predict_proba", False),
}
# Scores per period of time, which need the times of the rows as metadata.
_PER_DAY: dict[str, _Entry] = {
    "precision_at_k_per_day": (precision_at_k_per_day, {}, _RANKING, True),
    "card_precision_at_k_per_day": (card_precision_at_k_per_day, {}, _RANKING, True),
    "false_alerts_per_day": (false_alerts_per_day, {}, "predict", False),
    "event_recall": (event_recall, {}, "predict", True),
    "days_to_detection": (days_to_detection, {}, "predict", False),
    "money_saved_per_day": (money_saved_per_day, {}, "predict", True),
}
# Scores of probabilities whose columns are the classes of the estimator.
_OF_COLUMNS = frozenset({"roc_auc", "wauroc", "hand_till", "brier", "log_loss"})
# Scores that are equal for both choices of the positive class of two.
_EVEN = frozenset({"roc_auc", "wauroc", "hand_till", "auh", "brier", "log_loss"})


class _Scorer:
    """Scorer with the scikit-learn API that aligns ``X``, ``y`` and weights by index."""

    def __init__(self, name: str, options: dict[str, Any]) -> None:
        self._name, self._options = name, options
        self._request = self._make_sklearn_scorer({})

    def _make_sklearn_scorer(self, options: dict[str, Any]) -> Any:
        from sklearn.metrics import make_scorer

        function, fixed, response, more_is_better = {**_SCORERS, **_OF_POSITIVE, **_PER_DAY}[self._name]
        arguments = {**fixed, **self._options, **options}
        return make_scorer(function, response_method=response, greater_is_better=more_is_better, **arguments)

    @match_rows_by_index
    def __call__(self, estimator: Any, X: Any, y_true: Any, **weights: Any) -> float:
        if self._name in _PER_DAY and not {"time"} & {*weights, *self._options}:
            raise ParameterError(
                f"the scorer {self._name!r} needs time; call set_score_request(time=True) and "
                "give time in params= of cross_validate or GridSearchCV"
            )
        options = self._options_for(estimator, y_true)
        return self._make_sklearn_scorer(options)(estimator, X, y_true, **weights)

    def _options_for(self, estimator: Any, y_true: Any) -> dict[str, Any]:
        """Return the options of the metric that depend on the fitted estimator and the labels."""
        return self._all_labels(estimator) if self._name == "cost" else {}

    def _all_labels(self, estimator: Any) -> dict[str, Any]:
        """Return the labels of the estimator, unless labels are given; a fold may lack some."""
        if "labels" in self._options or not hasattr(estimator, "classes_"):
            return {}
        return {"labels": estimator.classes_}

    def set_score_request(self, **requests: Any) -> Self:
        """Request metadata, such as ``sample_weight=True``, like scikit-learn's scorers."""
        self._request.set_score_request(**requests)
        return self

    def get_metadata_routing(self) -> Any:
        """Return the metadata request for scikit-learn."""
        return self._request.get_metadata_routing()

    def __repr__(self) -> str:
        shown = "".join(f", {name}={value!r}" for name, value in self._shown().items())
        return f"scorer({self._name!r}{shown})"

    def _shown(self) -> dict[str, Any]:
        return self._options


class _PositiveScorer(_Scorer):
    """Scorer for the positive class of the caller or the fitted model, not of the fold.

    A model behind a sampler has seen other class proportions, so its positive class is used only if it was
    given.
    """

    def __init__(self, name: str, positive: Any, options: dict[str, Any]) -> None:
        self._positive = positive
        super().__init__(name, options)

    def _options_for(self, estimator: Any, y_true: Any) -> dict[str, Any]:
        positive = self._resolve_positive_label(estimator, y_true)
        options = {} if positive is None else {"pos_label": positive}
        if self._name in _PER_DAY:
            return options
        predicts = _OF_POSITIVE[self._name][2] == "predict" and "average" not in self._options
        if predicts or self._name in _OF_COLUMNS:
            options |= self._all_labels(estimator)
        return options

    def _resolve_positive_label(self, estimator: Any, y_true: Any) -> Any:
        if self._positive is not None:
            return self._positive
        classes = getattr(estimator, "classes_", None)
        if classes is not None and is_fitted_to_resampled_rows(estimator):
            # The rule of the page "The positive class", applied to the rows that are scored.
            labels = np.asarray(classes)
            codes = {label: code for code, label in enumerate(labels.tolist())}
            scored = [codes[label] for label in np.asarray(y_true).ravel().tolist() if label in codes]
            return labels.tolist()[default_positive_code(labels, np.array(scored, dtype=np.uint32), None)]
        label = positive_label_of_model(estimator)
        if label is not None or classes is None or len(classes) != 2:
            return label
        classes = np.asarray(classes)
        label = default_positive_label(classes)
        if label is None and self._name in _EVEN:
            return classes.tolist()[-1]
        if label is None:
            raise ParameterError(
                f"{type(estimator).__name__} does not define which of {classes.tolist()} is the positive "
                f"class; give scorer({self._name!r}, positive=...)"
            )
        return label

    def _shown(self) -> dict[str, Any]:
        return self._options if self._positive is None else {"positive": self._positive, **self._options}


def scorer(name: str, **kwargs: Any) -> Any:
    """Make a scikit-learn scorer for ``cross_validate`` or ``GridSearchCV``.

    Metrics of one class refer to the class ``positive``, by default the positive class of the fitted model
    (``positive_``); the scorer uses the column of probabilities of this class. If a sampler precedes the
    model, the default is the rule of the page "The positive class", applied to the scored rows.

    Parameters
    ----------
    name : str
        One of these names:

        - accuracy, error, balanced_accuracy, a_mean, g_mean, f1, f2, precision, recall, specificity, npv,
          mcc, kappa, cost (needs ``cost_matrix``), roc_auc, wauroc, hand_till, auh, pr_auc,
          average_precision, brier or log_loss.
        - precision_at_k_per_day, card_precision_at_k_per_day (both need ``k``), false_alerts_per_day,
          event_recall, days_to_detection or money_saved_per_day. These six need ``time``.
          card_precision_at_k_per_day, event_recall and days_to_detection also need ``groups``, and
          money_saved_per_day also needs ``amount``. Pass these arguments by scikit-learn's metadata routing:
          ``scorer(...).set_score_request(time=True)``.

        Errors, costs and losses are negated, as in scikit-learn's scorers.
    **kwargs
        Arguments of the metric, such as ``positive`` (or ``pos_label``), ``average``, ``labels`` and
        ``multi_class``. Estimators of other libraries do not define the positive class: give ``positive``
        unless the labels are 0 and 1, -1 and 1, or False and True.

    Returns
    -------
    callable
        ``scorer(estimator, X, y)``.

    Raises
    ------
    ParameterError
        The name is unknown, or ``cost_matrix`` or ``k`` is missing. The scorer itself raises this error if
        the positive class or the times are unknown.
    """
    if name in _PER_DAY and "precision" in name and "k" not in kwargs:
        raise ParameterError(f"the scorer {name!r} needs k=, the number of alerts per day")
    if name in _OF_POSITIVE or name in _PER_DAY:
        positive = resolve_positive_alias(kwargs.pop("positive", None), kwargs.pop("pos_label", None))
        return _PositiveScorer(name, positive, kwargs)
    if name not in _SCORERS:
        raise unknown_name_error("scorer", name, sorted({**_SCORERS, **_OF_POSITIVE, **_PER_DAY}))
    if name == "cost" and "cost_matrix" not in kwargs:
        raise ParameterError("the scorer 'cost' needs cost_matrix=")
    return _Scorer(name, kwargs)


name_package_in_errors(globals())
