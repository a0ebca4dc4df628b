"""Plan of a decomposition whose members are fitted in Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imbcore._bindings import native
from imbcore._bindings.options import resolve_seed
from imbcore._bindings.parameters import parameters_to_json
from imbcore._bindings.positive import training_positive_code
from imbcore._bindings.training import NativeWeightsAndCosts
from imbcore._validation.costs import CostOptions
from imbcore._validation.labels import Target

# Rows of a task (None: all), whether each is positive, the constant prediction of a one-sided task, and
# the side with the smaller weight.
ColumnTask = tuple[Any, Any, float | None, int]


def outline_decomposition(
    method: str,
    parameters: Mapping[str, Any],
    target: Target,
    *,
    sample_weight: Any,
    class_weight: Any,
    costs: CostOptions,
    positive: Any,
    random_state: Any,
) -> Any:
    """Plan a decomposition with Python members; returns the dict of the native module."""
    weighing = NativeWeightsAndCosts.from_options(target, sample_weight, class_weight, costs)
    code = training_positive_code(positive, target.classes, target.codes, weighing.sample_weight)
    params, seed = parameters_to_json(method, parameters), resolve_seed(random_state)
    return native.decompositions.outline_decomposition(method, params, weighing, code, seed)
