"""Checksums of the columns of a segment, which must have the same values in every pass."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from imbcore.exceptions import DataError
from imbcore.streaming.readers.arrow import pyarrow


class ColumnChecksums:
    """Checksums of columns during a pass over a segment; they do not depend on the batches."""

    def __init__(self, names: Sequence[str]) -> None:
        # Checksums of the values, of their lengths and of the positions of missing values, and the number of
        # rows.
        self._sums = dict.fromkeys(names, (0, 0, 0, 0))
        self._types: dict[str, str] = {}

    def add(self, name: str, column: Any) -> None:
        """Add the values of a column in the next batch, an Arrow array."""
        pa = pyarrow("rows")
        self._types[name] = str(column.type)
        for chunk in column.chunks if isinstance(column, pa.ChunkedArray) else [column]:
            values, lengths, missing, rows = self._sums[name]
            n_rows = len(chunk)
            if chunk.null_count:
                places = np.flatnonzero(chunk.is_null().to_numpy(zero_copy_only=False)) + rows
                missing = zlib.crc32(places.tobytes(), missing)
                chunk = chunk.drop_null()
            if len(chunk):
                data, ends = _value_bytes(chunk)
                values, lengths = zlib.crc32(data, values), zlib.crc32(ends, lengths)
            self._sums[name] = values, lengths, missing, rows + n_rows

    def compare(self, known: dict[tuple[str, str], tuple[int, int, int, int]], what: str) -> None:
        """Compare with the checksums of earlier passes; store those of newly read columns.

        A column that an earlier pass read with another type, such as an integer that becomes a level, counts
        as read for the first time.

        Raises
        ------
        DataError
            A column has other values than in an earlier pass.
        """
        for name, found in self._sums.items():
            if known.setdefault((name, self._types.get(name, "")), found) != found:
                raise DataError(
                    f"{what}: column {name!r} holds other values, or the same in another order, than when it "
                    "was read before; the rows must stay the same while a model is fitted. Start again when "
                    "no other program writes to them"
                )


def _value_bytes(chunk: Any) -> tuple[Any, Any]:
    """Return the bytes of values, none of them missing, and of their lengths if these differ."""
    pa = pyarrow("rows")
    from pyarrow import compute

    type_ = chunk.type
    if pa.types.is_null(type_):
        return b"", b""
    if pa.types.is_dictionary(type_):
        return _value_bytes(chunk.dictionary_decode())
    if pa.types.is_boolean(type_):
        return _value_bytes(chunk.cast(pa.uint8()))
    if pa.types.is_string(type_) or pa.types.is_large_string(type_):
        ends = np.frombuffer(chunk.buffers()[1], "i8" if pa.types.is_large_string(type_) else "i4")
        first, last = ends[chunk.offset], ends[chunk.offset + len(chunk)]
        data = chunk.buffers()[2]
        return b"" if data is None else memoryview(data)[first:last], _buffer_bytes(
            compute.binary_length(chunk)
        )
    try:
        return (_buffer_bytes(chunk) if type_.bit_width % 8 == 0 else _text_bytes(chunk)), b""
    except ValueError:
        return _text_bytes(chunk), b""


def _text_bytes(chunk: Any) -> bytes:
    """Convert values of any type into text."""
    return "".join(f"{value!r};" for value in chunk.to_pylist()).encode()


def _buffer_bytes(array: Any) -> Any:
    """Return the bytes of an array of values of equal width."""
    width = array.type.bit_width // 8
    return memoryview(array.buffers()[1])[array.offset * width : (array.offset + len(array)) * width]
