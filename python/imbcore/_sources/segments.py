"""Segments: the parts of a source that can be read by themselves, such as the row groups of Parquet files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from imbcore._sources.arrow import Kind, kind_of, plain_type
from imbcore.exceptions import DataError

__all__ = ["Backing", "Column", "Segment", "columns_of"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a source: its name, whether it holds numbers or text, and its Arrow type."""

    name: str
    kind: Kind
    type: Any


@dataclass(frozen=True, slots=True)
class Segment:
    """Rows that are read together: what errors call them, their number, and batches of some columns."""

    name: str
    n_rows: int
    # Columns and rows a batch at most; a batch has these columns in this order.
    read: Callable[[Sequence[str], int], Iterator[Any]]


@dataclass(frozen=True, slots=True)
class Backing:
    """What stands behind a source: columns with their types, segments in the order of the rows, files."""

    what: str
    types: dict[str, Any]
    segments: list[Segment]
    files: list[str]
    n_bytes: int
    # What tells two states of the same files or queries apart.
    state: str


def columns_of(backing: Backing, wanted: Sequence[str] | None, needed: Sequence[str]) -> list[Column]:
    """Choose columns: those wanted (all where None), and those that are needed besides.

    Raises
    ------
    DataError
        There is no such column, or one is neither number nor text.
    """
    names = list(dict.fromkeys([*(backing.types if wanted is None else wanted), *needed]))
    columns = []
    for name in names:
        if name not in backing.types:
            raise DataError(f"{backing.what} has no column {name!r}; {_near(name, list(backing.types))}")
        kind = kind_of(backing.types[name])
        if kind is None:
            raise DataError(
                f"{backing.what}: column {name!r} has type {backing.types[name]}, which cannot be a feature; "
                "turn it into numbers or text, or name the other columns in `columns`"
            )
        columns.append(Column(name, kind, plain_type(backing.types[name])))
    return columns


def _near(name: str, names: list[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, names, n=3)
    if close:
        return f"did you mean {' or '.join(map(repr, close))}?"
    return f"there are {', '.join(map(repr, names[:8]))}" + (" and more" if len(names) > 8 else "")
