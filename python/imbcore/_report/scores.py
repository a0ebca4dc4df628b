"""Scores of several methods side by side, as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from imbcore._report.parts import aligned

if TYPE_CHECKING:
    from imbcore._api import Evaluation

__all__ = ["METRICS", "best_method", "best_of", "mean_and_sd", "score_table", "scores_json"]

# Name in an evaluation -> name for people, and what it tells in one line.
METRICS: dict[str, tuple[str, str]] = {
    "accuracy": ("accuracy", "Share of rows classified right. Close to 1 for free when one class is rare."),
    "precision": ("precision", "Of the rows called positive, the share that are."),
    "recall": ("recall", "Of the positive rows, the share that was found."),
    "f1": ("F1", "Harmonic mean of precision and recall."),
    "g_mean": ("G-mean", "Geometric mean of the recalls of all classes; 0 when one class is never found."),
    "balanced_accuracy": (
        "balanced accuracy",
        "Mean of the recalls of all classes; 0.5 is guessing with two classes.",
    ),
    "mcc": ("MCC", "Correlation between prediction and truth; 0 is guessing."),
    "roc_auc": ("AUC", "Chance that a positive row scores above a negative one; 0.5 is guessing."),
    "average_precision": (
        "average precision",
        "Precision averaged over all recalls; guessing gives the share of positives.",
    ),
}


def best_of(results: Mapping[str, Evaluation], metric: str) -> list[str]:
    """Name the methods with the largest mean, to the three digits that are shown."""
    means = {name: round(result.mean()[metric], 3) for name, result in results.items()}
    top = max((mean for mean in means.values() if mean == mean), default=None)
    return [name for name, mean in means.items() if mean == top]


def best_method(results: Mapping[str, Evaluation]) -> str:
    """Name the method with the largest mean average precision, the first of equals.

    Average precision looks at the rare class, and at no particular threshold.
    """
    means = {name: result.mean()["average_precision"] for name, result in results.items()}
    return max(means, key=lambda name: means[name] if means[name] == means[name] else -1.0)


def score_table(results: Mapping[str, Evaluation]) -> str:
    """Table of metrics by methods: mean and standard deviation, the best mean with a star.

    Parameters
    ----------
    results
        Evaluations of the same data, by name.

    Returns
    -------
    str
        Lines for a terminal.
    """
    first = next(iter(results.values()))
    rounds = f"{first.repeats} x {first.folds}" if first.repeats > 1 else str(first.folds)
    about = (
        f"positive class {first.positive!r}" if len(first.classes_) == 2 else f"{len(first.classes_)} classes"
    )
    rows = [["", *results]]
    for metric, (title, _) in METRICS.items():
        best = best_of(results, metric) if len(results) > 1 else []
        rows.append([title, *(_cell(result, metric, name in best) for name, result in results.items())])
    head = f"{len(first.y):,} rows, {about}, {rounds} stratified folds (mean ± sd)"
    return f"{head}\n{aligned(rows)}"


def _cell(result: Evaluation, metric: str, best: bool) -> str:
    return f"{'*' if best else ''}{mean_and_sd(result, metric)}"


def mean_and_sd(result: Evaluation, metric: str) -> str:
    """Write a score for people."""
    text = f"{result.mean()[metric]:.3f} ± {result.sd()[metric]:.3f}"
    count, of = result.n_defined()[metric], len(result.metrics[metric])
    return text if count == of else f"{text} ({count} of {of} folds)"


def scores_json(results: Mapping[str, Evaluation]) -> dict[str, Any]:
    """All scores as plain values for JSON; an undefined score is null.

    Parameters
    ----------
    results
        Evaluations of the same data, by name.

    Returns
    -------
    dict
        Keys ``rows``, ``folds``, ``repeats``, ``classes``, ``positive`` and ``methods``; a method has
        ``mean``, ``sd`` and ``values`` (one per fold and repeat) of every metric; undefined values are in
        neither mean nor sd.
    """
    first = next(iter(results.values()))
    return {
        "rows": len(first.y),
        "folds": first.folds,
        "repeats": first.repeats,
        "classes": first.classes_.tolist(),
        "positive": first.positive if len(first.classes_) == 2 else None,
        "methods": {
            name: {
                metric: {
                    "mean": _number(result.mean()[metric]),
                    "sd": _number(result.sd()[metric]),
                    "values": [_number(value) for value in result.metrics[metric].tolist()],
                }
                for metric in METRICS
            }
            for name, result in results.items()
        },
    }


def _number(value: float) -> float | None:
    return value if value == value else None
