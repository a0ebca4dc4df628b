"""A source: columns, and rows in a fixed order that are read in batches, several times."""

from __future__ import annotations

import copy
import hashlib
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from imbcore._validation.damage import validate_arrow
from imbcore._validation.value_text import value_text
from imbcore._validation.values import require_callback, validate_whole_number
from imbcore.exceptions import DataError, ParameterError
from imbcore.streaming.readers.arrow import cast_column, pyarrow
from imbcore.streaming.readers.checksums import ColumnChecksums
from imbcore.streaming.readers.prefetch import prefetch
from imbcore.streaming.readers.segments import Column, Segment, SourceData, filter_segment

# Rows of a batch: about 20 MB with 20 columns of float64.
CHUNK_ROWS = 1 << 17
# Largest number of rows that are decoded at a time.
_BATCH_ROWS = 1 << 17


class Source:
    """Rows that need not fit into memory, in order of the files and of their rows.

    Attributes
    ----------
    columns : list of Column
        Columns that are read, each with ``name``, ``kind`` ("number" or "text") and Arrow ``type``.
    target, weight : str or None
        Columns of the labels and of the weights.
    additional : list of str
        Other columns that are not features.
    n_rows : int
        Number of rows.
    n_bytes : int
        Bytes of the files; 0 without files.
    files : list of str
        Files, in the order of their rows.
    batch_size : int
        Rows of a batch.
    """

    def __init__(
        self,
        data: SourceData,
        columns: Sequence[Column],
        *,
        target: str | None,
        weight: str | None,
        additional: Sequence[str] = (),
        batch_size: int,
        callback: Callable[[str, int, int], object] | None,
    ) -> None:
        self.columns = list(columns)
        self.target, self.weight, self.additional = target, weight, list(additional)
        self.batch_size = validate_whole_number("batch_size", batch_size, 1)
        self._set_data(data)
        self._callback = callback
        # If rows were selected from another source: that source, and their numbers there.
        self._whole: tuple[Source, NDArray[np.int64]] | None = None
        if not self.n_rows:
            raise DataError(f"{data.what} has no rows")

    def __repr__(self) -> str:
        """Return name and shape."""
        what = self._data.what.rstrip(",")
        return f"Source({what}: {self.n_rows:,} rows, {len(self.columns)} columns)"

    @property
    def features(self) -> list[str]:
        """Names of the features, in order."""
        others = (self.target, self.weight, *self.additional)
        return [column.name for column in self.columns if column.name not in others]

    @property
    def fingerprint(self) -> str:
        """Text that changes with the files, queries, columns or numbers of rows."""
        columns = [(column.name, str(column.type)) for column in self.columns]
        lengths = [segment.n_rows for segment in self._data.segments]
        return hashlib.sha256(repr((self._data.state, columns, lengths)).encode()).hexdigest()

    def with_callback(self, callback: Callable[[str, int, int], object] | None) -> Source:
        """Return the same source with another progress callback, or none."""
        other = copy.copy(self)
        require_callback(callback)
        other._callback = callback
        return other

    def with_batch_rows(self, batch_size: int) -> Source:
        """Return the same source with batches of another size."""
        other = copy.copy(self)
        other.batch_size = batch_size
        return other

    def select_rows(self, rows: NDArray[np.int64]) -> Source:
        """Select rows by their ascending numbers, as a source with its own row numbers."""
        chosen = np.zeros(self.n_rows, dtype=np.bool_)
        chosen[rows] = True
        part, segments = copy.copy(self), []
        for segment, end in zip(self._data.segments, self._ends, strict=True):
            own = chosen[end - segment.n_rows : end]
            if own.any():
                segments.append(filter_segment(segment, own))
        state = hashlib.sha256(self._data.state.encode() + chosen.tobytes()).hexdigest()
        part._set_data(replace(self._data, segments=segments, state=state))
        part._whole = (self, rows)
        return part

    def _set_data(self, data: SourceData) -> None:
        self._data = data
        self.files, self.n_bytes = data.files, data.n_bytes
        self._ends = list(accumulate(segment.n_rows for segment in data.segments))
        self.n_rows = self._ends[-1] if self._ends else 0

    def place(self, row: int) -> str:
        """Describe the place of a row: the line of a text file, or the row of a row group."""
        if self._whole is not None:
            whole, rows = self._whole
            return whole.place(int(rows[row]))
        at = bisect_right(self._ends, row)
        segment = self._data.segments[at]
        inside = row - (self._ends[at] - segment.n_rows)
        if segment.place is not None:
            return segment.place(inside)
        return f"{segment.name}, row {inside + 1:,}"

    def batches(
        self, columns: Sequence[str] | None = None, rows: tuple[int, int] | None = None
    ) -> Generator[tuple[int, Any]]:
        """Read the rows in order; each call reads them again.

        A thread reads ahead until the generator ends; a caller that stops earlier must close it.

        Parameters
        ----------
        columns : sequence of str or None
            Columns to read, in this order; None reads all columns of the source.
        rows : (int, int) or None
            First row and the row behind the last; None reads all rows.

        Yields
        ------
        (int, pyarrow.Table)
            Number of the first row, and ``batch_size`` rows (fewer in the last batch), across files.

        Raises
        ------
        DataError
            A file is damaged or has changed; the message names file, row group and column.
        """
        chosen = self._find_columns(columns)
        first, stop = self._resolve_row_range(rows)
        for start, table in prefetch(lambda: self._rebatch(chosen, first, stop)):
            yield start, table
            # A batch counts as done when the next one is requested.
            self._report("rows", start + len(table) - first, stop - first)

    def column(self, name: str | None) -> Any:
        """Read the values of a column; None without a name."""
        if name is None:
            return None
        with closing(self.batches([name])) as batches:
            parts = [table[name].combine_chunks() for _, table in batches]
        return pyarrow("a column").chunked_array(parts).to_numpy()

    def take(self, row_numbers: ArrayLike, columns: Sequence[str] | None = None) -> Any:
        """Read single rows; only segments (row groups) that contain one of them are read.

        Parameters
        ----------
        row_numbers : array-like of int
            Numbers of rows, in any order, with repetitions.
        columns : sequence of str or None
            Columns to read, in this order; None reads all columns of the source.

        Returns
        -------
        pyarrow.Table
            The rows, in the order of ``row_numbers``.
        """
        pa = pyarrow("rows")
        numbers = np.asarray(row_numbers)
        if numbers.size == 0:
            numbers = numbers.astype(np.int64)
        if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
            raise ParameterError(
                f"row_numbers must be a list of whole numbers, got {value_text(row_numbers)}"
            )
        wanted, places = np.unique(numbers.astype(np.int64), return_inverse=True)
        if wanted.size and (wanted[0] < 0 or wanted[-1] >= self.n_rows):
            raise ParameterError(
                f"row_numbers must lie in 0 to {self.n_rows - 1}, got {wanted[0]} to {wanted[-1]}"
            )
        chosen = self._find_columns(columns)
        schema = pa.schema([(column.name, column.type) for column in chosen])
        found = list(prefetch(lambda: self._take_rows(chosen, wanted)))
        table = pa.concat_tables([schema.empty_table(), *found])
        return table if np.array_equal(numbers, wanted) else table.take(pa.array(places))

    def _find_columns(self, columns: Sequence[str] | None) -> list[Column]:
        if columns is None:
            return self.columns
        by_name = {column.name: column for column in self.columns}
        for name in columns:
            if name not in by_name:
                raise ParameterError(f"column {name!r} is not among those read: {list(by_name)}")
        return [by_name[name] for name in columns]

    def _resolve_row_range(self, rows: tuple[int, int] | None) -> tuple[int, int]:
        if rows is None:
            return 0, self.n_rows
        first, stop = rows
        if not 0 <= first <= stop <= self.n_rows:
            raise ParameterError(f"rows must lie in 0 to {self.n_rows}, got {rows}")
        return first, stop

    def _rebatch(self, columns: Sequence[Column], first: int, stop: int) -> Iterator[tuple[int, Any]]:
        """Combine batches of the reader into batches of ``batch_size`` rows."""
        pa = pyarrow("rows")
        held: list[Any] = []
        at, rows = first, 0
        for start, batch in self._read_batches(columns, first, stop):
            table = batch.slice(max(first - start, 0), min(stop, start + len(batch)) - max(first, start))
            while rows + len(table) >= self.batch_size:
                missing = self.batch_size - rows
                yield at, pa.concat_tables([*held, table.slice(0, missing)])
                at, held, rows = at + self.batch_size, [], 0
                table = table.slice(missing)
            if len(table):
                held.append(table)
                rows += len(table)
        if rows:
            yield at, pa.concat_tables(held)

    def _take_rows(self, columns: Sequence[Column], wanted: Any) -> Iterator[Any]:
        pa = pyarrow("rows")
        for segment, end in zip(self._data.segments, self._ends, strict=True):
            low, high = np.searchsorted(wanted, [end - segment.n_rows, end])
            if low == high:
                continue
            for start, batch in self._read_segment(segment, end - segment.n_rows, columns):
                low, high = np.searchsorted(wanted, [start, start + len(batch)])
                if low < high:
                    yield batch.take(pa.array(wanted[low:high] - start))
            self._report("rows", end, self.n_rows)

    def _read_batches(self, columns: Sequence[Column], first: int, stop: int) -> Iterator[tuple[int, Any]]:
        """Read the batches that overlap a range of rows, with the numbers of their first rows."""
        for segment, end in zip(self._data.segments, self._ends, strict=True):
            if end <= first:
                continue
            for start, batch in self._read_segment(segment, end - segment.n_rows, columns):
                if start >= stop:
                    return
                if start + len(batch) > first:
                    yield start, batch

    def _read_segment(
        self, segment: Segment, start: int, columns: Sequence[Column]
    ) -> Iterator[tuple[int, Any]]:
        pa = pyarrow("rows")
        names = [column.name for column in columns]
        checksums = ColumnChecksums(names)
        for batch in segment.read(names, min(_BATCH_ROWS, self.batch_size)):
            validate_arrow(batch, segment.name)
            arrays = [
                cast_column(array, column.type, column.name, segment.name)
                for array, column in zip(batch.columns, columns, strict=True)
            ]
            for name, array in zip(names, arrays, strict=True):
                checksums.add(name, array)
            yield start, pa.table(arrays, names=names)
            start += batch.num_rows
        checksums.compare(segment.checksums, segment.name)

    def _report(self, stage: str, done: int, total: int) -> None:
        if self._callback is not None:
            self._callback(stage, done, total)
