"""Entry point that opens sources."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from imbcore._bindings.table import Role
from imbcore._validation.columns import EXACT
from imbcore._validation.frame import declared_nominal_positions
from imbcore._validation.text_format import PLAIN, TextFormat
from imbcore._validation.unicode import reject_non_arrow_data
from imbcore._validation.value_text import value_text
from imbcore._validation.values import require_callback
from imbcore.exceptions import DataError, ParameterError
from imbcore.streaming.readers.arrow import pyarrow
from imbcore.streaming.readers.dates import convert_dates
from imbcore.streaming.readers.files import expand_paths, is_parquet
from imbcore.streaming.readers.parquet import open_parquet
from imbcore.streaming.readers.segments import Column, SourceData, label_type, select_columns
from imbcore.streaming.readers.source import CHUNK_ROWS, Source
from imbcore.streaming.readers.streams import open_stream
from imbcore.streaming.readers.text import open_text_files


def check_roles(
    y: str | None, sample_weight: str | None, columns: Any, additional: Sequence[str] = ()
) -> None:
    """Refuse a column with two roles, and a list of columns without a feature.

    Raises
    ------
    ParameterError
        Labels and weights, or labels and groups or times, are the same column; or ``columns`` is text or has
        no feature.
    """
    if y is not None and y == sample_weight:
        raise ParameterError(f"column {y!r} cannot hold both the labels and the weights of the rows")
    if y is not None and y in additional:
        raise ParameterError(f"column {y!r} cannot hold both the labels and the groups or times of the rows")
    if isinstance(columns, str):
        raise ParameterError(
            f"columns must be a list of the features to keep, got {value_text(columns)}; to keep only this "
            f"feature, give [{columns!r}]; to leave it out, list the other features"
        )
    if columns is not None and not set(columns) - {y, sample_weight, *additional}:
        raise ParameterError(f"columns must name at least one feature, got {value_text(list(columns))}")


def open_source(
    source: Any,
    y: str | None = None,
    *,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    additional: Sequence[str] = (),
    sample_weight: str | None = None,
    batch_size: int = CHUNK_ROWS,
    callback: Callable[[str, int, int], object] | None = None,
    text_format: TextFormat = PLAIN,
    nominal: Any = None,
    roles: Mapping[str, Role] | None = None,
) -> Source:
    """Open rows that need not fit into memory.

    Parameters
    ----------
    source : path, list of paths, or an object with Arrow batches
        A Parquet or CSV file (also ``.csv.gz``), a folder, a glob, a list of files; a pyarrow data set, a
        polars LazyFrame, a duckdb relation, a Dask DataFrame, a table in memory, or a function that returns
        a ``pyarrow.RecordBatchReader``. It is read several times and must give the same rows in the same
        order. Rows are numbered by file, then by row; files of folders and globs are in natural order
        (part-2 before part-10), files of a list as given.
    y, sample_weight : str or None
        Columns that hold the labels and the weights of the rows.
    columns : sequence of str or None
        Names of the features. None: all columns except the target and the weights.
    drop : sequence of str
        Columns that are not features, such as keys.
    additional : sequence of str
        Columns of any type that are read but are not features, such as groups and times.
    batch_size : int
        Rows of a batch. It bounds memory and does not change the result.
    text_format : TextFormat
        Format of text files; its columns of dates are read as days from any source.
    nominal : list of names or positions, boolean mask or None
        Numeric features that are read as categories, such as codes.
    roles : mapping or None
        For text files: roles of features, such as those of a model, and of additional columns by name; the
        other additional columns are keys.
    callback : callable or None
        Called as ``callback(stage, done, total)`` with stages ``"bytes"`` and ``"counting"`` while rows are
        counted, ``"rows"`` while they are read; an exception stops the reading.

    Returns
    -------
    Source
        Its number of rows is known: from the footers of Parquet files and from queries at once, from CSV
        files and other streams by one pass over them.

    Raises
    ------
    DataError
        A file is damaged, a column is missing or has incompatible types, or there are no rows.
    ParameterError
        ``source`` is not a source.
    ImportError
        pyarrow is missing: ``pip install 'imbcore[parquet]'``.
    """
    if isinstance(source, Source):
        return source
    for name, value in (("y", y), ("sample_weight", sample_weight)):
        if value is not None and not isinstance(value, str):
            raise ParameterError(
                f"{name} must be the name of a column of the source, got {type(value).__name__}"
            )
    check_roles(y, sample_weight, columns, additional)
    needed = [name for name in (y, sample_weight) if name is not None]
    read = None if columns is None else list(dict.fromkeys([*columns, *needed, *additional]))
    require_callback(callback)
    request = _ColumnRoleRequest(
        columns, drop, additional, y, sample_weight, nominal, roles or {}, text_format
    )
    with reject_non_arrow_data():
        data = _open_data(source, read, request, callback or (lambda *_: None))
    for name in drop:
        if name not in data.types:
            raise data.unknown_column_error(name)
    if columns is None:
        columns = list(data.types)
    others = {*drop, *additional}
    wanted = [name for name in columns if name not in others]
    features = [name for name in wanted if name not in needed]
    if not features:
        raise DataError(
            f"{data.what.rstrip(',')} has no feature: it has no column other than {needed} and those left out"
        )
    uses = request.roles_of(list(data.types))
    found = [
        column if column.name in additional else _choose_column_type(column, uses.get(column.name))
        for column in select_columns(data, wanted, needed, additional)
    ]
    opened = Source(
        data,
        found,
        target=y,
        weight=sample_weight,
        additional=additional,
        batch_size=batch_size,
        callback=callback,
    )
    quiet = opened.with_callback(None)
    opened.columns = [
        _large_keys_as_text(column, quiet) if uses.get(column.name) == "key" else column for column in found
    ]
    return opened


def _choose_column_type(column: Column, role: Role | None) -> Column:
    """Choose the type of labels, and of integers that a model has as text."""
    pa = pyarrow("columns")
    if role == "label":
        return replace(column, type=label_type(column.type))
    if role == "text" and pa.types.is_integer(column.type):
        return Column(column.name, "text", pa.string())
    return column


def _large_keys_as_text(column: Column, source: Source) -> Column:
    """Read keys as text if some are beyond 2**53, where float64 does not hold every integer."""
    pa = pyarrow("codes")
    from pyarrow import compute

    if column.name in source.additional or not (
        pa.types.is_int64(column.type) or pa.types.is_uint64(column.type)
    ):
        return column
    with closing(source.batches([column.name])) as batches:
        ranges = [compute.min_max(table[column.name]).as_py().values() for _, table in batches]
    beyond = any(bound is not None and abs(bound) > EXACT for range_ in ranges for bound in range_)
    return Column(column.name, "text", pa.string()) if beyond else column


@dataclass(frozen=True, slots=True)
class _ColumnRoleRequest:
    """Roles of the columns of a source, as the caller names them."""

    columns: Sequence[str] | None
    drop: Sequence[str]
    additional: Sequence[str]
    target: str | None
    weight: str | None
    nominal: Any
    roles: Mapping[str, Role]
    text_format: TextFormat

    def roles_of(self, names: Sequence[str]) -> dict[str, Role]:
        """Find the role of each column that is read."""
        apart = {*self.drop, *self.additional, self.target, self.weight}
        features = [name for name in (names if self.columns is None else self.columns) if name not in apart]
        found: dict[str, Role] = dict.fromkeys(features, "feature")
        found |= {name: role for name, role in self.roles.items() if name in found}
        nominal = declared_nominal_positions(self.nominal, features, len(features))
        found |= {features[at]: "key" for at in nominal}
        found |= {name: self.roles.get(name, "key") for name in self.additional}
        found |= {name: "text" for name in self.text_format.dates if found.get(name) != "key"}
        if self.weight is not None:
            found[self.weight] = "number"
        if self.target is not None:
            found[self.target] = "label"
        return found


def _open_data(
    source: Any,
    columns: Sequence[str] | None,
    request: _ColumnRoleRequest,
    report: Callable[[str, int, int], object],
) -> SourceData:
    text_format = request.text_format
    if not isinstance(source, (str, os.PathLike, list, tuple)):
        text_format.reject_unsupported_options(f"a {type(source).__name__}", allowed=("dates", "date_format"))
        return convert_dates(open_stream(source, report), text_format.dates, text_format.date_format)
    paths = expand_paths(source)
    kinds = {is_parquet(path) for path in paths}
    if len(kinds) > 1:
        raise ParameterError("the files are Parquet and text; give files of one kind")
    if kinds == {True}:
        text_format.reject_unsupported_options(f"{paths[0]}", allowed=("dates", "date_format"))
        found = open_parquet(paths, columns)
    else:
        found = open_text_files(paths, text_format, request.roles_of, report)
    return convert_dates(found, text_format.dates, text_format.date_format)
