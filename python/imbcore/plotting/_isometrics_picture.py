"""Plots of metrics and split criteria over the ROC square."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from imbcore import metrics
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.values import validate_list, validate_real_number, validate_whole_number
from imbcore.exceptions import ParameterError
from imbcore.plotting._axes import DASHES, PALETTE, QUIET, add_line_legend, require_matplotlib, square_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_isometrics(
    quantity: str | Mapping[str, Any],
    skews: Sequence[float] = (1.0, 10.0, 100.0),
    *,
    levels: int = 5,
    points: int = 201,
    ax: Axes | None = None,
) -> Axes:
    """Draw the contour lines of a metric or split criterion in the ROC square.

    The lines of one skew share a color and lie at equally spaced fractions of the largest value at this skew.
    If the skew only rescales the quantity, the lines of all skews coincide.

    Parameters
    ----------
    quantity
        As in :func:`imbcore.metrics.isometrics`.
    skews
        Numbers of negatives per positive.
    levels
        Number of lines per skew, at least 1.
    points
        Grid points along each axis.
    ax
        Axes to draw on; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the plot.

    Raises
    ------
    ParameterError
        The quantity is unknown, or a number is outside its valid range.
    """
    n_lines = validate_whole_number("levels", levels, 1)
    skews = [validate_real_number("skews", skew) for skew in validate_list("skews", skews)]
    surfaces = [metrics.isometrics(quantity, skew, points=points) for skew in skews]
    ax = square_axes("plot_isometrics", ax)
    ax.plot([0, 1], [0, 1], color=QUIET, linewidth=1, linestyle=":")
    for index, (skew, surface) in enumerate(zip(skews, surfaces, strict=True)):
        heights = np.nanmax(surface.values) * np.arange(1, n_lines + 1) / (n_lines + 1)
        color, dash = PALETTE[index % len(PALETTE)], DASHES[index % len(DASHES)]
        ax.contour(
            surface.fpr,
            surface.tpr,
            np.ma.masked_invalid(surface.values),
            levels=heights,
            colors=color,
            linestyles=[dash],
            linewidths=1.3,
        )
        ax.plot([], [], color=color, linestyle=dash, linewidth=1.8, label=f"{skew:g} to 1")
    name = quantity if isinstance(quantity, str) else str(quantity.get("name"))
    ax.set(xlabel="false positive rate", ylabel="true positive rate (recall)", title=name)
    add_line_legend(ax, "lower right")
    return ax


def plot_roc_3d(
    quantity: str | Mapping[str, Any],
    values: Sequence[float] = (0.25, 0.5, 0.75),
    *,
    slices: Sequence[float] = (0.1, 1.0, 10.0),
    points: int = 61,
    ax: Axes | None = None,
) -> Axes:
    """Draw the level surfaces of a metric or criterion over the ROC square and the class skew.

    The third axis is the logarithm of negatives per positive, from 1:100 to 100:1. Vertical surfaces mean
    that the quantity does not depend on the skew. Each surface is drawn as contour lines at 41 skews; the
    lines at the skews in ``slices`` are emphasized.

    Parameters
    ----------
    quantity
        As in :func:`imbcore.metrics.isometrics`.
    values
        Values of the surfaces.
    slices
        Class ratios (negatives per positive), from 0.01 to 100, whose lines are emphasized.
    points : int, default=61
        Number of grid points along each axis of the square.
    ax
        Axes with three dimensions; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the plot.

    Raises
    ------
    ParameterError
        The quantity is unknown, a number is outside its valid range, or the axes have no third dimension.
    """
    levels = sorted({validate_real_number("values", value) for value in validate_list("values", values)})
    skews = [validate_real_number("slices", skew) for skew in validate_list("slices", slices)]
    if not levels or not all(0.01 <= skew <= 100 for skew in skews):
        raise ParameterError("plot_roc_3d needs at least one value, and slices from 0.01 to 100")
    require_matplotlib("plot_roc_3d", ax)
    if ax is None:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=(5.6, 5.2), layout="constrained")
        ax = figure.add_subplot(projection="3d")
    space: Any = ax
    if not hasattr(space, "set_zlim"):
        raise ParameterError("plot_roc_3d: ax must have three dimensions: add_subplot(projection='3d')")
    colors = [PALETTE[index % len(PALETTE)] for index in range(len(levels))]
    sheets = [(10.0**height, 0.5) for height in np.linspace(-2.0, 2.0, 41)]
    for skew, width in [*sheets, *((skew, 2.0) for skew in skews)]:
        surface = metrics.isometrics(quantity, skew, points=points)
        shown = np.ma.masked_invalid(surface.values)
        if not any(shown.min() < level < shown.max() for level in levels):
            continue
        grid = np.meshgrid(surface.fpr, surface.tpr)
        height = float(np.log10(skew))
        space.contour(*grid, shown, levels=levels, zdir="z", offset=height, colors=colors, linewidths=width)
    for level, color in zip(levels, colors, strict=True):
        space.plot([], [], [], color=color, label=f"{level:g}")
    name = quantity if isinstance(quantity, str) else str(quantity.get("name"))
    space.set(xlim=(0, 1), ylim=(0, 1), zlim=(-2, 2), title=name)
    space.set(
        xlabel="false positive rate", ylabel="true positive rate", zlabel="log10 negatives per positive"
    )
    space.legend(loc="upper left", frameon=False, fontsize=8.5)
    return ax


name_package_in_errors(globals())
