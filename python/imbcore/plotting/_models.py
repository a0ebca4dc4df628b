"""Plots and text output of fitted models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from imbcore._bindings.fitted import fitted_model
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.values import validate_flag, validate_positive_number
from imbcore.plotting._axes import PALETTE, QUIET, escape_dollar_signs, require_matplotlib
from imbcore.plotting._box_picture import draw_boxes_in_two_features, draw_parallel, draw_trade_off
from imbcore.plotting._region_picture import RegionPicture
from imbcore.plotting._tree_picture import FONT_SIZE, TreePicture

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def export_text(
    model: Any,
    *,
    max_depth: int | None = None,
    decimals: int = 3,
    show_weights: bool = False,
    positive: Any = None,
) -> str:
    """Format a fitted tree as indented text.

    Parameters
    ----------
    model
        Fitted model or estimator.
    max_depth
        Maximum depth that is written; ``None`` writes all.
    decimals
        Digits after the decimal point in thresholds and fractions.
    show_weights
        Whether to write the weight of every class at each leaf.
    positive
        Class whose probability, lift and recall are written at each leaf; ``None``: the positive class of
        the model. The recall of a leaf is the fraction of all training rows of this class that are in the
        leaf, whatever class the leaf predicts.

    Returns
    -------
    str
        One line per node.
    """
    return fitted_model(model, "export_text", "export_text").export_text(
        max_depth=max_depth, decimals=decimals, show_weights=show_weights, positive=positive
    )


def export_dot(model: Any, *, max_depth: int | None = None, decimals: int = 3) -> str:
    """Write a fitted tree in the DOT language of Graphviz.

    Parameters
    ----------
    model
        Fitted model or estimator.
    max_depth
        Maximum depth that is written; ``None`` writes all.
    decimals
        Digits after the decimal point in thresholds and fractions.

    Returns
    -------
    str
        A ``digraph``.
    """
    return fitted_model(model, "export_dot", "to_dot").to_dot(max_depth=max_depth, decimals=decimals)


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

    Every node is a box with the condition in bold (at a leaf, the predicted class), the number of training
    rows, and a bar of the weighted class proportions. A box is darker if its proportion of the positive class
    is larger, and a thicker line between two boxes means more rows.

    Parameters
    ----------
    model
        Fitted model or estimator.
    ax
        Axes to draw on; ``None`` creates a figure large enough for the tree.
    max_depth
        Maximum depth that is drawn. A box at this depth shows how many nodes below it are not drawn.
    feature_names
        Names to show instead of the feature names of the model, one per feature.
    class_names
        Names to show instead of the class labels, one per class.
    filled
        Whether to fill the boxes by the proportion of the positive class.
    fontsize
        Font size in points; ``None`` is 9 in a new figure, and the size that fits a given ``ax``.

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
    require_matplotlib("plot_tree", ax)
    picture = TreePicture(
        fitted_model(model, "plot_tree", "nodes"),
        max_depth=max_depth,
        feature_names=feature_names,
        class_names=class_names,
    )
    filled = validate_flag("plot_tree: filled", filled)
    if fontsize is not None:
        fontsize = validate_positive_number("plot_tree: fontsize", fontsize, 1e3)
    if ax is None:
        from matplotlib import pyplot

        fontsize = FONT_SIZE if fontsize is None else fontsize
        ax = pyplot.figure(figsize=picture.size(fontsize)).add_axes((0.0, 0.0, 1.0, 1.0))
    return picture.draw(ax, filled=filled, fontsize=fontsize)


@match_rows_by_index
def plot_boxes(
    model: Any,
    features: Sequence[int | str] | None = None,
    *,
    X: Any = None,
    y: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the boxes of a box model.

    If two ``features`` are given, every box is a rectangle; its conditions on other features are not shown.
    Otherwise every box is a band over parallel axes, one axis per numeric feature that varies in training. A
    side of a box without a bound is drawn slightly outside the training range.

    Parameters
    ----------
    model
        Fitted model or estimator.
    features
        Two names or positions of numeric features; ``None`` draws parallel axes.
    X, y
        Table and labels of rows to draw as points beneath the rectangles, with the columns of the model; both
        are needed. Without ``features`` no points are drawn.
    ax
        Axes to draw on; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the plot.

    Raises
    ------
    ParameterError
        The feature is unknown.
    DataError
        One of ``features`` is nominal or has no values in training; or ``features`` is None and no numeric
        feature varies; or ``X`` does not have the columns of the model.
    UnsupportedError
        The model is not a box model.
    """
    require_matplotlib("plot_boxes", ax)
    found = fitted_model(model, "plot_boxes", "box_bounds")
    if ax is None:
        from matplotlib import pyplot

        size = (4.8, 4.8) if features is not None else (7.0, 3.6)
        ax = pyplot.subplots(figsize=size, layout="constrained")[1]
    if features is None:
        return draw_parallel(found, ax, PALETTE)
    return draw_boxes_in_two_features(found, ax, features, X, y, PALETTE)


def plot_trade_off(model: Any, box: int = 0, *, ax: Axes | None = None) -> Axes:
    """Draw fraction of positives against coverage for every step in which PRIM peels a box.

    Parameters
    ----------
    model
        Fitted model or estimator of PRIM.
    box
        Index of the box.
    ax
        Axes to draw on; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the drawing; the chosen box is marked.

    Raises
    ------
    ParameterError
        The box does not exist.
    UnsupportedError
        The model was not fitted by PRIM.
    """
    require_matplotlib("plot_trade_off", ax)
    found = fitted_model(model, "plot_trade_off", "trajectories")
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(figsize=(4.8, 3.8), layout="constrained")[1]
    return draw_trade_off(found, ax, box, PALETTE)


@match_rows_by_index
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
    """Draw the region that a single tree predicts as a class, in two of its features.

    Each box of the region is a rectangle. With more than two features, the rectangle is the projection of the
    box. Unless ``at`` fixes all other features, projections may overlap and are darker there.

    Parameters
    ----------
    model
        Fitted model or estimator of a single tree.
    features
        Two numeric features, by name or position.
    label
        Class whose region is drawn; ``None`` uses the positive class.
    at
        Fixed values of other features, by name or position. Only boxes that contain all of these values are
        drawn.
    X, y
        Rows to draw as points, as in ``fit``: rows of the class are filled points, other rows are circles.
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
        A feature or the label is unknown, or the features are not two different numeric features.
    """
    found = fitted_model(model, "plot_decision_set", "decision_boxes")
    require_matplotlib("plot_decision_set", ax)
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
    ax.set_title(escape_dollar_signs(f"predicted as {label}"))
    return ax


name_package_in_errors(globals())
