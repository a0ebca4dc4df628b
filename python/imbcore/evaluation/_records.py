"""Format of a record: its key, its fields, and their conversion to JSON."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

from imbcore.evaluation._measures import COUNTS, MEASURES
from imbcore.exceptions import ImbcoreError

Record = dict[str, Any]
Key = tuple[str, str, int, int]
"""Table, method, replicate and fold."""
TIMES = ("fit_seconds", "predict_seconds", "cpu_seconds")
NO_MEASURES: dict[str, Any] = dict.fromkeys((*COUNTS, "confusion", "trivial", *MEASURES, "variants"))
"""Fields of a record without measurements."""
FIELDS = frozenset((*NO_MEASURES, *TIMES, "warnings", "failure"))
"""Fields of every record."""


def record_key(record: Mapping[str, Any]) -> Key:
    """Return the key of a record."""
    return (record["dataset"], record["method"], record["replicate"], record["fold"])


def format_error(error: Exception) -> str:
    """Format an error in one line; errors of other libraries with their type."""
    text = " ".join(str(error).split())
    if isinstance(error, ImbcoreError):
        return text
    if isinstance(error, ValueError) and text.startswith("could not convert string to float"):
        text += "; this classifier needs numbers: encode text columns in a pipeline, such as by OneHotEncoder"
    return f"{type(error).__name__}: {text}"


def to_json_value(value: Any) -> Any:
    """Convert a value to JSON types; other types become text."""
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return to_json_value(value.item())
    if isinstance(value, Mapping):
        return {str(name): to_json_value(of) for name, of in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [to_json_value(of) for of in value]
    return str(value)
