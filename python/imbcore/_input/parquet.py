"""Parquet files, through pyarrow, which is imported only when one is met."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from imbcore._input.columns import MISSING, Column, Nominal, missing_like
from imbcore._input.damage import named_damage, validated
from imbcore.exceptions import DataError, ParameterError

__all__ = ["parquet_writer", "read_parquet"]


def read_parquet(path: str | os.PathLike[str], text: Sequence[str]) -> dict[str, Column]:
    """Read columns: numbers, truth values and decimals as float64, words as sorted levels.

    Parameters
    ----------
    path : path-like
    text : sequence of str
        Columns to read as levels although they are numbers.

    Raises
    ------
    DataError
        The file is damaged, or a column is of another type.
    ParameterError
        A name in ``text`` is not in the file.
    """
    pa, parquet = _pyarrow()
    with open(path, "rb") as file, named_damage(f"{os.fspath(path)}: not a readable Parquet file"):
        table = validated(parquet.read_table(file), os.fspath(path))
    names = table.column_names
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise DataError(f"{os.fspath(path)}: two columns are called {repeated[0]!r}; rename one")
    for name in text:
        if name not in names:
            raise ParameterError(f"read_table: `text` names column {name!r}, which {os.fspath(path)} lacks")
    return {name: _column(pa, name, table.column(name), name in text, os.fspath(path)) for name in names}


def _column(pa: Any, name: str, column: Any, as_text: bool, path: str) -> Column:
    kind = column.type
    words = pa.types.is_dictionary(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind)
    words = words or str(kind) == "string_view"
    plain = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    if words or (as_text and plain):
        values = (column.cast(kind.value_type) if pa.types.is_dictionary(kind) else column).to_pylist()
        spelled = [None if missing_like(value) else str(value) for value in values]
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


@contextmanager
def parquet_writer(file: BinaryIO) -> Iterator[Callable[[Mapping[str, Nominal | NDArray[Any]]], None]]:
    """Give what writes columns piece by piece; levels become a dictionary column, missing values null."""
    pa, parquet = _pyarrow()
    with ExitStack() as opened:
        writers: list[Any] = []

        def write(columns: Mapping[str, Nominal | NDArray[Any]]) -> None:
            table = pa.table({name: _array(pa, column) for name, column in columns.items()})
            if not writers:
                writers.append(opened.enter_context(parquet.ParquetWriter(file, table.schema)))
            writers[0].write_table(table)

        yield write


def _array(pa: Any, column: Nominal | NDArray[Any]) -> Any:
    if not isinstance(column, Nominal):
        return pa.array(column, from_pandas=True)
    gap = column.codes == MISSING
    codes = pa.array(np.where(gap, 0, column.codes).astype(np.int32), mask=gap)
    return pa.DictionaryArray.from_arrays(codes, pa.array(list(column.levels)))
