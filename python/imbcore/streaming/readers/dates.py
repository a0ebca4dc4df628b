"""Columns of dates read as days since 1970-01-01, on request."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from imbcore._validation.dates import to_days_since_epoch
from imbcore.exceptions import DataError
from imbcore.streaming.readers.arrow import arrow_type_kind, pyarrow
from imbcore.streaming.readers.segments import Segment, SourceData


def convert_dates(data: SourceData, names: Sequence[str], date_format: str | None) -> SourceData:
    """Read columns of dates or of text as days since 1970-01-01.

    Raises
    ------
    DataError
        A column does not exist, or holds numbers.
    """
    if not names:
        return data
    pa = pyarrow("dates")
    types = dict(data.types)
    for name in names:
        if name not in types:
            raise data.unknown_column_error(name)
        if arrow_type_kind(types[name]) == "number" and not pa.types.is_null(types[name]):
            raise DataError(f"{data.what}: column {name!r} holds numbers; leave it out of `dates`")
        types[name] = pa.float64()
    segments = [_convert_segment(segment, frozenset(names), date_format) for segment in data.segments]
    return replace(data, types=types, segments=segments, state=f"{data.state} {names} {date_format}")


def _convert_segment(segment: Segment, names: frozenset[str], date_format: str | None) -> Segment:
    def read(columns: Sequence[str], batch_rows: int) -> Iterator[Any]:
        pa = pyarrow("dates")
        for batch in segment.read(columns, batch_rows):
            arrays = [
                pa.array(
                    to_days_since_epoch(array.to_pylist(), name, date_format, segment.name), from_pandas=True
                )
                if name in names
                else array
                for name, array in zip(columns, batch.columns, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(arrays, names=list(columns))

    reader: Callable[[Sequence[str], int], Iterator[Any]] = read
    return replace(segment, read=reader)
