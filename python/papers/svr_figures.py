"""Zhu, Li and Dunson 2021, figures 1 and 2: regions of CART, pruned CART and an SVR-Tree.

Common rows lie anywhere in the unit square, 32 times fewer rare ones in a square in its middle; a rare row
weighs 32. How far each region is from the true one is averaged over many draws, for several numbers of rare
rows. The text of the paper gives the weight; the copy at hand lacks the rest of its example, which is ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from paper_output import keep, keep_figure, markdown, options

from imbcore import CARTClassifier, CARTClassifierCV, SVRTreeClassifier, SVRTreeCV, plotting

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


def main() -> None:
    """Write the table of many draws and the two pictures of the first."""
    chosen = options(__doc__, runs=25)
    found = np.array([[run(size, chosen.seed + at) for at in range(chosen.runs)] for size in SIZES])
    keep(chosen.output, "svr_figures", report(found))
    X, y = draw(SHOWN, chosen.seed)
    keep_figure(chosen.output, "svr_regions", regions(X, y))
    keep_figure(chosen.output, "svr_ratios", ratios(X, y))


def draw(n_rare: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Draw common rows from the square and rare ones from its middle."""
    rng = np.random.default_rng(seed)
    common = rng.uniform(0, 1, (WEIGHT * n_rare, 2))
    rare = rng.uniform(TRUE[0, :, 0], TRUE[0, :, 1], (n_rare, 2))
    return np.concatenate([common, rare]), np.repeat([0, 1], [len(common), n_rare])


def boxes_of(model: Any) -> Boxes:
    """Boxes in which a fitted tree answers the rare class, cut to the unit square."""
    return np.clip(model.model_.decision_boxes(1), 0, 1)


def cells(boxes: Boxes, lines: list[NDArray[np.float64]]) -> NDArray[np.bool_]:
    """Tell which cells between the grid lines belong to any box; all bounds are among the lines."""
    inside = np.zeros([len(line) - 1 for line in lines], dtype=bool)
    for box in boxes:
        inside[tuple(slice(*np.searchsorted(*pair)) for pair in zip(lines, box, strict=True))] = True
    return inside


def shape(boxes: Boxes) -> tuple[float, float, float]:
    """Surface and volume of a union of boxes, and the area by which it differs from the true region."""
    lines = [np.unique([0, 1, *boxes[:, axis].ravel(), *TRUE[:, axis].ravel()]) for axis in range(2)]
    inside, sides = cells(boxes, lines), [np.diff(line) for line in lines]
    areas = np.outer(*sides)
    edges = [abs(np.diff(np.pad(inside, 1).astype(int), axis=axis)) for axis in range(2)]
    surface = edges[0][:, 1:-1].sum(axis=0) @ sides[1] + edges[1][1:-1].sum(axis=1) @ sides[0]
    return float(surface), float(areas[inside].sum()), float(areas[inside != cells(TRUE, lines)].sum())


def run(n_rare: int, seed: int) -> list[list[float]]:
    """Leaves, surface, volume and wrong area of every method's tree of one draw."""
    models = [make().fit(*draw(n_rare, seed)) for make in METHODS.values()]
    return [[model.model_.n_leaves_, *shape(boxes_of(model))] for model in models]


def report(found: NDArray[np.float64]) -> str:
    """Write means over the draws, (n_sizes, n_runs, n_methods, 4), and how often each tree is nearest."""
    rows = []
    for size, of_size in zip(SIZES, found, strict=True):
        means = of_size.mean(axis=0)
        nearest = np.bincount(of_size[:, :, -1].argmin(axis=1), minlength=len(METHODS))
        rows += [
            (str(size), name, f"{leaves:.1f}", surface, volume, wrong, str(wins))
            for name, (leaves, surface, volume, wrong), wins in zip(
                METHODS, means.tolist(), nearest, strict=True
            )
        ]
    rows.append(("", "true region", "", *shape(TRUE), ""))
    header = ("rare rows", "tree", "leaves", "surface", "volume", "wrong area", "nearest to the true region")
    return f"# Regions for the rare class, means of {found.shape[1]} draws\n\n{markdown(header, rows)}"


def regions(X: NDArray[np.float64], y: NDArray[np.int64]) -> Any:
    """Draw each tree's region among the rows, and how many leaves it took."""
    return pictures(X, y, {"X": X, "y": y}, lambda model: f"{model.model_.n_leaves_} leaves")


def ratios(X: NDArray[np.float64], y: NDArray[np.int64]) -> Any:
    """Draw each tree's region alone, with its surface-to-volume ratio."""

    def ratio(model: Any) -> str:
        surface, volume, _ = shape(boxes_of(model))
        return f"{surface:.1f} / {volume:.2f} = {surface / volume:.0f}"

    return pictures(X, y, {}, ratio)


def pictures(X: Any, y: Any, points: dict[str, Any], about: Callable[[Any], str]) -> Any:
    """Draw a panel a tree, the true region dashed; ``about`` says what its title tells."""
    from matplotlib import pyplot
    from matplotlib.patches import Rectangle

    figure, panels = pyplot.subplots(1, len(DRAWN), figsize=(9, 3.4), sharey=True, layout="constrained")
    (left, right), (low, high) = TRUE[0]
    for ax, name in zip(panels, DRAWN, strict=True):
        model = METHODS[name]().fit(X, y)
        plotting.plot_decision_set(model, ax=ax, **points)
        ax.add_patch(Rectangle((left, low), right - left, high - low, fill=False, linestyle="--"))
        ax.set(
            title=f"{name}: {about(model)}", xlabel="", ylabel="", xlim=(0, 1), ylim=(0, 1), aspect="equal"
        )
    return figure


if __name__ == "__main__":
    main()
