"""Metrics of one test set, computed from the predictions of a classifier."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore.exceptions import DataError

COUNTS = ("tp", "fn", "fp", "tn")
"""Counts of a test set by true and predicted class, the positive class against the rest."""
OF_LABELS = (
    "accuracy",
    "error",
    "precision",
    "recall",
    "specificity",
    "npv",
    "f1",
    "f2",
    "g_mean",
    "balanced_accuracy",
    "mcc",
    "kappa",
    "macro_precision",
    "macro_recall",
    "macro_f1",
)
"""Metrics of predicted labels."""
OF_SCORES = ("auc", "average_precision", "pr_auc", "auh", "wauroc", "hand_till")
"""Metrics of rankings."""
OF_PROBABILITIES = ("brier", "brier_positive", "log_loss")
MEASURES = (*OF_LABELS, *OF_SCORES, *OF_PROBABILITIES, "sweep_auh")
"""Metrics of a record, except counts and times."""
LOWER_IS_BETTER = frozenset(
    {
        "error",
        "brier",
        "brier_positive",
        "log_loss",
        "false_alerts_per_day",
        "days_to_detection",
        "fit_seconds",
        "predict_seconds",
        "cpu_seconds",
    }
)
"""Metrics for which lower is better; for all others higher is better."""

RATES = np.linspace(0.0, 1.0, 101)
"""False positive rates, and recalls, at which the curves of a record are evaluated."""
_ZERO = 0.0
Codes = NDArray[np.uint32]
Numbers = NDArray[np.float64]


def nan_to_none(value: float) -> float | None:
    """Convert NaN to None."""
    return value if value == value else None


def encode_predicted_labels(labels: Any, classes: NDArray[Any]) -> Codes:
    """Encode predicted labels by the sorted classes.

    Raises
    ------
    DataError
        A label is not one of the classes.
    """
    answered, known = np.asarray(labels).ravel(), classes.tolist()
    try:
        at = np.searchsorted(classes, answered).clip(max=len(classes) - 1)
        unknown = answered[classes[at] != answered].tolist()
    except TypeError:
        # Labels of another type, which cannot be compared with the classes.
        unknown = [label for label in answered.tolist() if label not in known]
    if unknown:
        raise DataError(f"predicted {unknown[0]!r}, which is not one of the labels {known}")
    return at.astype(np.uint32)


def label_metrics(truth: Codes, answers: Codes, n_classes: int, positive: int) -> dict[str, Any]:
    """Compute counts and metrics of predicted labels."""
    return confusion_metrics(native.metrics.Confusion(truth, answers, n_classes, None), n_classes, positive)


def confusion_metrics(table: native.metrics.Confusion, n_classes: int, positive: int) -> dict[str, Any]:
    """Compute counts and metrics from a confusion matrix."""
    matrix = table.matrix(None).astype(np.int64)
    tp = int(matrix[positive, positive])
    fn, fp = int(matrix[positive].sum()) - tp, int(matrix[:, positive].sum()) - tp
    found: dict[str, Any] = dict(
        zip(COUNTS, (tp, fn, fp, int(matrix.sum()) - tp - fn - fp), strict=True),
        confusion=matrix.tolist(),
        trivial=table.is_trivial(),
        accuracy=nan_to_none(table.accuracy()),
        error=nan_to_none(table.error()),
        g_mean=nan_to_none(table.g_mean(0.0)),
        balanced_accuracy=nan_to_none(table.balanced_accuracy()),
        mcc=nan_to_none(table.mcc()),
        kappa=nan_to_none(table.kappa(0.0)),
    )
    for name in ("precision", "recall", "specificity", "npv", "f1", "f2"):
        # As in `evaluate`, NPV is not defined if no row of two classes is predicted negative.
        undefined = math.nan if name == "npv" and n_classes == 2 else _ZERO
        found[name] = nan_to_none(float(table.class_scores(name, 1.0, undefined)[positive]))
    everyone = np.arange(n_classes, dtype=np.uint32)
    for name in ("precision", "recall", "f1"):
        found[f"macro_{name}"] = nan_to_none(table.over_classes(name, "macro", everyone, 1.0, _ZERO))
    return found


def ranking_metrics(truth: Codes, scores: Numbers, positive: int) -> dict[str, float | None]:
    """Compute metrics of scores that are larger for positives; None if one class is missing."""
    sweep = native.metrics.Sweep(truth, positive, scores, None)
    found = {name: nan_to_none(getattr(sweep, name)()) for name in ("auc", "auh")}
    areas = ("average_precision", "pr_auc")
    return found | {name: nan_to_none(getattr(sweep, name)()) if sweep.positives else None for name in areas}


def rate_and_recall_curves(truth: Codes, scores: Numbers, positive: int) -> dict[str, list[float]] | None:
    """Compute recall at fixed false positive rates, and precision at fixed recalls.

    The ROC curve is interpolated linearly; the precision at a recall is that of the highest threshold that
    reaches it.
    """
    sweep = native.metrics.Sweep(truth, positive, scores, None)
    if not sweep.positives or not sweep.negatives:
        return None
    fpr, tpr, _ = sweep.roc(False)
    # By decreasing threshold, without the point at recall 0 that no threshold reaches.
    precision, recall = (of[::-1][1:] for of in sweep.precision_recall(False)[:2])
    reached = np.searchsorted(recall, RATES, side="left").clip(max=len(recall) - 1)
    return {
        "roc": np.interp(RATES, fpr, tpr).tolist(),
        "precision_recall": precision[reached].tolist(),
    }


def probability_metrics(truth: Codes, proba: Numbers, positive: int) -> dict[str, float | None]:
    """Compute metrics of probabilities with one column per class."""
    halved = proba.shape[1] == 2
    own = np.ascontiguousarray(proba[:, positive])
    return {
        "wauroc": nan_to_none(native.metrics.one_vs_rest_mean("auc", truth, proba, None, "weighted")),
        "hand_till": nan_to_none(native.metrics.hand_till(truth, proba, None, "macro")),
        "brier": nan_to_none(native.metrics.brier_multiclass(truth, proba, None, halved)),
        "brier_positive": nan_to_none(native.metrics.brier_by_class(truth, positive, own, None)[1]),
        "log_loss": nan_to_none(native.metrics.log_loss(truth, proba, None, True)),
    }


def sweep_counts_and_area(
    truth: Codes, answers: Mapping[str, Codes], positive: int
) -> tuple[dict[str, list[int]], float | None]:
    """Compute the counts of every classifier of a sweep, and the area under their ROC hull."""
    is_positive = truth == positive
    counts = {}
    for name, codes in answers.items():
        predicted = codes == positive
        tp, fp = int(np.sum(predicted & is_positive)), int(np.sum(predicted & ~is_positive))
        counts[name] = [tp, int(is_positive.sum()) - tp, fp, int(np.sum(~is_positive)) - fp]
    rows = np.array(list(counts.values()), dtype=np.float64).reshape(-1, 4)
    if not len(rows) or not rows[0, :2].sum() or not rows[0, 2:].sum():
        return counts, None
    tpr, fpr = rows[:, 0] / rows[:, :2].sum(axis=1), rows[:, 2] / rows[:, 2:].sum(axis=1)
    return counts, nan_to_none(native.metrics.convex_hull(fpr, tpr)[2])
