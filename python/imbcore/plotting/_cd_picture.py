"""Critical difference diagrams with matplotlib and as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from imbcore._validation.arguments import name_package_in_errors
from imbcore.plotting._axes import escape_dollar_signs, require_matplotlib
from imbcore.plotting._cd_layout import SIZE, layout_cd_diagram

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike


_SIDES = {"start": "left", "middle": "center", "end": "right"}


def plot_cd(
    average_ranks: ArrayLike,
    names: Sequence[Any],
    cd: float,
    *,
    control: Any = None,
    best: str = "right",
    ax: Axes | None = None,
) -> Axes:
    """Draw a critical difference diagram of average ranks (Demsar 2006).

    Every method is connected to its average rank. The bar above the axis shows the critical difference.
    Without ``control``, the bars below the axis join methods that do not differ significantly.

    Parameters
    ----------
    average_ranks
        Average rank of each method, (n_methods,), from 1 to the number of methods, from
        :func:`imbcore.stats.friedman_test`.
    names
        One name per method.
    cd
        Critical difference of :func:`imbcore.stats.critical_difference`, positive.
    control
        Name of the method with which all others are compared (Bonferroni-Dunn). The bar below the axis
        extends one critical difference to both sides of the rank of this method. Methods outside the bar
        differ significantly from it. ``None``: every method is compared with every other (Nemenyi).
    best
        Side of rank 1: ``"right"`` or ``"left"``.
    ax
        Axes to draw on; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the plot.

    Raises
    ------
    DataError
        Ranks and names differ in number or are fewer than two, or a rank is out of range.
    ParameterError
        ``cd`` is not positive, ``control`` is not one of ``names``, or ``best`` is not a valid value.
    """
    diagram = layout_cd_diagram(average_ranks, names, cd, control, best)
    require_matplotlib("plot_cd", ax)
    if ax is None:
        from matplotlib import pyplot

        size = (diagram.width / 72, diagram.height / 72)
        figure = pyplot.figure(figsize=size)
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    for stroke in diagram.strokes:
        ax.plot(stroke.x, stroke.y, color="black", linewidth=stroke.width, solid_capstyle="butt")
    for word in diagram.words:
        side: Any = _SIDES[word.anchor]
        ax.text(word.x, word.y, escape_dollar_signs(word.text), ha=side, va="baseline", fontsize=SIZE)
    ax.set(xlim=(0, diagram.width), ylim=(diagram.height, 0), aspect="equal")
    ax.axis("off")
    return ax


def export_cd_svg(
    average_ranks: ArrayLike,
    names: Sequence[Any],
    cd: float,
    *,
    control: Any = None,
    best: str = "right",
) -> str:
    """Create the diagram of :func:`plot_cd` as SVG, without matplotlib.

    Parameters, except ``ax``, and errors are those of :func:`plot_cd`.

    Returns
    -------
    str
        An ``<svg>`` element, for an HTML page or a file.

    Examples
    --------
    >>> from imbcore import plotting
    >>> svg = plotting.export_cd_svg([1.2, 2.1, 2.7], ["hddt", "cart", "c45"], 0.8)
    >>> svg.count("<text"), svg.count("<line")
    (7, 16)
    """
    diagram = layout_cd_diagram(average_ranks, names, cd, control, best)
    width, height = f"{diagram.width:g}", f"{diagram.height:g}"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="{SIZE:g}" role="img">'
    )
    lines = [head, "<title>Critical difference diagram</title>"]
    for stroke in diagram.strokes:
        ends = (stroke.x[0], stroke.y[0], stroke.x[1], stroke.y[1])
        x1, y1, x2, y2 = (f"{end:.2f}" for end in ends)
        lines.append(
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="currentColor" '
            f'stroke-width="{stroke.width:g}"/>'
        )
    lines += [
        f'<text x="{word.x:.2f}" y="{word.y:.2f}" text-anchor="{word.anchor}" fill="currentColor">'
        f"{escape(word.text)}</text>"
        for word in diagram.words
    ]
    return "\n".join([*lines, "</svg>"])


name_package_in_errors(globals())
