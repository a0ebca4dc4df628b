"""Sources of every kind give the same rows in the same order, in batches of equal length."""

import gzip
import os
import signal
import threading
import time
from itertools import pairwise

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from payments_files import payments, ragged
from pyarrow import csv, dataset, parquet

from imbcore._validation.table import Table
from imbcore._validation.text_format import TextFormat
from imbcore.exceptions import DataError, ParameterError
from imbcore.streaming.readers import open_source
from imbcore.streaming.readers.files import expand_paths

TABLE = payments()


def whole(source, **options):
    return pa.concat_tables([piece for _, piece in source.batches(**options)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return ragged(TABLE, tmp_path_factory.mktemp("rows") / "parts")


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "one.parquet"
    parquet.write_table(TABLE, path)
    return path


WAYS = {
    "file": lambda file, folder: file,
    "folder": lambda file, folder: folder,
    "glob": lambda file, folder: f"{folder}/part-*.parquet",
    "list": lambda file, folder: expand_paths(folder),
    "table": lambda file, folder: TABLE,
    "polars": lambda file, folder: pl.from_arrow(TABLE),
    "pandas": lambda file, folder: TABLE.to_pandas(),
    "lazy": lambda file, folder: pl.scan_parquet(file),
    "duckdb": lambda file, folder: duckdb.sql(f"from '{file}'"),
    "dataset": lambda file, folder: dataset.dataset(file),
    "function": lambda file, folder: lambda: pa.RecordBatchReader.from_stream(TABLE),
    "stream": lambda file, folder: lambda: duckdb.sql(f"from '{file}'"),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_source_gives_the_same_rows(way, file, folder):
    source = open_source(WAYS[way](file, folder), "fraud", batch_size=700)
    assert source.n_rows == len(TABLE)
    assert [column.name for column in source.columns] == TABLE.column_names
    assert [column.kind for column in source.columns] == ["number", "number", "text", "number", "number"]
    assert source.features == ["amount", "hour", "shop", "abroad"]
    for _ in range(2):
        pieces = list(source.batches(["fraud", "shop"]))
        assert [start for start, _ in pieces] == list(range(0, len(TABLE), 700))
        found = pa.concat_tables([piece for _, piece in pieces])
        assert found.to_pylist() == TABLE.select(["fraud", "shop"]).to_pylist()
    rows = [4999, 0, 17, 17, 2500]
    assert (
        source.take(rows, ["amount", "shop"]).to_pylist()
        == TABLE.select(["amount", "shop"]).take(rows).to_pylist()
    )
    assert source.take([]).num_rows == 0
    assert whole(source, rows=(699, 2101)).to_pylist() == TABLE.slice(699, 1402).to_pylist()


@pytest.mark.filterwarnings("ignore")
def test_dask_partitions_are_segments(file):
    frame = pytest.importorskip("dask.dataframe").from_pandas(TABLE.to_pandas(), npartitions=7)
    source = open_source(frame, "fraud", batch_size=999)
    assert whole(source).to_pylist() == TABLE.to_pylist()


@pytest.mark.parametrize("packed", [False, True])
def test_text_files_are_counted_first_and_read_as_one_table(packed, tmp_path):
    ending = ".csv.gz" if packed else ".csv"
    for part, low in ((2, 0), (10, 1900)):
        path = tmp_path / f"part-{part}{ending}"
        csv.write_csv(TABLE.slice(low, 1900 if low == 0 else 3100), path.with_suffix(""))
        path.write_bytes(
            gzip.compress(path.with_suffix("").read_bytes()) if packed else path.with_suffix("").read_bytes()
        )
        path.with_suffix("").unlink()
    steps = []
    source = open_source(
        f"{tmp_path}/*{ending}", "fraud", batch_size=512, callback=lambda *step: steps.append(step)
    )
    assert {stage for stage, _, _ in steps} == {"bytes"}
    assert steps[-1][1] == steps[-1][2] == source.n_bytes
    found = whole(source)
    assert steps[-1] == ("rows", len(TABLE), len(TABLE))
    for name in ("amount", "hour", "shop", "fraud"):
        assert found[name].cast(TABLE[name].type).to_pylist() == TABLE[name].to_pylist()
    assert source.columns[3].kind == "number"
    assert found["abroad"].to_pylist() == TABLE["abroad"].to_pylist()


def outcome(read):
    """Return the error message or the result of a read."""
    try:
        return None, read()
    except DataError as error:
        return str(error), None


NUMBERS = ["1", " 2.5 ", "+3", "-.5", "4.", "1e3", "inf", "-Infinity", "NA", "", "?", "nan"]
WORDS = [
    *NUMBERS,
    "NAN",
    "-nan",
    "+nan",
    "x",
    "1_0",
    "0x1",
    "1,5",
    'a "b"',
    "two\nlines",
    "true",
    "+",
    "++1",
    "-",
    "1.027",
]


@settings(max_examples=60, deadline=None)
@given(
    fields=st.lists(
        st.sampled_from(WORDS),
        min_size=1,
        max_size=6,
    ),
    delimiter=st.sampled_from([",", ";", "\t"]),
)
def test_a_text_file_reads_as_the_reader_of_tables_reads_it(fields, delimiter, tmp_path_factory):
    from imbcore._bindings.table import read_table

    path = tmp_path_factory.mktemp("text") / "rows.csv"
    quoted = ['"' + field.replace('"', '""') + '"' for field in fields]
    path.write_text("".join(f"{field}{delimiter}0\n" for field in [" word ", *quoted]), encoding="utf-8")
    problem, columns = outcome(lambda: read_table(path).columns)
    if columns is None:
        assert outcome(lambda: open_source(path))[0] == problem
        return
    as_table = pa.table({name: _plain(column) for name, column in columns.items()})
    found = whole(open_source(path))
    found = pa.table(
        {name: found[name].cast("int8") if found[name].type == "bool" else found[name] for name in columns}
    ).cast(as_table.schema)
    assert str(found.to_pydict()) == str(as_table.to_pydict())


def test_a_place_in_a_text_file_is_its_line(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('a,b\n\n1,"two\nlines"\n2,x\n')
    source = open_source(path)
    assert [source.place(row) for row in (0, 1)] == [f"{path}, line {line}" for line in (3, 5)]


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("height, cm\tweight; kg\tlabel", ["height, cm", "weight; kg", "label"]),
        ("height, cm;weight;label", ["height, cm", "weight", "label"]),
        ('"a;b;c;d",e', ["a;b;c;d", "e"]),
        ("a;b,c", ["a;b", "c"]),
        ("alone", ["alone"]),
    ],
)
def test_the_delimiter_is_the_most_frequent_one_in_the_header(header, names, tmp_path):
    from imbcore._bindings.table import read_table

    path = tmp_path / "rows.csv"
    mark = next(mark for mark in ",;\t" if len(header.split(mark)) >= len(names))
    path.write_text(header + "\n" + mark.join("1" * len(names)) + "\n", encoding="utf-8")
    assert list(read_table(path).columns) == names
    assert whole(open_source(path)).column_names == names


def _plain(column):
    if hasattr(column, "codes"):
        return pa.array(
            [column.levels[code] if code < len(column.levels) else None for code in column.codes.tolist()]
        )
    return pa.array(column, from_pandas=True)


def test_long_headers_of_any_encoding_are_read_as_in_memory(tmp_path):
    """Batches cut headers at 1 MiB, replaced Latin-1 letters, and took time quadratic in the columns."""
    from imbcore._bindings.table import read_table

    path = tmp_path / "wide.csv"
    names = [f"größe {at} {'x' * 200}" for at in range(6000)]
    rows = [",".join(str((at + row) % 7) for at in range(6000)) for row in range(3)]
    path.write_bytes("\n".join([",".join(names), *rows]).encode("latin-1"))
    source = open_source(path, text_format=TextFormat(encoding="latin-1"))
    assert source.features == read_table(path, encoding="latin-1").names == names
    assert whole(source).column(5999).to_pylist() == [0, 1, 2]
    with pytest.raises(DataError, match=r"wide\.csv, line 1: the header is not UTF-8 text"):
        open_source(path)


@settings(max_examples=15, deadline=None)
@given(
    cuts=st.lists(st.integers(0, 400), max_size=8),
    group=st.integers(1, 150),
    chunk=st.integers(1, 500),
    rows=st.tuples(st.integers(0, 400), st.integers(0, 400)).map(sorted),
    picked=st.lists(st.integers(0, 399), max_size=20),
)
def test_files_and_batches_do_not_change_the_rows(cuts, group, chunk, rows, picked, tmp_path_factory):
    home, table = tmp_path_factory.mktemp("cut"), TABLE.slice(0, 400)
    edges = [0, *sorted(cuts), 400]
    for part, (low, high) in enumerate(pairwise(edges)):
        parquet.write_table(table.slice(low, high - low), home / f"{part}.parquet", row_group_size=group)
    source = open_source(home, batch_size=chunk)
    assert whole(source).equals(table)
    inside = [piece for _, piece in source.batches(rows=tuple(rows))]
    assert pa.concat_tables([table.slice(0, 0), *inside]).equals(table.slice(rows[0], rows[1] - rows[0]))
    assert source.take(picked, ["shop"]).equals(table.select(["shop"]).take(pa.array(picked, pa.int64())))


def test_files_are_in_natural_order_or_as_given(folder):
    names = [path.name for path in expand_paths(folder)]
    assert names == [f"part-{part}.parquet" for part in range(37)]
    backwards = expand_paths(folder)[::-1]
    assert expand_paths(backwards) == backwards
    assert open_source(folder).files == [str(path) for path in expand_paths(folder)]


def test_a_place_names_file_row_group_and_row(file):
    parquet.write_table(TABLE, file.with_name("groups.parquet"), row_group_size=1000)
    source = open_source(file.with_name("groups.parquet"))
    assert source.place(2017).endswith("groups.parquet: row group 2, row 18")


def test_fingerprints_depend_on_files_columns_and_lengths(file, folder, tmp_path):
    assert open_source(file).fingerprint == open_source(file, batch_size=3).fingerprint
    others = [
        open_source(folder),
        open_source(file, columns=["hour"]),
        open_source(expand_paths(folder)[::-1]),
    ]
    assert len({source.fingerprint for source in [open_source(file), *others]}) == 4


def test_only_row_groups_with_wanted_rows_are_read(tmp_path):
    path = tmp_path / "rows.parquet"
    parquet.write_table(TABLE, path, row_group_size=100)
    steps = []
    source = open_source(path, callback=lambda *step: steps.append(step))
    source.take([150, 180, 4210])
    assert steps == [("rows", 200, 5000), ("rows", 4300, 5000)]


def test_types_that_differ_in_width_are_widened(tmp_path):
    for name, type_ in (("a", pa.int32()), ("b", pa.float32()), ("c", pa.null())):
        values = [None, None] if name == "c" else [1, 2]
        parquet.write_table(pa.table({"x": pa.array(values, type_)}), tmp_path / f"{name}.parquet")
    assert whole(open_source(tmp_path))["x"].to_pylist() == [1.0, 2.0, 1.0, 2.0, None, None]


def test_a_wide_integer_among_floats_is_refused(tmp_path):
    parquet.write_table(pa.table({"x": [0.5]}), tmp_path / "a.parquet")
    parquet.write_table(pa.table({"x": [2**60 + 1]}), tmp_path / "b.parquet")
    with pytest.raises(DataError, match=r"b\.parquet: row group 0: column 'x' cannot be read as double"):
        whole(open_source(tmp_path))


def old_polars():
    return type("LazyFrame", (), {"__module__": "polars.lazyframe.frame", "sink_parquet": None})()


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (lambda: pa.RecordBatchReader.from_stream(TABLE), "can be read only once"),
        (lambda: iter([TABLE]), "can be read only once"),
        (lambda: 7, "cannot read rows from a int"),
        (old_polars, r"LazyFrame .* polars 1\.34 or newer"),
        (lambda: lambda: 7, "must return a pyarrow.RecordBatchReader, got a int"),
    ],
)
def test_invalid_sources_are_refused(source, sentence):
    with pytest.raises(ParameterError, match=sentence):
        open_source(source())


def test_a_stream_with_a_changed_row_count_is_refused():
    sizes = iter([5, 5, 6])
    source = open_source(lambda: TABLE.slice(0, next(sizes)).to_reader())
    assert len(whole(source)) == 5
    with pytest.raises(DataError, match="gave 5 rows when it was counted and 6 now"):
        whole(source)


def test_errors_of_the_reader_thread_reach_the_caller():
    def opened():
        yield_from = iter(TABLE.to_batches(max_chunksize=1000))

        def batches():
            yield next(yield_from)
            raise pa.ArrowInvalid("the line is dead")

        return pa.RecordBatchReader.from_batches(TABLE.schema, batches())

    with pytest.raises((DataError, pa.ArrowInvalid), match="the line is dead"):
        open_source(opened)


def test_ctrl_c_is_seen_while_a_stream_hangs():
    """Ctrl-C is raised although the reader thread still waits for a stream."""
    hangs, opens = threading.Event(), iter([True, False])

    def opened():
        def batches():
            yield from TABLE.slice(0, 10).to_batches()
            hangs.wait(0 if first else 60)

        first = next(opens)
        return pa.RecordBatchReader.from_batches(TABLE.schema, batches())

    source = open_source(opened, batch_size=10)
    pieces = source.batches()
    next(pieces)
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        next(pieces)
    hangs.set()


def test_an_abandoned_reader_thread_ends(folder):
    source = open_source(folder, batch_size=10)
    for _ in range(5):
        for _start, _piece in source.batches():
            break
    deadline = time.monotonic() + 10
    while any(thread.name == "imbcore-reader" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_callback_that_raises_stops_the_reading(folder):
    def stop(stage, done, total):
        raise RuntimeError(f"{stage} {done} of {total}")

    with pytest.raises(RuntimeError, match="rows 10 of 5000"):
        whole(open_source(folder, batch_size=10, callback=stop))


def test_an_imbcore_table_is_not_a_source():
    with pytest.raises(ParameterError, match="cannot read rows from a Table"):
        open_source(Table({"x": np.zeros(3)}))
