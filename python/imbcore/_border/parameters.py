"""Parameters of a method as JSON; what they name of the data is looked up in Rust."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from imbcore.exceptions import ParameterError

__all__ = ["params_text"]


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
    if isinstance(value, Mapping):
        return {_key(key): _plain(item, method, name, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset, np.ndarray)):
        return [_plain(item, method, name, depth + 1) for item in value]
    raise ParameterError(
        f"{method}: parameter `{name}` must be None or made of booleans, finite numbers and text, "
        f"got {value!r}"
    )


def _key(key: Any) -> str:
    """Write a key of a dict, which may be a class label: in JSON all keys are text."""
    label = key.item() if isinstance(key, np.generic) else key
    return json.dumps(label) if isinstance(label, (bool, int, float)) else str(label)
