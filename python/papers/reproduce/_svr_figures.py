"""Zhu, Li and Dunson 2021, figures 1 and 2: regions of CART, pruned CART and an SVR-Tree.

Common rows lie anywhere in the unit square, and 32 times fewer rare ones in a square in its middle; a rare
row has weight 32. The difference of each region from the true one is averaged over many draws, for several
numbers of rare rows. The weight is from the paper; the rest of the example is ours, because the
available copy of the paper lacks it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore import plotting
from imbcore.trees import CARTClassifier, CARTClassifierCV, SVRTreeClassifier, SVRTreeCV
from reproduce._experiment import Experiment, Settings
from reproduce._report import Cell, Report
from reproduce._svr_checks import consistency, redundant_features

__all__ = ["EXPERIMENTS"]

WEIGHT = 32
SIZES = (5, 10, 20, 50)
SHOWN = 10
TRUE = np.array([[[0.25, 0.75], [0.25, 0.75]]])
METHODS: dict[str, Callable[[], Any]] = {
    "CART": lambda: CARTClassifier(class_weight={0: 1, 1: WEIGHT}),
    "CART, pruned": lambda: CARTClassifierCV(class_weight={0: 1, 1: WEIGHT}, scoring="f1"),
    "SVR-Tree": lambda: SVRTreeCV(minority_weight=WEIGHT, scale="none", scoring="f1"),
    "SVR-Tree, default penalty": lambda: SVRTreeClassifier(minority_weight=WEIGHT, scale="none"),
}
DRAWN = tuple(METHODS)[:3]
Boxes = NDArray[np.float64]


def figures(settings: Settings) -> Report:
    """Report average regions over many draws, draw those of the first, and check the theory."""
    report = Report("svr-figures", TITLE, quick=settings.quick)
    report.heading("Figures 1 and 2: regions for the rare class")
    runs = settings.repeats(25, 5)
    sizes = SIZES[:2] if settings.quick else SIZES
    beside_truth(
        report, np.array([[run(size, settings.seed + at) for at in range(runs)] for size in sizes]), sizes
    )
    X, y = draw(SHOWN, settings.seed)
    models = {name: METHODS[name]().fit(X, y) for name in DRAWN}
    table = [(name, model.model_.n_leaves_, *shape(boxes_of(model))) for name, model in models.items()]
    header = ("tree", "leaves", "surface", "volume", "wrong area")
    caption = f"Regions of one draw with {SHOWN} rare rows; dashed: the true region."
    report.figure("svr_regions", pictures(models, {"X": X, "y": y}, _leaves), caption, header, table)
    caption = "The same regions with their surface-to-volume ratios."
    report.figure("svr_ratios", pictures(models, {}, _ratio), caption, header, table)
    redundant_features(report, settings)
    consistency(report, settings)
    return report


def draw(n_rare: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Draw common rows from the square and rare ones from its middle."""
    rng = np.random.default_rng(seed)
    common = rng.uniform(0, 1, (WEIGHT * n_rare, 2))
    rare = rng.uniform(TRUE[0, :, 0], TRUE[0, :, 1], (n_rare, 2))
    return np.concatenate([common, rare]), np.repeat([0, 1], [len(common), n_rare])


def boxes_of(model: Any) -> Boxes:
    """Return the boxes in which a tree predicts the rare class, clipped to the unit square."""
    return np.asarray(np.clip(model.model_.decision_boxes(1), 0, 1))


def cells(boxes: Boxes, lines: list[NDArray[np.float64]]) -> NDArray[np.bool_]:
    """Mark the cells between the grid lines that belong to any box.

    All bounds of the boxes are among the lines.
    """
    inside = np.zeros([len(line) - 1 for line in lines], dtype=bool)
    for box in boxes:
        inside[tuple(slice(*np.searchsorted(*pair)) for pair in zip(lines, box, strict=True))] = True
    return inside


def shape(boxes: Boxes) -> tuple[float, float, float]:
    """Return the surface, volume and wrong area of a union of boxes.

    The wrong area is the area of its difference from the true region.
    """
    lines = [np.unique([0, 1, *boxes[:, axis].ravel(), *TRUE[:, axis].ravel()]) for axis in range(2)]
    inside, sides = cells(boxes, lines), [np.diff(line) for line in lines]
    areas = np.outer(*sides)
    edges = [abs(np.diff(np.pad(inside, 1).astype(int), axis=axis)) for axis in range(2)]
    surface = edges[0][:, 1:-1].sum(axis=0) @ sides[1] + edges[1][1:-1].sum(axis=1) @ sides[0]
    return float(surface), float(areas[inside].sum()), float(areas[inside != cells(TRUE, lines)].sum())


def run(n_rare: int, seed: int) -> list[list[float]]:
    """Return leaves, surface, volume and wrong area of every method's tree on one draw."""
    models = [make().fit(*draw(n_rare, seed)) for make in METHODS.values()]
    return [[model.model_.n_leaves_, *shape(boxes_of(model))] for model in models]


def beside_truth(report: Report, found: NDArray[np.float64], sizes: tuple[int, ...]) -> None:
    """Add means over the draws, and how often each tree is closest to the true region.

    The shape of ``found`` is (n_sizes, n_runs, n_methods, 4).
    """
    table: list[list[Cell]] = []
    for size, of_size in zip(sizes, found, strict=True):
        nearest = np.bincount(of_size[:, :, -1].argmin(axis=1), minlength=len(METHODS))
        for name, means, wins in zip(METHODS, of_size.mean(axis=0).tolist(), nearest.tolist(), strict=True):
            table.append([size, name, *means, wins])
    table.append([None, "true region", None, *shape(TRUE), None])
    header = ("rare rows", "tree", "leaves", "surface", "volume", "wrong area", "closest to the true region")
    report.table(f"Regions for the rare class, means of {found.shape[1]} draws", header, table)


def _leaves(model: Any) -> str:
    return f"{model.model_.n_leaves_} leaves"


def _ratio(model: Any) -> str:
    surface, volume, _ = shape(boxes_of(model))
    return f"{surface:.1f} / {volume:.2f} = {surface / volume:.0f}" if volume else "no region"


def pictures(models: dict[str, Any], points: dict[str, Any], about: Callable[[Any], str]) -> Any:
    """Draw one panel per tree, with the true region dashed.

    ``about`` returns a note for the title of a panel.
    """
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    figure = Figure(figsize=(9, 3.4), layout="constrained")
    panels = figure.subplots(1, len(models), sharey=True)
    (left, right), (low, high) = TRUE[0]
    for ax, (name, model) in zip(panels, models.items(), strict=True):
        plotting.plot_decision_set(model, ax=ax, **points)
        ax.add_patch(Rectangle((left, low), right - left, high - low, fill=False, linestyle="--"))
        ax.set(
            title=f"{name}: {about(model)}", xlabel="", ylabel="", xlim=(0, 1), ylim=(0, 1), aspect="equal"
        )
    return figure


TITLE = "Zhu, Li and Dunson 2021, figures 1 and 2, and its theory by simulation"
EXPERIMENTS = (Experiment("svr-figures", TITLE, figures),)
