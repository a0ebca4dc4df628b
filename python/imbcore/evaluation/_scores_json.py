"""All scores of evaluations as plain values for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imbcore.evaluation._evaluation import Evaluation
from imbcore.evaluation._measures import nan_to_none

__all__ = ["scores_json"]


def scores_json(results: Mapping[str, Evaluation]) -> dict[str, Any]:
    """Convert all scores to plain values for JSON; undefined scores are null.

    Parameters
    ----------
    results
        Evaluations of the same data, by name.

    Returns
    -------
    dict
        Keys ``rows``, ``tested`` (number of rows in test sets), ``folds``, ``repeats``, ``division``,
        ``dropped`` (training rows by argument, one number per test set), ``level``, ``classes``, ``positive``
        and ``methods``. Each method has ``mean``, ``sd``, ``interval`` and ``values`` (one per fold and
        repetition) of every metric; undefined values are left out of the first three.
    """
    first = next(iter(results.values()))
    return {
        "rows": first.n_rows,
        "tested": len(first.y),
        "folds": first.folds,
        "repeats": first.repeats,
        "division": first.division,
        "dropped": {name: counts.tolist() for name, counts in first.dropped.items()},
        "level": first.level,
        "classes": first.classes_.tolist(),
        "positive": first.positive if len(first.classes_) == 2 else None,
        "methods": {
            name: {
                metric: {
                    "mean": nan_to_none(result.spread(metric)[0]),
                    "sd": nan_to_none(result.spread(metric)[1]),
                    "interval": [nan_to_none(end) for end in result.ends(metric)],
                    "values": [nan_to_none(value) for value in result.metrics[metric].tolist()],
                }
                for metric in result.metrics
            }
            for name, result in results.items()
        },
    }
