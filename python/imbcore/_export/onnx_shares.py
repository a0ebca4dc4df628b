"""ONNX export of trees that divide rows with missing values over all branches.

The fraction of a row in a leaf is a product along the path to it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def add_fractional_leaf_sum(graph: Any, step: dict[str, Any]) -> str:
    """Add trees and the sum of their leaf values, weighted by the row's fraction in each leaf."""
    edges = TreeEdges(graph.features, graph.n_lookups)
    for tree in step["trees"]:
        edges.add_tree(tree)
    values = graph.add("Gather", graph.x, graph.constant(edges.features, np.int64), axis=1)
    inside = graph.add(
        "And",
        graph.add("Not", graph.add("LessOrEqual", values, graph.constant([edges.lower]))),
        graph.add("LessOrEqual", values, graph.constant([edges.upper])),
    )
    # Every edge has a row of levels; edges of numeric features accept all levels.
    width = max(len(levels) for levels in edges.levels)
    table = [float(held) for levels in edges.levels for held in [*levels, *[True] * (width - len(levels))]]
    most = graph.constant([[float(width - 1)]])
    codes = graph.add("Where", graph.add("Greater", values, most), most, values)
    codes = graph.add("Where", graph.add("Less", codes, graph.number(0.0)), graph.number(0.0), codes)
    starts = graph.constant([[float(edge * width) for edge in range(len(edges.levels))]])
    held = graph.add(
        "Gather", graph.constant(table), graph.to_integers(graph.add("Add", codes, starts)), axis=0
    )
    known = graph.add("Mul", graph.add("Cast", inside, to=11), held)
    factors = graph.add("Where", graph.is_missing(values), graph.constant([edges.without]), known)
    # Pad all paths to the length of the longest with an edge of factor 1.
    longest = max(len(way) for way in edges.ways)
    none = len(edges.levels)
    one = graph.add("Add", graph.zeros(), graph.number(1.0))
    factors = graph.add("Concat", factors, one, axis=1)
    ways = graph.constant([[*way, *[none] * (longest - len(way))] for way in edges.ways], np.int64)
    along = graph.add("Gather", factors, ways, axis=1)
    reached = graph.add("ReduceProd", along, graph.constant([2], np.int64), keepdims=0)
    return str(graph.add("MatMul", reached, graph.constant(edges.leaf_values)))


class TreeEdges:
    """Edges and paths from the roots of trees to their leaves."""

    def __init__(self, features: list[dict[str, Any]], n_lookups: int) -> None:
        self.n_features = len(features)
        self.n_levels = [len(feature.get("levels", [])) for feature in features] + [0] * n_lookups
        self.features: list[int] = []
        self.lower: list[float] = []
        self.upper: list[float] = []
        self.levels: list[list[bool]] = []
        # Fraction of a row with a missing value that follows the edge.
        self.without: list[float] = []
        self.ways: list[list[int]] = []
        self.leaf_values: list[list[float]] = []

    def add_tree(self, tree: list[dict[str, Any]]) -> None:
        """Add a tree."""
        ways: dict[int, list[int]] = {0: []}
        for number, node in enumerate(tree):
            way = ways[number]
            if "values" in node:
                self.ways.append(way)
                self.leaf_values.append(node["values"])
                continue
            for branch, child in enumerate(node["children"]):
                ways[child] = [*way, len(self.levels)]
                self.add_edge(node, branch, child)
        if not self.levels:
            # A tree with one leaf has no edge, but the tables must not be empty.
            self.add_edge({"feature": 0, "known": True, "missing": 0}, 0, 0)

    def add_edge(self, node: dict[str, Any], branch: int, child: int) -> None:
        """Add an edge."""
        bound, feature = node.get("at_most"), node["feature"]
        if "lookup" in node:
            feature = self.n_features + node["lookup"]
        self.features.append(feature)
        # No number is at most NaN, so the lower test passes, also for minus infinity.
        self.lower.append(math.nan if bound is None or branch == 0 else bound)
        self.upper.append(math.inf if bound is None or branch == 1 else bound)
        levels = range(max(self.n_levels[feature], 1))
        if "levels" in node:
            self.levels.append([(level in node["levels"]) == (branch == 0) for level in levels])
        elif bound is not None or node.get("known"):
            self.levels.append([branch == 0 or bound is not None for _ in levels])
        else:
            self.levels.append([level == branch for level in levels])
        masses = node.get("masses", [])
        if masses:
            self.without.append(masses[branch] / sum(masses))
        else:
            self.without.append(float(node["missing"] == child))
