"""Shared code of the comparison studies: loading, progress, ranks, diagrams."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from imbcore import DataError, datasets, evaluation, plotting, stats
from imbcore.evaluation import LOWER_IS_BETTER
from reproduce._report import Report

__all__ = ["FEWEST", "Clock", "add_diagram", "means", "ranks", "sets", "whole"]

# Data sets with fewer positives are omitted.
FEWEST = 20


class Clock:
    """Report progress and the estimated remaining time twice a minute."""

    def __init__(self) -> None:
        self.began = self.reported = time.monotonic()

    def __call__(self, _stage: str, done: int, total: int) -> None:
        """Receive the number of finished fits."""
        now = time.monotonic()
        if now - self.reported >= 30 or done == total:
            self.reported = now
            left = (now - self.began) / done * (total - done)
            sys.stderr.write(f"{done} of {total} fits, about {left / 60:.0f} minutes left\n")


def whole(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Omit data sets that are not finished for all methods."""
    methods = {of["method"] for of in records}
    counts: dict[str, int] = {}
    for of in records:
        counts[of["dataset"]] = counts.get(of["dataset"], 0) + 1
    return [of for of in records if counts[of["dataset"]] == 10 * len(methods)]


def means(records: list[dict[str, Any]], measure: str) -> evaluation.Summary:
    """Means of a measure over the folds of a data set; NaN if any fit failed."""
    found = evaluation.means(records, measure)
    return found._replace(means=np.where(found.n_missing > 0, np.nan, found.means))


def ranks(of: evaluation.Summary) -> stats.Friedman:
    """Rank methods; one without a mean is last."""
    sign = -1.0 if of.measure in LOWER_IS_BETTER else 1.0
    values = sign * of.means
    worst = np.nanmin(values, axis=1, keepdims=True)
    return stats.friedman_test(np.where(np.isnan(values), worst - 1, values))


def add_diagram(
    report: Report, name: str, caption: str, methods: tuple[str, ...], found: stats.Friedman
) -> None:
    """Plot average ranks, best first, with Nemenyi's critical difference."""
    of = found.average_ranks
    apart = stats.critical_difference(len(methods), len(found.ranks))
    figure: Any = plotting.plot_cd(of, methods, apart).figure
    rows = [(methods[j], float(of[j])) for j in np.argsort(of, kind="stable")]
    report.figure(name, figure, caption, ("method", "average rank"), rows)


def sets(names: list[str] | None, most_rows: int, folder: Path | None) -> dict[str, Any]:
    """Load the available data sets with enough positives, smallest first; labels become 0 and 1."""
    found = {}
    known = sorted(map(datasets.info, names or datasets.names()), key=lambda entry: (entry.rows, entry.name))
    for entry in known:
        counts = entry.class_counts
        rarest = min(counts, key=lambda label: counts[label])
        positives = counts["1"] if entry.task == "binary" else counts[rarest]
        if len(counts) > 3 or positives < FEWEST or entry.rows > most_rows:
            continue
        try:
            data = datasets.load(entry.name, folder=folder, download=False)
        except (OSError, DataError) as error:
            sys.stderr.write(f"{entry.name}: no data ({error})\n")
            continue
        is_positive = data.y == 1 if entry.task == "binary" else data.y.astype(str) == rarest
        found[entry.name] = (data.X, is_positive.astype(np.int64), 1)
    return found
