"""Figures of the thesis that illustrate methods: 13 to 28."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore import metrics, plotting, sampling
from imbcore.discretization import CAIMDiscretizer, EqualFrequencyDiscretizer
from imbcore.networks.bayesian_network import BayesianNetwork
from imbcore.plotting._axes import PALETTE
from reproduce._experiment import Settings
from reproduce._panels import panels
from reproduce._report import Report
from reproduce._thesis_synthetic import disjuncts

__all__ = ["add_concepts", "add_isometrics", "add_resampling"]

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
SKEWS = (1.0, 2.0, 5.0, 10.0, 100.0)
LEVELS = 9
SHEETS = {
    21: ("accuracy", "precision", "f1", "wracc"),
    22: ("entropy", "gini", "dkm"),
    23: ("dkm", "hellinger"),
}


def add_resampling(report: Report, settings: Settings) -> None:
    """Draw figures 13 to 20: one set, and the results of resamplers."""
    seed = settings.seed
    X, y, _ = disjuncts(seed, n_samples=300, minority_fraction=0.15, complexity=1, overlap=3.5)
    _borderline(report, X, y, seed)
    made: dict[int, tuple[str, Any]] = {
        14: (
            "one pass of Borderline-SMOTE",
            sampling.BorderlineSMOTE(kind="thesis", per_base=1, random_state=seed),
        ),
        15: (
            "Borderline-SMOTE up to a proportion of 0.4",
            sampling.BorderlineSMOTE(
                kind="thesis", sampling_strategy=0.4, ratio="fraction", random_state=seed
            ),
        ),
        16: ("Tomek links", sampling.TomekLinks()),
        18: ("condensed nearest neighbours", sampling.CondensedNearestNeighbour(random_state=seed)),
        19: ("one-sided selection", sampling.OneSidedSelection(order="tomek_first", random_state=seed)),
        20: ("SMOTE, then Tomek links", sampling.SMOTETomek(random_state=seed)),
    }
    for number, (what, sampler) in made.items():
        figure, (ax,) = panels(1, size=(5.2, 5.2))
        plotting.plot_resampling(sampler, X, y, ax=ax)
        _after(report, number, what, figure, sampler.fit_resample(X, y))
        if number == 16:
            _three_passes(report, X, y)


def _after(report: Report, number: int, what: str, figure: Any, rows: tuple[Floats, Codes]) -> None:
    X, y = rows
    numbers = [(float(a), float(b), int(label)) for (a, b), label in zip(X, y, strict=True)]
    caption = f"Figure {number}: {what}; {len(y)} rows afterward, {int((y == 1).sum())} of the rare class."
    report.figure(f"figure-{number}", figure, caption, ("x", "y", "class"), numbers)


def _dots(ax: Any, X: Floats, y: Codes) -> None:
    for label, colour in ((0, PALETTE[0]), (1, PALETTE[1])):
        ax.scatter(
            *X[y == label].T, s=10, color=colour, linewidths=0, label=f"{label}: {int((y == label).sum())}"
        )


def _borderline(report: Report, X: Floats, y: Codes, seed: int) -> None:
    sampler = sampling.BorderlineSMOTE(kind="thesis", per_base=1, random_state=seed)
    sampler.fit_resample(X, y)
    danger = np.concatenate([*sampler.danger_indices_.values()]).astype(np.int64)
    figure, (ax,) = panels(1, size=(5.2, 4.6))
    _dots(ax, X, y)
    ax.scatter(
        X[danger][:, 0],
        X[danger][:, 1],
        s=34,
        facecolors="none",
        edgecolors="black",
        label=f"borderline: {len(danger)}",
    )
    ax.legend(frameon=False, fontsize=8)
    marked = np.isin(np.arange(len(y)), danger)
    numbers = [(*map(float, row), int(label), int(on)) for row, label, on in zip(X, y, marked, strict=True)]
    caption = f"Figure 13: rare rows with at least half of their neighbors in the other class: {len(danger)}."
    report.figure("figure-13", figure, caption, ("x", "y", "class", "borderline"), numbers)


def _three_passes(report: Report, X: Floats, y: Codes) -> None:
    for _ in range(3):
        X, y = sampling.TomekLinks().fit_resample(X, y)
    figure, (ax,) = panels(1, size=(5.2, 4.6))
    _dots(ax, X, y)
    ax.legend(frameon=False, fontsize=8)
    _after(report, 17, "after three passes over Tomek links", figure, (X, y))


def add_isometrics(report: Report, settings: Settings) -> None:
    """Draw figures 21 to 23, and report how much each quantity changes with the skew."""
    points = 101 if settings.quick else 401
    moves: list[tuple[Any, ...]] = []
    for number, quantities in SHEETS.items():
        figure, grid = panels(len(quantities), size=(3.6, 3.9))
        rows = []
        for ax, name in zip(grid, quantities, strict=True):
            plotting.plot_isometrics(name, SKEWS, levels=LEVELS, points=points, ax=ax)
            ax.set_title(name)
            change = [sensitivity(name, skew, points) for skew in SKEWS]
            rows += [(name, skew, value) for skew, value in zip(SKEWS, change, strict=True)]
            if (name, *change) not in moves:
                moves.append((name, *change))
        caption = f"Figure {number}: lines of equal value of {', '.join(quantities)}, by skew."
        report.figure(f"figure-{number}", figure, caption, ("quantity", "skew", "change"), rows)
    header = ("quantity", *(f"{skew:g} to 1" for skew in SKEWS))
    report.table("Mean change of a surface with the skew, against 1 to 1", header, moves)
    still = [name for name, *change in moves if max(change) < 1e-9]
    report.text(
        f"These surfaces do not change with the skew: {', '.join(still) or 'none'}. The thesis states this "
        "for Hellinger's distance. According to the thesis, DKM shows some dependence at high skews. Its "
        "surface is only scaled by the skew, so that, divided by its maximum as here, it orders splits "
        "in the same way at every skew with change 0."
    )
    report.fault(
        "Weighted relative accuracy is printed as 4c/(1 + c^2) (tpr - fpr); its definition gives "
        "4c/(1 + c)^2 (tpr - fpr). The lines of equal value are the same for every fixed c."
    )


def sensitivity(name: str, skew: float, points: int) -> float:
    """Return the mean distance of two surfaces, each divided by its maximum.

    The distance is 0 if no isometric changes.
    """
    rare, even = (metrics.isometrics(name, c, points=points).values for c in (skew, 1.0))
    return float(np.nanmean(abs(rare / np.nanmax(rare) - even / np.nanmax(even))))


def add_concepts(report: Report, settings: Settings) -> None:
    """Draw figures 24 to 28: networks, the imbalance term, and bins of iris."""
    rng = np.random.default_rng(settings.seed)
    coins = {
        name: rng.integers(0, 2, 50).astype(str) for name in ("A", "B", "C", "class", "x1", "x2", "x3", "x4")
    }
    graphs = {
        24: ("a basic network: A depends on B and on C", ("A", "B", "C"), [("B", "A"), ("C", "A")]),
        25: (
            "naive Bayes: every column depends only on the class",
            ("class", "x1", "x2", "x3", "x4"),
            [("class", f"x{at}") for at in range(1, 5)],
        ),
    }
    for number, (what, names, arcs) in graphs.items():
        network = BayesianNetwork.from_arcs({name: coins[name] for name in names}, arcs)
        figure, (ax,) = panels(1, size=(3.6, 2.2))
        plotting.plot_network(network, ax)
        report.figure(f"figure-{number}", figure, f"Figure {number}: {what}.", ("from", "to"), arcs)
    _imbalance_term(report)
    _bins(report, settings)


def imbalance_term(rows: Floats | float, ratio: Floats) -> Floats:
    """Return the IR term of the thesis for a number of rows and IR = M+ / M-.

    The term is f(M+) + f(M-) with f(v) = v ln v.
    """
    negative = rows / (ratio + 1)
    positive = rows - negative
    found: Floats = positive * np.log(positive) + negative * np.log(negative)
    return found


def _imbalance_term(report: Report) -> None:
    ratio = np.geomspace(0.01, 100, 401)
    figure, (ax,) = panels(1, size=(4.6, 3.4))
    numbers = []
    for rows in (100, 500, 1000, 5000):
        term = imbalance_term(float(rows), ratio)
        ax.plot(ratio, term, label=f"M = {rows}")
        numbers += [(rows, float(a), float(b)) for a, b in zip(ratio[::20], term[::20], strict=True)]
    ax.set(xscale="log", xlabel="IR, positives per negative", ylabel="IR term")
    ax.legend(frameon=False)
    caption = (
        "Figure 26: the imbalance term of the thesis: smallest at balance, it tends to M ln M at both ends."
    )
    report.figure("figure-26", figure, caption, ("M", "IR", "term"), numbers)
    report.fault("The imbalance term does not grow to infinity at both ends; it tends to M ln M.")


def _bins(report: Report, settings: Settings) -> None:
    """Draw figures 27 and 28: two columns of iris discretized by CAIM and by equal frequency."""
    from sklearn.datasets import load_iris

    data = load_iris()
    X, y = data.data[:, 2:], data.target
    makers: dict[int, tuple[str, Callable[[], Any]]] = {
        27: ("top-down (CAIM)", CAIMDiscretizer),
        28: ("equal frequency, 3 bins", lambda: EqualFrequencyDiscretizer(n_bins=3)),
    }
    shares = []
    for number, (what, make) in makers.items():
        codes = np.asarray(make().fit(X, y).transform(X)).astype(np.int64)
        cuts = [cuts_of(X[:, at], codes[:, at]) for at in range(2)]
        figure, (ax,) = panels(1, size=(4.6, 3.6))
        for label, colour in zip(range(3), PALETTE, strict=False):
            ax.scatter(
                X[y == label][:, 0], X[y == label][:, 1], s=14, color=colour, label=data.target_names[label]
            )
        for cut in cuts[0]:
            ax.axvline(cut, color="0.4", linewidth=0.8)
        for cut in cuts[1]:
            ax.axhline(cut, color="0.4", linewidth=0.8)
        ax.set(xlabel="petal length", ylabel="petal width")
        ax.legend(frameon=False, fontsize=8)
        rows = [(("length", "width")[at], cut) for at in range(2) for cut in cuts[at]]
        caption = f"Figure {number}: iris discretized by {what}."
        report.figure(f"figure-{number}", figure, caption, ("column", "threshold"), rows)
        cells: dict[tuple[int, ...], list[int]] = {}
        for code, label in zip(codes.tolist(), y.tolist(), strict=True):
            cells.setdefault(tuple(code), []).append(label)
        pure = sum(len(labels) for labels in cells.values() if len(set(labels)) == 1)
        shares.append((what, len(cells), pure / len(y)))
    report.table("Rows of iris in cells of a single class", ("thresholds", "cells", "proportion"), shares)


def cuts_of(values: Floats, codes: Codes) -> list[float]:
    """Return the midpoints between the bins of a column."""
    bins = [values[codes == code] for code in np.unique(codes)]
    bins.sort(key=lambda own: float(own.min()))
    return [float((low.max() + high.min()) / 2) for low, high in pairwise(bins)]
