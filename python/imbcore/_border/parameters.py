"""Parameters of a method as JSON, names and labels in them as positions and codes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from imbcore._border.arcs import arcs_by_position
from imbcore._border.constraints import by_position
from imbcore._border.replicas import warn_of_replicas
from imbcore._input.labels import class_codes
from imbcore._input.schema import Schema
from imbcore.exceptions import ParameterError

__all__ = ["params_text", "translated"]


def params_text(method: str, parameters: Mapping[str, Any]) -> str:
    """Parameters as JSON; their domains are checked by the native module."""
    return json.dumps({name: _plain(value, method, name) for name, value in parameters.items()})


# Deeper values are a mistake, and would exhaust the stack of whoever reads them.
_MOST_NESTED = 32


def _plain(value: Any, method: str, name: str, depth: int = 0) -> Any:
    if depth > _MOST_NESTED:
        raise ParameterError(f"{method}: parameter `{name}` is nested more than {_MOST_NESTED} deep")
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, float) and value == math.inf:
        # JSON has no number for it; where a parameter may be infinite, the native module reads this word.
        return "inf"
    if hasattr(value, "as_parameters"):
        return _plain(value.as_parameters(), method, name, depth + 1)
    if isinstance(value, np.generic):
        return _plain(value.item(), method, name, depth + 1)
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: _plain(item, method, name, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(item, method, name, depth + 1) for item in value]
    raise ParameterError(
        f"{method}: parameter `{name}` must be None or made of booleans, finite numbers and text, "
        f"got {value!r}"
    )


def translated(method: str, parameters: Mapping[str, Any], schema: Schema) -> Mapping[str, Any]:
    """Parameters with positions and codes in place of the user's names and labels."""
    warn_of_replicas(parameters)
    return class_codes(method, _by_position(method, parameters, schema.names), schema.classes)


def _by_position(method: str, parameters: Mapping[str, Any], names: Sequence[str]) -> Mapping[str, Any]:
    """Parameters with positions in place of the names of columns, also in those of a method inside."""
    found = arcs_by_position(method, by_position(method, parameters, names), names)
    base, inner = found.get("estimator"), found.get("estimator_params")
    if isinstance(base, str) and isinstance(inner, Mapping):
        return {**found, "estimator_params": _by_position(base, inner, names)}
    return found
