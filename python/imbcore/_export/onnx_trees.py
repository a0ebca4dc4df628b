"""ONNX export of trees without fractional rows, as one TreeEnsemble of ai.onnx.ml.

A leaf of this operator has a single value: here its index, with which a table is indexed.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

AT_MOST, EQUAL, MEMBER = 0, 4, 6


class OnnxTreeNodes:
    """Binary splits as parallel arrays, in the form of the operator."""

    def __init__(self, n_features: int) -> None:
        self.n_features = n_features
        self.features: list[int] = []
        self.modes: list[int] = []
        self.bounds: list[float] = []
        self.missing_is_true: list[int] = []
        # For true and false: index of a node or leaf, and whether it is a leaf.
        self.ways: list[list[tuple[int, bool]]] = []
        self.members: list[float] = []
        self.leaf_trees: list[int] = []
        self.leaf_values: list[list[float]] = []
        self.roots: list[int] = []

    def add_tree(self, tree: list[dict[str, Any]]) -> None:
        """Add a tree."""
        self.roots.append(len(self.modes))
        if "values" in tree[0]:
            # A root must be a split.
            at = self.add_binary_split(0, AT_MOST, math.inf, missing=False)
            self.ways[at] = [self.add_leaf(tree[0])] * 2
            return
        # Depth-first; each entry contains the branch of its parent that must be set.
        waiting: list[tuple[int, tuple[int, int] | None]] = [(0, None)]
        while waiting:
            number, parent = waiting.pop()
            node = tree[number]
            if "values" in node:
                place = self.add_leaf(node)
                ends: list[tuple[int, tuple[int, int]]] = []
            else:
                place, ends = self.add_node_splits(node)
            if parent is not None:
                self.ways[parent[0]][parent[1]] = place
            waiting += [(child, way) for child, way in reversed(ends)]

    def add_node_splits(
        self, node: dict[str, Any]
    ) -> tuple[tuple[int, bool], list[tuple[int, tuple[int, int]]]]:
        """Add a split; returns its index, and for each child the branch that leads to it."""
        feature, children = node["feature"], node["children"]
        first = node["missing"] == children[0]
        if "lookup" in node:
            feature = self.n_features + node["lookup"]
        if "at_most" in node:
            at = self.add_binary_split(feature, AT_MOST, node["at_most"], missing=first)
        elif node.get("known"):
            at = self.add_binary_split(feature, AT_MOST, math.inf, missing=first)
        elif "levels" in node:
            at = self.levels(feature, node["levels"], missing=first)
        else:
            # One test per level; all other values go to the last child.
            start = len(self.modes)
            for level, child in enumerate(children[:-1]):
                at = self.add_binary_split(feature, EQUAL, float(level), missing=node["missing"] == child)
                self.ways[at][1] = (at + 1, False)
            ends = [(child, (start + level, 0)) for level, child in enumerate(children[:-1])]
            return (start, False), [*ends, (children[-1], (at, 1))]
        return (at, False), [(children[0], (at, 0)), (children[1], (at, 1))]

    def levels(self, feature: int, levels: list[int], *, missing: bool) -> int:
        """Add a split by a set of levels."""
        if len(levels) == 1:
            return self.add_binary_split(feature, EQUAL, float(levels[0]), missing=missing)
        at = self.add_binary_split(feature, MEMBER, 0.0, missing=missing)
        # Sets are concatenated, each terminated by NaN; -1 stands for the empty set.
        self.members += [*(float(level) for level in levels or [-1]), math.nan]
        return at

    def add_binary_split(self, feature: int, mode: int, bound: float, *, missing: bool) -> int:
        """Add a binary split."""
        self.features.append(feature)
        self.modes.append(mode)
        self.bounds.append(bound)
        self.missing_is_true.append(int(missing))
        self.ways.append([(0, False), (0, False)])
        return len(self.modes) - 1

    def add_leaf(self, node: dict[str, Any]) -> tuple[int, bool]:
        """Add a leaf."""
        self.leaf_trees.append(len(self.roots) - 1)
        self.leaf_values.append(node["values"])
        return len(self.leaf_values) - 1, True


def ensemble(graph: Any, step: dict[str, Any]) -> str:
    """Add trees, and the sum of their leaf values."""
    nodes = OnnxTreeNodes(len(graph.features))
    for tree in step["trees"]:
        nodes.add_tree(tree)
    tensor, double = graph.onnx.numpy_helper.from_array, np.float64
    (to_true, true_leaf), (to_false, false_leaf) = (
        zip(*(ways[way] for ways in nodes.ways), strict=True) for way in (0, 1)
    )
    members = {"membership_values": tensor(np.array(nodes.members, double))} if nodes.members else {}
    leaves = graph.add(
        "TreeEnsemble",
        graph.x,
        domain="ai.onnx.ml",
        n_targets=len(nodes.roots),
        aggregate_function=1,
        post_transform=0,
        tree_roots=nodes.roots,
        nodes_featureids=nodes.features,
        nodes_modes=tensor(np.array(nodes.modes, np.uint8)),
        nodes_splits=tensor(np.array(nodes.bounds, double)),
        nodes_missing_value_tracks_true=nodes.missing_is_true,
        nodes_truenodeids=to_true,
        nodes_trueleafs=[int(leaf) for leaf in true_leaf],
        nodes_falsenodeids=to_false,
        nodes_falseleafs=[int(leaf) for leaf in false_leaf],
        leaf_targetids=nodes.leaf_trees,
        leaf_weights=tensor(np.arange(len(nodes.leaf_values), dtype=double)),
        **members,
    )
    places = graph.add("Cast", leaves, to=7)
    reached = graph.add("Gather", graph.constant(nodes.leaf_values), places, axis=0)
    return str(graph.add("ReduceSum", reached, graph.constant([1], np.int64), keepdims=0))
