"""Text form of rules."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from imbcore._bindings import native

# Number of levels of a condition that pages show.
SHOWN_LEVELS = 12


def condition_text(rule: Mapping[str, Any], most_levels: int | None = None) -> str:
    """Format the conditions of a rule, joined by "and"; "always" if there are none.

    With ``most_levels``, further levels of a condition are only counted.
    """
    return (
        " and ".join(_condition_part_text(condition, most_levels) for condition in rule["conditions"])
        or "always"
    )


def name_text(name: Any) -> str:
    """Format the name of a column or class.

    Text is quoted if it could be mistaken for another part.
    """
    return native.models.quoted_name(name) if isinstance(name, str) else str(name)


def level_text(level: Any) -> str:
    """Format a level; text is always quoted, numbers and booleans never."""
    return native.models.quoted_text(level) if isinstance(level, str) else str(level)


def _condition_part_text(condition: Mapping[str, Any], most_levels: int | None) -> str:
    # A test for missing values needs no addition.
    also = condition.get("or_missing") is True and condition.get("op") != "missing"
    text = _condition_test_text(condition, most_levels)
    return f"{text} (or missing)" if also else text


def _condition_test_text(condition: Mapping[str, Any], most_levels: int | None) -> str:
    feature = name_text(condition["feature"])
    if "levels" in condition:
        return f"{feature} in {_format_level_set(condition['levels'], most_levels)}"
    if "op" not in condition:
        return _range_text(feature, condition.get("lower"), condition.get("upper"))
    op, value = condition["op"], condition["value"]
    if op in ("known", "missing"):
        return f"{feature} is {op}"
    if op in ("in", "not in"):
        return f"{feature} {op} {_format_level_set(value, most_levels)}"
    if op in ("<=", ">"):
        return f"{feature} {op} {value:.6g}"
    return f"{feature} {'=' if op == '==' else op} {level_text(value)}"


def _range_text(feature: str, lower: float | None, upper: float | None) -> str:
    """Format a closed interval; a bound one step beyond a short number becomes open.

    So 3.8830000000000005 <= x, which excludes 3.883, is shown as x > 3.883.
    """
    if upper is None:
        assert lower is not None
        closed, shown = _short_bound(lower, -math.inf)
        return f"{feature} {'>=' if closed else '>'} {shown}"
    closed, shown = _short_bound(upper, math.inf)
    text = f"{feature} {'<=' if closed else '<'} {shown}"
    if lower is None:
        return text
    closed, shown = _short_bound(lower, -math.inf)
    return f"{shown} {'<=' if closed else '<'} {text}"


def _short_bound(bound: float, outside: float) -> tuple[bool, str]:
    """Return whether the bound itself is meant by its text, and the text."""
    text = f"{bound:.6g}"
    return float(text) != math.nextafter(bound, outside), text


def _format_level_set(levels: list[Any], most_levels: int | None) -> str:
    parts = list(map(level_text, levels[:most_levels]))
    if len(parts) < len(levels):
        parts.append(f"{len(levels) - len(parts)} more")
    return f"{{{', '.join(parts)}}}"


def weight_text(weight: float) -> str:
    """Format a weight, without decimals if it is whole."""
    return f"{weight:,.0f}" if float(weight).is_integer() else f"{weight:,.2f}"
