"""Rules of the trees of a boosted model, leaf by leaf."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Condition = dict[str, Any]


def leaf_conditions(
    tree: list[dict[str, Any]], features: list[dict[str, Any]]
) -> Iterator[tuple[int, list[Condition]]]:
    """Yield the leaves of a tree in ``to_json`` form, from left to right, with their conditions."""
    open_nodes: list[tuple[int, list[Condition]]] = [(0, [])]
    while open_nodes:
        at, way = open_nodes.pop()
        node = tree[at]
        if "children" not in node:
            yield at, way
            continue
        feature = features[node["feature"]]
        sides = [
            (child, [*way, _branch_condition(node, feature, side, child)])
            for side, child in enumerate(node["children"])
        ]
        open_nodes += reversed(sides)


def _branch_condition(node: dict[str, Any], feature: dict[str, Any], side: int, child: int) -> Condition:
    """Describe the condition that sends a row to a child, with the keys of tree rules."""
    op, value = _branch_operator_and_value(node, feature, side)
    return {"feature": feature["name"], "op": op, "value": value, "or_missing": node["missing"] == child}


def _branch_operator_and_value(node: dict[str, Any], feature: dict[str, Any], side: int) -> tuple[str, Any]:
    if "at_most" in node:
        return ("<=", ">")[side], node["at_most"]
    if "known" in node:
        return ("known", "missing")[side], None
    if "levels" not in node:
        return "==", feature["levels"][side]
    levels = [feature["levels"][level] for level in node["levels"]]
    return (("==", "!=")[side], levels[0]) if len(levels) == 1 else (("in", "not in")[side], levels)
