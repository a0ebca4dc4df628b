"""The rules of a model in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from imbcore._border.rules import quoted

if TYPE_CHECKING:
    from imbcore._model.model import Model

__all__ = ["condition_text", "label_text", "rule_lines", "weight_text"]


def condition_text(rule: Mapping[str, Any]) -> str:
    """Conditions of a rule, joined by "and"; "always" where there is none."""
    return " and ".join(map(_part, rule["conditions"])) or "always"


def label_text(label: Any) -> str:
    """Write a label or a level; text of more than one word is quoted."""
    return quoted(label) if isinstance(label, str) else str(label)


def _part(condition: Mapping[str, Any]) -> str:
    # Of a test for missing values nothing is to be added.
    also = condition.get("or_missing") is True and condition.get("op") != "missing"
    return f"{_test(condition)} (or missing)" if also else _test(condition)


def _test(condition: Mapping[str, Any]) -> str:
    feature = quoted(condition["feature"])
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


def rule_lines(model: Model, positive: Any = None, top: int | None = None) -> list[str]:
    """One line for each rule: conditions, answer, and what it says of the positive class.

    Of a box drawing one line for each box, and one for the rows in none.
    """
    lines = [_line(rule, model.classes_.tolist()) for rule in model.rules(positive=positive, top=top)]
    if model._native.kind == "boxes":
        others = [label for label in model.classes_.tolist() if label != model.box_class]
        lines += [f"otherwise {label_text(label)}" for label in others]
    return lines


def _line(rule: Mapping[str, Any], labels: list[Any]) -> str:
    spoken = label_text(rule["positive"])
    if "box" in rule:
        what = f"share of {spoken} = {rule['share']:.3f}"
        size = f"support {weight_text(rule['support'])}"
    else:
        what = f"p({spoken}) = {rule['probability'][labels.index(rule['positive'])]:.3f}"
        size = f"{rule['rows']:,} row{'s' if rule['rows'] != 1 else ''}"
    # A class without weight in training has no lift and no recall.
    lift, recall = (float("nan") if rule[key] is None else rule[key] for key in ("lift", "recall"))
    told = f"{what}, lift {lift:.2f}, recall {recall:.3f}, {size}"
    return f"if {condition_text(rule)} then {label_text(rule['class'])} ({told})"


def weight_text(weight: float) -> str:
    """Weight of rows, without decimals where it is whole."""
    return f"{weight:,.0f}" if float(weight).is_integer() else f"{weight:,.2f}"
