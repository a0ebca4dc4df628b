"""Rules of a model, one per line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imbcore._bindings.fitted import fitted_model
from imbcore._model.boxes import BoxModel
from imbcore._model.model import Model
from imbcore._model.rules import condition_text, name_text, weight_text
from imbcore._validation.digits import score_text


def rule_lines(model: Model, positive: Any = None, top: int | None = None) -> list[str]:
    """Format one line per rule: conditions, predicted class, statistics of the positives.

    For a box model there is one line per box, and one for the rows in no box.
    """
    rules = fitted_model(model, "show --rules", "rules").rules(positive=positive, top=top)
    lines = [_format_rule(rule, model.classes_.tolist()) for rule in rules]
    if isinstance(model, BoxModel):
        others = [label for label in model.classes_.tolist() if label != model.box_class]
        lines += [f"otherwise {name_text(label)}" for label in others]
    return lines


def _format_rule(rule: Mapping[str, Any], labels: list[Any]) -> str:
    positive = name_text(rule["positive"])
    if "box" in rule:
        what = f"proportion of {positive} = {score_text(rule['share'])}"
        size = f"support {weight_text(rule['support'])}"
    else:
        what = f"p({positive}) = {score_text(rule['probability'][labels.index(rule['positive'])])}"
        size = f"{rule['rows']:,} row{'s' if rule['rows'] != 1 else ''}"
    # A class without training weight has no lift and no recall.
    lift, recall = (float("nan") if rule[key] is None else rule[key] for key in ("lift", "recall"))
    statistics = f"{what}, lift {lift:.2f}, recall {score_text(recall)}, {size}"
    return f"if {condition_text(rule)} then {name_text(rule['class'])} ({statistics})"
