"""Rows by day or another period of time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.dependence import holds_dates, time_span_to_seconds, times_to_numbers
from imbcore._validation.values import Numbers, validate_real_number
from imbcore.exceptions import ParameterError

_DAY = 86_400.0
Places = NDArray[np.int64]


def times_and_day_length(time: Any, per: Any, n_rows: int) -> tuple[Numbers, float]:
    """Return times and the length of a day in the same unit."""
    times, dated = times_to_numbers(time, n_rows), holds_dates(time)
    seconds = time_span_to_seconds(per)
    if per is None:
        day = _DAY if dated else 1.0
    elif dated:
        if seconds is None:
            raise ParameterError(f"per must be a time span such as '1d' (s, min, h, d, w), got {per!r}")
        day = seconds
    else:
        if seconds is not None:
            raise ParameterError(f"time contains numbers, so per must be a number, got {per!r}")
        day = validate_real_number("per", per)
    if not 0 < day < np.inf:
        raise ParameterError(f"per must be above 0, got {per!r}")
    return times, day


def period_numbers(times: Numbers, span: float) -> Numbers:
    """Return the number of the period of each time, robust to rounding at the start of a period."""
    quotients = times / span
    nearest = np.round(quotients)
    return np.where(np.abs(quotients - nearest) <= 1e-9, nearest, np.floor(quotients))


def mean_rows_per_day(time: Any) -> int:
    """Return the rounded mean number of rows per day, from the first to the last day with rows.

    If times are numbers, a day is one unit. With less than one row per unit, the unit is probably no day, and
    the number of all rows is returned.
    """
    n_rows = len(time)
    numbers = period_numbers(*times_and_day_length(time, None, n_rows))
    mean = n_rows / (numbers.max() - numbers.min() + 1)
    return round(mean) if mean >= 1 else n_rows


def rows_by_day(time: Any, per: Any, n_rows: int) -> list[Places]:
    """Return the rows of every day that has rows, in the order of time."""
    times, day = times_and_day_length(time, per, n_rows)
    numbers = period_numbers(times, day)
    order = np.argsort(numbers, kind="stable")
    starts = np.flatnonzero(np.diff(numbers[order])) + 1
    return np.split(order, starts)


def rows_by_covered_day(time: Any, per: Any, n_rows: int) -> list[Places]:
    """Return the rows of every day with rows, without days at the ends that are not covered."""
    days = rows_by_day(time, per, n_rows)
    times, day = times_and_day_length(time, per, n_rows)
    numbers = period_numbers(times, day)
    first, last = are_ends_covered(times, numbers.min() * day, (numbers.max() + 1) * day)
    return days[0 if first else 1 : len(days) if last else -1] or days


def are_ends_covered(times: Numbers, begin: float, end: float) -> tuple[bool, bool]:
    """Return whether rows cover the begin of the first period, and the end of the last period.

    A further row, at the longest time between two rows before the first row or after the last row, would be
    outside the periods.
    """
    distinct = np.unique(times)
    longest = float(np.diff(distinct).max()) if len(distinct) > 1 else min(_DAY, end - begin)
    return bool(distinct[0] - longest < begin), bool(distinct[-1] + longest >= end)
