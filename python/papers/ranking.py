"""What tables of many methods on many sets share: time left, whole sets, ranks and their diagram."""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from imbcore import plotting, protocols, stats
from imbcore.protocols import LOWER_IS_BETTER
from imbcore.reproduce._report import Report

__all__ = ["Clock", "add_diagram", "means", "ranks", "whole"]


class Clock:
    """Say twice a minute how far the run is, and about how long it takes yet."""

    def __init__(self) -> None:
        self.began = self.said = time.monotonic()

    def __call__(self, _stage: str, done: int, total: int) -> None:
        """Take a count of fits."""
        now = time.monotonic()
        if now - self.said >= 30 or done == total:
            self.said = now
            left = (now - self.began) / done * (total - done)
            sys.stderr.write(f"{done} of {total} fits, about {left / 60:.0f} minutes left\n")


def whole(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out the sets that are not finished yet for all methods."""
    methods = {of["method"] for of in records}
    counts: dict[str, int] = {}
    for of in records:
        counts[of["dataset"]] = counts.get(of["dataset"], 0) + 1
    return [of for of in records if counts[of["dataset"]] == 10 * len(methods)]


def means(records: list[dict[str, Any]], measure: str) -> protocols.Summary:
    """Means of a measure over the folds of a set; NaN where any fit failed."""
    found = protocols.means(records, measure)
    return found._replace(means=np.where(found.n_missing > 0, np.nan, found.means))


def ranks(of: protocols.Summary) -> stats.Friedman:
    """Rank methods; one without a mean is last."""
    sign = -1.0 if of.measure in LOWER_IS_BETTER else 1.0
    values = sign * of.means
    worst = np.nanmin(values, axis=1, keepdims=True)
    return stats.friedman_test(np.where(np.isnan(values), worst - 1, values))


def add_diagram(
    report: Report, name: str, caption: str, methods: tuple[str, ...], found: stats.Friedman
) -> None:
    """Draw average ranks, best first, with Nemenyi's critical difference."""
    of = found.average_ranks
    apart = stats.critical_difference(len(methods), len(found.ranks))
    figure: Any = plotting.plot_cd(of, methods, apart).figure
    rows = [(methods[j], float(of[j])) for j in np.argsort(of, kind="stable")]
    report.figure(name, figure, caption, ("method", "average rank"), rows)
