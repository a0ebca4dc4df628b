"""Binomial bounds of scores that are equal in all test sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore.evaluation._scores import metric_range

__all__ = ["PredictedRows", "clopper_pearson", "sign_test"]

Ends = tuple[float, float]
_UNKNOWN = (float("nan"), float("nan"))
# Proportions of rows, and scores computed from them.
_COUNTED = frozenset(
    {
        "accuracy",
        "precision",
        "recall",
        "specificity",
        "npv",
        "f1",
        "balanced_accuracy",
        "g_mean",
        "mcc",
    }
)


@dataclass(frozen=True)
class PredictedRows:
    """Labels and predictions of the tested rows, and the groups that make them dependent.

    Parameters
    ----------
    truth, predicted : ndarray of shape (n_tested,)
    groups : ndarray of shape (n_tested,) or None
    weights : ndarray of shape (n_tested,) or None
    classes : list
        All labels.
    positive : label
    """

    truth: NDArray[Any]
    predicted: NDArray[Any]
    groups: NDArray[np.uint32] | None
    weights: NDArray[np.float64] | None
    classes: list[Any]
    positive: Any

    def bounds(self, metric: str, mean: float, level: float) -> Ends | None:
        """Bound a score that is equal in all test sets; None for scores without a binomial bound.

        Proportions have the interval of Clopper and Pearson (1934) of independent rows, or of groups. F1,
        G-mean, balanced accuracy and MCC of two classes increase with these proportions and have the scores
        of their ends. An AUC, a Brier score or an event recall at an end of its range is bounded as a
        proportion. With unequal weights the bounds are unknown (NaN).
        """
        counted = metric in _COUNTED
        lowest, highest = metric_range(metric, len(self.classes))
        at_end = metric in ("roc_auc", "brier", "event_recall") and mean in (lowest, highest)
        if not (counted or at_end):
            return None
        rows = self._positive_weight_rows()
        if rows is None or (metric == "mcc" and len(self.classes) > 2):
            return _UNKNOWN
        if metric == "event_recall":
            # Without groups, the number of events is unknown.
            if rows.groups is None:
                return _UNKNOWN
            return clopper_pearson(mean, rows._count(rows.truth == rows.positive), level)
        if at_end:
            n = min(n for n in (rows._count(rows.truth == label) for label in self.classes) if n)
            low, high = clopper_pearson(float(mean == highest), n, level)
            return lowest + (highest - lowest) * low, lowest + (highest - lowest) * high
        return rows._metric_bounds(metric, level)

    def _metric_bounds(self, metric: str, level: float) -> Ends:
        everything = np.ones(len(self.truth), dtype=bool)
        if metric == "accuracy":
            return self._proportion_bounds(everything, self.truth == self.predicted, level)
        of = self.classes if len(self.classes) > 2 else [self.positive]
        recalls = [self._proportion_bounds(self.truth == c, self.predicted == c, level) for c in of]
        precisions = [self._proportion_bounds(self.predicted == c, self.truth == c, level) for c in of]
        if metric == "recall":
            return _mean_bounds(recalls)
        if metric == "precision":
            return _mean_bounds(precisions)
        if metric == "specificity":
            return _mean_bounds(
                [self._proportion_bounds(self.truth != c, self.predicted != c, level) for c in of]
            )
        if metric == "npv":
            return _mean_bounds(
                [self._proportion_bounds(self.predicted != c, self.truth != c, level) for c in of]
            )
        if metric == "f1":
            return _mean_bounds([_f1_bounds(*ends) for ends in zip(precisions, recalls, strict=True)])
        recalls = [self._proportion_bounds(self.truth == c, self.predicted == c, level) for c in self.classes]
        if metric == "balanced_accuracy":
            return _mean_bounds(recalls)
        if metric == "g_mean":
            low, high = (float(np.prod(ends)) ** (1 / len(recalls)) for ends in zip(*recalls, strict=True))
            return low, high
        low, high = (self._mcc_from_recalls(*ends) for ends in zip(*recalls, strict=True))
        return low, high

    def _positive_weight_rows(self) -> PredictedRows | None:
        """Return the rows with positive weight; None if their weights differ."""
        if self.weights is None:
            return self
        rows = self.weights > 0
        if np.ptp(self.weights[rows]) > 0:
            return None
        groups = None if self.groups is None else self.groups[rows]
        return PredictedRows(
            self.truth[rows], self.predicted[rows], groups, None, self.classes, self.positive
        )

    def _count(self, rows: NDArray[np.bool_]) -> int:
        """Count rows, or their groups if there are groups."""
        return int(rows.sum()) if self.groups is None else len(np.unique(self.groups[rows]))

    def _proportion_bounds(self, rows: NDArray[np.bool_], hits: NDArray[np.bool_], level: float) -> Ends:
        """Bound the proportion of hits among rows: 0 to 1 without rows."""
        proportion = float(np.mean(hits[rows])) if rows.any() else 0.0
        return clopper_pearson(proportion, self._count(rows), level)

    def _mcc_from_recalls(self, *recalls: float) -> float:
        """Correlation of truth and prediction for these recalls of both classes."""
        at = self.classes.index(self.positive)
        own, other, prior = recalls[at], recalls[1 - at], float(np.mean(self.truth == self.positive))
        predicted = prior * own + (1 - prior) * (1 - other)
        spread = (prior * (1 - prior) * predicted * (1 - predicted)) ** 0.5
        return prior * (1 - prior) * (own + other - 1) / spread if spread else 0.0


def sign_test(metric: str, first: PredictedRows, second: PredictedRows) -> float:
    """P-value of the sign test of two accuracies, recalls or specificities.

    It is NaN for other metrics. The test compares the rows that only one method predicts correctly; with
    groups, the groups in which one method predicts more rows correctly.
    """
    rows = np.ones(len(first.truth), dtype=bool)
    if metric in ("recall", "specificity") and len(first.classes) == 2:
        rows = (first.truth == first.positive) == (metric == "recall")
    elif metric != "accuracy":
        return float("nan")
    if first.weights is not None:
        rows &= first.weights > 0
    truth = first.truth[rows]
    gain = (first.predicted[rows] == truth).astype(np.int64) - (second.predicted[rows] == truth)
    if first.groups is not None:
        gain = np.bincount(first.groups[rows], weights=gain)
    from scipy.stats import binomtest

    wins, losses = int((gain > 0).sum()), int((gain < 0).sum())
    return float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0


def clopper_pearson(proportion: float, n: int, level: float) -> Ends:
    """Exact interval of a proportion of ``n`` units (Clopper and Pearson 1934)."""
    from scipy.special import betaincinv

    proportion = min(max(proportion, 0.0), 1.0)
    hits, misses, tail = n * proportion, n * (1 - proportion), (1 - level) / 2
    low = float(betaincinv(hits, misses + 1, tail)) if hits > 0 else 0.0
    high = float(betaincinv(hits + 1, misses, 1 - tail)) if misses > 0 else 1.0
    return low, high


def _mean_bounds(ends: Sequence[Ends]) -> Ends:
    low, high = (float(np.mean(of)) for of in zip(*ends, strict=True))
    return low, high


def _f1_bounds(precision: Ends, recall: Ends) -> Ends:
    low, high = (2 * p * r / (p + r) if p + r else 0.0 for p, r in zip(precision, recall, strict=True))
    return low, high
