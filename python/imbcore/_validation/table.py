"""A light table of named columns, and its file writer.

Text files need no data-frame library; Parquet files need pyarrow.
"""

from __future__ import annotations

import csv
import gzip
import io
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from imbcore._validation.columns import EXACT, MISSING, Column, Nominal, n_column_rows
from imbcore._validation.files import atomic_write
from imbcore._validation.parquet import parquet_writer
from imbcore._validation.value_text import value_text
from imbcore.exceptions import DataError, ParameterError

PARQUET = (".parquet", ".pq")
_TEXT = {".csv": ",", ".txt": ",", ".tsv": "\t", ".tab": "\t"}
# Rows converted to text at a time, to bound the memory for a large table.
_CHUNK = 10_000


@dataclass(frozen=True)
class Table:
    """Named columns of equal length.

    Parameters
    ----------
    columns : dict
        Columns by name: a 1-D float64 array (NaN = missing) or a ``Nominal`` with one level code per row.
    """

    columns: dict[str, Column]

    def __post_init__(self) -> None:
        lengths = {name: n_column_rows(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise DataError(f"the columns must be equally long, got {lengths}")

    @property
    def names(self) -> list[str]:
        """Column names, in order."""
        return list(self.columns)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return next((n_column_rows(column) for column in self.columns.values()), 0)

    def __len__(self) -> int:
        """Return the number of rows; scikit-learn needs it for ``X``."""
        return self.n_rows

    def __getitem__(self, name: str) -> Column:
        """Return the column called ``name``."""
        self._require_column(name)
        return self.columns[name]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """Convert to a matrix; all columns must be numeric."""
        for name, column in self.columns.items():
            if isinstance(column, Nominal):
                raise DataError(f"column {name!r} is nominal, so the table cannot become a numeric matrix")
        if copy is False:
            raise ValueError("the columns of a Table are separate arrays; a matrix of them is always a copy")
        matrix = np.empty((self.n_rows, len(self.columns)), dtype=dtype or np.float64)
        for position, column in enumerate(self.columns.values()):
            matrix[:, position] = column
        return matrix

    def __repr__(self) -> str:
        """Format the shape and the first names."""
        shown = ", ".join(self.names[:5]) + (", ..." if len(self.columns) > 5 else "")
        return f"Table({self.n_rows} rows, {len(self.columns)} columns: {shown})"

    def drop(self, *names: str) -> Table:
        """Return the table without the columns ``names``; other columns are shared, not copied."""
        for name in names:
            self._require_column(name)
        return Table({name: column for name, column in self.columns.items() if name not in names})

    def take(self, rows: ArrayLike) -> Table:
        """Return the rows at positions, or of a boolean mask; nominal levels are unchanged."""
        chosen = np.asarray(rows)
        return Table(
            {
                name: Nominal(column.codes[chosen], column.levels)
                if isinstance(column, Nominal)
                else column[chosen]
                for name, column in self.columns.items()
            }
        )

    def _require_column(self, name: str) -> None:
        if name not in self.columns:
            import difflib

            near = difflib.get_close_matches(name, self.columns, n=3) or self.names[:10]
            raise DataError(f"there is no column {name!r}; did you mean {' or '.join(map(repr, near))}?")

    def _imbcore_columns_(self) -> list[tuple[str, Column]]:
        """Return columns by name; any object with this method is accepted as ``X`` unconverted."""
        return list(self.columns.items())

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame``; nominal columns become categoricals."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("to_pandas() needs pandas: pip install 'imbcore[pandas]'") from error
        frame: dict[str, Any] = {}
        for name, column in self.columns.items():
            if isinstance(column, Nominal):
                codes = np.where(column.codes == MISSING, -1, column.codes.astype(np.int64))
                frame[name] = pd.Categorical.from_codes(codes, categories=list(column.levels))
            else:
                frame[name] = column
        return pd.DataFrame(frame)


def write_table(path: str | os.PathLike[str], columns: Mapping[str, Column | ArrayLike]) -> None:
    """Write columns to a file atomically.

    Numbers are written as the shortest text that reads back exactly; missing values as empty fields.

    Parameters
    ----------
    path : path-like
        ``.csv``, ``.txt`` (comma), ``.tsv``, ``.tab`` (tab), all also with ``.gz``; ``.parquet``, ``.pq``.
    columns : mapping
        Columns by name: a ``Nominal``, or anything that ``numpy.asarray`` converts to a 1-D array.

    Raises
    ------
    ParameterError
        The file name has another ending.
    DataError
        The columns are not equally long, or not one-dimensional.
    OSError
        The file cannot be written; an existing file of that name is unchanged.
    """
    with table_writer(path) as put:
        put(columns)


Put = Callable[[Mapping[str, "Column | ArrayLike"]], None]


@contextmanager
def table_writer(path: str | os.PathLike[str]) -> Iterator[Put]:
    """Write a table in chunks to a file, atomically.

    Parameters
    ----------
    path : path-like
        As in :func:`write_table`.

    Yields
    ------
    callable
        Takes the columns of the next rows; names and types are those of the first chunk.

    Raises
    ------
    ParameterError, DataError, OSError
        As for :func:`write_table`.
    """
    ending, packed = table_ending(path)
    if ending in PARQUET:
        with atomic_write(path) as file, parquet_writer(file) as write:
            # An Arrow column keeps its type; the values of a chunk may all be missing.
            yield lambda columns: write(_prepare_columns(columns, keep_arrow=True))
    else:
        with atomic_write(path) as file, _text_writer(file, _TEXT[ending], packed) as write:
            yield lambda columns: write(_prepare_columns(columns))


def table_ending(path: str | os.PathLike[str]) -> tuple[str, bool]:
    """Return the ending of the name of a table to write, and whether the table is compressed.

    Raises
    ------
    ParameterError
        No table has such an ending.
    """
    endings = [ending.lower() for ending in Path(path).suffixes]
    packed = endings[-1:] == [".gz"]
    last = endings[-2:-1] if packed else endings[-1:]
    ending = last[0] if last else ""
    if ending not in _TEXT and (packed or ending not in PARQUET):
        known = ", ".join([*_TEXT, *(f"{ending}.gz" for ending in _TEXT), *PARQUET])
        raise ParameterError(
            f"the name of the output file must end in one of {known}; got {value_text(os.fspath(path))}"
        )
    return ending, packed


def _prepare_columns(
    columns: Mapping[str, Column | ArrayLike], *, keep_arrow: bool = False
) -> dict[str, Nominal | NDArray[Any]]:
    ready = {
        str(name): _to_writable_column(str(name), column, keep_arrow) for name, column in columns.items()
    }
    lengths = {
        name: len(column.codes if isinstance(column, Nominal) else column) for name, column in ready.items()
    }
    if len(set(lengths.values())) > 1:
        raise DataError(f"the columns must be equally long, got {lengths}")
    return ready


def column_values(column: Any) -> NDArray[Any]:
    """Convert a column to an array; integers of Arrow with missing values stay integers."""
    if not hasattr(column, "to_pylist"):
        return np.asarray(column)
    values = np.empty(len(column), dtype=object)
    values[:] = column.to_pylist()
    return values


def _to_writable_column(name: str, column: Column | ArrayLike, keep_arrow: bool) -> Nominal | NDArray[Any]:
    if isinstance(column, Nominal):
        return column
    if keep_arrow and hasattr(column, "to_pylist"):
        arrow: Any = column
        return arrow
    values = column_values(column)
    if values.ndim != 1:
        raise DataError(f"column {name!r} must have one dimension, got shape {values.shape}")
    return values


@contextmanager
def _text_writer(
    file: BinaryIO, delimiter: str, packed: bool
) -> Iterator[Callable[[Mapping[str, Nominal | NDArray[Any]]], None]]:
    # The gzip header has no time or name, so that equal tables give equal files.
    sink: Any = gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) if packed else file
    text = io.TextIOWrapper(sink, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    headed = False

    def write(columns: Mapping[str, Nominal | NDArray[Any]]) -> None:
        nonlocal headed
        if not headed:
            writer.writerow(columns)
            headed = True
        n_rows = max((len(_codes_or_values(column)) for column in columns.values()), default=0)
        for start in range(0, n_rows, _CHUNK):
            writer.writerows(
                zip(*(_format_chunks(column, start) for column in columns.values()), strict=True)
            )

    try:
        yield write
        text.flush()
        text.detach()
        if packed:
            sink.close()
    except BaseException:
        # The file is still open here; otherwise the stream would be flushed after it was closed, and fail.
        if packed:
            with suppress(OSError):
                sink.close()
        raise


def _codes_or_values(column: Nominal | NDArray[Any]) -> NDArray[Any]:
    return column.codes if isinstance(column, Nominal) else column


def _format_chunks(column: Nominal | NDArray[Any], start: int) -> Iterator[str]:
    """Yield the text of the rows from ``start`` on, one chunk long."""
    part = _codes_or_values(column)[start : start + _CHUNK]
    if isinstance(column, Nominal):
        words = [_cell_text(level) for level in column.levels]
        return ("" if code == MISSING else words[code] for code in part.tolist())
    return map(_cell_text, part.tolist())


def _cell_text(value: object) -> str:
    if value is None or value != value:
        return ""
    return number_text(value) if isinstance(value, float) else str(value)


def number_text(value: float) -> str:
    """Return the shortest text that reads back as ``value``; whole up to 2**53 without a point."""
    # Larger ones keep the point: as integers they would be rejected by the reader.
    return repr(value).removesuffix(".0") if abs(value) <= EXACT else repr(value)
