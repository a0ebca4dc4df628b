"""Layered layout of graphs: layers from parents to children, few crossings, straight arcs.

Source: Sugiyama, Tagawa and Toda, "Methods for Visual Understanding of Hierarchical System Structures",
1981: layers, orders by barycenters, and positions by least squares given the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

# Rounds of ordering and of positioning, and the width reserved for an arc that passes a layer.
_ROUNDS = 12
_PASS = 0.15


@dataclass(frozen=True)
class LayeredLayout:
    """Positions of nodes and bends of arcs.

    Attributes
    ----------
    x, layer
        Center and layer of every node; layer 0 holds nodes without parents.
    ways
        For every arc the positions at which it passes the layers between its ends.
    width
        From the left edge of the first to the right edge of the last node; ``x`` starts at 0.
    n_layers
        Number of layers.
    """

    x: Mapping[str, float]
    layer: Mapping[str, int]
    ways: Mapping[tuple[str, str], list[float]]
    width: float
    n_layers: int


def layout_layers(
    nodes: Sequence[str], arcs: Sequence[tuple[str, str]], widths: Mapping[str, float], gap: float
) -> LayeredLayout:
    """Compute positions for the nodes of an acyclic graph.

    Parameters
    ----------
    nodes
        Names.
    arcs
        Pairs of a parent and a child, without a cycle.
    widths
        Width of every node.
    gap
        Minimum distance between two nodes of a layer.

    Returns
    -------
    LayeredLayout
        No two nodes of a layer overlap, and every arc goes down.
    """
    layer = _assign_layers(nodes, arcs)
    # An arc over several layers becomes a chain through invisible nodes.
    points: list[tuple[str, ...]] = [(node,) for node in nodes]
    rows: list[list[int]] = [[] for _ in range(max(layer.values(), default=0) + 1)]
    number = {node: at for at, node in enumerate(nodes)}
    for node in nodes:
        rows[layer[node]].append(number[node])
    links: list[tuple[int, int]] = []
    chains: dict[tuple[str, str], list[int]] = {}
    for start, end in arcs:
        chain: list[int] = []
        for between in range(layer[start] + 1, layer[end]):
            chain.append(len(points))
            rows[between].append(len(points))
            points.append((start, end))
        chains[start, end] = chain
        links += pairwise([number[start], *chain, number[end]])
    above: list[list[int]] = [[] for _ in points]
    below: list[list[int]] = [[] for _ in points]
    for upper, lower in links:
        below[upper].append(lower)
        above[lower].append(upper)
    rows = _reduce_crossings(rows, above, below)
    half = [widths[point[0]] / 2 if len(point) == 1 else _PASS / 2 for point in points]
    x = _compute_centers(rows, above, below, half, gap)
    left = min((x[at] - half[at] for row in rows for at in row), default=0.0)
    right = max((x[at] + half[at] for row in rows for at in row), default=0.0)
    return LayeredLayout(
        {node: x[number[node]] - left for node in nodes},
        layer,
        {arc: [x[at] - left for at in chain] for arc, chain in chains.items()},
        right - left,
        len(rows),
    )


def _assign_layers(nodes: Sequence[str], arcs: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Assign layers by the longest path from a root; a root is directly above its first child."""
    children: dict[str, list[str]] = {node: [] for node in nodes}
    waiting = dict.fromkeys(nodes, 0)
    for start, end in arcs:
        children[start].append(end)
        waiting[end] += 1
    roots = [node for node in nodes if not waiting[node]]
    layer = dict.fromkeys(nodes, 0)
    free = list(roots)
    for node in free:
        for child in children[node]:
            layer[child] = max(layer[child], layer[node] + 1)
            waiting[child] -= 1
            if not waiting[child]:
                free.append(child)
    for root in roots:
        if children[root]:
            layer[root] = min(layer[child] for child in children[root]) - 1
    return layer


def _reduce_crossings(
    rows: list[list[int]], above: list[list[int]], below: list[list[int]]
) -> list[list[int]]:
    """Order points with few crossings, by repeated barycenter passes down and up."""
    best, fewest = rows, _count_crossings(rows, below)
    for turn in range(_ROUNDS):
        down = turn % 2 == 0
        rows = [list(row) for row in rows]
        sequence = range(1, len(rows)) if down else range(len(rows) - 2, -1, -1)
        for at in sequence:
            fixed = {point: place for place, point in enumerate(rows[at - 1 if down else at + 1])}
            neighbors = above if down else below
            row = rows[at]
            wish = {
                point: _mean_or_default([fixed[n] for n in neighbors[point]], place)
                for place, point in enumerate(row)
            }
            row.sort(key=wish.__getitem__)
        crossings = _count_crossings(rows, below)
        if crossings < fewest:
            best, fewest = rows, crossings
    return best


def _mean_or_default(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _count_crossings(rows: list[list[int]], below: list[list[int]]) -> int:
    count = 0
    for row, under in pairwise(rows):
        place = {point: at for at, point in enumerate(under)}
        ends = [sorted(place[end] for end in below[point]) for point in row]
        seen: list[int] = []
        for some in ends:
            count += sum(1 for end in some for before in seen if before > end)
            seen += some
    return count


def _compute_centers(
    rows: list[list[int]], above: list[list[int]], below: list[list[int]], half: list[float], gap: float
) -> list[float]:
    """Compute centers: near the mean of the neighbors, in order, and without overlap."""
    x = [0.0] * len(half)
    for row in rows:
        _fit_ordered_positions(row, [0.0] * len(row), x, half, gap)
    for turn in range(2 * _ROUNDS):
        for row in rows if turn % 2 == 0 else reversed(rows):
            wish = [
                _mean_or_default([x[n] for n in (*above[point], *below[point])], x[point]) for point in row
            ]
            _fit_ordered_positions(row, wish, x, half, gap)
    return x


def _fit_ordered_positions(
    row: list[int], wish: list[float], x: list[float], half: list[float], gap: float
) -> None:
    """Least squares fit under order and distance constraints: pool adjacent violators."""
    shift, offsets = 0.0, []
    for at, point in enumerate(row):
        shift += half[row[at - 1]] + gap + half[point] if at else 0.0
        offsets.append(shift)
    blocks: list[tuple[float, int]] = []
    for value, offset in zip(wish, offsets, strict=True):
        total, size = value - offset, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / size:
            before, members = blocks.pop()
            total, size = total + before, size + members
        blocks.append((total, size))
    places = (total / size for total, size in blocks for _ in range(size))
    for point, offset, place in zip(row, offsets, places, strict=True):
        x[point] = place + offset
