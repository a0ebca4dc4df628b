"""The one door to sources."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from imbcore._input.unicode import to_arrow
from imbcore._input.values import require_callback
from imbcore._sources.files import expand, is_parquet
from imbcore._sources.parquet import open_parquet
from imbcore._sources.segments import Backing, columns_of
from imbcore._sources.source import CHUNK_ROWS, Source
from imbcore._sources.streams import open_stream
from imbcore._sources.text import open_text
from imbcore.exceptions import DataError, ParameterError

__all__ = ["check_roles", "open_source"]


def check_roles(y: str | None, sample_weight: str | None, columns: Any) -> None:
    """Refuse names of columns that say two things of one, or are none.

    Raises
    ------
    ParameterError
        Labels and weights are one column, or ``columns`` is text or holds nothing but these.
    """
    if y is not None and y == sample_weight:
        raise ParameterError(f"column {y!r} cannot hold both the labels and the weights of the rows")
    if isinstance(columns, str):
        raise ParameterError(f"columns must be a list of names, such as [{columns!r}], got {columns!r}")
    if columns is not None and not set(columns) - {y, sample_weight}:
        raise ParameterError(f"columns must name a feature at least, got {list(columns)!r}")


def open_source(
    source: Any,
    y: str | None = None,
    *,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    beside: Sequence[str] = (),
    sample_weight: str | None = None,
    chunk_rows: int = CHUNK_ROWS,
    callback: Callable[[str, int, int], object] | None = None,
) -> Source:
    """Open rows that need not fit into memory.

    Parameters
    ----------
    source : path, list of paths, or an object that gives Arrow batches
        A Parquet or CSV file (also ``.csv.gz``), a folder, a glob, a list of files; a pyarrow data set, a
        polars LazyFrame, a duckdb relation, a Dask DataFrame, a table in memory, or a function that returns
        a ``pyarrow.RecordBatchReader``. It is read several times and must give the same rows in the same
        order. Rows are numbered by file, then by row; files of folders and globs stand in natural order
        (part-2 before part-10), those of a list as given.
    y, sample_weight : str or None
        Columns that hold the labels and the weights of the rows.
    columns : sequence of str or None
        Features; all other columns where None.
    drop : sequence of str
        Columns that are no features, such as keys.
    beside : sequence of str
        Columns of any type that are read but are no features, such as those of groups and times.
    chunk_rows : int
        Rows of a piece. It bounds memory and changes no result.
    callback : callable or None
        Called as ``callback(stage, done, total)`` with stages ``"bytes"`` and ``"counting"`` while rows are
        counted, ``"rows"`` while they are read; what it raises stops the reading.

    Returns
    -------
    Source
        Its length is known: from the footers of Parquet files and from queries at once, from CSV files and
        other streams by one pass over them.

    Raises
    ------
    DataError
        A file is damaged, a column missing or of unlike types in two files, or there are no rows.
    ParameterError
        ``source`` is no source.
    ImportError
        pyarrow is missing: ``pip install imbcore[parquet]``.
    """
    if isinstance(source, Source):
        return source
    for name, value in (("y", y), ("sample_weight", sample_weight)):
        if value is not None and not isinstance(value, str):
            raise ParameterError(
                f"{name} must be the name of a column of the source, got {type(value).__name__}"
            )
    check_roles(y, sample_weight, columns)
    needed = [name for name in (y, sample_weight) if name is not None]
    asked = None if columns is None else list(dict.fromkeys([*columns, *needed, *beside]))
    require_callback(callback)
    with to_arrow():
        backing = _backing(source, asked, callback or (lambda *_: None))
    for name in drop:
        if name not in backing.types:
            raise backing.unknown(name)
    if columns is None:
        columns = list(backing.types)
    features = [name for name in columns if name not in (*drop, *beside, *needed)]
    if not features:
        raise DataError(f"{backing.what.rstrip(',')} has no feature: no column is left beside {needed}")
    return Source(
        backing,
        columns_of(backing, [name for name in columns if name not in (*drop, *beside)], needed, beside),
        target=y,
        weight=sample_weight,
        beside=beside,
        chunk_rows=chunk_rows,
        callback=callback,
    )


def _backing(source: Any, columns: Sequence[str] | None, tell: Callable[[str, int, int], object]) -> Backing:
    if not isinstance(source, (str, os.PathLike, list, tuple)):
        return open_stream(source, tell)
    paths = expand(source)
    kinds = {is_parquet(path) for path in paths}
    if len(kinds) > 1:
        raise ParameterError("the files are Parquet and text; give files of one kind")
    return open_parquet(paths, columns) if kinds == {True} else open_text(paths, columns, tell)
