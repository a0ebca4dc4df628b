"""Pictures and texts of fitted models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from imbcore._border.fitted import fitted_model
from imbcore._input.labelled import rows_by_index
from imbcore._input.values import flag, positive_number
from imbcore.plotting._axes import PALETTE, QUIET, literal, need_matplotlib
from imbcore.plotting._box_picture import draw_pair, draw_parallel, draw_trade_off
from imbcore.plotting._region_picture import RegionPicture
from imbcore.plotting._tree_picture import FONT_SIZE, TreePicture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "export_dot",
    "export_text",
    "plot_boxes",
    "plot_decision_set",
    "plot_trade_off",
    "plot_tree",
]


def export_text(
    model: Any,
    *,
    max_depth: int | None = None,
    decimals: int = 3,
    show_weights: bool = False,
    positive: Any = None,
) -> str:
    """Write a fitted tree as indented text.

    Parameters
    ----------
    model
        Fitted model or estimator.
    max_depth
        Deepest layer that is written; ``None`` writes all.
    decimals
        Digits after the point in thresholds and shares.
    show_weights
        Also write the weight of every class at the leaves.
    positive
        Class that the leaves speak of; ``None`` takes that of the model.

    Returns
    -------
    str
        One line a node.
    """
    text: str = fitted_model(model, "export_text", "export_text").export_text(
        max_depth=max_depth, decimals=decimals, show_weights=show_weights, positive=positive
    )
    return text


def export_dot(model: Any, *, max_depth: int | None = None, decimals: int = 3) -> str:
    """Write a fitted tree in the DOT language of Graphviz.

    Parameters
    ----------
    model
        Fitted model or estimator.
    max_depth
        Deepest layer that is written; ``None`` writes all.
    decimals
        Digits after the point in thresholds and shares.

    Returns
    -------
    str
        A ``digraph``.
    """
    dot: str = fitted_model(model, "export_dot", "to_dot").to_dot(max_depth=max_depth, decimals=decimals)
    return dot


def plot_tree(
    model: Any,
    ax: Axes | None = None,
    *,
    max_depth: int | None = None,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    filled: bool = True,
    fontsize: float | None = None,
) -> Axes:
    """Draw a fitted tree.

    Every box shows the condition (in bold; at a leaf the predicted class), the rows that reached it in
    training, the weighted class shares as a bar, and is filled the darker the larger the share of the
    rare class, the class with the least training weight. Lines are the thicker the more rows took them.

    Parameters
    ----------
    model
        Fitted model or estimator.
    ax
        Where to draw; ``None`` makes a figure large enough for the tree.
    max_depth
        Deepest layer that is drawn; boxes cut off there say how many nodes follow.
    feature_names
        Names to show instead of the model's, one per feature.
    class_names
        Names to show instead of the class labels, one per class.
    filled
        Fill the boxes by the share of the rare class.
    fontsize
        In points; ``None`` is 9 in a new figure, and what fits in a given ``ax``.

    Returns
    -------
    Axes
        The axes with the drawing; ``.figure.savefig("tree.svg")`` writes it to a file.

    Raises
    ------
    ParameterError
        A list of names has the wrong length.
    sklearn.exceptions.NotFittedError
        The estimator is not fitted.
    ImportError
        matplotlib is not installed.
    """
    need_matplotlib("plot_tree", ax)
    picture = TreePicture(
        fitted_model(model, "plot_tree", "nodes"),
        max_depth=max_depth,
        feature_names=feature_names,
        class_names=class_names,
    )
    filled = flag("plot_tree: filled", filled)
    if fontsize is not None:
        fontsize = positive_number("plot_tree: fontsize", fontsize, 1e3)
    if ax is None:
        from matplotlib import pyplot

        fontsize = FONT_SIZE if fontsize is None else fontsize
        ax = pyplot.figure(figsize=picture.size(fontsize)).add_axes((0.0, 0.0, 1.0, 1.0))
    return picture.draw(ax, filled=filled, fontsize=fontsize)


@rows_by_index
def plot_boxes(
    model: Any,
    features: Sequence[int | str] | None = None,
    *,
    X: Any = None,
    y: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the boxes of a box drawing.

    With two features every box is a rectangle, whatever it asks of the other features; without, every box is
    a band over parallel axes, one a numeric feature that varies in training. A side without a bound reaches
    over the edge.

    Parameters
    ----------
    model
        Fitted model or estimator.
    features
        Two names or positions of numeric features; ``None`` draws parallel axes.
    X, y
        Table of numbers and labels to draw as points beneath rectangles; ``None`` draws none.
    ax
        Axes to draw on; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the plot.

    Raises
    ------
    ParameterError
        There is no such feature.
    DataError
        A feature is nominal, or none varies.
    UnsupportedError
        The model is no box drawing.
    """
    need_matplotlib("plot_boxes", ax)
    found = fitted_model(model, "plot_boxes", "box_bounds")
    if ax is None:
        from matplotlib import pyplot

        size = (4.8, 4.8) if features is not None else (7.0, 3.6)
        ax = pyplot.subplots(figsize=size, layout="constrained")[1]
    if features is None:
        return draw_parallel(found, ax, PALETTE)
    return draw_pair(found, ax, features, X, y, PALETTE)


def plot_trade_off(model: Any, box: int = 0, *, ax: Axes | None = None) -> Axes:
    """Draw how the share of the class rises and its coverage falls while PRIM peels a box.

    Parameters
    ----------
    model
        Fitted model or estimator of PRIM.
    box
        Position of the box.
    ax
        Axes to draw on; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the drawing; the chosen box is marked.

    Raises
    ------
    ParameterError
        There is no such box.
    UnsupportedError
        The model is not one of PRIM.
    """
    need_matplotlib("plot_trade_off", ax)
    found = fitted_model(model, "plot_trade_off", "trajectories")
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(figsize=(4.8, 3.8), layout="constrained")[1]
    return draw_trade_off(found, ax, box, PALETTE)


@rows_by_index
def plot_decision_set(
    model: Any,
    features: Sequence[Any] = (0, 1),
    *,
    label: Any = None,
    at: Mapping[Any, Any] | None = None,
    X: Any = None,
    y: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the region that a single tree answers with a class, in two of its features.

    Each box of the region is a rectangle. With more than two features it is the shadow of its box, and darker
    where shadows lie on each other, unless ``at`` says where to cut.

    Parameters
    ----------
    model
        Fitted model or estimator of a single tree.
    features
        Two numeric features, by name or position.
    label
        Class whose region is drawn; ``None`` takes the positive class.
    at
        Values of other features, by name or position: only boxes that hold them are drawn.
    X, y
        Rows to draw as points, as in ``fit``: those of the class filled, others as rings.
    ax
        Axes to draw on; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the plot.

    Raises
    ------
    UnsupportedError
        The model is not a single tree.
    ParameterError
        A feature or label that the model does not know, or features that are not two different numeric ones.
    """
    found = fitted_model(model, "plot_decision_set", "decision_boxes")
    need_matplotlib("plot_decision_set", ax)
    label = found.positive_ if label is None else label
    picture = RegionPicture(found, label, features, {} if at is None else at, X)
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(figsize=(4.8, 4.8), layout="constrained")[1]
    picture.draw(ax, PALETTE[1])
    if picture.points is not None:
        hit = np.zeros(len(picture.points), dtype=bool) if y is None else np.asarray(y) == label
        (x0, y0), (x1, y1) = picture.points[~hit].T, picture.points[hit].T
        ax.scatter(x0, y0, s=9, facecolors="none", edgecolors=QUIET, linewidths=0.7)
        ax.scatter(x1, y1, s=14, color=PALETTE[0], linewidths=0)
    ax.set_title(literal(f"answered with {label}"))
    return ax
