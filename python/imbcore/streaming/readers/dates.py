"""Columns of dates as days since 1970-01-01, for those who ask for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from imbcore._input.dates import days_of
from imbcore.exceptions import DataError
from imbcore.streaming.readers.arrow import kind_of, pyarrow
from imbcore.streaming.readers.segments import Backing, Segment

__all__ = ["dated"]


def dated(backing: Backing, names: Sequence[str], date_format: str | None) -> Backing:
    """Read some columns, of dates or of text, as days since 1970-01-01.

    Raises
    ------
    DataError
        There is no such column, or it holds numbers.
    """
    if not names:
        return backing
    pa = pyarrow("dates")
    types = dict(backing.types)
    for name in names:
        if name not in types:
            raise backing.unknown(name)
        if kind_of(types[name]) == "number" and not pa.types.is_null(types[name]):
            raise DataError(f"{backing.what}: column {name!r} holds numbers; leave it out of `dates`")
        types[name] = pa.float64()
    segments = [_dated(segment, frozenset(names), date_format) for segment in backing.segments]
    return replace(backing, types=types, segments=segments, state=f"{backing.state} {names} {date_format}")


def _dated(segment: Segment, names: frozenset[str], date_format: str | None) -> Segment:
    def read(columns: Sequence[str], batch_rows: int) -> Iterator[Any]:
        pa = pyarrow("dates")
        for batch in segment.read(columns, batch_rows):
            arrays = [
                pa.array(days_of(array.to_pylist(), name, date_format, segment.name), from_pandas=True)
                if name in names
                else array
                for name, array in zip(columns, batch.columns, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(arrays, names=list(columns))

    reader: Callable[[Sequence[str], int], Iterator[Any]] = read
    return replace(segment, read=reader)
