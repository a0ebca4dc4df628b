"""Text form of rules."""

from __future__ import annotations

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
        lower, upper = condition.get("lower"), condition.get("upper")
        if lower is None:
            return f"{feature} <= {upper:.6g}"
        return f"{feature} >= {lower:.6g}" if upper is None else f"{lower:.6g} <= {feature} <= {upper:.6g}"
    op, value = condition["op"], condition["value"]
    if op in ("known", "missing"):
        return f"{feature} is {op}"
    if op in ("in", "not in"):
        return f"{feature} {op} {_format_level_set(value, most_levels)}"
    if op in ("<=", ">"):
        return f"{feature} {op} {value:.6g}"
    return f"{feature} {'=' if op == '==' else op} {level_text(value)}"


def _format_level_set(levels: list[Any], most_levels: int | None) -> str:
    parts = list(map(level_text, levels[:most_levels]))
    if len(parts) < len(levels):
        parts.append(f"{len(levels) - len(parts)} more")
    return f"{{{', '.join(parts)}}}"


def weight_text(weight: float) -> str:
    """Format a weight, without decimals if it is whole."""
    return f"{weight:,.0f}" if float(weight).is_integer() else f"{weight:,.2f}"
