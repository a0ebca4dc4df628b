"""Scores for imbalanced classification.

Functions are called as in scikit-learn where it has them, and agree with it. The formulas are native code.

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
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from imbcore._isometrics import Isometrics, isometrics
from imbcore._measure_labels import (
    accuracy_score,
    balanced_accuracy_score,
    cohen_kappa_score,
    confusion_matrix,
    cost_score,
    error,
    f1_score,
    fbeta_score,
    geometric_mean_score,
    is_trivial,
    matthews_corrcoef,
    negative_predictive_value,
    power_mean,
    power_mean_score,
    precision_score,
    recall_score,
    specificity_score,
)
from imbcore._measure_probability import (
    CalibrationTable,
    brier_by_class,
    brier_score_loss,
    calibration_errors,
    calibration_table,
    coefficient_of_variation,
    imbalance_ratio,
    log_loss,
    minority_fraction,
)
from imbcore._measure_scores import (
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
from imbcore.exceptions import ParameterError

__all__ = [
    "CalibrationTable",
    "Isometrics",
    "accuracy_score",
    "auh_score",
    "average_precision_score",
    "balanced_accuracy_score",
    "best_threshold",
    "brier_by_class",
    "brier_score_loss",
    "calibration_errors",
    "calibration_table",
    "coefficient_of_variation",
    "cohen_kappa_score",
    "confusion_matrix",
    "convex_hull",
    "cost_score",
    "error",
    "f1_score",
    "fbeta_score",
    "geometric_mean_score",
    "hand_till_score",
    "hull_area",
    "hull_operating_point",
    "imbalance_ratio",
    "is_trivial",
    "isometrics",
    "log_loss",
    "matthews_corrcoef",
    "minority_fraction",
    "negative_predictive_value",
    "power_mean",
    "power_mean_score",
    "pr_auc_score",
    "precision_recall_curve",
    "precision_score",
    "recall_score",
    "roc_auc_score",
    "roc_curve",
    "scorer",
    "specificity_score",
    "wauroc_score",
]


def _of_second(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    score: Callable[..., float],
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Score the column that scikit-learn hands over without a ``pos_label``: that of the greater label."""
    positive = np.unique(np.asarray(y_true))[-1] if pos_label is None else pos_label
    return score(y_true, y_score, pos_label=positive, sample_weight=sample_weight)


_RANKING = ("decision_function", "predict_proba")
# Name -> function, its fixed arguments, what the estimator is asked for, and whether more is better.
_SCORERS: dict[str, tuple[Callable[..., Any], dict[str, Any], str | tuple[str, ...], bool]] = {
    "accuracy": (accuracy_score, {}, "predict", True),
    "error": (error, {}, "predict", False),
    "balanced_accuracy": (balanced_accuracy_score, {}, "predict", True),
    "a_mean": (balanced_accuracy_score, {}, "predict", True),
    "g_mean": (geometric_mean_score, {}, "predict", True),
    "f1": (f1_score, {}, "predict", True),
    "f2": (fbeta_score, {"beta": 2.0}, "predict", True),
    "precision": (precision_score, {}, "predict", True),
    "recall": (recall_score, {}, "predict", True),
    "specificity": (specificity_score, {}, "predict", True),
    "npv": (negative_predictive_value, {}, "predict", True),
    "mcc": (matthews_corrcoef, {}, "predict", True),
    "kappa": (cohen_kappa_score, {}, "predict", True),
    "cost": (cost_score, {}, "predict", False),
    "roc_auc": (roc_auc_score, {}, _RANKING, True),
    "wauroc": (wauroc_score, {}, "predict_proba", True),
    "hand_till": (hand_till_score, {}, "predict_proba", True),
    "auh": (_of_second, {"score": auh_score}, _RANKING, True),
    "pr_auc": (_of_second, {"score": pr_auc_score}, _RANKING, True),
    "average_precision": (average_precision_score, {}, _RANKING, True),
    "brier": (brier_score_loss, {}, "predict_proba", False),
    "log_loss": (log_loss, {}, "predict_proba", False),
}


def scorer(name: str, **kwargs: Any) -> Any:
    """Make a scikit-learn scorer for ``cross_validate`` or ``GridSearchCV``.

    Parameters
    ----------
    name : str
        accuracy, error, balanced_accuracy, a_mean, g_mean, f1, f2, precision, recall, specificity, npv, mcc,
        kappa, cost (needs ``cost_matrix``), roc_auc, wauroc, hand_till, auh, pr_auc, average_precision, brier
        or log_loss.
        Errors, costs and losses come out negative, as scikit-learn's scorers do.
    **kwargs
        Passed to the function: ``pos_label``, ``average``, ``labels``, ``multi_class``, ...
        Without ``pos_label``, auh and pr_auc take the greater of two labels as positive, like roc_auc.

    Returns
    -------
    callable
        ``scorer(estimator, X, y)``.

    Raises
    ------
    ParameterError
        For an unknown name, or a cost without matrix.
    """
    from sklearn.metrics import make_scorer

    if name not in _SCORERS:
        near = get_close_matches(name, _SCORERS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {sorted(_SCORERS)}"
        raise ParameterError(f"unknown scorer {name!r}; {hint}")
    if name == "cost" and "cost_matrix" not in kwargs:
        raise ParameterError("the scorer 'cost' needs cost_matrix=")
    function, fixed, response, more_is_better = _SCORERS[name]
    return make_scorer(
        function, response_method=response, greater_is_better=more_is_better, **{**fixed, **kwargs}
    )
