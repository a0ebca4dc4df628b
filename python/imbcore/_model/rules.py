"""Text form of rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imbcore._border import native


def condition_text(rule: Mapping[str, Any]) -> str:
    """Format the conditions of a rule, joined by "and"; "always" if there are none."""
    return " and ".join(map(_part, rule["conditions"])) or "always"


def label_text(label: Any) -> str:
    """Format a label or a level; text of several words is quoted."""
    return native.models.quoted(label) if isinstance(label, str) else str(label)


def _part(condition: Mapping[str, Any]) -> str:
    # A test for missing values needs no addition.
    also = condition.get("or_missing") is True and condition.get("op") != "missing"
    return f"{_test(condition)} (or missing)" if also else _test(condition)


def _test(condition: Mapping[str, Any]) -> str:
    feature = native.models.quoted(condition["feature"])
    if "levels" in condition:
        return f"{feature} in {_set(condition['levels'])}"
    if "op" not in condition:
        lower, upper = condition.get("lower"), condition.get("upper")
        if lower is None:
            return f"{feature} <= {upper:.6g}"
        return f"{feature} >= {lower:.6g}" if upper is None else f"{lower:.6g} <= {feature} <= {upper:.6g}"
    op, value = condition["op"], condition["value"]
    if op in ("known", "missing"):
        return f"{feature} is {op}"
    if op in ("in", "not in"):
        return f"{feature} {op} {_set(value)}"
    if op in ("<=", ">"):
        return f"{feature} {op} {value:.6g}"
    return f"{feature} {'=' if op == '==' else op} {label_text(value)}"


def _set(levels: list[Any]) -> str:
    return f"{{{', '.join(map(label_text, levels))}}}"


def weight_text(weight: float) -> str:
    """Format a weight, without decimals if it is whole."""
    return f"{weight:,.0f}" if float(weight).is_integer() else f"{weight:,.2f}"
