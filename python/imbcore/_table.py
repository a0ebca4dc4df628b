"""A light table of named columns, and the files it is read from and written to.

No data-frame library is needed for text files; Parquet files need pyarrow.
"""

from __future__ import annotations

import csv
import gzip
import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from imbcore._columns import MISSING, Column, Nominal, length
from imbcore.exceptions import DataError, ParameterError

__all__ = ["MISSING_WORDS", "Table", "number_text", "read_table", "write_table"]

MISSING_WORDS = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?")
_PARQUET = (".parquet", ".pq")
_TEXT = {".csv": ",", ".txt": ",", ".tsv": "\t", ".tab": "\t"}
# Rows turned into text at a time: bounds the memory a large table needs on its way to the disk.
_CHUNK = 10_000


@dataclass(frozen=True)
class Table:
    """Named columns of equal length.

    Parameters
    ----------
    columns : dict
        Column by name: a 1-D float64 array (NaN = missing) or a ``Nominal`` with one level code a row.
    """

    columns: dict[str, Column]

    def __post_init__(self) -> None:
        lengths = {name: length(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise DataError(f"the columns must be equally long, got {lengths}")

    @property
    def names(self) -> list[str]:
        """Column names, in order."""
        return list(self.columns)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return next((length(column) for column in self.columns.values()), 0)

    def __getitem__(self, name: str) -> Column:
        """Return the column called ``name``."""
        self._need(name)
        return self.columns[name]

    def __repr__(self) -> str:
        """Return the shape and the first names."""
        shown = ", ".join(self.names[:5]) + (", ..." if len(self.columns) > 5 else "")
        return f"Table({self.n_rows} rows, {len(self.columns)} columns: {shown})"

    def drop(self, *names: str) -> Table:
        """Return the table without the columns ``names``; the rest is shared, not copied."""
        for name in names:
            self._need(name)
        return Table({name: column for name, column in self.columns.items() if name not in names})

    def _need(self, name: str) -> None:
        if name not in self.columns:
            import difflib

            near = difflib.get_close_matches(name, self.columns, n=3) or self.names[:10]
            raise DataError(f"there is no column {name!r}; did you mean {' or '.join(map(repr, near))}?")

    def _imbcore_columns_(self) -> list[tuple[str, Column]]:
        """Columns by name: what any object offers to be accepted as ``X`` without a conversion."""
        return list(self.columns.items())

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame``; nominal columns become categoricals."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("to_pandas() needs pandas: pip install imbcore[pandas]") from error
        frame: dict[str, Any] = {}
        for name, column in self.columns.items():
            if isinstance(column, Nominal):
                codes = np.where(column.codes == MISSING, -1, column.codes.astype(np.int64))
                frame[name] = pd.Categorical.from_codes(codes, categories=list(column.levels))
            else:
                frame[name] = column
        return pd.DataFrame(frame)


def read_table(
    path: str | os.PathLike[str],
    *,
    delimiter: str | None = None,
    header: bool = True,
    missing: Sequence[str] = MISSING_WORDS,
    text: Sequence[str] = (),
    numeric: Sequence[str] = (),
    callback: Callable[[str, int, int], object] | None = None,
) -> Table:
    """Read a text file (plain or gzip) or a Parquet file.

    A column of a text file is numeric when every field that is not missing is a number, and nominal
    otherwise. The levels of a nominal column are sorted, so that they do not depend on the order of the
    rows. Blanks around a field do not belong to it.

    Parameters
    ----------
    path : path-like
        A name that ends in ``.parquet`` or ``.pq`` is Parquet; everything else is text.
    delimiter : str or None, default=None
        One ASCII character. None looks at the first line: comma, else semicolon, else tab.
    header : bool, default=True
        Whether the first line holds the names; without, columns are called ``x0``, ``x1``, ...
    missing : sequence of str
        Words that stand for a missing value.
    text, numeric : sequence of str, default=()
        Columns to read as nominal although they look like numbers; columns in which a word is an error.
    callback : callable or None, default=None
        Called as ``callback("bytes", done, total)``; an exception it raises stops the reading.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        The file is not a table; the message has the file name and the line number.
    ParameterError
        ``delimiter`` is not one ASCII character, or a name in ``text`` or ``numeric`` is not in the file.
    OSError
        The file cannot be read.
    """
    if Path(path).suffix.lower() in _PARQUET:
        return _read_parquet(path, text)
    from imbcore import _imbcore

    for name, given in (("missing", missing), ("text", text), ("numeric", numeric)):
        if isinstance(given, str):
            raise ParameterError(f"read_table: parameter `{name}` must be a list of words, got {given!r}")
    native = _imbcore.read_table(
        path, delimiter, header, list(missing), list(text), list(numeric), callback=callback
    )
    return Table({name: Nominal(*part) if isinstance(part, tuple) else part for name, part in native})


def _read_parquet(path: str | os.PathLike[str], text: Sequence[str]) -> Table:
    """Read a Parquet file: numbers, truth values and decimals as float64, words as levels."""
    pa, parquet = _pyarrow()
    with open(path, "rb") as file:
        try:
            table = parquet.read_table(file)
        except pa.ArrowException as error:
            raise DataError(f"{os.fspath(path)}: not a readable Parquet file ({error})") from error
        except OSError as error:
            # pyarrow reports damaged files as an OSError without a number.
            if error.errno is not None:
                raise
            raise DataError(f"{os.fspath(path)}: not a readable Parquet file ({error})") from error
    names = table.column_names
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise DataError(f"{os.fspath(path)}: two columns are called {repeated[0]!r}; rename one")
    for name in text:
        if name not in names:
            raise ParameterError(f"read_table: `text` names column {name!r}, which {os.fspath(path)} lacks")
    columns = (
        _from_arrow(pa, name, table.column(name), name in text, os.fspath(path)) for name in names
    )
    return Table(dict(zip(names, columns, strict=True)))


def _from_arrow(pa: Any, name: str, column: Any, as_text: bool, path: str) -> Column:
    kind = column.type
    words = pa.types.is_dictionary(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind)
    words = words or str(kind) == "string_view"
    plain = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    if words or (as_text and plain):
        values = (column.cast(kind.value_type) if pa.types.is_dictionary(kind) else column).to_pylist()
        spelled = [None if value is None else str(value) for value in values]
        levels = sorted({word for word in spelled if word is not None})
        rank: dict[str | None, int] = {word: code for code, word in enumerate(levels)}
        rank[None] = MISSING
        codes = np.fromiter((rank[word] for word in spelled), dtype=np.uint32, count=len(spelled))
        return Nominal(codes, list(levels))
    if plain or pa.types.is_boolean(kind) or pa.types.is_null(kind):
        if pa.types.is_boolean(kind):
            column = column.cast(pa.uint8())
        numbers = column.cast(pa.float64(), safe=False).to_numpy()
        return np.ascontiguousarray(numbers, dtype=np.float64)
    raise DataError(f"{path}: column {name!r} is of type {kind}; turn it into numbers or text")


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise ImportError("Parquet files need pyarrow: pip install imbcore[parquet]") from error
    return pyarrow, parquet


def write_table(path: str | os.PathLike[str], columns: Mapping[str, Column | ArrayLike]) -> None:
    """Write columns to a file that appears whole or not at all.

    Numbers are written with the shortest text that reads back exactly; missing values as empty fields.

    Parameters
    ----------
    path : path-like
        ``.csv``, ``.txt`` (comma), ``.tsv``, ``.tab`` (tab), each also with ``.gz``, or ``.parquet``, ``.pq``.
    columns : mapping
        Column by name: a ``Nominal``, or anything ``numpy.asarray`` makes a 1-D array of.

    Raises
    ------
    ParameterError
        The file name has another ending.
    DataError
        The columns are not equally long, or not one-dimensional.
    OSError
        The file cannot be written; an older file of that name is still there.
    """
    from imbcore._files import atomic_write

    ready = {str(name): _writable(str(name), column) for name, column in columns.items()}
    lengths = {name: len(column.codes if isinstance(column, Nominal) else column) for name, column in ready.items()}
    if len(set(lengths.values())) > 1:
        raise DataError(f"the columns must be equally long, got {lengths}")
    endings = [ending.lower() for ending in Path(path).suffixes]
    packed = endings[-1:] == [".gz"]
    last = endings[-2:-1] if packed else endings[-1:]
    ending = last[0] if last else ""
    if ending in _PARQUET and not packed:
        table = _to_arrow(ready)
        parquet = _pyarrow()[1]
        with atomic_write(path) as file:
            parquet.write_table(table, file)
    elif ending in _TEXT:
        with atomic_write(path) as file:
            _write_text(file, ready, _TEXT[ending], packed)
    else:
        known = ", ".join([*_TEXT, *(f"{ending}.gz" for ending in _TEXT), *_PARQUET])
        raise ParameterError(f"write_table: the file name must end in one of {known}; got {os.fspath(path)!r}")


def _writable(name: str, column: Column | ArrayLike) -> Nominal | NDArray[Any]:
    if isinstance(column, Nominal):
        return column
    values = np.asarray(column)
    if values.ndim != 1:
        raise DataError(f"column {name!r} must have one dimension, got shape {values.shape}")
    return values


def _write_text(
    file: BinaryIO, columns: Mapping[str, Nominal | NDArray[Any]], delimiter: str, packed: bool
) -> None:
    # Neither time nor name goes into the gzip header: equal tables give equal files.
    sink: Any = gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) if packed else file
    text = io.TextIOWrapper(sink, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    n_rows = max((len(_values(column)) for column in columns.values()), default=0)
    for start in range(0, n_rows, _CHUNK):
        writer.writerows(zip(*(_spell(column, start) for column in columns.values()), strict=True))
    text.flush()
    text.detach()
    if packed:
        sink.close()


def _values(column: Nominal | NDArray[Any]) -> NDArray[Any]:
    return column.codes if isinstance(column, Nominal) else column


def _spell(column: Nominal | NDArray[Any], start: int) -> Iterator[str]:
    """Yield the text of the rows from ``start`` on, one chunk long."""
    part = _values(column)[start : start + _CHUNK]
    if isinstance(column, Nominal):
        words = [_word(level) for level in column.levels]
        return ("" if code == MISSING else words[code] for code in part.tolist())
    return map(_word, part.tolist())


def _word(value: object) -> str:
    if value is None or value != value:
        return ""
    return number_text(value) if isinstance(value, float) else str(value)


def number_text(value: float) -> str:
    """Return the shortest text that reads back as ``value``, whole numbers without a point."""
    return repr(value).removesuffix(".0")


def _to_arrow(columns: Mapping[str, Nominal | NDArray[Any]]) -> Any:
    pa, _ = _pyarrow()
    arrays = {}
    for name, column in columns.items():
        if isinstance(column, Nominal):
            gap = column.codes == MISSING
            codes = pa.array(np.where(gap, 0, column.codes).astype(np.int32), mask=gap)
            arrays[name] = pa.DictionaryArray.from_arrays(codes, pa.array(list(column.levels)))
        else:
            arrays[name] = pa.array(column, from_pandas=True)
    return pa.table(arrays)
