"""The rules of a model in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from imbcore._model import Model

__all__ = ["condition_text", "rule_lines", "rules_for", "weight_text"]


def condition_text(rule: Mapping[str, Any]) -> str:
    """Conditions of a rule, joined by "and"; "always" where there is none."""
    return " and ".join(map(_part, rule["conditions"])) or "always"


def _part(condition: Mapping[str, Any]) -> str:
    feature = condition["feature"]
    if "levels" in condition:
        return f"{feature} in {{{', '.join(map(str, condition['levels']))}}}"
    if "op" not in condition:
        lower, upper = condition.get("lower"), condition.get("upper")
        if lower is None:
            return f"{feature} <= {upper:.6g}"
        return f"{feature} >= {lower:.6g}" if upper is None else f"{lower:.6g} <= {feature} <= {upper:.6g}"
    op, value = condition["op"], condition["value"]
    if op in ("known", "missing"):
        return f"{feature} is {op}"
    if op in ("in", "not in"):
        return f"{feature} {op} {{{', '.join(map(str, value))}}}"
    shown = f"{value:.6g}" if isinstance(value, float) else value
    return f"{feature} {'=' if op == '==' else op} {shown}"


def rule_lines(model: Model) -> list[str]:
    """One line for each leaf: conditions, class, its probability, and how many training rows it stands on.

    Of a box drawing one line for each box, and one for the rows in none.
    """
    labels = model.classes_.tolist()
    if model._native.kind == "boxes":
        lines = [
            f"if {condition_text(box)} then {model.box_class} "
            f"(precision = {box['precision']:.3f}, {weight_text(box['support'])} rows)"
            for box in model.boxes()
        ]
        return [*lines, *(f"otherwise {label}" for label in labels if label != model.box_class)]
    return [
        f"if {condition_text(rule)} then {rule['class']} "
        f"(p = {rule['probability'][labels.index(rule['class'])]:.3f}, "
        f"{rule['rows']:,} row{'s' if rule['rows'] != 1 else ''})"
        for rule in model.rules()
    ]


def weight_text(weight: float) -> str:
    """Weight of rows, without decimals where it is whole."""
    return f"{weight:,.0f}" if float(weight).is_integer() else f"{weight:,.2f}"


def rules_for(model: Model, label: Any) -> list[dict[str, Any]]:
    """Rules that answer ``label``, those that cover most of it first.

    Parameters
    ----------
    model
        Fitted model.
    label
        A class label.

    Returns
    -------
    list of dict
        The rule's keys, and ``precision`` (share of the class in the rule's training weight) and
        ``coverage`` (share of the class's training weight that the rule covers). Of a box drawing its boxes,
        with the same keys; none for a class that they do not describe.
    """
    if model._native.kind == "boxes":
        boxes = model.boxes() if label == model.box_class else []
        return [box | {"rows": box["support"], "coverage": box["recall"]} for box in boxes]
    k = model.classes_.tolist().index(label)
    rules = model.rules()
    total = sum(rule["mass"][k] for rule in rules)
    found = [
        rule | {"precision": rule["mass"][k] / sum(rule["mass"]), "coverage": rule["mass"][k] / total}
        for rule in rules
        if rule["class"] == label and rule["mass"][k] > 0
    ]
    return sorted(found, key=lambda rule: (-rule["coverage"], -rule["precision"]))
