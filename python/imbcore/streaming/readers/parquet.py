"""Parquet files: lengths and types from footers, and row groups as segments."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from imbcore._validation.address_limit import may_use_arrow_threads
from imbcore._validation.damage import first_error_line, is_system_error, unreadable_data_error
from imbcore.exceptions import DataError, ImbcoreError
from imbcore.streaming.readers.arrow import common_type, pyarrow
from imbcore.streaming.readers.files import refuse_changed_file
from imbcore.streaming.readers.segments import Segment, SourceData

# Bytes of a column that are read at a time: a row group may be larger than memory. The scanner of
# pyarrow.dataset decodes whole row groups, so ParquetFile.iter_batches is used here.
_BUFFER = 1 << 20


def _damaged_file_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions of pyarrow for damaged files; ValueError is for non-UTF-8 names."""
    return (pyarrow("Parquet files").ArrowException, OSError, ValueError)


@dataclass(frozen=True, slots=True)
class _ParquetFile:
    path: Path
    footer: Any
    stat: os.stat_result

    def open(self, **options: Any) -> Any:
        """Open the file."""
        from pyarrow import parquet

        return parquet.ParquetFile(os.fspath(self.path), pre_buffer=False, buffer_size=_BUFFER, **options)


def open_parquet(paths: Sequence[Path], columns: Sequence[str] | None) -> SourceData:
    """Read the footers of all files.

    ``columns`` must be in all files, with compatible types; None stands for all columns of the first file.

    Raises
    ------
    DataError
        A footer is damaged; a column is missing in a file, or holds numbers in one and text in another.
    """
    files = [_open_file(path) for path in paths]
    types = dict(_column_types(files[0]))
    wanted = list(types) if columns is None else [name for name in columns if name in types]
    for file in files[1:]:
        _merge_types(types, wanted, _column_types(file), files[0].path, file.path, every=columns is None)
    segments = [
        Segment(f"{file.path}: row group {group}", footer.num_rows, partial(_read_row_group, file, group))
        for file in files
        for group in range(file.footer.num_row_groups)
        if (footer := file.footer.row_group(group)).num_rows
    ]
    state = ";".join(f"{file.path.resolve()} {file.stat.st_size} {file.stat.st_mtime_ns}" for file in files)
    what = f"{paths[0]}" if len(paths) == 1 else f"{len(paths)} Parquet files, {paths[0]} and others,"
    return SourceData(
        what,
        types,
        segments,
        [os.fspath(path) for path in paths],
        sum(file.stat.st_size for file in files),
        state,
    )


def _open_file(path: Path) -> _ParquetFile:
    stat = path.stat()
    try:
        with _ParquetFile(path, None, stat).open() as file:
            return _ParquetFile(path, file.metadata, stat)
    except _damaged_file_errors() as error:
        if is_system_error(error):
            raise
        message = f"{path}: not a readable Parquet file ({first_error_line(error)}); fetch or write it again"
        raise unreadable_data_error(error, message) from error


def _column_types(file: _ParquetFile) -> dict[str, Any]:
    try:
        schema = file.footer.schema.to_arrow_schema()
    except _damaged_file_errors() as error:
        message = f"{file.path}: the columns cannot be read ({first_error_line(error)})"
        raise unreadable_data_error(error, message) from error
    names = schema.names
    for name in names:
        if names.count(name) > 1:
            raise DataError(f"{file.path}: two columns are called {name!r}; rename one")
    return dict(zip(names, schema.types, strict=True))


def _merge_types(
    types: dict[str, Any],
    wanted: Sequence[str],
    others: dict[str, Any],
    first: Path,
    other: Path,
    *,
    every: bool,
) -> None:
    """Widen the types to those of one more file; refuse incompatible types."""
    for name in wanted:
        if name not in others:
            raise DataError(
                f"{other} has no column {name!r}, which {first} has; write it again with that column"
            )
        common = common_type(types[name], others[name])
        if common is None:
            raise DataError(
                f"column {name!r} has type {types[name]} in {first}, but {others[name]} in {other}; "
                "write it with one type in all files"
            )
        types[name] = common
    more = [name for name in others if name not in types]
    if more and every:
        raise DataError(
            f"{other} has a column {more[0]!r}, which {first} lacks; name those to read in `columns`"
        )


def _read_row_group(file: _ParquetFile, group: int, columns: Sequence[str], batch_rows: int) -> Iterator[Any]:
    """Read a row group; threads of Arrow decode its columns in parallel."""
    expected, found = file.footer.row_group(group).num_rows, 0
    refuse_changed_file(file.path, file.stat)
    try:
        with file.open(metadata=file.footer, page_checksum_verification=True) as opened:
            threads = may_use_arrow_threads()
            for batch in opened.iter_batches(
                batch_rows, row_groups=[group], columns=list(columns), use_threads=threads
            ):
                found += batch.num_rows
                yield batch.select(list(columns))
    except _damaged_file_errors() as error:
        if is_system_error(error):
            raise
        refuse_changed_file(file.path, file.stat)
        raise _damaged_column_error(file, group, columns, batch_rows, error) from error
    if found != expected:
        raise DataError(
            f"{file.path}: row group {group} holds {found} rows, but its footer declares {expected}"
        )


def _damaged_column_error(
    file: _ParquetFile, group: int, columns: Sequence[str], batch_rows: int, error: Exception
) -> ImbcoreError:
    """Return an error that names the damaged column, found by reading each column by itself."""
    where = f"{file.path}: row group {group}"
    described = unreadable_data_error(
        error, f"{where} cannot be read ({first_error_line(error)}); fetch or write the file again"
    )
    if isinstance(described, MemoryError):
        return described
    for name in columns:
        try:
            with file.open(metadata=file.footer, page_checksum_verification=True) as opened:
                for _ in opened.iter_batches(
                    batch_rows, row_groups=[group], columns=[name], use_threads=False
                ):
                    pass
        except _damaged_file_errors() as error_:
            problem = f"{where}, column {name!r} cannot be read ({first_error_line(error_)})"
            return unreadable_data_error(error_, f"{problem}; fetch or write the file again")
    return described
