"""The rules of a model in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from imbcore._model import Model

__all__ = ["condition_text", "rule_lines", "rules_for"]


def condition_text(rule: Mapping[str, Any]) -> str:
    """Conditions of a rule, joined by "and"; "always" where there is none."""
    return " and ".join(map(_part, rule["conditions"])) or "always"


def _part(condition: Mapping[str, Any]) -> str:
    feature, op, value = condition["feature"], condition["op"], condition["value"]
    if op in ("known", "missing"):
        return f"{feature} is {op}"
    if op in ("in", "not in"):
        return f"{feature} {op} {{{', '.join(map(str, value))}}}"
    shown = f"{value:.6g}" if isinstance(value, float) else value
    return f"{feature} {'=' if op == '==' else op} {shown}"


def rule_lines(model: Model) -> list[str]:
    """One line for each leaf: conditions, class, its probability, and how many training rows it stands on."""
    labels = model.classes_.tolist()
    return [
        f"if {condition_text(rule)} then {rule['class']} "
        f"(p = {rule['probability'][labels.index(rule['class'])]:.3f}, "
        f"{rule['rows']:,} row{'s' if rule['rows'] != 1 else ''})"
        for rule in model.rules()
    ]


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
        ``coverage`` (share of the class's training weight that the rule covers).
    """
    k = model.classes_.tolist().index(label)
    rules = model.rules()
    total = sum(rule["mass"][k] for rule in rules)
    found = [
        rule | {"precision": rule["mass"][k] / sum(rule["mass"]), "coverage": rule["mass"][k] / total}
        for rule in rules
        if rule["class"] == label and rule["mass"][k] > 0
    ]
    return sorted(found, key=lambda rule: (-rule["coverage"], -rule["precision"]))
