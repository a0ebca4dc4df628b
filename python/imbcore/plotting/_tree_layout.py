"""Layout of trees: layers by depth, no overlaps, parents centered over their children.

Source: Reingold and Tilford, "Tidier Drawings of Trees", 1981, with contours stored as lists, so that
nodes may have any number of children and deep trees need no recursion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class DrawnNode:
    """One drawn node.

    Attributes
    ----------
    node
        The node as the model describes it.
    x, depth
        Center in units of one box (plus gap), and layer; the root has depth 0.
    children
        Positions of the drawn children in ``TreePlotLayout.places``.
    hidden
        Number of nodes below this one that are not drawn.
    """

    node: Mapping[str, Any]
    x: float
    depth: int
    children: tuple[int, ...]
    hidden: int


@dataclass(frozen=True)
class TreePlotLayout:
    """The drawn nodes, the root first, and the size of the drawing in boxes."""

    places: tuple[DrawnNode, ...]
    width: float
    n_layers: int


def layout_tree(nodes: Sequence[Mapping[str, Any]], max_depth: int | None = None) -> TreePlotLayout:
    """Place the nodes of a tree.

    Parameters
    ----------
    nodes
        Nodes with ``id``, ``depth`` and ``children`` (ids); parents come before their children.
    max_depth
        Maximum depth that is drawn; ``None`` draws all.

    Returns
    -------
    TreePlotLayout
        Two boxes of one layer are at least one unit apart; a parent is centered between its first and its
        last child.
    """
    hidden: dict[int, int] = {}
    size: dict[int, int] = {}
    for node in reversed(nodes):
        size[node["id"]] = 1 + sum(size[child] for child in node["children"])
    drawn = [node for node in nodes if max_depth is None or node["depth"] <= max_depth]
    kept = {node["id"] for node in drawn}
    shift: dict[int, float] = {}
    contour: dict[int, tuple[list[float], list[float]]] = {}
    for node in reversed(drawn):
        children = [child for child in node["children"] if child in kept]
        hidden[node["id"]] = size[node["id"]] - 1 if not children else 0
        offsets, contour[node["id"]] = _join_subtrees([contour.pop(child) for child in children])
        shift.update(zip(children, offsets, strict=True))

    left, right = contour[drawn[0]["id"]]
    x = {drawn[0]["id"]: -min(left) + 0.5}
    position = {node["id"]: index for index, node in enumerate(drawn)}
    places = []
    for node in drawn:
        children = [child for child in node["children"] if child in kept]
        for child in children:
            x[child] = x[node["id"]] + shift[child]
        found = tuple(position[child] for child in children)
        places.append(DrawnNode(node, x[node["id"]], node["depth"], found, hidden[node["id"]]))
    return TreePlotLayout(tuple(places), max(right) - min(left) + 1, len(left))


def _join_subtrees(
    subtrees: list[tuple[list[float], list[float]]],
) -> tuple[list[float], tuple[list[float], list[float]]]:
    """Place subtrees side by side under a parent at 0; returns shifts and joint contour."""
    offsets: list[float] = []
    left: list[float] = []
    right: list[float] = []
    for child_left, child_right in subtrees:
        offset = max((r - c + 1 for r, c in zip(right, child_left, strict=False)), default=0.0)
        offsets.append(offset)
        left += [value + offset for value in child_left[len(left) :]]
        right = [value + offset for value in child_right] + right[len(child_right) :]
    middle = (offsets[0] + offsets[-1]) / 2 if offsets else 0.0
    shifts = [offset - middle for offset in offsets]
    return shifts, ([0.0, *(value - middle for value in left)], [0.0, *(value - middle for value in right)])
