"""Text of values in messages."""

from __future__ import annotations

from typing import Any

import numpy as np

# Longer texts are cut.
_MOST_CHARACTERS = 200


def value_text(value: Any) -> str:
    """Format a value on one line; NumPy values as the Python values that they hold."""
    text = " ".join(repr(_python_value(value)).split())
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}..."


def _python_value(value: Any) -> Any:
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if type(value) in (list, tuple, set):
        return type(value)(map(_python_value, value))
    if type(value) is dict:
        return {_python_value(key): _python_value(one) for key, one in value.items()}
    return value
