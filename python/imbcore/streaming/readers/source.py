"""A source: columns, rows in one order, and pieces of them that are read again and again."""

from __future__ import annotations

import copy
import hashlib
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from imbcore._input.damage import validated
from imbcore._input.values import require_callback, whole_number
from imbcore.exceptions import DataError, ParameterError
from imbcore.streaming.readers.arrow import pyarrow, recast
from imbcore.streaming.readers.checksums import ColumnChecksums
from imbcore.streaming.readers.prefetch import ahead
from imbcore.streaming.readers.segments import Backing, Column, Segment, filtered

__all__ = ["CHUNK_ROWS", "Source"]

# Rows of a piece: at 20 columns of float64 some 20 MB.
CHUNK_ROWS = 1 << 17
# Rows that are decoded at a time, however large a piece is.
_BATCH_ROWS = 1 << 17


class Source:
    """Rows that need not fit into memory, in one order: by file, then by row.

    Attributes
    ----------
    columns : list of Column
        Columns that are read, each with ``name``, ``kind`` ("number" or "text") and Arrow ``type``.
    target, weight : str or None
        Columns that are no features.
    beside : list of str
        Others that are no features.
    n_rows : int
        Number of rows.
    n_bytes : int
        Bytes of the files; 0 where there are none.
    files : list of str
        Files, in the order of their rows.
    chunk_rows : int
        Rows of a piece.
    """

    def __init__(
        self,
        backing: Backing,
        columns: Sequence[Column],
        *,
        target: str | None,
        weight: str | None,
        beside: Sequence[str] = (),
        chunk_rows: int,
        callback: Callable[[str, int, int], object] | None,
    ) -> None:
        self.columns = list(columns)
        self.target, self.weight, self.beside = target, weight, list(beside)
        self.chunk_rows = whole_number("chunk_rows", chunk_rows, 1)
        self._number(backing)
        self._callback = callback
        # Of rows chosen from another source: that one, and their numbers there.
        self._whole: tuple[Source, NDArray[np.int64]] | None = None
        if not self.n_rows:
            raise DataError(f"{backing.what} has no rows")

    def __repr__(self) -> str:
        """Return what it is, and its shape."""
        what = self._backing.what.rstrip(",")
        return f"Source({what}: {self.n_rows:,} rows, {len(self.columns)} columns)"

    @property
    def features(self) -> list[str]:
        """Names of all columns but target, weight and those beside, in order."""
        others = (self.target, self.weight, *self.beside)
        return [column.name for column in self.columns if column.name not in others]

    @property
    def fingerprint(self) -> str:
        """Text that is another when files, queries, columns or numbers of rows are others."""
        columns = [(column.name, str(column.type)) for column in self.columns]
        lengths = [segment.n_rows for segment in self._backing.segments]
        return hashlib.sha256(repr((self._backing.state, columns, lengths)).encode()).hexdigest()

    def with_callback(self, callback: Callable[[str, int, int], object] | None) -> Source:
        """Return the same source with another progress callback, or none."""
        other = copy.copy(self)
        require_callback(callback)
        other._callback = callback
        return other

    def with_batch_rows(self, chunk_rows: int) -> Source:
        """Return the same source with batches of another size."""
        other = copy.copy(self)
        other.chunk_rows = chunk_rows
        return other

    def select_rows(self, rows: NDArray[np.int64]) -> Source:
        """Give some rows, by their numbers, ascending, as a source of its own that numbers them anew."""
        chosen = np.zeros(self.n_rows, dtype=np.bool_)
        chosen[rows] = True
        part, segments = copy.copy(self), []
        for segment, end in zip(self._backing.segments, self._ends, strict=True):
            own = chosen[end - segment.n_rows : end]
            if own.any():
                segments.append(filtered(segment, own))
        state = hashlib.sha256(self._backing.state.encode() + chosen.tobytes()).hexdigest()
        part._number(replace(self._backing, segments=segments, state=state))
        part._whole = (self, rows)
        return part

    def _number(self, backing: Backing) -> None:
        self._backing = backing
        self.files, self.n_bytes = backing.files, backing.n_bytes
        self._ends = list(accumulate(segment.n_rows for segment in backing.segments))
        self.n_rows = self._ends[-1] if self._ends else 0

    def place(self, row: int) -> str:
        """Phrase for the place of a row: the line of a text file, or the row of a row group."""
        if self._whole is not None:
            whole, rows = self._whole
            return whole.place(int(rows[row]))
        at = bisect_right(self._ends, row)
        segment = self._backing.segments[at]
        inside = row - (self._ends[at] - segment.n_rows)
        if segment.place is not None:
            return segment.place(inside)
        return f"{segment.name}, row {inside + 1:,}"

    def batches(
        self, columns: Sequence[str] | None = None, rows: tuple[int, int] | None = None
    ) -> Generator[tuple[int, Any]]:
        """Read the rows in order; may be called again, and then reads again.

        A thread reads ahead until the generator ends: whoever may leave it earlier closes it.

        Parameters
        ----------
        columns : sequence of str or None
            Columns to read, in this order; those of the source where None.
        rows : (int, int) or None
            First row and the one behind the last; all rows where None.

        Yields
        ------
        (int, pyarrow.Table)
            Number of the first row, and ``chunk_rows`` rows (fewer in the last piece), however files are cut.

        Raises
        ------
        DataError
            A file is damaged or has changed; the message names file, row group and column.
        """
        chosen = self._chosen(columns)
        first, stop = self._range(rows)
        for start, piece in ahead(lambda: self._cut(chosen, first, stop)):
            yield start, piece
            # A piece counts as done when its user asks for the next.
            self._tell("rows", start + len(piece) - first, stop - first)

    def take(self, row_numbers: ArrayLike, columns: Sequence[str] | None = None) -> Any:
        """Read single rows; only segments (row groups) that hold one are read.

        Parameters
        ----------
        row_numbers : array-like of int
            Numbers of rows, in any order, also more than once.
        columns : sequence of str or None
            Columns to read, in this order; those of the source where None.

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
            raise ParameterError(f"row_numbers must be a list of whole numbers, got {row_numbers!r}")
        wanted, places = np.unique(numbers.astype(np.int64), return_inverse=True)
        if wanted.size and (wanted[0] < 0 or wanted[-1] >= self.n_rows):
            raise ParameterError(
                f"row_numbers must lie in 0 to {self.n_rows - 1}, got {wanted[0]} to {wanted[-1]}"
            )
        chosen = self._chosen(columns)
        schema = pa.schema([(column.name, column.type) for column in chosen])
        found = list(ahead(lambda: self._picked(chosen, wanted)))
        table = pa.concat_tables([schema.empty_table(), *found])
        return table if np.array_equal(numbers, wanted) else table.take(pa.array(places))

    def _chosen(self, columns: Sequence[str] | None) -> list[Column]:
        if columns is None:
            return self.columns
        by_name = {column.name: column for column in self.columns}
        for name in columns:
            if name not in by_name:
                raise ParameterError(f"column {name!r} is none of those read: {list(by_name)}")
        return [by_name[name] for name in columns]

    def _range(self, rows: tuple[int, int] | None) -> tuple[int, int]:
        if rows is None:
            return 0, self.n_rows
        first, stop = rows
        if not 0 <= first <= stop <= self.n_rows:
            raise ParameterError(f"rows must lie in 0 to {self.n_rows}, got {rows}")
        return first, stop

    def _cut(self, columns: Sequence[Column], first: int, stop: int) -> Iterator[tuple[int, Any]]:
        """Put batches together to pieces of equal length."""
        pa = pyarrow("rows")
        held: list[Any] = []
        at, rows = first, 0
        for start, batch in self._batches(columns, first, stop):
            table = batch.slice(max(first - start, 0), min(stop, start + len(batch)) - max(first, start))
            while rows + len(table) >= self.chunk_rows:
                missing = self.chunk_rows - rows
                yield at, pa.concat_tables([*held, table.slice(0, missing)])
                at, held, rows = at + self.chunk_rows, [], 0
                table = table.slice(missing)
            if len(table):
                held.append(table)
                rows += len(table)
        if rows:
            yield at, pa.concat_tables(held)

    def _picked(self, columns: Sequence[Column], wanted: Any) -> Iterator[Any]:
        pa = pyarrow("rows")
        for segment, end in zip(self._backing.segments, self._ends, strict=True):
            low, high = np.searchsorted(wanted, [end - segment.n_rows, end])
            if low == high:
                continue
            for start, batch in self._segment(segment, end - segment.n_rows, columns):
                low, high = np.searchsorted(wanted, [start, start + len(batch)])
                if low < high:
                    yield batch.take(pa.array(wanted[low:high] - start))
            self._tell("rows", end, self.n_rows)

    def _batches(self, columns: Sequence[Column], first: int, stop: int) -> Iterator[tuple[int, Any]]:
        """Batches that touch a range of rows, and the numbers of their first rows."""
        for segment, end in zip(self._backing.segments, self._ends, strict=True):
            if end <= first:
                continue
            for start, batch in self._segment(segment, end - segment.n_rows, columns):
                if start >= stop:
                    return
                if start + len(batch) > first:
                    yield start, batch

    def _segment(self, segment: Segment, start: int, columns: Sequence[Column]) -> Iterator[tuple[int, Any]]:
        pa = pyarrow("rows")
        names = [column.name for column in columns]
        checksums = ColumnChecksums(names)
        for batch in segment.read(names, min(_BATCH_ROWS, self.chunk_rows)):
            validated(batch, segment.name)
            arrays = [
                recast(array, column.type, column.name, segment.name)
                for array, column in zip(batch.columns, columns, strict=True)
            ]
            for name, array in zip(names, arrays, strict=True):
                checksums.add(name, array)
            yield start, pa.table(arrays, names=names)
            start += batch.num_rows
        checksums.compare(segment.checksums, segment.name)

    def _tell(self, stage: str, done: int, total: int) -> None:
        if self._callback is not None:
            self._callback(stage, done, total)
