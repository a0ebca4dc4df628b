"""Result of an evaluation: scores, intervals and tables."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.digits import score_text
from imbcore.evaluation._exact_bounds import PredictedRows, sign_test
from imbcore.evaluation._group_intervals import group_variance, is_zero_width_interval, t_interval, t_p_value
from imbcore.evaluation._prediction_notes import notes_on_predictions
from imbcore.evaluation._scores import (
    METRICS,
    align_rows,
    mean_larger_is_better,
    metric_label,
    metric_range,
    metric_title,
)
from imbcore.exceptions import ParameterError

__all__ = ["Difference", "Evaluation", "Evaluations"]

_NO_INTERVAL = "The scores have no interval, because there is only one test set."


@dataclass(frozen=True)
class Evaluation:
    """Scores of a method on held-out rows.

    Attributes
    ----------
    method : str
        Name of the method.
    metrics : dict of str to ndarray of shape (folds * repeats,)
        Scores on every test set; NaN if a metric needs rows that are not in the test set, or probabilities
        that the classifier does not have.
    folds, repeats : int
        Number of folds, and number of repetitions with different folds. Splits given as ``folds`` are grouped
        into repetitions in which no row is tested twice.
    positive : label
        Positive class. For two classes, precision, recall, F1 and average precision refer to it; specificity
        is the recall of the other class, and NPV (negative predictive value) is the precision of the other
        class. For any number of classes, calibration and alerts refer to the positive class.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels.
    rows : ndarray of shape (n_tested,)
        Positions of the rows tested in the first repetition: all rows; for time-ordered splits, all except
        the earliest part, which is used only for training; for given splits, the rows of their test sets.
    y : ndarray of shape (n_tested,)
        Labels of the tested rows (``rows``).
    fold : ndarray of shape (n_tested,)
        Index of the fold in which each tested row was a test row, in the first repetition.
    proba : ndarray of shape (n_tested, n_classes) or None
        Out-of-sample class probabilities of the tested rows in the first repetition.
    predicted : ndarray of shape (n_tested,)
        Predicted classes of the tested rows in the first repetition.
    n_rows : int
        Number of rows of the table.
    division : str
        Description of the splits.
    dropped : dict of str to ndarray of shape (folds * repeats,)
        Number of training rows that were dropped for every test set. The keys are the arguments that cause
        this: "groups" (if ``time`` is given, too) and "label_time".
    test_to_train : float
        Number of test rows divided by number of training rows; a larger ratio gives wider intervals.
    level : float
        Confidence level of the intervals.
    without_groups : dict of str to ndarray of shape (n_sets,) or None
        Jackknife means of every metric, for the intervals; None without ``groups``. The groups of the first
        repetition are assigned to up to 30 sets; each mean leaves out the rows of one set.
    groups, weights : ndarray of shape (n_tested,) or None
        Group codes and row weights of the tested rows; None without ``groups`` or ``sample_weight``,
        respectively.
    period : str, default="day"
        Period of the alert budget, for scores such as ``alerts_per_day``: "day", or for example "7d".
    rows_per_day : int or None
        With ``time``: rounded mean number of tested rows per day, or per unit of numeric times. If this mean
        is below 1: number of all tested rows.
    alerts : dict or None
        Alert budget in the form of the option ``threshold``; None without ``alerts``.
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
    dropped: dict[str, NDArray[np.int64]]
    test_to_train: float
    level: float
    without_groups: dict[str, NDArray[np.float64]] | None = None
    groups: NDArray[np.uint32] | None = None
    weights: NDArray[np.float64] | None = None
    period: str = "day"
    rows_per_day: int | None = None
    alerts: dict[str, Any] | None = None

    def mean(self) -> dict[str, float]:
        """Mean of every metric over the test sets with a value; NaN if no test set has one."""
        return {name: self.spread(name)[0] for name in self.metrics}

    def sd(self) -> dict[str, float]:
        """Compute the standard deviation of every metric over the test sets with a value."""
        return {name: self.spread(name)[1] for name in self.metrics}

    def n_defined(self) -> dict[str, int]:
        """Return the number of test sets in which each metric is defined."""
        return {name: self.spread(name)[2] for name in self.metrics}

    def interval(self) -> dict[str, tuple[float, float]]:
        """Confidence interval of every mean; NaN for a single test set without ``groups``.

        The interval uses the t distribution with the variance of Nadeau and Bengio (2003, section 5), ``(1 /
        m + test / train) s^2`` for m test sets. The simple variance ``s^2 / m`` would be too small, because
        training sets overlap.

        If ``groups`` were given, ``s^2 / m`` is replaced by the variance of the delete-a-group jackknife
        (Kott 2001), which holds for groups of any sizes. The variance between repetitions is added to it. For
        time-ordered splits the interval is only a rough guide. Ends beyond the range of a metric, such as a
        recall above 1, are clipped to the range.

        A proportion that is equal in all test sets, such as a recall of 0, has the exact binomial interval
        (Clopper and Pearson 1934). Its n is the number of rows that determine the proportion, or of their
        groups if ``groups`` were given. For a recall of 0 this is about 0 to ``3.7 / n``. F1 and similar
        scores get intervals from those of their proportions. These intervals are NaN if row weights differ.
        """
        return {name: self.ends(name) for name in self.metrics}

    def spread(self, metric: str) -> tuple[float, float, int]:
        """Return mean, standard deviation and number of defined values of one metric."""
        return native.protocols.spread(self.metrics[metric])

    def ends(self, metric: str, level: float | None = None) -> tuple[float, float]:
        """Return the ends of the confidence interval of the mean of one metric."""
        level = self.level if level is None else level
        values = self.metrics[metric]
        mean, low, high, _ = native.protocols.corrected_interval(values, self.test_to_train, level)
        if self.without_groups is not None:
            low, high = t_interval(mean, *self.group_variance(self.without_groups[metric], values), level)
        if is_zero_width_interval(low, high):
            low, high = self.tested_rows.bounds(metric, mean, level) or (low, high)
        lowest, highest = metric_range(metric, len(self.classes_))
        return _clip(low, lowest, highest), _clip(high, lowest, highest)

    @property
    def tested_rows(self) -> PredictedRows:
        """Labels and predictions of the tested rows of the first repetition."""
        classes = self.classes_.tolist()
        return PredictedRows(self.y, self.predicted, self.groups, self.weights, classes, self.positive)

    def group_variance(self, means: NDArray[np.float64], values: NDArray[np.float64]) -> tuple[float, float]:
        """Return the variance of a mean by the jackknife over groups, and its degrees of freedom."""
        return group_variance(means, values, self.repeats, self.test_to_train)

    @property
    def parts(self) -> str:
        """Number and kind of the test sets, such as "5 stratified folds", as text."""
        several = self.repeats > 1 and self.folds > 1
        rounds = f"{self.repeats} x {self.folds}" if several else f"{self.repeats * self.folds}"
        return f"{rounds} {self.division}"

    def table(self) -> list[dict[str, Any]]:
        """Return one dict per metric.

        The keys of each dict are ``method``, ``metric``, ``mean``, ``sd``, ``low`` and ``high`` (the ends of
        the interval of the mean), and ``n_defined``, the number of test sets with a defined value.
        """
        rows = []
        for name in self.metrics:
            mean, sd, n_defined = self.spread(name)
            low, high = self.ends(name)
            row = {"metric": name, "mean": mean, "sd": sd, "low": low, "high": high, "n_defined": n_defined}
            rows.append({"method": self.method, **row})
        return rows

    def to_frame(self) -> Any:
        """Return a ``pandas.DataFrame`` with one row per metric.

        Columns are ``method``, ``metric``, ``mean``, ``sd``, ``low`` and ``high`` (the ends of the interval
        of the mean), and ``n_defined``, the number of test sets with a defined value.
        """
        return to_pandas_frame(self.table())

    def __str__(self) -> str:
        about = (
            f"{len(self.classes_)} classes" if len(self.classes_) > 2 else f"positive class {self.positive!r}"
        )
        head = f"{self.method}: {self.parts}, {self.n_rows} rows, {about}"
        lines = [["metric", "mean", "sd", f"{100 * self.level:g} % interval", ""]]
        for row in self.table():
            of = len(self.metrics[row["metric"]])
            part = "" if row["n_defined"] == of else f"over {row['n_defined']} of {of} folds"
            mean, sd, low, high = (score_text(row[key], 4) for key in ("mean", "sd", "low", "high"))
            lines.append([metric_label(row["metric"], self.period), mean, sd, f"{low} to {high}", part])
        note = "".join(f"\n{text}" for text in notes_on_predictions({self.method: self}))
        if has_intervals(self):
            return f"{head}\n{align_rows(lines)}{note}"
        values = [["metric", "value"], *(line[:2] for line in lines[1:])]
        return f"{head}\n{align_rows(values)}\n{_NO_INTERVAL}{note}"

    def _repr_html_(self) -> str:
        return evaluations_to_html({self.method: self})


class Difference(NamedTuple):
    """Comparison of two methods on the same test sets.

    Parameters
    ----------
    first, second : str
        Names of the methods.
    difference : float
        Mean score of the first method minus mean score of the second method.
    low, high : float
        Confidence interval of the difference, as in :meth:`Evaluation.interval`.
    p : float
        Two-sided p-value of the corrected resampled t test (Nadeau and Bengio 2003). If ``groups`` were
        given, the test uses the jackknife variance over groups, as :meth:`Evaluation.interval` does. The test
        is not defined for a variance of 0: ``p`` is then 1 if the difference is 0. If the difference is not
        0, ``p`` is that of a sign test for ``accuracy``, and for ``recall`` and ``specificity`` of two
        classes; else NaN. The sign test compares groups if ``groups`` were given, else rows.
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
    """Mapping from method names to evaluations on the same test sets.

    The attribute ``policies`` lists the methods that are trivial policies; they are not compared in pairs.
    """

    def __init__(self, found: Mapping[str, Evaluation], policies: Sequence[str] = ()) -> None:
        self._found = dict(found)
        self.policies = list(policies)

    def __getitem__(self, name: str) -> Evaluation:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def differences(self, metric: str = "average_precision") -> list[Difference]:
        """Compare every pair of methods by a metric, except trivial policies.

        A comparison of two methods uses the test sets in which the metric is defined for both methods.

        Parameters
        ----------
        metric : str, default="average_precision"
            Name of a metric.

        Returns
        -------
        list of Difference
            One entry per pair of methods; empty if there is only one method.

        Raises
        ------
        ParameterError
            The metric is unknown.
        """
        from imbcore import stats

        first = next(iter(self.values()))
        metric = {title: name for name, (title, _) in metric_titles_and_meanings(self).items()}.get(
            metric, metric
        )
        if metric not in first.metrics:
            raise ParameterError(f"there is no metric {metric!r}; available are {', '.join(first.metrics)}")
        lowest, highest = metric_range(metric, len(first.classes_))
        widest = highest - lowest
        methods = list(_without_policies(self).items())
        found: list[tuple[str, str, float, float, float, float]] = []
        for (a, one), (b, other) in combinations(methods, 2):
            difference, low, high, p = native.protocols.corrected_pairs(
                one.metrics[metric], other.metrics[metric], first.test_to_train, first.level
            )
            if one.without_groups is not None and other.without_groups is not None:
                means = one.without_groups[metric] - other.without_groups[metric]
                variance, freedom = one.group_variance(means, one.metrics[metric] - other.metrics[metric])
                low, high = t_interval(difference, variance, freedom, first.level)
                p = t_p_value(difference, variance, freedom)
            if is_zero_width_interval(low, high):
                low, high, p = _test_constant_difference(one, other, metric, difference)
            found.append((a, b, difference, _clip(low, -widest, widest), _clip(high, -widest, widest), p))
        p_values = np.array([p for *_, p in found])
        adjusted = np.full(len(found), np.nan)
        if (known := ~np.isnan(p_values)).any():
            adjusted[known] = stats.adjust_p_values(p_values[known], "holm")
        return [Difference(*pair, float(of_all)) for pair, of_all in zip(found, adjusted, strict=True)]

    def to_frame(self) -> Any:
        """Return a ``pandas.DataFrame`` of one row per method and metric."""
        return to_pandas_frame([row for found in self.values() for row in found.table()])

    def __str__(self) -> str:
        lines, result = [format_score_table(self)], next(iter(self.values()))
        if not has_intervals(result):
            lines.append(_NO_INTERVAL)
        elif len(self) == 1:
            shown = [["", f"{100 * result.level:g} % interval of the mean"]]
            lines.append(
                align_rows(
                    shown
                    + [
                        [title, format_interval(*result.ends(m))]
                        for m, (title, _) in metric_titles_and_meanings(self).items()
                    ]
                )
            )
        if len(self) - len(self.policies) > 1 and has_intervals(result):
            rows = [["average precision", "difference", f"{100 * result.level:g} % interval", "adjusted p"]]
            rows += [
                [
                    f"{d.first} - {d.second}",
                    score_text(d.difference),
                    f"{score_text(d.low)} to {score_text(d.high)}",
                    score_text(d.adjusted),
                ]
                for d in self.differences()
            ]
            lines.append(align_rows(rows))
        return "\n\n".join([*lines, *notes_on_predictions(_without_policies(self))])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return evaluations_to_html(self)


def _test_constant_difference(
    first: Evaluation, second: Evaluation, metric: str, difference: float
) -> tuple[float, float, float]:
    """Return the interval and the p-value of a difference that is equal in all test sets.

    The interval follows from those of both means, each with half of the error probability. The p-value is
    that of a sign test, or 1 for equal scores.
    """
    level = (1 + first.level) / 2
    (low, high), (other_low, other_high) = first.ends(metric, level), second.ends(metric, level)
    if abs(difference) > 1e-12:
        return low - other_high, high - other_low, sign_test(metric, first.tested_rows, second.tested_rows)
    return low - other_high, high - other_low, 1.0


def metric_titles_and_meanings(results: Mapping[str, Evaluation]) -> dict[str, tuple[str, str]]:
    """Return display names and descriptions of the measured metrics."""
    first = next(iter(results.values()))
    return {name: (metric_title(name, first.period), METRICS[name][1]) for name in first.metrics}


def has_intervals(result: Evaluation) -> bool:
    """Check whether any mean has an interval; a single test set without groups has none."""
    return any(low == low for low, _ in result.interval().values())


def _without_policies(results: Mapping[str, Evaluation]) -> dict[str, Evaluation]:
    policies = results.policies if isinstance(results, Evaluations) else ()
    return {name: result for name, result in results.items() if name not in policies}


def best_rounded_methods(results: Mapping[str, Evaluation], metric: str) -> list[str]:
    """List the methods with the best mean, rounded to the displayed digits, without policies."""
    means = {
        name: mean_larger_is_better(metric, float(score_text(result.spread(metric)[0])))
        for name, result in _without_policies(results).items()
    }
    top = max((mean for mean in means.values() if mean == mean), default=None)
    return [name for name, mean in means.items() if mean == top]


def best_methods(results: Mapping[str, Evaluation], metric: str) -> list[str]:
    """List the methods with the best mean, if another method is worse."""
    best = best_rounded_methods(results, metric)
    return best if len(best) < len(_without_policies(results)) else []


def best_method(results: Mapping[str, Evaluation]) -> str:
    """Return the method with the largest mean average precision, the first in case of ties.

    Average precision focuses on the rare class and does not depend on a threshold.
    """
    found = _without_policies(results)
    means = {name: result.spread("average_precision")[0] for name, result in found.items()}
    return max(means, key=lambda name: means[name] if means[name] == means[name] else -1.0)


def format_score_table(results: Mapping[str, Evaluation]) -> str:
    """Format metrics by methods: mean and standard deviation, with a star for the best mean.

    Parameters
    ----------
    results
        Evaluations of the same data, by name.

    Returns
    -------
    str
        Text for a terminal.
    """
    first = next(iter(results.values()))
    about = (
        f"positive class {first.positive!r}" if len(first.classes_) == 2 else f"{len(first.classes_)} classes"
    )
    rows = [["", *results]]
    for metric, (title, _) in metric_titles_and_meanings(results).items():
        best = best_methods(results, metric)
        stars = ("*" if name in best else "" for name in results)
        means = (format_mean_and_sd(result, metric) for result in results.values())
        rows.append([title, *map("".join, zip(stars, means, strict=True))])
    spread = " (mean ± sd)" if first.folds * first.repeats > 1 else ""
    head = f"{first.n_rows:,} rows, {about}, {first.parts}{spread}"
    return f"{head}\n{align_rows(rows)}"


def evaluations_to_html(results: Mapping[str, Evaluation]) -> str:
    """Format metrics by methods for a notebook: mean and interval, the best mean in bold."""
    first = next(iter(results.values()))
    heads = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in results)
    lines = []
    for metric, (title, meaning) in metric_titles_and_meanings(results).items():
        best = best_methods(results, metric)
        cells = "".join(
            f"<td>{_mark_best(score_text(result.spread(metric)[0]), name in best)} "
            f"<small>{format_interval(*result.ends(metric))}</small></td>"
            for name, result in results.items()
        )
        lines.append(f'<tr><th scope="row" title="{html.escape(meaning)}">{title}</th>{cells}</tr>')
    about = f"{first.n_rows:,} rows, {first.parts}, positive class {first.positive!r}"
    means = f"means with {100 * first.level:g} % intervals" if has_intervals(first) else _NO_INTERVAL
    caption = f"{about}; {means}"
    notes = "".join(
        f"<p>{html.escape(note)}</p>" for note in notes_on_predictions(_without_policies(results))
    )
    return (
        f"<table><caption>{html.escape(caption)}</caption><thead><tr><th></th>{heads}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table>{notes}"
    )


def _mark_best(text: str, best: bool) -> str:
    return f"<strong>{text}</strong>" if best else text


def format_interval(low: float, high: float) -> str:
    return f"{score_text(low)} to {score_text(high)}" if low == low else ""


def format_mean_and_sd(result: Evaluation, metric: str) -> str:
    """Format mean and standard deviation of a score."""
    (mean, sd, count), of = result.spread(metric), len(result.metrics[metric])
    spread = f" ± {score_text(sd)}" if of > 1 else ""
    text = f"{score_text(mean)}{spread}" if count else "undefined"
    return text if count == of else f"{text} ({count} of {of} folds)"


def _clip(value: float, low: float, high: float) -> float:
    """Clip a value to a range; NaN stays."""
    return value if value != value else min(max(value, low), high)


def to_pandas_frame(rows: list[dict[str, Any]]) -> Any:
    """Create a ``pandas.DataFrame`` of rows given as dicts."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("to_frame() needs pandas: pip install 'imbcore[pandas]'") from error
    return pd.DataFrame(rows)


name_package_in_errors(globals())
