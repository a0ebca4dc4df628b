"""Grids of small plots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from imbcore.plotting._axes import require_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["panels"]


def panels(
    count: int, columns: int = 0, *, size: tuple[float, float] = (3.0, 2.6), **share: Any
) -> tuple[Figure, list[Axes]]:
    """Create a figure of ``count`` axes, row by row; unused places of the last row stay empty.

    Parameters
    ----------
    count, columns
        ``columns=0`` puts all in one row.
    size
        Width and height of one plot in inches.
    **share
        ``sharex`` and ``sharey`` of matplotlib.
    """
    require_matplotlib("reproduce")
    # Not a pyplot figure, so it need not be closed.
    from matplotlib.figure import Figure

    columns = columns or count
    rows = -(-count // columns)
    figure = Figure(figsize=(size[0] * columns, size[1] * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, **share).ravel()
    for ax in grid[count:]:
        ax.set_visible(False)
    for ax in grid:
        ax.spines[["top", "right"]].set_visible(False)
    return figure, list(grid[:count])
