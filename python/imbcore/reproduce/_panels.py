"""Sheets of small pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from imbcore.plotting._axes import need_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["panels"]


def panels(
    count: int, columns: int = 0, *, size: tuple[float, float] = (3.0, 2.6), **share: Any
) -> tuple[Figure, list[Axes]]:
    """Make a figure of ``count`` axes, row by row; what is left over in the last row stays empty.

    Parameters
    ----------
    count, columns
        Columns 0: all in one row.
    size
        Width and height of one of them in inches.
    **share
        ``sharex`` and ``sharey`` of matplotlib.
    """
    need_matplotlib("reproduce")
    # A figure of its own, not one of pyplot's: nothing to close.
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
