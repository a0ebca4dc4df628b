"""Conversion of dates to numbers and times."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.columns import is_missing_value
from imbcore.exceptions import DataError

_MICROSECONDS_A_DAY = 86_400_000_000


def to_days_since_epoch(
    values: Iterable[Any], name: str, date_format: str | None, where: str
) -> NDArray[np.float64]:
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
        if is_missing_value(value):
            found.append(float("nan"))
            continue
        if value not in known:
            if not isinstance(value, (str, date, np.datetime64)):
                raise DataError(
                    f"{where}: column {name!r} has {value!r}, which is not a date; remove the column from "
                    "`dates`"
                )
            try:
                microseconds = np.datetime64(to_utc(value, date_format), "us").astype(np.int64)
            except NotADateError as error:
                raise DataError(f"{where}: column {name!r}: {error}") from error
            known[value] = int(microseconds) / _MICROSECONDS_A_DAY
        found.append(known[value])
    return np.array(found, dtype=np.float64)


class NotADateError(ValueError):
    """A value that is not a date in the expected format, or outside the years 1 to 9999."""


def to_utc(value: str | date | np.datetime64, date_format: str | None) -> datetime:
    """Convert a date to a time in UTC, without a time zone.

    Raises
    ------
    NotADateError
        The text is not a date in this format, or the date is outside the years 1 to 9999.
    """
    if isinstance(value, np.datetime64):
        moment = value.astype("datetime64[us]").item()
        if not isinstance(moment, datetime):
            raise NotADateError(f"{value} is not a date of the years 1 to 9999")
    elif isinstance(value, datetime):
        moment = value
    elif isinstance(value, date):
        moment = datetime(value.year, value.month, value.day)
    else:
        moment = _parse_date(value, date_format)
    if moment.tzinfo is None:
        return moment
    try:
        return moment.astimezone(UTC).replace(tzinfo=None)
    except OverflowError as error:
        raise NotADateError(f"{value} is not a date of the years 1 to 9999 in UTC") from error


def _parse_date(text: str, date_format: str | None) -> datetime:
    if date_format is None and re.fullmatch(r"\d{4}-\d{2}", text):
        text += "-01"
    try:
        return datetime.fromisoformat(text) if date_format is None else datetime.strptime(text, date_format)
    except ValueError as error:
        format_ = "ISO 8601" if date_format is None else repr(date_format)
        raise NotADateError(
            f"{text!r} is not a date in the format {format_}; give the format of the dates, such as "
            "date_format='%d.%m.%Y' (--date-format)"
        ) from error
