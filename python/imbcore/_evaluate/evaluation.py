"""Result of an evaluation: scores, intervals and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._evaluate.scores import aligned, as_html, range_of, score_table
from imbcore._input.digits import score_text
from imbcore.exceptions import ParameterError

__all__ = ["Difference", "Evaluation", "Evaluations"]


@dataclass(frozen=True)
class Evaluation:
    """Scores of a method on held-out rows.

    Attributes
    ----------
    method : str
        Name of the method.
    metrics : dict of str to ndarray of shape (folds * repeats,)
        Scores on every test set; NaN if a test set lacks the rows that a metric needs, or if a classifier has
        no probabilities.
    folds, repeats : int
        Number of folds, and of repetitions with different folds.
    positive : label
        Class to which precision, recall, F1 and average precision refer if there are two classes, and
        calibration and alerts for any number of classes.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels.
    rows : ndarray of shape (n_tested,)
        Positions of the rows tested in the first repetition: all, except the first part in time.
    y : ndarray of shape (n_tested,)
        Labels of these rows.
    fold : ndarray of shape (n_tested,)
        Test fold of these rows in the first repetition.
    proba : ndarray of shape (n_tested, n_classes) or None
        Out-of-sample class probabilities of these rows in the first repetition.
    predicted : ndarray of shape (n_tested,)
        Predicted classes of these rows in the first repetition.
    n_rows : int
        Number of rows of the table.
    division : str
        Description of the splits.
    test_to_train : float
        Ratio of test to training rows, which widens the intervals.
    level : float
        Confidence level of the intervals.
    """

    method: str
    metrics: dict[str, NDArray[np.float64]]
    folds: int
    repeats: int
    positive: Any
    classes_: NDArray[Any]
    y: NDArray[Any]
    fold: NDArray[np.int64]
    proba: NDArray[np.float64] | None
    predicted: NDArray[Any]
    rows: NDArray[np.int64]
    n_rows: int
    division: str
    test_to_train: float
    level: float

    def mean(self) -> dict[str, float]:
        """Mean of every metric over the test sets that define it; NaN if there is none."""
        return {name: self.spread(name)[0] for name in self.metrics}

    def sd(self) -> dict[str, float]:
        """Compute the standard deviation of every metric over test sets that define it, or NaN."""
        return {name: self.spread(name)[1] for name in self.metrics}

    def n_defined(self) -> dict[str, int]:
        """Return the number of test sets that define each metric, over which its mean is taken."""
        return {name: self.spread(name)[2] for name in self.metrics}

    def interval(self) -> dict[str, tuple[float, float]]:
        """Confidence interval of every mean; NaN with fewer than two test sets.

        Based on the t distribution with the variance of Nadeau and Bengio (2003, section 5), ``(1 / m + test
        / train) s^2`` for m test sets: training sets overlap, so the plain ``s^2 / m`` would be too small.
        For time-ordered splits it is only a rough guide. Ends beyond the range of a metric, such as a recall
        above 1, are clipped to it.
        """
        return {name: self.ends(name) for name in self.metrics}

    def spread(self, metric: str) -> tuple[float, float, int]:
        """Return mean, standard deviation and number of defined values of one metric."""
        return native.protocols.spread(self.metrics[metric])

    def ends(self, metric: str) -> tuple[float, float]:
        """Return the ends of the confidence interval of the mean of one metric."""
        _, low, high, _ = native.protocols.corrected_interval(
            self.metrics[metric], self.test_to_train, self.level
        )
        lowest, highest = range_of(metric, len(self.classes_))
        return _within(low, lowest, highest), _within(high, lowest, highest)

    @property
    def parts(self) -> str:
        """Number and kind of the test sets, as text."""
        rounds = f"{self.repeats} x {self.folds}" if self.repeats > 1 else f"{self.folds}"
        return f"{rounds} {self.division}"

    def table(self) -> list[dict[str, Any]]:
        """Return one dict per metric: its name, mean, sd, interval, and number of test sets."""
        rows = []
        for name in self.metrics:
            mean, sd, n_defined = self.spread(name)
            low, high = self.ends(name)
            row = {"metric": name, "mean": mean, "sd": sd, "low": low, "high": high, "n_defined": n_defined}
            rows.append({"method": self.method, **row})
        return rows

    def to_frame(self) -> Any:
        """Return a ``pandas.DataFrame`` with one row per metric.

        Columns are ``method``, ``metric``, ``mean``, ``sd``, ``low`` and ``high`` (the interval of the mean)
        and ``n_defined``.
        """
        return _frame(self.table())

    def __str__(self) -> str:
        about = (
            f"{len(self.classes_)} classes" if len(self.classes_) > 2 else f"positive class {self.positive!r}"
        )
        lines = [["metric", "mean", "sd", f"{100 * self.level:g} % interval", ""]]
        for row in self.table():
            of = len(self.metrics[row["metric"]])
            part = "" if row["n_defined"] == of else f"over {row['n_defined']} of {of} folds"
            mean, sd, low, high = (score_text(row[key], 4) for key in ("mean", "sd", "low", "high"))
            lines.append([row["metric"], mean, sd, f"{low} to {high}", part])
        return f"{self.method}: {self.parts}, {self.n_rows} rows, {about}\n{aligned(lines)}"

    def _repr_html_(self) -> str:
        return as_html({self.method: self})


class Difference(NamedTuple):
    """Comparison of two methods on the same test sets.

    Parameters
    ----------
    first, second : str
        Names of the methods.
    difference : float
        Mean of the first minus mean of the second.
    low, high : float
        Confidence interval of the difference, as in :meth:`Evaluation.interval`.
    p : float
        Two-sided p-value of the corrected resampled t test (Nadeau and Bengio 2003).
    adjusted : float
        P-value adjusted for all pairs by Holm's method.
    """

    first: str
    second: str
    difference: float
    low: float
    high: float
    p: float
    adjusted: float


class Evaluations(Mapping[str, Evaluation]):
    """Evaluations of several methods on the same test sets: a mapping from names."""

    def __init__(self, found: Mapping[str, Evaluation]) -> None:
        self._found = dict(found)

    def __getitem__(self, name: str) -> Evaluation:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def differences(self, metric: str = "average_precision") -> list[Difference]:
        """Compare every pair of methods on the test sets where both have the metric.

        Parameters
        ----------
        metric : str, default="average_precision"
            Name of a metric.

        Returns
        -------
        list of Difference
            Empty for one method.

        Raises
        ------
        ParameterError
            The metric is unknown.
        """
        from imbcore import stats

        first = next(iter(self.values()))
        if metric not in first.metrics:
            raise ParameterError(f"there is no metric {metric!r}; available are {', '.join(first.metrics)}")
        pairs = [
            (a, b, native.protocols.corrected_pairs(one.metrics[metric], other.metrics[metric], *self._law))
            for (a, one), (b, other) in combinations(self.items(), 2)
        ]
        p = np.array([found[3] for _, _, found in pairs])
        lowest, highest = range_of(metric, len(first.classes_))
        widest = highest - lowest
        pairs = [
            (
                a,
                b,
                (
                    found[0],
                    _within(found[1], -widest, widest),
                    _within(found[2], -widest, widest),
                    *found[3:],
                ),
            )
            for a, b, found in pairs
        ]
        adjusted = np.full(len(p), np.nan)
        if len(known := np.flatnonzero(~np.isnan(p))):
            adjusted[known] = stats.adjust_p_values(p[known], "holm")
        return [
            Difference(a, b, *found, float(of_all))
            for (a, b, found), of_all in zip(pairs, adjusted, strict=True)
        ]

    @property
    def _law(self) -> tuple[float, float]:
        first = next(iter(self.values()))
        return first.test_to_train, first.level

    def to_frame(self) -> Any:
        """Return a ``pandas.DataFrame`` of one row per method and metric."""
        return _frame([row for found in self.values() for row in found.table()])

    def __str__(self) -> str:
        lines = [score_table(self)]
        if len(self) > 1:
            level = next(iter(self.values())).level
            rows = [["average precision", "difference", f"{100 * level:g} % interval", "adjusted p"]]
            rows += [
                [
                    f"{d.first} - {d.second}",
                    score_text(d.difference),
                    f"{score_text(d.low)} to {score_text(d.high)}",
                    score_text(d.adjusted),
                ]
                for d in self.differences()
            ]
            lines.append(aligned(rows))
        return "\n\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(self)


def _within(value: float, low: float, high: float) -> float:
    """Clip a value to a range; NaN stays."""
    return value if value != value else min(max(value, low), high)


def _frame(rows: list[dict[str, Any]]) -> Any:
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("to_frame() needs pandas: pip install imbcore[pandas]") from error
    return pd.DataFrame(rows)
