"""Scores of an evaluation: names, descriptions, ranges, order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = [
    "COUNTS",
    "DAY",
    "METRICS",
    "align_rows",
    "mean_larger_is_better",
    "metric_label",
    "metric_range",
    "metric_title",
    "order_scores",
]

# Name in an evaluation -> display name and one-line description.
METRICS: dict[str, tuple[str, str]] = {
    "precision": ("precision", "Fraction of the rows predicted positive that are positive."),
    "recall": ("recall", "Fraction of the positive rows that are predicted positive."),
    "specificity": ("specificity", "Fraction of the negative rows that are predicted negative."),
    "npv": ("NPV", "Negative predictive value: fraction of the rows predicted negative that are negative."),
    "f1": ("F1", "Harmonic mean of precision and recall."),
    "g_mean": ("G-mean", "Geometric mean of the recalls of all classes; 0 if one class is never predicted."),
    "balanced_accuracy": (
        "balanced accuracy",
        "Mean of the recalls of all classes; 0.5 is guessing with two classes.",
    ),
    "mcc": ("MCC", "Correlation between prediction and truth; 0 is guessing."),
    "roc_auc": ("AUC", "Probability that a positive row scores above a negative one; 0.5 is guessing."),
    "average_precision": (
        "average precision",
        "Precision averaged over all recalls; guessing gives the fraction of positives.",
    ),
    "accuracy": (
        "accuracy",
        "Fraction of rows predicted correctly. Close to 1 by default if one class is rare.",
    ),
    "log_loss": ("log loss", "Minus the log of the probability of the true class; lower is better."),
    "brier": ("Brier score", "Squared distance of probabilities from the truth; lower is better."),
    "calibration_slope": (
        "calibration slope",
        "1 is ideal; below 1, probabilities are too extreme, above 1 too moderate.",
    ),
    "calibration_intercept": (
        "calibration intercept",
        "0 is ideal; above 0, positives are more frequent than predicted.",
    ),
    "expected_cost": ("expected cost", "Mean cost of a prediction; lower is better."),
    "precision_at_alerts": (
        "precision at the budget",
        "Fraction of the rows within the alert budget that are positive.",
    ),
    "recall_at_alerts": (
        "recall at the budget",
        "Fraction of the positive rows that are within the alert budget.",
    ),
    "precision_at_k_per_day": (
        "precision at k per day",
        "Mean fraction over the periods of positive rows among the k largest scores of a period.",
    ),
    "card_precision_at_k_per_day": (
        "card precision at k per day",
        "Mean fraction over the periods of compromised cards among the k most suspicious ones.",
    ),
    "alerts_per_day": ("alerts per day", "Mean number of alerts of the predictions per period."),
    "false_alerts_per_day": (
        "false alerts per day",
        "Mean number of alerts per period without a positive row; lower is better.",
    ),
    "event_recall": ("events found", "Proportion of the runs of positive rows of a group with an alert."),
    "days_to_detection": (
        "days to detection",
        "Mean time from the first positive row of a group to its first alert; lower is better.",
    ),
    "money_saved_per_day": (
        "money saved per day",
        "Amounts that the predictions save per period, minus the costs of alerts.",
    ),
}
# Range of scores that are bounded; with more than two classes the Brier score reaches 2.
_UNIT = (0.0, 1.0)
_RANGES = {
    **dict.fromkeys(
        ("accuracy", "precision", "recall", "specificity", "npv", "f1", "g_mean", "balanced_accuracy"), _UNIT
    ),
    **dict.fromkeys(("roc_auc", "average_precision", "precision_at_alerts", "recall_at_alerts"), _UNIT),
    **dict.fromkeys(("precision_at_k_per_day", "card_precision_at_k_per_day", "event_recall"), _UNIT),
    **dict.fromkeys(("alerts_per_day", "false_alerts_per_day", "days_to_detection"), (0.0, math.inf)),
    "mcc": (-1.0, 1.0),
    "log_loss": (0.0, math.inf),
    "brier": _UNIT,
}
# For others higher is better.
_LOWER_IS_BETTER = frozenset(
    {"log_loss", "brier", "expected_cost", "false_alerts_per_day", "days_to_detection"}
)
COUNTS = frozenset({"alerts_per_day"})
"""Scores of which neither more nor less is better."""
_IDEAL = {"calibration_slope": 1.0, "calibration_intercept": 0.0}
DAY = "day"
"""Period of the scores per day, unless an alert budget is for another one."""


def metric_title(metric: str, period: str = DAY) -> str:
    """Return the display name of a metric, with the period of the alert budget instead of a day."""
    title = METRICS[metric][0]
    if metric == "days_to_detection" and "time unit" in period:
        return "time units to detection"
    return title.replace("per day", f"per {period}")


def metric_label(metric: str, period: str) -> str:
    """Return the name of a metric in an evaluation, or its display name for another period."""
    if metric not in METRICS or metric_title(metric, period) == METRICS[metric][0]:
        return metric
    return metric_title(metric, period)


def mean_larger_is_better(metric: str, mean: float) -> float:
    """Return a value that is larger for a better mean; NaN for a count."""
    if metric in COUNTS:
        return math.nan
    if metric in _IDEAL:
        return -abs(mean - _IDEAL[metric])
    return -mean if metric in _LOWER_IS_BETTER else mean


def metric_range(metric: str, n_classes: int) -> tuple[float, float]:
    """Return the smallest and largest possible value of a score."""
    low, high = _RANGES.get(metric, (-math.inf, math.inf))
    return low, high if metric != "brier" or n_classes == 2 else 2.0


def order_scores(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """Sort scores for display: those of the rare class first."""
    known = {name: metrics[name] for name in METRICS if name in metrics}
    return {**known, **metrics}


def align_rows(rows: Sequence[Sequence[str]]) -> str:
    """Align rows of equal length in columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]
        ).rstrip()
        for row in rows
    )
