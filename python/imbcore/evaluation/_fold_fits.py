"""Fits of a test set: their training rows, and the test rows that each of them predicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.alert_budget import is_per_period

__all__ = ["FoldFit", "Rows", "all_training_rows"]

Rows = NDArray[np.int64]


class FoldFit(NamedTuple):
    """Training rows of a fit, and the test rows that it predicts.

    Parameters
    ----------
    train, test : ndarray of int
    budget_share : float, default=1.0
        Proportion of the earlier rows whose groups the fit may know. An alert budget per time span is
        multiplied by it, because the training rows have fewer alerts than all rows of the same time.
    """

    train: Rows
    test: Rows
    budget_share: float = 1.0

    def threshold(self, rule: Any) -> Any:
        """Return the threshold rule of the fit, with its share of an alert budget per time span."""
        if self.budget_share == 1 or not isinstance(rule, Mapping) or not is_per_period(rule):
            return rule
        return {**rule, "alerts": rule["alerts"] * self.budget_share} if "alerts" in rule else rule


def all_training_rows(fits: list[FoldFit]) -> Rows:
    """Return the rows that at least one fit trains on, in ascending order."""
    return fits[0].train if len(fits) == 1 else np.unique(np.concatenate([fit.train for fit in fits]))
