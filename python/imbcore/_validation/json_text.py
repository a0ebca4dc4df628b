"""Parsing of JSON from untrusted files."""

from __future__ import annotations

import json
import math
from typing import Any

# imbcore never writes larger integers, and they may exceed float64.
_MOST = 2**64


def read_json(text: str | bytes) -> Any:
    """Parse JSON from an untrusted source.

    Raises
    ------
    ValueError
        The text is not JSON, is nested too deeply, or contains a number that is too large.
    """
    try:
        return json.loads(text, parse_float=_parse_finite_float, parse_int=_parse_bounded_int)
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None


def _parse_finite_float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"the number {digits[:20]} exceeds float64")
    return number


def _parse_bounded_int(digits: str) -> int:
    number = int(digits) if len(digits) <= 21 else _MOST + 1
    if abs(number) > _MOST:
        raise ValueError(f"the integer {digits[:20]} is too large")
    return number
