"""Queries, data sets and streams as sources, which must give the same rows at each opening."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from imbcore._validation.damage import damage_as_data_error, is_damaged_data_error
from imbcore.exceptions import DataError, ParameterError
from imbcore.streaming.readers.arrow import pyarrow
from imbcore.streaming.readers.prefetch import prefetch, wait_for_stopped_readers
from imbcore.streaming.readers.segments import Segment, SourceData

# Opens a stream of batches, given columns and rows of a batch.
_Open = Callable[[Sequence[str] | None, int], Iterable[Any]]
Report = Callable[[str, int, int], object]


def open_stream(source: Any, report: Report) -> SourceData:
    """Find how a source is opened; if it does not know its number of rows, a pass counts them.

    Raises
    ------
    ParameterError
        The object is not a source, or can be read only once.
    """
    name = type(source).__name__
    pa = pyarrow(f"a {name}")
    if isinstance(source, (pa.RecordBatchReader, Iterator)):
        raise ParameterError(
            f"a {name} can be read only once, and a source is read several times; give a function that opens "
            "it, such as lambda: connection.execute(query).to_arrow_reader()"
        )
    if hasattr(source, "map_partitions") and hasattr(source, "get_partition"):
        return _open_dask_frame(source, report)
    if hasattr(source, "scanner") and hasattr(source, "count_rows"):
        return _open_arrow_dataset(source)
    if hasattr(source, "collect_batches"):
        return _open_polars_frame(source)
    if type(source).__module__.startswith("polars.") and hasattr(source, "sink_parquet"):
        raise ParameterError(
            f"a {name} is read in batches by polars 1.34 or newer: update polars, or write it to a file by "
            "sink_parquet and give that"
        )
    if hasattr(source, "aggregate") and hasattr(source, "to_arrow_reader"):
        return _open_duckdb_relation(source)
    if hasattr(source, "__arrow_c_stream__"):
        return _open_stream_by_counting(f"the {name}", lambda: source, report)
    if callable(source):
        return _open_stream_by_counting("the stream", source, report)
    raise ParameterError(
        f"cannot read rows from a {name}; give a Parquet or CSV file, a folder, a glob, a list of files, a "
        "pyarrow.dataset, a polars LazyFrame, a duckdb relation, a Dask DataFrame, or a function that "
        "returns a pyarrow.RecordBatchReader"
    )


def _source_of_one_segment(
    what: str, schema: Any, opened: _Open, n_rows: int, files: Iterable[str] = ()
) -> SourceData:
    """Describe a source of one segment, as a stream cannot be entered in its middle."""
    names = schema.names
    for name in names:
        if names.count(name) > 1:
            raise DataError(f"{what}: two columns are called {name!r}; rename one")
    types = dict(zip(names, schema.types, strict=True))
    segments = (
        [Segment(what, n_rows, partial(_batches_with_row_check, what, opened, n_rows))] if n_rows else []
    )
    return SourceData(what, types, segments, list(files), 0, f"{what} {schema}")


def _batches_with_row_check(
    what: str, opened: _Open, expected: int, columns: Sequence[str], batch_rows: int
) -> Iterator[Any]:
    """Yield batches, and refuse a source whose number of rows changed."""
    found = 0
    batches = iter(opened(columns, batch_rows))
    while True:
        with damage_as_data_error(f"{what}, after row {found:,}"):
            batch = next(batches, None)
        if batch is None:
            break
        found += batch.num_rows
        yield batch
    if found != expected:
        raise DataError(
            f"{what} gave {expected:,} rows when it was counted and {found:,} now; a source must give "
            "the same rows in the same order whenever it is opened"
        )


def _open_stream_by_counting(what: str, source: Callable[[], Any], report: Report) -> SourceData:
    """Count the rows of a stream by reading it."""
    opened = partial(_batches_from_stream, source, what)
    schema, n_rows = None, 0
    batches = prefetch(partial(opened, None, 0))
    while True:
        with damage_as_data_error(f"{what}, after row {n_rows:,}"):
            batch = next(batches, None)
        if batch is None:
            break
        schema = schema or batch.schema
        n_rows += batch.num_rows
        report("counting", n_rows, n_rows)
    if schema is None:
        raise DataError(f"{what} gave no batch of rows")
    return _source_of_one_segment(what, schema, opened, n_rows)


def _batches_from_stream(
    source: Callable[[], Any], what: str, columns: Sequence[str] | None, _batch_rows: int
) -> Iterator[Any]:
    pa = pyarrow(what)
    reader = source()
    if not isinstance(reader, pa.RecordBatchReader):
        if not hasattr(reader, "__arrow_c_stream__"):
            raise ParameterError(
                f"{what}: the function must return a pyarrow.RecordBatchReader, got a {type(reader).__name__}"
            )
        try:
            reader = pa.RecordBatchReader.from_stream(reader)
        except pa.ArrowInvalid as error:
            # A single column has a stream too.
            raise DataError(f"{what} is not a table of columns: {error}") from error
    with reader:
        for batch in reader:
            yield batch if columns is None else batch.select(list(columns))


def _open_arrow_dataset(dataset: Any) -> SourceData:
    def opened(columns: Sequence[str] | None, batch_rows: int) -> Iterator[Any]:
        # By default a scanner reads ahead some hundred megabytes.
        readahead = {"batch_readahead": 2, "fragment_readahead": 1}
        chosen = None if columns is None else list(columns)
        with dataset.scanner(columns=chosen, batch_size=batch_rows, **readahead).to_reader() as reader:
            yield from reader

    files = list(getattr(dataset, "files", ()))
    what = "the data set" + (f" of {files[0]}" if files else "")
    what += f" and {len(files) - 1} other files" if len(files) > 1 else ""
    with damage_as_data_error(what):
        n_rows = dataset.count_rows()
    return _source_of_one_segment(what, dataset.schema, opened, n_rows, files)


def _open_polars_frame(frame: Any) -> SourceData:
    import polars as pl

    what = "the LazyFrame" + _first_scanned_file(frame)
    with damage_as_data_error(what):
        schema = frame.head(0).collect().to_arrow().schema
        n_rows = frame.select(pl.len()).collect(engine="streaming").item()

    def opened(columns: Sequence[str] | None, batch_rows: int) -> Iterator[Any]:
        chosen = frame if columns is None else frame.select(list(columns))
        for part in chosen.collect_batches(chunk_size=batch_rows, maintain_order=True):
            yield from part.to_arrow().to_batches()

    return _source_of_one_segment(what, schema, opened, n_rows)


def _first_scanned_file(frame: Any) -> str:
    """Find the first file that a LazyFrame scans, from its plan."""
    try:
        plan = frame.explain(optimized=False)
    except BaseException as error:
        if not is_damaged_data_error(error):
            raise
        plan = ""
    files = re.findall(r"SCAN \[([^\],]+)", plan)
    return f" of {files[0]}" if files else ""


def _open_duckdb_relation(relation: Any) -> SourceData:
    wait_for_stopped_readers()
    with damage_as_data_error("the relation"):
        n_rows = relation.aggregate("count(*)").fetchall()[0][0]

    def opened(columns: Sequence[str] | None, batch_rows: int) -> Iterator[Any]:
        wait_for_stopped_readers()
        quoted = ['"' + name.replace('"', '""') + '"' for name in columns or relation.columns]
        with relation.project(", ".join(quoted)).to_arrow_reader(batch_rows) as reader:
            yield from reader

    with damage_as_data_error("the relation"):
        schema = relation.limit(0).to_arrow_table().schema
    return _source_of_one_segment("the relation", schema, opened, n_rows)


def _open_dask_frame(frame: Any, report: Report) -> SourceData:
    """Describe a Dask DataFrame: partitions are segments, and workers count their rows."""
    pa = pyarrow("a Dask DataFrame")
    lengths = [int(length) for length in frame.map_partitions(len).compute()]
    report("counting", sum(lengths), sum(lengths))
    schema = pa.Schema.from_pandas(frame._meta, preserve_index=False)
    types = {
        name: pa.string() if frame._meta[name].dtype == object else type_
        for name, type_ in zip(schema.names, schema.types, strict=True)
    }

    def read(part: int, columns: Sequence[str], batch_rows: int) -> Iterator[Any]:
        rows = frame.get_partition(part)[list(columns)].compute()
        table = pa.Table.from_pandas(rows, preserve_index=False)
        if len(table) != lengths[part]:
            raise DataError(
                f"partition {part} has {len(table)} rows now and had {lengths[part]} when counted"
            )
        yield from table.to_batches(max_chunksize=batch_rows)

    segments = [
        Segment(f"partition {part}", length, partial(read, part))
        for part, length in enumerate(lengths)
        if length
    ]
    return SourceData("the Dask DataFrame", types, segments, [], 0, str(frame._name))
