"""Shared helpers of all plots: colors, axes, and the error without matplotlib."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from imbcore.exceptions import ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

# Palette of Okabe and Ito, distinguishable with all common types of color vision; black is for text.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#8C8C8C")
# Color of background elements: chance levels, other rows.
QUIET = "#767676"
DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1, 1)),
    (0, (5, 1.5, 1, 1.5)),
    (0, (8, 2)),
    (0, (3, 1, 1, 1)),
    "-",
)

# With more lines, or longer names, the legend goes below the axes.
MOST_INSIDE, LONGEST_INSIDE = 4, 40


def shorten_name(name: str, length: int = 32) -> str:
    """Shorten a name for a plot: one line, with the middle left out if it is long."""
    text = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in name)
    if len(text) <= length:
        return text
    return text[: (length - 1) // 2] + "…" + text[len(text) - length // 2 :]


def require_matplotlib(caller: str, ax: Any = None) -> None:
    """Raise if matplotlib is missing, or if ``ax`` is not an Axes."""
    try:
        importlib.import_module("matplotlib")
    except ImportError as error:
        raise ImportError(
            f"{caller} draws with matplotlib; install it with: pip install 'imbcore[plot]'"
        ) from error
    if ax is not None and not hasattr(ax, "transAxes"):
        several = "; use one of them" if hasattr(ax, "__len__") else ""
        raise ParameterError(f"{caller}: ax must be axes of Matplotlib, got a {type(ax).__name__}{several}")


def escape_dollar_signs(text: Any) -> str:
    """Escape dollar signs, which matplotlib would interpret as a formula."""
    return str(text).replace("$", r"\$")


def square_axes(caller: str, ax: Axes | None) -> Axes:
    """Return square axes without top and right frame."""
    require_matplotlib(caller, ax)
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(figsize=(4.8, 4.8), layout="constrained")[1]
    ax.set_aspect("equal")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def line(ax: Axes, index: int, x: ArrayLike, y: ArrayLike, label: str, steps: str = "default") -> None:
    """Draw a line with the color and dashes of its index."""
    # A repeated color gets different dashes.
    color, dash = PALETTE[index % len(PALETTE)], DASHES[(index + index // len(PALETTE)) % len(DASHES)]
    ax.plot(
        x,
        y,
        color=color,
        linestyle=dash,
        linewidth=1.8,
        label=escape_dollar_signs(label.strip()),
        drawstyle=steps,
    )


def add_line_legend(ax: Axes, where: str, end: float = 1.0) -> None:
    """Add a legend in the colors of the lines, on axes from 0 to ``end``."""
    ax.set(xlim=(-0.01 * end, 1.01 * end), ylim=(-0.01 * end, 1.01 * end))
    style: dict[str, Any] = {"edgecolor": "none", "fontsize": 8.5, "handlelength": 2.2}
    longest = max(len(str(line.get_label())) for line in ax.get_lines())
    if len(ax.get_legend_handles_labels()[1]) > MOST_INSIDE or longest > LONGEST_INSIDE:
        legend = ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), frameon=False, **style)
    else:
        legend = ax.legend(loc=where, frameon=False, **style)
    for text, line in zip(legend.get_texts(), legend.get_lines(), strict=True):
        text.set_color(line.get_color())
