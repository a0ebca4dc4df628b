"""Text files as a source, through the native reader of text tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from imbcore._bindings import native
from imbcore._bindings.table import Role, open_text, warn_of_unnamed_columns
from imbcore._validation.columns import MISSING
from imbcore._validation.text_format import TextFormat
from imbcore.exceptions import DataError
from imbcore.streaming.readers.arrow import pyarrow
from imbcore.streaming.readers.files import refuse_changed_file
from imbcore.streaming.readers.segments import Segment, SourceData

Report = Callable[[str, int, int], object]
# Returns the roles of columns, given their names.
RolesOf = Callable[[Sequence[str]], dict[str, Role]]


def open_text_files(
    paths: Sequence[Path], text_format: TextFormat, roles_of: RolesOf, report: Report
) -> SourceData:
    """Count rows of text files, plain or gzip, and find column types, in one pass.

    Parameters
    ----------
    paths : sequence of Path
        Files with equal columns; "-" is standard input.
    text_format : TextFormat
        Format of the files.
    roles_of : callable
        Returns the roles of columns by name; columns without a role are not read.
    report : callable
        Called as ``report("bytes", done, total)``.

    Raises
    ------
    DataError
        A file is not a table, or lacks a column of the first file.
    """
    # A pipe is read once, into memory, so that it cannot change.
    stats = [None if os.fspath(path) == "-" or path.is_fifo() else path.stat() for path in paths]
    table = open_text(paths, text_format)
    names = table.names
    chosen = roles_of(names)
    warn_of_unnamed_columns(table, chosen, f"{paths[0]}")
    roles: list[Role] = [chosen.get(name, "skip") for name in names]
    scan = table.scan(roles, report)
    files = [
        _TextFile(path, stat, scan, at) for at, (path, stat) in enumerate(zip(paths, stats, strict=True))
    ]
    places = {name: at for at, name in enumerate(names)}
    kinds = dict(zip(names, scan.kinds, strict=True))
    types = {name: _arrow_type_of_kind(kind) for name, kind in kinds.items()}
    segments = [
        Segment(file.name, rows, file.reader(places, kinds), file.place)
        for file, rows in zip(files, scan.rows, strict=True)
        if rows
    ]
    total = sum(stat.st_size for stat in stats if stat is not None)
    states = [
        "standard input" if stat is None else f"{path.resolve()} {stat.st_size} {stat.st_mtime_ns}"
        for path, stat in zip(paths, stats, strict=True)
    ]
    what = f"{paths[0]}" if len(paths) == 1 else f"{len(paths)} text files, {paths[0]} and others,"
    state = f"{';'.join(states)} {text_format}"
    return SourceData(what, types, segments, [os.fspath(path) for path in paths], total, state)


@dataclass(frozen=True, slots=True)
class _TextFile:
    path: Path
    stat: os.stat_result | None
    scan: native.data.TextScan
    number: int

    @property
    def name(self) -> str:
        """Name of the file in errors."""
        return "standard input" if os.fspath(self.path) == "-" else os.fspath(self.path)

    def place(self, row: int) -> str:
        """Describe the line of a row, counted from 0."""
        return f"{self.name}, line {self.scan.line(self.number, row):,}"

    def reader(
        self, places: dict[str, int], kinds: dict[str, str]
    ) -> Callable[[Sequence[str], int], Iterator[Any]]:
        """Create a reader of batches."""

        def read(columns: Sequence[str], batch_rows: int) -> Iterator[Any]:
            pa = pyarrow(self.name)
            if self.stat is not None:
                refuse_changed_file(self.path, self.stat)
            for name in columns:
                if kinds[name] == "skipped":
                    raise DataError(f"{self.name}: column {name!r} was not read")
            batches = self.scan.open_batches(self.number, [places[name] for name in columns])
            while (parts := batches.next_rows(batch_rows)) is not None:
                arrays = [
                    _to_arrow_array(pa, part, kinds[name]) for name, part in zip(columns, parts, strict=True)
                ]
                yield pa.RecordBatch.from_arrays(arrays, names=list(columns))

        return read


def _arrow_type_of_kind(kind: str) -> Any:
    pa = pyarrow("text files")
    types = {"integer": pa.int64(), "boolean": pa.bool_(), "text": pa.string()}
    return types.get(kind, pa.float64())


def _to_arrow_array(pa: Any, part: Any, kind: str) -> Any:
    """Convert a column of the native reader into an Arrow array."""
    if isinstance(part, tuple):
        codes, levels = part
        missing = codes == MISSING
        indices = pa.array(np.where(missing, 0, codes).astype(np.int64), mask=missing)
        return pa.array(levels, pa.string()).take(indices) if levels else pa.nulls(len(codes), pa.string())
    missing = np.isnan(part)
    if kind == "integer":
        return pa.array(np.where(missing, 0.0, part).astype(np.int64), mask=missing)
    if kind == "boolean":
        return pa.array(np.where(missing, 0.0, part).astype(np.bool_), mask=missing)
    return pa.array(part, mask=missing)
