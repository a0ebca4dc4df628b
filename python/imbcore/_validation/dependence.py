"""Conversion of groups and times of rows, and of time spans, to native form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.columns import EXACT, decode_arrow_dictionary, is_missing_value
from imbcore._validation.dates import NotADateError, to_utc
from imbcore._validation.read import materialize_arrow_stream
from imbcore._validation.value_text import value_text
from imbcore.exceptions import DataError, ParameterError

# A Monday, so that weeks counted from it begin on Mondays.
ORIGIN = np.datetime64("1970-01-05", "us")
_UNITS = {"s": "seconds", "min": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_GAP = (
    "time_gap must be a whole number of rows; or a time span: a timedelta or text such as '7d' (s, min, "
    "h, d, w) if time contains dates, {'time': 7.0} if it contains numbers"
)


def group_codes(values: Any, n_rows: int, name: str = "groups") -> NDArray[np.uint32]:
    """Encode groups by consecutive codes in the order of appearance.

    Renamed groups have the same codes. A row with a missing value is a group of its own.

    Parameters
    ----------
    values : sequence of shape (n_rows,)
        Hashable values in a list, an array, or a column of a frame; equal values are one group.
    n_rows : int
    name : str, default="groups"
        Name of the parameter, for errors.

    Returns
    -------
    ndarray of shape (n_rows,)

    Raises
    ------
    DataError
        There is not one value per row, or a value is not hashable.
    """
    array, missing = _values_per_row(name, values, n_rows)
    first_rows = np.arange(n_rows)
    present = np.flatnonzero(~missing)
    if array.dtype.kind in "OTVm":
        first: dict[Any, int] = {}
        objects = array.tolist()
        for row in present.tolist():
            try:
                first_rows[row] = first.setdefault(objects[row], row)
            except TypeError as error:
                raise DataError(
                    f"{name} has a value that cannot identify a group in row {row} (counted from 0): "
                    f"{error}; use text, numbers or tuples"
                ) from error
    else:
        _, first_of, inverse = np.unique(array[present], return_index=True, return_inverse=True)
        first_rows[present] = present[first_of[inverse]]
    return np.unique(first_rows, return_inverse=True)[1].astype(np.uint32)


def group_array(values: Any) -> NDArray[Any]:
    """Return groups as an array of the given values."""
    return _values_per_row("groups", values, None)[0]


def values_of_group_codes(values: Any, codes: NDArray[np.uint32]) -> list[Any]:
    """Return the value of each code of :func:`group_codes`; None if it is missing."""
    array, missing = _values_per_row("groups", values, len(codes))
    if array.dtype.kind == "M":
        array = array.astype("datetime64[us]")
    first_rows = np.unique(codes, return_index=True)[1]
    pairs = zip(array[first_rows].tolist(), missing[first_rows].tolist(), strict=True)
    return [None if absent else value for value, absent in pairs]


def distinct_groups(values: Any) -> frozenset[Any]:
    """Return the distinct groups that are not missing, as equal objects for any container."""
    array, missing = _values_per_row("groups", values, None)
    present = array[~missing]
    if present.dtype.kind in "OTV":
        return frozenset(present.tolist())
    if present.dtype.kind == "M":
        present = present.astype("datetime64[us]")
    return frozenset(np.unique(present).tolist())


def holds_dates(values: Any) -> bool:
    """Check whether times are dates or text, which :func:`times_to_numbers` converts to seconds."""
    array, missing = _values_per_row("time", values, None)
    if array.dtype.kind not in "OTU":
        return array.dtype.kind == "M"
    present = np.flatnonzero(~missing)
    return len(present) > 0 and not _is_number(array[present[0]])


def times_to_numbers(
    values: Any, n_rows: int, date_format: str | None = None, name: str = "time"
) -> NDArray[np.float64]:
    """Convert dates to seconds since Monday, 1970-01-05 UTC; numbers stay unchanged.

    Dates without a time zone are read as UTC. Differences of dates are exact to one microsecond.

    Parameters
    ----------
    values : sequence of shape (n_rows,)
        Numbers, dates, timestamps, or dates as text.
    n_rows : int
    date_format : str or None, default=None
        Format of text for ``datetime.strptime``; None means ISO 8601.
    name : str, default="time"
        Name of the parameter, for errors.

    Returns
    -------
    ndarray of shape (n_rows,)

    Raises
    ------
    DataError
        There is not one value per row, or a value is missing, infinite or not a time.
    """
    array, missing = _values_per_row(name, values, n_rows)
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise DataError(
            f"{name} is missing in row {row} ({int(missing.sum())} such rows, counted from 0); fill it in "
            "or drop these rows"
        )
    if array.dtype.kind == "M":
        return _seconds_since_origin(array.astype("datetime64[us]"))
    given = array
    if array.dtype.kind in "OTU":
        array = _times_from_objects(array.tolist(), date_format, name)
    if array.dtype.kind not in "iuf":
        raise DataError(f"{name} must contain numbers or dates, got {array.dtype}")
    times = np.ascontiguousarray(array, dtype=np.float64)
    _refuse_ambiguous_order(given, times, name)
    if not np.isfinite(times).all():
        row = int(np.flatnonzero(~np.isfinite(times))[0])
        raise DataError(f"{name} must be finite; row {row} has {times[row]} (counted from 0)")
    return times


def seconds_to_dates(times: NDArray[np.float64]) -> NDArray[np.datetime64]:
    """Convert seconds of :func:`times_to_numbers` back to dates, exact to a microsecond."""
    return ORIGIN + np.rint(times * 1e6).astype("timedelta64[us]")


def _seconds_since_origin(dates: Any) -> Any:
    return (dates - ORIGIN).astype(np.int64) / 1e6


def _refuse_ambiguous_order(given: NDArray[Any], times: NDArray[np.float64], name: str) -> None:
    """Refuse different integers that are equal as float64, whose order would be lost."""
    large = np.abs(times) >= EXACT
    if given.dtype.kind not in "iuO" or not large.any() or not np.isfinite(times).all():
        return
    rows = np.flatnonzero(large)
    values = given[rows].tolist()
    if len(set(values)) > len(np.unique(times[rows])):
        raise DataError(
            f"{name} has different large integers that are equal in floating point, such as near "
            f"{values[0]} in row {int(rows[0])} (counted from 0); subtract the smallest time, or convert "
            "them to dates"
        )


def _times_from_objects(values: list[Any], date_format: str | None, name: str) -> NDArray[np.float64]:
    """Convert objects that are all numbers, or all dates or text."""
    if values and _is_number(values[0]):
        for row, value in enumerate(values):
            if not _is_number(value):
                raise DataError(
                    f"{name} mixes numbers and other values, such as {value!r} in row {row} (counted from "
                    "0); use one type"
                )
        return np.array(values, dtype=np.float64)
    known: dict[Any, float] = {}
    for row, value in enumerate(values):
        if not isinstance(value, (str, date, np.datetime64)):
            raise DataError(f"{name} must contain numbers or dates; row {row} has {value!r} (counted from 0)")
        if value not in known:
            try:
                moment = to_utc(value, date_format)
            except NotADateError as error:
                remedy = ", or convert the dates to timestamps first"
                raise DataError(f"{name}, row {row} (counted from 0): {error}{remedy}") from error
            known[value] = float(_seconds_since_origin(np.datetime64(moment, "us")))
    return np.array([known[value] for value in values], dtype=np.float64)


def parse_time_gap(gap: Any, dated: bool) -> tuple[int, float | None]:
    """Convert the gap before a test set.

    Parameters
    ----------
    gap : int, timedelta, str, dict or None
        A number of rows, a time span such as "7d", ``{"rows": 7}`` or ``{"time": 7.0}``.
    dated : bool
        Whether the times are dates (:func:`holds_dates`).

    Returns
    -------
    tuple
        Number of rows, and the span in the unit of :func:`times_to_numbers`; None for a number of rows.

    Raises
    ------
    ParameterError
        The gap has another form, is negative, or does not match the type of the times.
    """
    given = gap
    if isinstance(gap, Mapping):
        if len(gap) != 1 or not {"rows", "time"} & set(gap):
            raise ParameterError(f"{_GAP}, got {value_text(given)}")
        ((unit, gap),) = gap.items()
        if unit == "time" and _is_number(gap) and not dated:
            return 0, _check_gap_not_negative(float(gap))
        if unit == "time" and _is_number(gap):
            raise ParameterError(
                f"time contains dates, so a number is not a time span; {_GAP}, got {value_text(given)}"
            )
        if unit == "rows" and not isinstance(gap, (int, np.integer)):
            raise ParameterError(f"{_GAP}, got {value_text(given)}")
    if gap is None:
        return 0, None
    if isinstance(gap, (int, np.integer)) and not isinstance(gap, (bool, np.timedelta64)):
        if gap < 0:
            raise ParameterError(f"{_GAP}, got {value_text(given)}")
        return int(gap), None
    seconds = time_span_to_seconds(gap)
    if seconds is None:
        raise ParameterError(f"{_GAP}, got {value_text(given)}")
    if not dated:
        raise ParameterError(f"time contains numbers, so {value_text(gap)} is not a time span; {_GAP}")
    return 0, _check_gap_not_negative(seconds)


def time_span_to_seconds(span: Any) -> float | None:
    """Convert a time span (timedelta, or text such as "7d") to seconds; None for anything else."""
    if isinstance(span, np.timedelta64):
        if np.datetime_data(span.dtype)[0] in ("Y", "M", "generic"):
            return None
        return float(span / np.timedelta64(1, "us")) / 1e6
    if isinstance(span, str):
        found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(s|min|h|d|w)\s*", span, re.IGNORECASE)
        if found is None:
            return None
        try:
            span = timedelta(**{_UNITS[found[2].lower()]: float(found[1])})
        except OverflowError:
            return None
    return span.total_seconds() if isinstance(span, timedelta) else None


def format_time_span(seconds: float) -> str:
    """Format a time span: "7 days", "1 day 12 hours", "90.5 seconds"."""
    minutes, rest = divmod(seconds, 60)
    days, left = divmod(int(minutes), 24 * 60)
    parts = [(days, "day"), (left // 60, "hour"), (left % 60, "minute"), (rest, "second")]
    shown = [f"{number:g} {unit}" + ("" if number == 1 else "s") for number, unit in parts if number]
    return " ".join(shown) or "0 seconds"


def split_off_columns(X: Any, **given: Any) -> tuple[Any, dict[str, Any]]:
    """Remove the columns that arguments name from a table in memory, and return their values.

    Parameters
    ----------
    X : table
    **given
        Arguments, such as ``groups`` and ``time``: names of columns, or values, which are not changed.

    Returns
    -------
    tuple
        The table without these columns, in a container of the same type, and the values of the arguments.

    Raises
    ------
    ParameterError
        The table has no column of this name.
    """
    names = [name for name in given.values() if isinstance(name, str)]
    if not names:
        return X, given
    X = materialize_arrow_stream(X)
    columns = columns_by_name(X)
    for argument, name in given.items():
        if isinstance(name, str) and name not in columns:
            near = get_close_matches(name, columns, n=1)
            known = f"the columns are {list(columns)[:20]}" if columns else "X has no column names"
            hint = f"did you mean {near[0]!r}?" if near else f"{known}; give one value per row instead"
            raise ParameterError(f"{argument}: X has no column {name!r}; {hint}")
    values = {
        argument: _column_to_values(columns[name]) if isinstance(name, str) else name
        for argument, name in given.items()
    }
    return _drop_columns(X, set(names)), values


def columns_by_name(X: Any) -> dict[str, Any]:
    """Return the columns of a table in memory by name; no columns for a table without names."""
    if hasattr(X, "_imbcore_columns_"):
        return dict(X._imbcore_columns_())
    if isinstance(X, Mapping):
        return {str(name): column for name, column in X.items()}
    if isinstance(X, (list, tuple)) and X and all(isinstance(row, Mapping) for row in X):
        keys = dict.fromkeys(name for row in X for name in row)
        return {str(name): [row.get(name) for row in X] for name in keys}
    names = getattr(X, "column_names", getattr(X, "columns", None))
    if isinstance(X, (list, tuple, np.ndarray)) or names is None:
        return {}
    return {name: X[name] for name in list(names) if isinstance(name, str)}


def _drop_columns(X: Any, names: set[str]) -> Any:
    if isinstance(X, Mapping):
        return {name: column for name, column in X.items() if str(name) not in names}
    if isinstance(X, (list, tuple)):
        return [{name: value for name, value in row.items() if str(name) not in names} for row in X]
    if hasattr(X, "_imbcore_columns_"):
        return X.drop(*names)
    import narwhals.stable.v2 as nw

    return nw.to_native(nw.from_native(X, eager_only=True).drop(*names))


def _column_to_values(column: Any) -> Any:
    if not (hasattr(column, "codes") and hasattr(column, "levels")):
        return column
    levels = np.fromiter((*column.levels, None), dtype=object, count=len(column.levels) + 1)
    return levels[np.minimum(column.codes, np.uint32(len(column.levels)))]


def _values_per_row(name: str, given: Any, n_rows: int | None) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return an array with one value per row, and which values are missing."""
    try:
        array = _sequence_to_array(given)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} must have one value per row: {error}") from error
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.reshape(-1)
    if array.ndim == 0:
        raise DataError(
            f"{name} must be a sequence with one value per row, or the name of a column as text, got "
            f"{value_text(given)}"
        )
    if array.ndim != 1:
        raise DataError(f"{name} must have one value per row, got an array of shape {array.shape}")
    if n_rows is not None and len(array) != n_rows:
        raise DataError(f"{name} has {len(array)} values, but X has {n_rows} rows")
    masked = isinstance(array, np.ma.MaskedArray) and array.dtype.names is None
    missing: NDArray[np.bool_] = np.ma.getmaskarray(array) if masked else np.zeros(len(array), dtype=bool)
    array = np.asarray(array)
    if array.dtype.kind in "fc":
        missing = missing | np.isnan(array)
    elif array.dtype.kind in "mM":
        missing = missing | np.isnat(array)
    elif array.dtype.kind in "OT":
        missing = missing | np.fromiter(map(is_missing_value, array.tolist()), dtype=bool, count=len(array))
    return array, missing


def _sequence_to_array(given: Any) -> NDArray[Any]:
    """Convert a sequence or column; values of a list keep their types."""
    if isinstance(given, (list, tuple)) and not any(isinstance(value, list) for value in given):
        return np.fromiter(given, dtype=object, count=len(given))
    if isinstance(given, np.ma.MaskedArray):
        return given
    if hasattr(given, "to_numpy") and getattr(getattr(given, "dtype", None), "tz", None) is not None:
        return np.asarray(given.to_numpy(dtype="datetime64[ns]"))  # of pandas, in UTC
    import narwhals.stable.v2 as nw

    pyarrow = nw.dependencies.get_pyarrow()
    if pyarrow is not None and isinstance(given, pyarrow.Array):
        given = pyarrow.chunked_array([given])
    if nw.dependencies.is_into_series(given):
        series = nw.from_native(given, series_only=True)
        # NumPy integers have no missing value, and floats are not exact.
        if series.dtype.is_integer() and series.null_count():
            return np.fromiter(series.to_list(), dtype=object, count=len(series))
    return np.asarray(decode_arrow_dictionary(given))


def _check_gap_not_negative(gap: float) -> float:
    if not 0 <= gap < np.inf:
        raise ParameterError(f"time_gap must be at least 0, got {value_text(gap)}")
    return gap


def _is_number(value: Any) -> bool:
    number = isinstance(value, (int, float, np.number, Decimal, Fraction))
    return number and not isinstance(value, (bool, np.timedelta64))
