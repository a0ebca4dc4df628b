"""Exact binomial bounds for scores that do not vary over the test sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore.evaluation._scores import range_of

__all__ = ["PredictedRows", "difference_bounds", "sign_p_value"]

Ends = tuple[float, float]


@dataclass(frozen=True)
class PredictedRows:
    """Labels and predictions of the tested rows, and the groups that make them dependent.

    Parameters
    ----------
    truth, predicted : ndarray of shape (n_tested,)
    groups : ndarray of shape (n_tested,) or None
    classes : list
        All labels.
    positive : label
    level : float
        Confidence level.
    """

    truth: NDArray[Any]
    predicted: NDArray[Any]
    groups: NDArray[np.uint32] | None
    classes: list[Any]
    positive: Any
    level: float

    def bounds(self, metric: str, mean: float) -> Ends | None:
        """Bound a score that is equal in all test sets; None if it is constant by necessity.

        Proportions have the interval of Clopper and Pearson (1934) of independent rows, or of groups. Scores
        of the predicted classes are computed from the ends of these. An AUC of 0.5 or an average precision
        equal to the fraction of positive rows are those of equal scores, and are not bounded.
        """
        of = self.classes if len(self.classes) > 2 else [self.positive]
        if metric == "accuracy":
            return self._clopper_pearson(mean, self.n_units(metric))
        if metric == "recall":
            return _mean([self._recall(label) for label in of])
        if metric == "precision":
            return _mean([self._precision(label) for label in of])
        if metric == "f1":
            return _mean([self._f1(label) for label in of])
        recalls = [self._recall(label) for label in self.classes]
        if metric == "balanced_accuracy":
            return _mean(recalls)
        if metric == "g_mean":
            low, high = (float(np.prod(ends)) ** (1 / len(recalls)) for ends in zip(*recalls, strict=True))
            return low, high
        if metric == "mcc" and len(self.classes) == 2:
            low, high = (self._mcc(*ends) for ends in zip(*recalls, strict=True))
            return low, high
        lowest, highest = range_of(metric, len(self.classes))
        at_end = mean in (lowest, highest) and metric in ("roc_auc", "average_precision", "brier")
        if at_end or metric in ("precision_at_alerts", "recall_at_alerts"):
            width = highest - lowest
            low, high = self._clopper_pearson((mean - lowest) / width, self.n_units(metric))
            return lowest + width * low, lowest + width * high
        return None

    def n_units(self, metric: str) -> int:
        """Count the rows, or groups, of the class that determines a score."""
        if metric in ("accuracy", "brier"):
            return self._count(np.ones(len(self.truth), dtype=bool))
        if len(self.classes) == 2 and metric in ("recall", "f1", "precision_at_alerts", "recall_at_alerts"):
            return self._count(self.truth == self.positive)
        sizes = [self._count(self.truth == label) for label in self.classes]
        return min(size for size in sizes if size)

    def _count(self, rows: NDArray[np.bool_]) -> int:
        return int(rows.sum()) if self.groups is None else len(np.unique(self.groups[rows]))

    def _recall(self, label: Any) -> Ends:
        return self._proportion(self.truth == label, self.predicted == label)

    def _precision(self, label: Any) -> Ends:
        return self._proportion(self.predicted == label, self.truth == label)

    def _proportion(self, rows: NDArray[np.bool_], hits: NDArray[np.bool_]) -> Ends:
        """Bound the proportion of hits among rows: 0 to 1 without rows."""
        return self._clopper_pearson(float(np.mean(hits[rows])) if rows.any() else 0.0, self._count(rows))

    def _f1(self, label: Any) -> Ends:
        pairs = zip(self._precision(label), self._recall(label), strict=True)
        low, high = (2 * p * r / (p + r) if p + r else 0.0 for p, r in pairs)
        return low, high

    def _mcc(self, *recalls: float) -> float:
        """Correlation of truth and prediction for these recalls of both classes."""
        at = self.classes.index(self.positive)
        own, other, prior = recalls[at], recalls[1 - at], float(np.mean(self.truth == self.positive))
        predicted = prior * own + (1 - prior) * (1 - other)
        spread = (prior * (1 - prior) * predicted * (1 - predicted)) ** 0.5
        return prior * (1 - prior) * (own + other - 1) / spread if spread else 0.0

    def _clopper_pearson(self, proportion: float, n: int) -> Ends:
        return _clopper_pearson(proportion, n, self.level)


def difference_bounds(difference: float, n: int, level: float, widest: float) -> Ends:
    """Bound a difference of two scores that is equal in all test sets.

    Of ``n`` units, at least the fraction ``abs(difference) / widest`` has a better score in one method.
    """
    low, high = (widest * end for end in _clopper_pearson(abs(difference) / widest, n, level))
    if difference == 0:
        return -high, high
    return (low, high) if difference > 0 else (-high, -low)


def sign_p_value(difference: float, n: int, widest: float) -> float:
    """Two-sided p-value of the sign test of a difference that is equal in all test sets."""
    return float(min(1.0, 2.0 ** (1.0 - n * abs(difference) / widest)))


def _mean(ends: Sequence[Ends]) -> Ends:
    low, high = (float(np.mean(of)) for of in zip(*ends, strict=True))
    return low, high


def _clopper_pearson(proportion: float, n: int, level: float) -> Ends:
    from scipy.special import betaincinv

    proportion = min(max(proportion, 0.0), 1.0)
    hits, misses, tail = n * proportion, n * (1 - proportion), (1 - level) / 2
    low = float(betaincinv(hits, misses + 1, tail)) if hits > 0 else 0.0
    high = float(betaincinv(hits + 1, misses, 1 - tail)) if misses > 0 else 1.0
    return low, high
