"""Plots of Bayesian networks; the public function is in :mod:`imbcore.plotting`."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from imbcore._bindings import native
from imbcore._bindings.fitted import fitted_model
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_positive_number, validate_text
from imbcore.exceptions import ParameterError, UnsupportedError
from imbcore.plotting._axes import PALETTE, escape_dollar_signs, require_matplotlib
from imbcore.plotting._layered_layout import LayeredLayout, layout_layers

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# In inches, at the default font size: height of a box, distance between layers and between boxes.
_FONT_SIZE = 9.0
_HEIGHT = 0.27
_LAYER = 0.85
_GAP = 0.18
_PADDING = 0.09
_THINNEST, _THICKEST = 0.7, 4.0
_INK, _QUIET = "#404040", "#B0B0B0"

Arc = tuple[str, str]


def plot_network(
    network: Any,
    ax: Axes | None = None,
    *,
    around: str | None = None,
    strengths: Mapping[Arc, float] | None = None,
    fontsize: float | None = None,
) -> Axes:
    """Draw the graph of a Bayesian network, parents above their children.

    Parameters
    ----------
    network
        A :class:`imbcore.BayesianNetwork`, or a fitted Bayesian classifier; of an ensemble the first network.
    ax
        Axes to draw on; ``None`` creates a figure large enough for the graph.
    around
        Draw only this variable and its Markov blanket: parents, children and the children's other parents.
    strengths
        Strength by arc, from :meth:`imbcore.BayesianNetwork.arc_strengths`, shown as line width. Arcs of
        strength 0 or less, whose removal does not lower the score, are dashed.
    fontsize
        Font size in points; ``None`` is 9 in a new figure, and the size that fits a given ``ax``.

    Returns
    -------
    Axes
        The axes with the drawing; ``.figure.savefig("network.svg")`` writes it to a file.

    Raises
    ------
    ParameterError
        The variable or an arc is unknown.
    UnsupportedError
        The model is not a Bayesian classifier.
    ImportError
        matplotlib is not installed.
    """
    require_matplotlib("plot_network", ax)
    if not hasattr(network, "variables"):
        model = fitted_model(network, "plot_network")
        if not isinstance(model._native, native.models.NetworkModel):
            raise UnsupportedError(
                f"plot_network: a model of method {model.method!r} is not a Bayesian classifier"
            )
        return model.plot(ax, around=around, strengths=strengths, fontsize=fontsize)
    nodes, arcs = list(network.variables), list(network.arcs)
    if fontsize is not None:
        fontsize = validate_positive_number("plot_network: fontsize", fontsize, 1e3)
    if strengths is not None:
        if not isinstance(strengths, Mapping):
            raise ParameterError(
                f"plot_network: strengths must be a dict by arc, got {value_text(strengths)}"
            )
        unknown = [arc for arc in strengths if arc not in set(arcs)]
        if unknown:
            raise ParameterError(
                f"plot_network: strengths has {unknown[0]!r}, which is not an arc of the network"
            )
    if around is not None:
        around = validate_text("plot_network: around", around)
        kept = {around, *network.markov_blanket(around)}
        nodes = [node for node in nodes if node in kept]
        arcs = [(start, end) for start, end in arcs if start in kept and end in kept]
    widths = {node: _box_width(node) for node in nodes}
    layout = layout_layers(nodes, arcs, widths, _GAP)
    size = (layout.width + 2 * _GAP, (layout.n_layers - 1) * _LAYER + _HEIGHT + 2 * _GAP)
    if ax is None:
        from matplotlib import pyplot

        scale = (fontsize or _FONT_SIZE) / _FONT_SIZE
        ax = pyplot.figure(figsize=(size[0] * scale, size[1] * scale)).add_axes((0.0, 0.0, 1.0, 1.0))
    ax.set(xlim=(-_GAP, size[0] - _GAP), ylim=(-(size[1] - _HEIGHT / 2 - _GAP), _HEIGHT / 2 + _GAP))
    ax.set_aspect("equal")
    ax.set_axis_off()
    if fontsize is None:
        box = ax.get_window_extent()
        dots = ax.figure.dpi
        fontsize = _FONT_SIZE * min(1.5, box.width / dots / size[0], box.height / dots / size[1])
    _draw_arcs(ax, layout, arcs, widths, strengths, fontsize / _FONT_SIZE)
    for node in nodes:
        _draw_node(
            ax, node, layout.x[node], -_LAYER * layout.layer[node], widths[node], fontsize, node == around
        )
    return ax


def _box_width(name: str) -> float:
    """Return the width of a box in inches, at the default font size."""
    from matplotlib.textpath import TextPath

    text = (
        TextPath((0.0, 0.0), escape_dollar_signs(name), size=_FONT_SIZE).get_extents().width / 72
        if name.strip()
        else 0.0
    )
    return max(float(text), _HEIGHT) + 2 * _PADDING


def _draw_node(ax: Axes, name: str, x: float, y: float, width: float, fontsize: float, chosen: bool) -> None:
    from matplotlib.patches import FancyBboxPatch

    box = FancyBboxPatch(
        (x - width / 2, y - _HEIGHT / 2),
        width,
        _HEIGHT,
        boxstyle=f"round,pad=0,rounding_size={_HEIGHT / 3}",
        facecolor="#FBE3D0" if chosen else "white",
        edgecolor=PALETTE[1] if chosen else _INK,
        linewidth=1.0,
        zorder=3,
    )
    box.set_gid(f"variable {name}")
    ax.add_patch(box)
    ax.text(x, y, escape_dollar_signs(name), ha="center", va="center", fontsize=fontsize, zorder=4)


def _draw_arcs(
    ax: Axes,
    layout: LayeredLayout,
    arcs: list[Arc],
    widths: Mapping[str, float],
    strengths: Mapping[Arc, float] | None,
    scale: float,
) -> None:
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    strongest = max([0.0, *(strengths or {}).values()])
    for start, end in arcs:
        ways = layout.ways[start, end]
        out = _arc_end_position(
            layout, start, [(a, b) for a, b in arcs if a == start], (start, end), widths[start]
        )
        into = _arc_end_position(
            layout, end, [(a, b) for a, b in arcs if b == end], (start, end), widths[end]
        )
        top, bottom = -_LAYER * layout.layer[start] - _HEIGHT / 2, -_LAYER * layout.layer[end] + _HEIGHT / 2
        heights = [-_LAYER * (layout.layer[start] + 1 + at) for at in range(len(ways))]
        points = [(out, top), *zip(ways, heights, strict=True), (into, bottom)]
        path = Path(*_smooth_curve_path(points))
        strength = None if strengths is None else strengths.get((start, end), 0.0)
        pays = strength is None or strength > 0.0
        share = 0.0 if not strength or not pays else strength / strongest
        thickness = 1.0 if strength is None else _THINNEST + (_THICKEST - _THINNEST) * share
        arrow = FancyArrowPatch(
            path=path,
            arrowstyle="-|>",
            mutation_scale=(7.0 + 2.0 * thickness) * scale,
            linewidth=thickness * scale,
            linestyle="-" if pays else (0, (3, 2)),
            color=_INK if pays else _QUIET,
            joinstyle="miter",
            zorder=2,
        )
        arrow.set_gid(f"arc {start} -> {end}")
        ax.add_patch(arrow)


def _smooth_curve_path(points: list[tuple[float, float]]) -> tuple[list[tuple[float, float]], list[int]]:
    """Return vertices and codes of a smooth curve through points, vertical at its ends."""
    slopes = [0.0]
    for (x0, y0), _, (x2, y2) in zip(points, points[1:], points[2:], strict=False):
        slopes.append((x2 - x0) / (y2 - y0))
    slopes.append(0.0)
    vertices, codes = [points[0]], [1]
    for ((x0, y0), (x1, y1)), (m0, m1) in zip(pairwise(points), pairwise(slopes), strict=True):
        third = (y1 - y0) / 3
        vertices += [(x0 + m0 * third, y0 + third), (x1 - m1 * third, y1 - third), (x1, y1)]
        codes += [4, 4, 4]
    return vertices, codes


def _arc_end_position(layout: LayeredLayout, node: str, arcs: list[Arc], arc: Arc, width: float) -> float:
    """Return the x position where an arc leaves or enters a node, ordered by direction."""

    def other(other: Arc) -> float:
        ways = layout.ways[other]
        leaves = other[0] == node
        return ways[0 if leaves else -1] if ways else layout.x[other[1] if leaves else other[0]]

    order = sorted(arcs, key=other)
    room = 0.6 * width / max(len(order), 4)
    return layout.x[node] + room * (order.index(arc) - (len(order) - 1) / 2)


name_package_in_errors(globals())
