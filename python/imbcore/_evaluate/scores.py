"""Score tables of several methods, as text and as JSON."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from numpy.typing import NDArray

from imbcore._input.digits import score_text

__all__ = [
    "METRICS",
    "aligned",
    "as_html",
    "best_method",
    "best_of",
    "mean_and_sd",
    "metrics_of",
    "ordered",
    "range_of",
    "score_table",
    "scores_json",
]


class Scored(Protocol):
    """Interface of evaluations that tables need."""

    @property
    def metrics(self) -> dict[str, NDArray[Any]]:
        """Scores of the test sets."""

    @property
    def classes_(self) -> NDArray[Any]:
        """Sorted labels."""

    @property
    def positive(self) -> Any:
        """Positive class."""

    @property
    def y(self) -> NDArray[Any]:
        """Labels of the tested rows."""

    @property
    def n_rows(self) -> int:
        """Number of rows of the table."""

    @property
    def folds(self) -> int:
        """Number of test sets per repetition."""

    @property
    def repeats(self) -> int:
        """Number of repetitions."""

    @property
    def division(self) -> str:
        """Description of the splits."""

    @property
    def parts(self) -> str:
        """Number and description of the test sets."""

    @property
    def level(self) -> float:
        """Confidence level of the intervals."""

    def spread(self, metric: str) -> tuple[float, float, int]:
        """Return mean, standard deviation and number of the defined values."""

    def ends(self, metric: str) -> tuple[float, float]:
        """Return the ends of the confidence interval of the mean."""


# Name in an evaluation -> display name and one-line description.
METRICS: dict[str, tuple[str, str]] = {
    "precision": ("precision", "Fraction of the rows predicted positive that are positive."),
    "recall": ("recall", "Fraction of the positive rows that are predicted positive."),
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
}
# Range of scores that are bounded; with more than two classes the Brier score reaches 2.
_UNIT = (0.0, 1.0)
_RANGES = {
    **dict.fromkeys(
        ("accuracy", "precision", "recall", "f1", "g_mean", "balanced_accuracy", "roc_auc"), _UNIT
    ),
    **dict.fromkeys(("average_precision", "precision_at_alerts", "recall_at_alerts"), _UNIT),
    "mcc": (-1.0, 1.0),
    "log_loss": (0.0, math.inf),
    "brier": _UNIT,
}
# For all others higher is better.
_LESS = frozenset({"log_loss", "brier", "expected_cost"})
_RIGHT = {"calibration_slope": 1.0, "calibration_intercept": 0.0}


def range_of(metric: str, n_classes: int) -> tuple[float, float]:
    """Return the smallest and largest possible value of a score."""
    low, high = _RANGES.get(metric, (-math.inf, math.inf))
    return low, high if metric != "brier" or n_classes == 2 else 2.0


def ordered(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """Sort scores for display: those of the rare class first."""
    known = {name: metrics[name] for name in METRICS if name in metrics}
    return {**known, **metrics}


def metrics_of(results: Mapping[str, Scored]) -> dict[str, tuple[str, str]]:
    """Return display names and descriptions of the measured metrics."""
    first = next(iter(results.values()))
    return {name: METRICS[name] for name in first.metrics}


def best_of(results: Mapping[str, Scored], metric: str) -> list[str]:
    """List the methods with the best mean, rounded to the displayed digits."""

    def worth(mean: float) -> float:
        if metric in _RIGHT:
            return -abs(mean - _RIGHT[metric])
        return -mean if metric in _LESS else mean

    means = {name: worth(float(score_text(result.spread(metric)[0]))) for name, result in results.items()}
    top = max((mean for mean in means.values() if mean == mean), default=None)
    return [name for name, mean in means.items() if mean == top]


def best_method(results: Mapping[str, Scored]) -> str:
    """Return the method with the largest mean average precision, the first in case of ties.

    Average precision focuses on the rare class and does not depend on a threshold.
    """
    means = {name: result.spread("average_precision")[0] for name, result in results.items()}
    return max(means, key=lambda name: means[name] if means[name] == means[name] else -1.0)


def score_table(results: Mapping[str, Scored]) -> str:
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
    for metric, (title, _) in metrics_of(results).items():
        best = best_of(results, metric) if len(results) > 1 else []
        rows.append([title, *(_cell(result, metric, name in best) for name, result in results.items())])
    head = f"{first.n_rows:,} rows, {about}, {first.parts} (mean ± sd)"
    return f"{head}\n{aligned(rows)}"


def _cell(result: Scored, metric: str, best: bool) -> str:
    return f"{'*' if best else ''}{mean_and_sd(result, metric)}"


def as_html(results: Mapping[str, Scored]) -> str:
    """Format metrics by methods for a notebook: mean and interval, the best mean in bold."""
    first = next(iter(results.values()))
    heads = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in results)
    lines = []
    for metric, (title, meaning) in metrics_of(results).items():
        best = best_of(results, metric) if len(results) > 1 else []
        cells = "".join(
            f"<td>{_bold(score_text(result.spread(metric)[0]), name in best)} "
            f"<small>{_ends(*result.ends(metric))}</small></td>"
            for name, result in results.items()
        )
        lines.append(f'<tr><th scope="row" title="{html.escape(meaning)}">{title}</th>{cells}</tr>')
    about = f"{first.n_rows:,} rows, {first.parts}, positive class {first.positive!r}"
    caption = f"{about}; means with {100 * first.level:g} % intervals"
    return (
        f"<table><caption>{html.escape(caption)}</caption><thead><tr><th></th>{heads}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def _bold(text: str, best: bool) -> str:
    return f"<strong>{text}</strong>" if best else text


def _ends(low: float, high: float) -> str:
    return f"{score_text(low)} to {score_text(high)}" if low == low else ""


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Align rows of equal length in columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]
        ).rstrip()
        for row in rows
    )


def mean_and_sd(result: Scored, metric: str) -> str:
    """Format mean and standard deviation of a score."""
    (mean, sd, count), of = result.spread(metric), len(result.metrics[metric])
    text = f"{score_text(mean)} ± {score_text(sd)}" if count else "undefined"
    return text if count == of else f"{text} ({count} of {of} folds)"


def scores_json(results: Mapping[str, Scored]) -> dict[str, Any]:
    """Convert all scores to plain values for JSON; undefined scores are null.

    Parameters
    ----------
    results
        Evaluations of the same data, by name.

    Returns
    -------
    dict
        Keys ``rows``, ``tested`` (number of rows in test sets), ``folds``, ``repeats``, ``division``,
        ``level``, ``classes``, ``positive`` and ``methods``. Each method has ``mean``, ``sd``, ``interval``
        and ``values`` (one per fold and repetition) of every metric; undefined values are left out of the
        first three.
    """
    first = next(iter(results.values()))
    return {
        "rows": first.n_rows,
        "tested": len(first.y),
        "folds": first.folds,
        "repeats": first.repeats,
        "division": first.division,
        "level": first.level,
        "classes": first.classes_.tolist(),
        "positive": first.positive if len(first.classes_) == 2 else None,
        "methods": {
            name: {
                metric: {
                    "mean": _number(result.spread(metric)[0]),
                    "sd": _number(result.spread(metric)[1]),
                    "interval": [_number(end) for end in result.ends(metric)],
                    "values": [_number(value) for value in result.metrics[metric].tolist()],
                }
                for metric in result.metrics
            }
            for name, result in results.items()
        },
    }


def _number(value: float) -> float | None:
    return value if value == value else None
