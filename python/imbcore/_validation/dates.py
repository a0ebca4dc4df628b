"""Conversion of dates to numbers and times."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.columns import missing_like
from imbcore.exceptions import DataError

_MICROSECONDS_A_DAY = 86_400_000_000


def days_of(values: Iterable[Any], name: str, date_format: str | None, where: str) -> NDArray[np.float64]:
    """Convert dates to days since 1970-01-01, with fractions for times; NaN if missing.

    Parameters
    ----------
    values : iterable
        Text, dates or datetimes; None and NaN are missing.
    name, where : str
        Name of the column and of the table, for errors.
    date_format : str or None
        Format for ``datetime.strptime``; None means ISO 8601.

    Raises
    ------
    DataError
        A value is not a date in this format.
    """
    known: dict[Any, float] = {}
    found = []
    for value in values:
        if missing_like(value):
            found.append(float("nan"))
            continue
        if value not in known:
            moment = _moment(value, name, date_format, where)
            microseconds = np.datetime64(moment, "us").astype(np.int64)
            known[value] = int(microseconds) / _MICROSECONDS_A_DAY
        found.append(known[value])
    return np.array(found, dtype=np.float64)


def times_from_text(values: Any, date_format: str | None) -> Any:
    """Convert text to times if a date format is given; other values are returned unchanged."""
    if values is None or date_format is None:
        return values
    array = np.asarray(values)
    if array.dtype.kind not in "OUT":
        return values
    moments = [
        value if missing_like(value) else _moment(value, "time", date_format, "time")
        for value in array.tolist()
    ]
    times = np.empty(len(moments), dtype=object)
    times[:] = moments
    return times


def _moment(value: Any, name: str, date_format: str | None, where: str) -> datetime:
    """Parse one date; dates with a time zone are converted to UTC."""
    if isinstance(value, np.datetime64):
        value = value.astype("datetime64[us]").item()
    if isinstance(value, datetime):
        moment = value
    elif isinstance(value, date):
        moment = datetime(value.year, value.month, value.day)
    elif isinstance(value, str):
        try:
            moment = (
                datetime.fromisoformat(value)
                if date_format is None
                else datetime.strptime(value, date_format)
            )
        except ValueError as error:
            format_ = "ISO 8601" if date_format is None else repr(date_format)
            raise DataError(
                f"{where}: column {name!r} has {value!r}, which is not a date in the format {format_}; give "
                "the format of the dates, such as date_format='%d.%m.%Y' (--date-format)"
            ) from error
    else:
        raise DataError(
            f"{where}: column {name!r} has {value!r}, which is not a date; remove the column from `dates`"
        )
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo is not None else moment
