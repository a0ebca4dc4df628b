"""Decision rule of a model, as a dict."""

from __future__ import annotations

from typing import Any

from imbcore._bindings import native
from imbcore._validation.row_costs import costs_by_label
from imbcore._validation.schema import Schema


def decision_rule_details(fitted: native.models.Model, schema: Schema) -> dict[str, Any]:
    """Describe the decision rule of a native model, and its expected performance."""
    labels, threshold = schema.classes.tolist(), fitted.threshold
    kind = fitted.class_rule if threshold is None else "prior" if threshold == "prior" else "threshold"
    cells, handed = fitted.cost_cells, fitted.costs_handed
    if handed or cells is not None or fitted.cost_matrix is not None:
        kind = "costs"
    decision: dict[str, Any] = {"kind": kind, "positive": labels[fitted.positive], "threshold": threshold}
    if cells is not None:
        decision["costs"] = costs_by_label(cells, schema.classes, schema.names, fitted.positive)
    elif handed:
        decision["costs"] = None
    adapted = native.decisions.prior_adaptation(fitted)
    if adapted is not None:
        decision["adapted"] = {
            name: dict(zip(labels, value, strict=True)) if isinstance(value, list) else value
            for name, value in adapted.items()
        }
    if fitted.thresholds is not None:
        decision |= {"kind": "thresholds", "thresholds": dict(zip(labels, fitted.thresholds, strict=True))}
        return decision | _with_labels_as_keys(fitted.chosen or {}, labels)
    return decision | (fitted.chosen or {})


def _with_labels_as_keys(chosen: dict[str, Any], labels: list[Any]) -> dict[str, Any]:
    """Replace the positions of classes by labels in expected values."""
    if "expected" not in chosen:
        return chosen
    named = {
        name: dict(zip(labels, found, strict=True)) if isinstance(found, list) else found
        for name, found in chosen["expected"].items()
    }
    return chosen | {"expected": named}
