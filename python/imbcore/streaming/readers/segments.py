"""Segments: independently readable parts of a source, such as Parquet row groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore.exceptions import DataError
from imbcore.streaming.readers.arrow import Kind, arrow_type_kind, pyarrow, replace_string_views


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, whether it holds numbers or text (None: neither), and its Arrow type."""

    name: str
    kind: Kind | None
    type: Any


@dataclass(frozen=True, slots=True)
class Segment:
    """Rows that are read together: their name in errors, their number, and a reader of batches."""

    name: str
    n_rows: int
    # Called with columns and the largest number of rows of a batch; batches have these columns in this order.
    read: Callable[[Sequence[str], int], Iterator[Any]]
    # Describes the place of a row, counted from 0; None stands for the name of the segment and the row from
    # 1.
    place: Callable[[int], str] | None = None
    # Checksums of the columns read so far, by name and type.
    checksums: dict[tuple[str, str], tuple[int, int, int, int]] = field(
        default_factory=dict, compare=False, repr=False
    )


@dataclass(frozen=True, slots=True)
class SourceData:
    """Data behind a source: columns with their types, segments in the order of the rows, files."""

    what: str
    types: dict[str, Any]
    segments: list[Segment]
    files: list[str]
    n_bytes: int
    # Text that differs between two states of the same files or queries.
    state: str

    def unknown_column_error(self, name: str) -> DataError:
        """Create the error for a column that does not exist."""
        import difflib

        close = difflib.get_close_matches(name, self.types, n=3)
        near = f"did you mean {' or '.join(map(repr, close))}?"
        there = f"there are {', '.join(map(repr, list(self.types)[:8]))}"
        more = " and more" if len(self.types) > 8 else ""
        return DataError(f"{self.what} has no column {name!r}; {near if close else there + more}")


def unusable_feature_error(column: str, name: str, kind: Any) -> DataError:
    """Create the error for a column of a type that no method reads."""
    if pyarrow("columns").types.is_temporal(kind):
        return DataError(
            f"{column} {name!r} has type {kind}, which cannot be a feature unless requested: "
            f"dates=[{name!r}] (--dates {name}) reads it as days since 1970-01-01; or leave it out: name the "
            f"others in `columns`, or --drop {name}"
        )
    return DataError(
        f"{column} {name!r} has type {kind}, which cannot be a feature; turn it into numbers or text, or "
        "leave it out: name the others in `columns`, or on the command line --drop it"
    )


def select_columns(
    data: SourceData, wanted: Sequence[str], needed: Sequence[str], additional: Sequence[str] = ()
) -> list[Column]:
    """Select columns: features, labels and weights, and other columns of any type.

    Raises
    ------
    DataError
        A column does not exist, or a feature, label or weight is neither number nor text.
    """
    names = list(dict.fromkeys([*wanted, *needed, *additional]))
    columns = []
    for name in names:
        if name not in data.types:
            raise data.unknown_column_error(name)
        kind = arrow_type_kind(data.types[name])
        if kind is None and name not in additional:
            raise unusable_feature_error(f"{data.what}: column", name, data.types[name])
        columns.append(Column(name, kind, replace_string_views(data.types[name])))
    return columns


def label_type(type_: Any) -> Any:
    """Choose the type of labels of this kind, independent of the width of their storage."""
    pa = pyarrow("labels")
    if pa.types.is_integer(type_) and not pa.types.is_uint64(type_):
        return pa.int64()
    return pa.float64() if pa.types.is_floating(type_) else type_


def filter_segment(segment: Segment, chosen: NDArray[np.bool_]) -> Segment:
    """Keep some rows of a segment."""

    def read(columns: Sequence[str], batch_rows: int) -> Iterator[Any]:
        at = 0
        for batch in segment.read(columns, batch_rows):
            yield batch.filter(pyarrow("rows").array(chosen[at : at + batch.num_rows]))
            at += batch.num_rows

    return Segment(segment.name, int(chosen.sum()), read)
