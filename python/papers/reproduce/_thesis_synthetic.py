"""Figures 2 to 10 of the thesis: factors other than rarity that make a class hard to learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore import _api, datasets, metrics
from imbcore.plotting._axes import PALETTE
from reproduce._correlation import spearman
from reproduce._experiment import Settings
from reproduce._panels import panels
from reproduce._report import Report

__all__ = ["add", "disjuncts"]

# The thesis grows C5.0 trees. C4.5 release 8 subtracts a description-length penalty from the gain of numeric
# splits; on these grids no single split has a gain, so the penalty leaves most of its trees with one leaf.
UNPENALIZED = "c45, no penalty"
TREES: dict[str, tuple[str, dict[str, Any]]] = {
    "c45": ("c45", {}),
    UNPENALIZED: ("c45", {"mdl_penalty": False}),
    "hddt": ("hddt", {}),
}
TEST_ROWS = 4000
SCORES = ("accuracy", "F1", "precision", "recall")
Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Factor:
    """Factor that varies while the others are fixed.

    Parameters
    ----------
    name : str
        Parameter of ``datasets.make_disjunct_grid``.
    label : str
    values : tuple
    sample, scores : int
        Numbers of the figures with the rows and with the scores.
    says : str
        Conclusion of the thesis from the second figure.
    signs : dict
        Score and the sign of its trend according to the thesis.
    """

    name: str
    label: str
    values: tuple[Any, ...]
    sample: int
    scores: int
    says: str
    signs: dict[str, int]


FACTORS = (
    Factor(
        "interclass",
        "interclass imbalance",
        tuple(range(1, 10)),
        2,
        3,
        "scores improve as one disjunct dominates",
        {"F1": 1, "recall": 1},
    ),
    Factor(
        "complexity",
        "complexity",
        tuple(range(1, 7)),
        5,
        6,
        "scores of the rare class decay fast, accuracy stays high",
        {"F1": -1, "precision": -1, "recall": -1},
    ),
    Factor(
        "n_samples",
        "rows",
        tuple(2**power for power in range(7, 15)),
        7,
        8,
        "all scores improve",
        {"accuracy": 1, "F1": 1, "precision": 1, "recall": 1},
    ),
    Factor(
        "overlap",
        "overlap",
        tuple(range(1, 6)),
        9,
        10,
        "all scores get worse",
        {"accuracy": -1, "F1": -1, "precision": -1, "recall": -1},
    ),
)
# For figure 4: so uneven that the sizes of disjuncts range from hundreds of rows to none.
UNEVEN = 2.0


def add(report: Report, settings: Settings) -> None:
    """Draw the figures and test whether the conclusions of the thesis hold."""
    seeds = settings.repeats(10, 3)
    rows = []
    for factor in FACTORS:
        _sample(report, factor, settings.seed)
        rows += _curves(report, factor, seeds, settings.seed)
        if factor.name == "interclass":
            rows.append(_disjuncts(report, seeds, settings.seed))
    header = ("figure", "conclusion of the thesis", "tree", "score", "rank correlation", "holds")
    report.table("Figures 3 to 10: conclusions of the thesis, and ours", header, rows)


def disjuncts(seed: int, **given: Any) -> tuple[Floats, Codes, Codes]:
    """Return rows, classes and disjuncts.

    There are eight disjuncts per class, and a tenth of the rows is rare, as in figure 2.
    """
    parameters = {"n_samples": 1000, "complexity": 3, "minority_fraction": 0.1} | given
    X, y, clusters = datasets.make_disjunct_grid(**parameters, return_clusters=True, random_state=seed)
    return X, y, clusters


def draw(factor: Factor, value: Any, seed: int, **changed: Any) -> tuple[Floats, Codes]:
    """Return rows and classes at one value of a factor."""
    X, y, _ = disjuncts(seed, **{factor.name: value} | changed)
    return X, y


def _sample(report: Report, factor: Factor, seed: int) -> None:
    figure, grid = panels(len(factor.values), 4 if len(factor.values) > 6 else 3, sharex=True, sharey=True)
    numbers = []
    for ax, value in zip(grid, factor.values, strict=True):
        X, y = draw(factor, value, seed)
        for label, colour in ((0, PALETTE[0]), (1, PALETTE[1])):
            ax.scatter(
                X[y == label][:, 0],
                X[y == label][:, 1],
                s=3 if len(X) < 3000 else 0.5,
                color=colour,
                linewidths=0,
            )
        ax.set_title(f"{factor.label} {value}", fontsize=8)
        numbers.append((value, len(y), int(y.sum())))
    caption = f"Figure {factor.sample}: rows of both classes by {factor.label}."
    header = (factor.label, "rows", "rows of the rare class")
    report.figure(f"figure-{factor.sample:02}", figure, caption, header, numbers)


def _curves(report: Report, factor: Factor, seeds: int, seed: int) -> list[tuple[Any, ...]]:
    """Draw means of all scores, and compare their trends with those of the thesis."""
    found = {
        tree: np.array([score(factor, value, tree, seeds, seed) for value in factor.values]) for tree in TREES
    }
    figure, grid = panels(len(SCORES), sharey=True)
    for at, (ax, name) in enumerate(zip(grid, SCORES, strict=True)):
        for colour, (tree, values) in zip(PALETTE, found.items(), strict=False):
            ax.plot(factor.values, values[:, at], marker="o", markersize=3, color=colour, label=tree)
        ax.set(title=name, xlabel=factor.label, ylim=(0, 1.02))
        if factor.name == "n_samples":
            ax.set_xscale("log", base=2)
    grid[0].legend(frameon=False, fontsize=8)
    numbers = [
        (value, tree, *map(float, found[tree][place]))
        for place, value in enumerate(factor.values)
        for tree in TREES
    ]
    caption = f"Figure {factor.scores}: scores of trees by {factor.label}, means of {seeds} draws."
    report.figure(f"figure-{factor.scores:02}", figure, caption, (factor.label, "tree", *SCORES), numbers)
    rows = []
    for tree, values in found.items():
        for name, sign in factor.signs.items():
            means = values[:, SCORES.index(name)]
            trend = spearman(factor.values, means)
            # A tree that always predicts the common class has no trend.
            without = "no" if np.ptp(means) else f"no: {means[0]:.3f} at every value"
            holds = "yes" if sign * trend > 0.5 else without
            rows.append((factor.scores, factor.says, tree, name, trend, holds))
    return rows


def score(factor: Factor, value: Any, tree: str, seeds: int, seed: int) -> Floats:
    """Return mean accuracy, F1, precision and recall of trees on new rows.

    The new rows have the same distribution as the training rows.
    """
    found = []
    for number in range(seed, seed + seeds):
        X, y = draw(factor, value, 2 * number)
        X_test, y_test = draw(factor, value, 2 * number + 1, n_samples=TEST_ROWS)
        answer = _fit(tree, X, y).predict(X_test)
        of_rare = (
            f(y_test, answer, pos_label=1)
            for f in (metrics.f1_score, metrics.precision_score, metrics.recall_score)
        )
        found.append((metrics.accuracy_score(y_test, answer), *of_rare))
    mean: Floats = np.array(found, dtype=float).mean(axis=0)
    return mean


def _fit(tree: str, X: Floats, y: Codes) -> Any:
    """Fit one of ``TREES``."""
    method, parameters = TREES[tree]
    return _api.fit(X, y, method, positive=1, **parameters)


def _disjuncts(report: Report, seeds: int, seed: int) -> tuple[Any, ...]:
    """Draw figure 4: recall of every disjunct of the rare class by number of training rows."""
    numbers = []
    for number in range(seed, seed + seeds):
        X, y, at = disjuncts(2 * number, interclass=UNEVEN)
        X_test, y_test, test_at = disjuncts(2 * number + 1, n_samples=TEST_ROWS, interclass=UNEVEN)
        answer = _fit(UNPENALIZED, X, y).predict(X_test)
        for disjunct in np.unique(test_at[y_test == 1]):
            own = (y_test == 1) & (test_at == disjunct)
            size = int(((y == 1) & (at == disjunct)).sum())
            numbers.append((number, int(disjunct), size, float((answer[own] == 1).mean())))
    sizes, recalls = (np.array([row[place] for row in numbers], dtype=float) for place in (2, 3))
    figure, (ax,) = panels(1, size=(4.6, 3.2))
    ax.scatter(sizes, recalls, s=14, color=PALETTE[1])
    ax.set(xlabel="rows of the disjunct in training", ylabel="recall of the disjunct", xscale="symlog")
    caption = f"Figure 4: errors at interclass imbalance {UNEVEN:g}, {UNPENALIZED}, {seeds} draws."
    report.figure("figure-04", figure, caption, ("draw", "disjunct", "rows", "recall"), numbers)
    trend = spearman(sizes, recalls)
    conclusion = "errors concentrate in the small disjuncts"
    return (4, conclusion, UNPENALIZED, "recall", trend, "yes" if trend > 0.5 else "no")
