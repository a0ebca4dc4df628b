"""Scores of the test rows of an evaluation, of all of them or of a part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.labels import Target
from imbcore.evaluation._dependence import Splits
from imbcore.metrics._daily_alerts import DailyAlerts

__all__ = ["HeldOutScores"]

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class HeldOutScores:
    """Predictions of the test rows, and the scores that are computed from them.

    Parameters
    ----------
    found : mapping
        Scores and predictions, as from :func:`cross_validate`.
    target : Target
        Labels of all rows.
    splits : Splits
    weights : ndarray of shape (n_rows,) or None
        Weights of all rows.
    daily : DailyAlerts or None
        Budget for scores per period of time.
    """

    found: Mapping[str, Any]
    target: Target
    splits: Splits
    weights: Numbers | None
    daily: DailyAlerts | None

    @property
    def names(self) -> list[str]:
        """Names of the scores."""
        return [*self.splits.trial.names, *(() if self.daily is None else self.daily.names)]

    def by_fold(self) -> dict[str, Numbers]:
        """Return every score by name, with one value per test set."""
        values = self.found["values"]
        if self.daily is not None:
            # Test sets in time have one repetition.
            folds = [self._daily_scores_of_rows(self.splits.rows(*place)[1]) for place in self.splits.tests]
            values = np.hstack([values, np.array(folds)])
        return dict(zip(self.names, np.ascontiguousarray(values.T), strict=True))

    def of_rows(self, rows: NDArray[np.int64]) -> Numbers:
        """Compute every score of some rows that were tested in the first repetition."""
        found, codes = self.found, self.target.codes
        proba, scores = found["proba"], found.get("scores")
        values = self.splits.trial.metric_values(
            rows,
            codes[rows],
            found["predicted"][rows],
            len(self.target.classes),
            None if proba is None else np.ascontiguousarray(proba[rows]),
            None if scores is None else scores[rows],
            None if self.weights is None else self.weights[rows],
        )
        return values if self.daily is None else np.concatenate([values, self._daily_scores_of_rows(rows)])

    def _daily_scores_of_rows(self, rows: NDArray[np.int64]) -> list[float]:
        assert self.daily is not None
        positive = self.splits.trial.positive
        proba, scores = self.found["proba"], self.found.get("scores")
        values = scores if proba is None else proba[:, positive]
        of_rows = self.daily.scores(
            rows,
            self.target.codes[rows] == positive,
            self.found["predicted"][rows] == positive,
            None if values is None else np.ascontiguousarray(values[rows]),
        )
        return list(of_rows.values())
