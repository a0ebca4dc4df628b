"""Zhu, Li and Dunson 2021: the paper's theory of SVR-Trees, checked by simulation.

Feature selection: "a split on a redundant feature has minimal impact on the tree impurity", so the threshold
of eq. 2 should exclude redundant features. Consistency (theorem 1): the excess risk of the tree goes to zero
as the number of rows grows, if component-wise conditional expectations are informative (condition 1).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore.trees import CARTClassifier, CARTClassifierCV, SVRTreeClassifier
from reproduce._experiment import Settings
from reproduce._report import Cell, Report

__all__ = ["consistency", "redundant_features"]

Rows = NDArray[np.float64]
# Probability of class 1 in the region where it is the best prediction; outside it is one minus this.
SURE = 0.9
TEST_ROWS = 20_000
# The penalty of a tree on n rows is KAPPA / n^(1/3); the authors' grid ends at 1.024.
KAPPA = 0.064


def _square(X: Rows) -> NDArray[np.bool_]:
    return np.asarray((abs(X[:, :2] - 0.5) < 0.25).all(axis=1))


def _disc(X: Rows) -> NDArray[np.bool_]:
    return np.asarray(((X[:, :2] - 0.5) ** 2).sum(axis=1) < 0.09)


def _board(X: Rows) -> NDArray[np.bool_]:
    return np.asarray((X[:, 0] < 0.5) != (X[:, 1] < 0.5))


# Name -> region in which the best prediction is 1; the last violates condition 1.
REGIONS: dict[str, Callable[[Rows], NDArray[np.bool_]]] = {
    "square": _square,
    "disc": _disc,
    "two by two board": _board,
}


def sample(
    n_rows: int, n_features: int, region: str, seed: tuple[int, ...]
) -> tuple[Rows, NDArray[np.int64]]:
    """Draw rows of the unit cube; only the first two features are informative."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n_rows, n_features))
    chance = np.where(REGIONS[region](X), SURE, 1 - SURE)
    return X, (rng.uniform(size=n_rows) < chance).astype(np.int64)


def svr(n_rows: int, **options: Any) -> SVRTreeClassifier:
    """Build an SVR-Tree with penalty and leaf limit as in the theory."""
    return SVRTreeClassifier(
        penalty=KAPPA * n_rows ** (-1 / 3),
        max_leaf_nodes=2 * n_rows**0.5,
        minority_weight=1.0,
        scale="none",
        positive=1,
        n_threads=1,
        **options,
    )


def excess_risk(model: Any, X: Rows, region: str) -> float:
    """Return the excess risk over the best predictions.

    It is the mean over the rows of 2 SURE - 1 if a prediction differs from the best one, and of 0
    otherwise.
    """
    wrong = (model.predict(X) == 1) != REGIONS[region](X)
    return float((2 * SURE - 1) * wrong.mean())


def redundant_features(report: Report, settings: Settings) -> None:
    """Report the number and the cost of splits on redundant features.

    Trees are grown with and without feature selection.
    """
    sizes = (250, 1000) if settings.quick else (250, 1000, 4000)
    runs = settings.repeats(20, 4)
    table: list[list[Cell]] = []
    for n_rows in sizes:
        for extra in (0, 2, 8, 32):
            for name, options in (("SVR", {}), ("SVR-Select", {"feature_selection": True})):
                found = [_with_redundant(n_rows, extra, (settings.seed, at), options) for at in range(runs)]
                used, missed, risk = np.mean(found, axis=0).tolist()
                any_used = float(np.mean([row[0] > 0 for row in found]))
                table.append([n_rows, extra, name, used, 100 * any_used, missed, risk])
    header = (
        "rows",
        "redundant features",
        "tree",
        "redundant used",
        "% of trees that use any",
        "informative ones missed (of 2)",
        "excess risk",
    )
    report.heading("Feature selection: are redundant features excluded?")
    report.table(f"Square region, uniform redundant features, means of {runs} draws", header, table)
    for name in ("SVR", "SVR-Select"):
        shares = [
            float(str(share))
            for n_rows, extra, tree, _, share, *_ in table
            if (n_rows, tree) == (sizes[-1], name) and extra
        ]
        report.text(f"{name}, {sizes[-1]} rows: at most {max(shares):.0f}% of the trees use a redundant one.")


def _with_redundant(n_rows: int, extra: int, seed: tuple[int, ...], options: dict[str, Any]) -> list[float]:
    """Return redundant features used, informative ones missed, and excess risk of one tree."""
    X, y = sample(n_rows, 2 + extra, "square", (*seed, n_rows, extra))
    model = svr(n_rows, **options).fit(X, y)
    used = model.feature_importances_ > 0
    fresh, _ = sample(TEST_ROWS, 2 + extra, "square", (*seed, n_rows, extra, 1))
    return [float(used[2:].sum()), float(2 - used[:2].sum()), excess_risk(model, fresh, "square")]


TREES: dict[str, Callable[[int], Any]] = {
    "SVR-Tree": svr,
    "CART": lambda n_rows: CARTClassifier(positive=1, n_threads=1),
    "CART, pruned": lambda n_rows: CARTClassifierCV(positive=1, n_threads=1),
}


def consistency(report: Report, settings: Settings) -> None:
    """Report the excess risk against the number of rows, and the slope of its logarithm."""
    sizes = tuple(250 * 4**step for step in range(3 if settings.quick else 5))
    runs = settings.repeats(20, 4)
    means = np.array(
        [
            [
                [_risk(make, n_rows, region, settings.seed, runs) for n_rows in sizes]
                for make in TREES.values()
            ]
            for region in REGIONS
        ]
    )
    table: list[list[Cell]] = []
    for region, of_region in zip(REGIONS, means, strict=True):
        for name, risks in zip(TREES, of_region, strict=True):
            slope = float(np.polyfit(np.log(sizes), np.log(np.maximum(risks, 1e-6)), 1)[0])
            table.append([region, name, *map(float, risks), slope])
    header = ("region", "tree", *(f"{n_rows} rows" for n_rows in sizes), "slope of the logarithms")
    report.heading("Consistency: does the excess risk go to zero, and how fast?")
    report.table(f"Excess risk, means of {runs} draws", header, table, digits=4)
    report.figure(
        "excess_risk", _picture(sizes, means), "Excess risk against the number of rows.", header, table
    )
    report.text(
        f"The class probability is {SURE:.0%} on either side of the border, so condition 2 holds with its "
        "best constant; sets with first-order borders in the plane can then be estimated at the rate "
        "n^(-1/2) up to logarithms, which theorem 2 bounds for the idealized minimizer. "
        "For the greedy tree, theorem 1 guarantees no rate but only that the risk goes to zero, and not on "
        "the board, where no single feature is informative (condition 1)."
    )
    falls = [row[0] for row in table if row[1] == "SVR-Tree" and float(row[-1] or 0) < -0.1]
    report.text(
        f"The SVR-Tree's excess risk decreases with more rows on: {', '.join(map(str, falls)) or 'none'}."
    )


def _risk(make: Callable[[int], Any], n_rows: int, region: str, seed: int, runs: int) -> float:
    found = []
    for at in range(runs):
        model = make(n_rows).fit(*sample(n_rows, 2, region, (seed, at, n_rows)))
        found.append(excess_risk(model, sample(TEST_ROWS, 2, region, (seed, at, n_rows, 1))[0], region))
    return float(np.mean(found))


def _picture(sizes: tuple[int, ...], means: NDArray[np.float64]) -> Any:
    from matplotlib.figure import Figure

    from imbcore.plotting._axes import PALETTE

    figure = Figure(figsize=(9, 3.2), layout="constrained")
    panels = figure.subplots(1, len(REGIONS), sharey=True)
    for panel, region, of_region in zip(panels, REGIONS, means, strict=True):
        for at, (name, risks) in enumerate(zip(TREES, of_region, strict=True)):
            panel.loglog(sizes, np.maximum(risks, 1e-4), "o-", color=PALETTE[at], markersize=4, label=name)
        panel.set(title=region, xlabel="rows")
    panels[0].set(ylabel="excess risk")
    panels[0].legend(frameon=False, fontsize=8)
    return figure
