"""Parquet files; pyarrow is imported only if needed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.address_limit import may_use_arrow_threads
from imbcore._validation.columns import MISSING, Column, Nominal, column_from_series
from imbcore._validation.damage import damage_as_data_error, validate_arrow
from imbcore._validation.optional import import_failure
from imbcore.exceptions import DataError, ParameterError


def read_parquet(
    path: str | os.PathLike[str], text: Sequence[str], numeric: Sequence[str] = ()
) -> dict[str, Column]:
    """Read columns like a data frame: numbers and booleans as float64, text as sorted levels.

    Parameters
    ----------
    path : path-like
    text : sequence of str
        Numeric columns to read as levels.
    numeric : sequence of str, default=()
        Columns in which text is an error.

    Raises
    ------
    DataError
        The file is damaged, or a column is of another type.
    ParameterError
        A name in ``text`` or ``numeric`` is not in the file.
    """
    import narwhals.stable.v2 as nw

    pa, parquet = _import_pyarrow()
    with open(path, "rb") as file, damage_as_data_error(f"{os.fspath(path)}: not a readable Parquet file"):
        table = validate_arrow(parquet.read_table(file, use_threads=may_use_arrow_threads()), os.fspath(path))
    names = table.column_names
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise DataError(f"{os.fspath(path)}: two columns are called {repeated[0]!r}; rename one")
    known = set(names)
    for option, given in (("text", text), ("numeric", numeric)):
        for name in given:
            if name not in known:
                raise ParameterError(
                    f"read_table: `{option}` contains column {name!r}, which is not in {os.fspath(path)}"
                )
    found: dict[str, Column] = {}
    for index, name in enumerate(names):
        column = table.column(name)
        if name in text and not pa.types.is_dictionary(column.type):
            column = column.cast(pa.string())
        try:
            found[name] = column_from_series(nw.from_native(column, series_only=True), name, index)
        except DataError as error:
            raise DataError(f"{os.fspath(path)}: {error}", index) from error
        if name in numeric and isinstance(found[name], Nominal):
            raise DataError(f"{os.fspath(path)}: column {name!r} must be numeric, but has text", index)
    return found


def _import_pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise import_failure(error, "Parquet files need pyarrow: pip install 'imbcore[parquet]'") from error
    return pyarrow, parquet


@contextmanager
def parquet_writer(file: BinaryIO) -> Iterator[Callable[[Mapping[str, Nominal | NDArray[Any]]], None]]:
    """Yield a function that writes chunks; levels become dictionaries, missing values null."""
    pa, parquet = _import_pyarrow()
    with ExitStack() as opened:
        writers: list[Any] = []

        def write(columns: Mapping[str, Nominal | NDArray[Any]]) -> None:
            table = pa.table({name: _column_to_arrow(pa, column) for name, column in columns.items()})
            if not writers:
                writers.append(opened.enter_context(parquet.ParquetWriter(file, table.schema)))
            writers[0].write_table(table)

        yield write


def _column_to_arrow(pa: Any, column: Nominal | NDArray[Any]) -> Any:
    if isinstance(column, (pa.Array, pa.ChunkedArray)):
        return column
    if not isinstance(column, Nominal):
        return pa.array(column, from_pandas=True)
    gap = column.codes == MISSING
    codes = pa.array(np.where(gap, 0, column.codes).astype(np.int32), mask=gap)
    return pa.DictionaryArray.from_arrays(codes, pa.array(list(column.levels)))
