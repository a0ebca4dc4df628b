"""Figures 29 to 36 of the thesis: heuristics, their parameters, graphs around the class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore.bayes import BiasedRandomization
from imbcore.plotting._axes import PALETTE
from reproduce._correlation import spearman
from reproduce._experiment import Settings
from reproduce._measure import measure
from reproduce._panels import panels
from reproduce._report import Report
from reproduce._thesis_boxplots import box_sheet, column
from reproduce._thesis_methods import SCORES, Network, network
from reproduce._thesis_sets import ALL, load
from reproduce._thesis_tables import splits, variants

__all__ = ["add_heuristics", "add_parameters", "add_structure"]

Verdicts = list[tuple[Any, ...]]
Floats = NDArray[np.float64]
# Ranges as in section 6.1.
RANGES = {
    "max_iters": (40, 3000),
    "max_without_improvement": (3, 30),
    "geometric_p": (0.0, 1.0),
    "candidates": (5, 50),
}
DRAWS, QUICK_DRAWS = 200, 25
LEVEL = 0.05


def add_heuristics(report: Report, settings: Settings) -> list[dict[str, Any]]:
    """Draw figures 29 to 31; return the records, which are also used for null runs."""
    tables = load(settings, report)
    records = measure(report, settings, variants(), tables, splits(settings), part="29")
    names = tuple(tables)

    def sheet(parts: tuple[int, ...], of_set: str | None = None) -> dict[str, Floats]:
        boxes: dict[str, list[Floats]] = {}
        for method in variants():
            words = method.split()
            given = {"method": method} | ({"dataset": of_set} if of_set else {})
            boxes.setdefault(" ".join(words[part] for part in parts), []).append(
                column(records, "f1", **given)
            )
        return {name: np.concatenate(values) for name, values in boxes.items()}

    by_score: dict[str, dict[str, Floats]] = {score: {} for score in SCORES}
    for name, values in sheet((0, 2)).items():
        by_score[name.split()[0]][name.split()[1]] = values
    box_sheet(report, 29, "F1 of the heuristics by score", by_score)
    box_sheet(report, 30, "F1 by score and set", {name: sheet((0,), name) for name in names}, columns=5)
    box_sheet(
        report, 31, "F1 by discretization and set", {name: sheet((1,), name) for name in names}, columns=5
    )
    return records


@dataclass(frozen=True)
class RandomSearch:
    """Parameters of biased randomization, each drawn from a truncated exponential distribution.

    Parameters
    ----------
    rate : float
        Rate over the range scaled to length 1; with 3 the mean is about a third of the range.
    """

    rate: float = 3.0

    def __call__(self, seed: int) -> tuple[Mapping[str, Any], Mapping[str, float]]:
        """Return a parameter for the classifier, and the drawn numbers."""
        uniform = np.random.default_rng(seed).random(len(RANGES))
        shares = -np.log1p(-uniform * -np.expm1(-self.rate)) / self.rate
        drawn: dict[str, float] = {}
        for (name, (low, high)), share in zip(RANGES.items(), shares.tolist(), strict=True):
            value = low + (high - low) * share
            drawn[name] = min(max(value, 0.001), 0.999) if name == "geometric_p" else float(round(value))
        whole: dict[str, Any] = {
            name: value if name == "geometric_p" else int(value) for name, value in drawn.items()
        }
        return {"search": BiasedRandomization(**whole, time_limit=30.0)}, drawn


def add_parameters(report: Report, settings: Settings) -> Verdicts:
    """Draw figures 32 and 33: F1 against the parameters of the search."""
    draws = settings.replicates or (QUICK_DRAWS if settings.quick else DRAWS)
    tables = load(settings, report)
    learners = {"random search": Network(network(), RandomSearch())}
    records = measure(report, settings, learners, tables, splits(settings, draws), part="32")
    figure, grid = panels(len(RANGES) * len(tables), len(RANGES), size=(2.6, 1.8), sharey=True)
    together, axes = panels(len(RANGES), size=(3.0, 2.6), sharey=True)
    rows, numbers = [], []
    for at, (name, ax) in enumerate(zip(tables, grid[:: len(RANGES)], strict=True)):
        ax.set_ylabel(f"{name}: F1", fontsize=8)
        f1 = column(records, "f1", dataset=name)
        for place, key in enumerate(RANGES):
            values = column(records, key, dataset=name)
            grid[at * len(RANGES) + place].scatter(values, f1, s=5, color=PALETTE[0])
            rows.append((name, key, spearman(values, f1), *_quarters(values, f1)))
            numbers += [(name, key, float(a), float(b)) for a, b in zip(values, f1, strict=True)]
    for place, (key, ax) in enumerate(zip(RANGES, axes, strict=True)):
        values, f1 = (
            column(records, key),
            np.concatenate(
                [_centered(column(records, "f1", dataset=name)) for name in tables] or [np.empty(0)]
            ),
        )
        order = np.concatenate([column(records, key, dataset=name) for name in tables] or [values])
        ax.scatter(order, f1, s=5, color=PALETTE[0])
        ax.set(xlabel=key)
        grid[place].set_title(key, fontsize=8)
        rows.append(("all, centered", key, spearman(order, f1), *_quarters(order, f1)))
    axes[0].set_ylabel("F1 minus its mean on the set")
    header = ("set", "parameter", "value", "F1")
    report.figure("figure-32", figure, "Figure 32: F1 against the drawn parameters, by set.", header, numbers)
    report.figure(
        "figure-33", together, "Figure 33: F1 against the drawn parameters, over all sets.", header, numbers
    )
    report.table(
        "Do the parameters of the search matter? Kruskal-Wallis over quarters",
        ("set", "parameter", "rank correlation", "best quarter", "mean F1 in it", "p of the quarters"),
        rows,
    )
    peaks = [f"{row[1]} on {row[0]}" for row in rows if row[-1] < LEVEL / len(rows)]
    return [
        (
            "6.1 Does F1 have a peak in the parameters of the search?",
            "maxWithoutImprovement and candidateNumber seem to; all depend on the set",
            f"shown for {', '.join(peaks)}"
            if peaks
            else f"none of {len(rows)} after Bonferroni's adjustment",
        )
    ]


def _centered(values: Floats) -> Floats:
    return values - np.nanmean(values) if len(values) else values


def _quarters(values: Floats, f1: Floats) -> tuple[str, float, float]:
    """Return the best quarter of the values, its mean F1, and p of equal quarters.

    The p-value is that of the Kruskal-Wallis test.
    """
    from scipy.stats import kruskal

    known = ~np.isnan(values) & ~np.isnan(f1)
    values, f1 = values[known], f1[known]
    if len(values) < 8:
        return "", float("nan"), 1.0
    cuts = np.quantile(values, (0.25, 0.5, 0.75))
    place = np.searchsorted(cuts, values)
    groups = {at: f1[place == at] for at in range(4) if (place == at).sum() > 1}
    p = 1.0 if np.ptp(f1) == 0 or len(groups) < 2 else float(kruskal(*groups.values()).pvalue)
    best = max(groups, key=lambda at: float(groups[at].mean()))
    ends = [float(values.min()), *map(float, cuts), float(values.max())]
    return f"{ends[best]:.3g} to {ends[best + 1]:.3g}", float(groups[best].mean()), p


def add_structure(report: Report, settings: Settings) -> Verdicts:
    """Draw figures 34 to 36: the arcs of the class against F1, score and the size of the graph."""
    tables = load(settings, report, tuple(ALL))
    learners = {"default": Network(network())}
    records = measure(report, settings, learners, tables, splits(settings), part="34")
    rows = []
    against = {34: ("f1", "F1"), 35: ("log-likelihood", "log-likelihood"), 36: ("arcs", "arcs")}
    for number, (key, label) in against.items():
        figure, grid = panels(len(tables), 5, size=(2.4, 2.0))
        numbers = []
        for ax, name in zip(grid, tables, strict=True):
            at, values = (column(records, of, dataset=name) for of in ("class arcs", key))
            ax.scatter(at, values, s=10, color=PALETTE[0])
            ax.set_title(name, fontsize=8)
            numbers += [(name, float(a), float(b)) for a, b in zip(at, values, strict=True)]
        caption = f"Figure {number}: {label} against the number of arcs of the class."
        report.figure(f"figure-{number}", figure, caption, ("set", "class arcs", label), numbers)
    for name in tables:
        at, f1, likelihood, arcs = (
            column(records, key, dataset=name) for key in ("class arcs", "f1", "log-likelihood", "arcs")
        )
        if len(at):
            means = {int(k): float(np.nanmean(f1[at == k])) for k in np.unique(at[~np.isnan(f1)])}
            best = max(means, key=means.__getitem__)
            trends = (
                spearman(at, f1),
                spearman(at, likelihood),
                spearman(at, arcs),
                spearman(likelihood, f1),
            )
            rows.append((name, best, means[best], *trends))
    header = (
        "set",
        "best number",
        "F1 with it",
        "with F1",
        "with likelihood",
        "with arcs",
        "likelihood with F1",
    )
    report.table("Number of arcs of the class: rank correlations", header, rows)
    if not rows:
        return []
    trend = [float(np.mean([row[at] for row in rows])) for at in range(3, 7)]
    return [
        (
            "6.2 Does each set have a best number of arcs of the class?",
            "the figure suggests it",
            (
                f"best numbers range from {min(r[1] for r in rows)} to {max(r[1] for r in rows)}; mean rank "
                f"correlation of number and F1 {trend[0]:.2f}"
            ),
        ),
        (
            "6.2 Is the number unrelated to likelihood and size?",
            "yes",
            f"mean rank correlations {trend[1]:.2f} with the likelihood and {trend[2]:.2f} with all arcs",
        ),
        (
            "6.2 Does a better score mean a better F1?",
            "open question",
            f"mean rank correlation of likelihood and F1 {trend[3]:.2f}",
        ),
    ]
