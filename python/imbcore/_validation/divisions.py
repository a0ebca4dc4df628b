"""Conversion of groups, times, gaps and alert budgets to native form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.columns import missing_like
from imbcore._validation.value_text import value_text
from imbcore.exceptions import DataError, ParameterError

# Dates are counted in microseconds, which float64 represents exactly until the year 2255.
_UNIT = np.timedelta64(1, "us")
_SPANS = {"s": "seconds", "min": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_GAP = (
    "time_gap must be a whole number of rows; or a time span: a timedelta or text such as '7d' (s, min, "
    "h, d, w) if time contains dates, {'time': 7.0} if it contains numbers"
)


def groups_of(groups: Any, n_rows: int) -> NDArray[np.uint32]:
    """Encode groups in the order of appearance, so that renamed groups give the same folds."""
    values = _one_a_row("groups", groups, n_rows)
    if values.dtype.kind in "OUT":
        code: dict[Any, int] = {}
        try:
            found = [code.setdefault(value, len(code)) for value in values.tolist()]
        except TypeError as error:
            raise DataError(f"groups has values that cannot identify a group: {error}") from error
        return np.array(found, dtype=np.uint32)
    _, first, codes = np.unique(values, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.uint32)
    rank[np.argsort(first)] = np.arange(len(first), dtype=np.uint32)
    return rank[codes]


def times_of(time: Any, n_rows: int) -> tuple[NDArray[np.float64], bool]:
    """Convert times to increasing numbers; also returns whether they were dates."""
    values = _one_a_row("time", time, n_rows)
    if values.dtype.kind in "OUT":
        values = _dates(values)
    if values.dtype.kind == "M":
        return values.astype("datetime64[us]").astype(np.int64).astype(np.float64), True
    if values.dtype.kind not in "iuf":
        raise DataError(f"time must contain numbers or dates, got {values.dtype}")
    return np.ascontiguousarray(values, dtype=np.float64), False


def _dates(values: NDArray[Any]) -> NDArray[Any]:
    """Convert date objects or ISO 8601 text to dates; numbers among objects stay numbers."""
    plain = values.tolist()
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in plain):
        return np.array(plain, dtype=np.float64)
    zoned = [
        value.astimezone(UTC).replace(tzinfo=None) if getattr(value, "tzinfo", None) else value
        for value in plain
    ]
    try:
        return np.array(zoned, dtype="datetime64[us]")
    except (TypeError, ValueError) as error:
        raise DataError(
            f"time must contain numbers or dates; text must be ISO 8601, such as 2024-02-29 or "
            f"2024-02-29T12:00 ({error})"
        ) from error


def _one_a_row(name: str, given: Any, n_rows: int) -> NDArray[Any]:
    """Return an array with one value per row, none missing."""
    if hasattr(given, "dt") and hasattr(given, "to_numpy") and getattr(given.dtype, "tz", None) is not None:
        given = given.to_numpy(dtype="datetime64[ns]")
    try:
        values = np.asarray(given)
        # NumPy would convert the types of [1, "a"] and [None, "a"].
        if values.dtype.kind == "U" and isinstance(given, (list, tuple)):
            values = np.asarray(given, dtype=object)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} must have one value per row: {error}") from error
    if values.ndim == 2 and values.shape[1] == 1:
        values = values.ravel()
    if values.ndim != 1:
        raise DataError(f"{name} must have one value per row, got an array of shape {values.shape}")
    if len(values) != n_rows:
        raise DataError(f"{name} has {len(values)} values, but X has {n_rows} rows")
    if values.dtype.kind == "f":
        missing = np.isnan(values)
    elif values.dtype.kind == "M":
        missing = np.isnat(values)
    elif values.dtype.kind == "O":
        missing = np.array([missing_like(value) for value in values.tolist()], dtype=bool)
    else:
        return values
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise DataError(
            f"{name} is missing in row {row} ({int(missing.sum())} such rows, counted from 0); fill it in "
            "or drop these rows"
        )
    return values


def gap_of(gap: Any, dated: bool) -> tuple[int, float | None]:
    """Return the gap before a test set in rows, and in the unit of the times."""
    if isinstance(gap, Mapping):
        if len(gap) != 1 or not {"rows", "time"} & set(gap):
            raise ParameterError(f"{_GAP}, got {value_text(gap)}")
        ((what, gap),) = gap.items()
        if what == "time" and _is_number(gap) and not dated:
            return 0, _at_least_zero(float(gap))
        if what == "time" and _is_number(gap):
            raise ParameterError(
                f"time contains dates, so a number is not a time span; {_GAP}, got {value_text(gap)}"
            )
    if gap is None:
        return 0, None
    if isinstance(gap, (int, np.integer)) and not isinstance(gap, (bool, np.timedelta64)):
        if gap < 0:
            raise ParameterError(f"{_GAP}, got {value_text(gap)}")
        return int(gap), None
    span = _span(gap)
    if span is None:
        raise ParameterError(f"{_GAP}, got {value_text(gap)}")
    if not dated:
        raise ParameterError(f"time contains numbers, so {gap!r} is not a time span; {_GAP}")
    return 0, _at_least_zero(float(span / _UNIT))


def _span(gap: Any) -> Any:
    """Convert a time span; None for anything else."""
    if isinstance(gap, np.timedelta64):
        return gap
    if isinstance(gap, timedelta):
        return np.timedelta64(gap)
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(s|min|h|d|w)\s*", gap) if isinstance(gap, str) else None
    return np.timedelta64(timedelta(**{_SPANS[found[2]]: float(found[1])})) if found else None


def _at_least_zero(gap: float) -> float:
    if not 0 <= gap < np.inf:
        raise ParameterError(f"time_gap must be at least 0, got {value_text(gap)}")
    return gap


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, (bool, np.timedelta64))


def alerts_of(alerts: Any) -> tuple[float, float | None] | None:
    """Convert an alert budget to (alerts, rows); rows of None mean all rows together."""
    if alerts is None:
        return None
    expected = (
        "alerts must be a number of alerts, at least 1, for all rows together; or {'alerts': 200, 'per': "
        "50000}; or {'alert_rate': 0.01}, below 1"
    )
    if _is_number(alerts):
        alerts = {"alerts": alerts}
    if not isinstance(alerts, Mapping) or not all(_is_number(value) for value in alerts.values()):
        raise ParameterError(f"{expected}, got {value_text(alerts)}")
    numbers = {name: float(value) for name, value in alerts.items()}
    match numbers:
        case {"alert_rate": rate, **rest} if not rest and 0 < rate < 1:
            return rate, 1.0
        case {"alerts": most, "per": per, **rest} if not rest and 1 <= most < per < np.inf:
            return most, per
        case {"alerts": most, **rest} if not rest and 1 <= most < np.inf:
            return most, None
    raise ParameterError(f"{expected}, got {value_text(dict(alerts))}")


def span_text(span: timedelta) -> str:
    """Format a time span: "7 days", "1 day 12 hours", "90.5 seconds"."""
    whole, rest = divmod(span, timedelta(minutes=1))
    days, left = divmod(whole, 24 * 60)
    parts = [(days, "day"), (left // 60, "hour"), (left % 60, "minute"), (rest.total_seconds(), "second")]
    shown = [f"{number:g} {unit}" + ("" if number == 1 else "s") for number, unit in parts if number]
    return " ".join(shown) or "0 seconds"
