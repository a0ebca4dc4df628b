"""Damaged files and streams give a result or a DataError, and never end the process."""

import json
import os

import children
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, ipc, parquet

from imbcore._bindings.table import read_table
from imbcore.exceptions import DataError
from imbcore.streaming.readers import open_source

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs POSIX")

# Reads every damaged copy in a forked process, so that a crash is noticed.
READER = """
import json, os, sys, warnings
import imbcore, pyarrow as pa, pyarrow.dataset as ds
from pyarrow import ipc
from imbcore._bindings.table import read_table
warnings.simplefilter("ignore")

def use(way, path):
    if way == "table":
        return read_table(path)
    if way == "stream":
        return imbcore.fit(lambda: ipc.open_stream(pa.OSFile(path)), "y", "naive_bayes")
    if way == "memory":
        try:
            table = ipc.open_stream(pa.OSFile(path)).read_all()
        except Exception:
            return  # nothing reaches imbcore
        return imbcore.fit(table.drop_columns(["y"]), table["y"], "cart")
    if way == "dataset":
        try:
            source = ds.dataset(path, format="ipc")
        except Exception:
            return
        return imbcore.fit(source, "y", "naive_bayes")
    return imbcore.fit(path, "y", "naive_bayes")

for way, paths in json.loads(sys.argv[1]).items():
    for path in paths:
        child = os.fork()
        if not child:
            outcome = "result"
            try:
                use(way, path)
            except imbcore.exceptions.DataError as error:
                outcome = f"DataError {error}"
            except BaseException as error:
                outcome = f"{type(error).__name__} {error}"
            with open(path + ".outcome", "w") as file:
                file.write(outcome.encode("ascii", "replace").decode())
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        if status:
            with open(path + ".outcome", "w") as file:
                file.write(f"ended by {status}")
"""

FORMATS = {
    "parquet": (".parquet", ["table", "path"]),
    "stream": (".arrows", ["stream", "memory"]),
    "feather": (".feather", ["dataset"]),
    "csv": (".csv", ["table", "path"]),
    "gz": (".csv.gz", ["table", "path"]),
}
N_SEEDS = int(os.environ.get("IMBCORE_FUZZ", "9"))


def table():
    rng = np.random.default_rng(0)
    n = 200
    return pa.table(
        {
            "a": rng.normal(size=n),
            "k": pa.array(rng.choice(["x", "yy", "zzz", None], n)),
            "d": pa.array(rng.choice(["x", "yy", "zzz"], n)).dictionary_encode(),
            "y": pa.array(rng.choice(["p", "n"], n)),
        }
    )


def write(path, form):
    if form == "parquet":
        parquet.write_table(table(), path)
    elif form == "stream":
        with pa.OSFile(str(path), "wb") as file, ipc.new_stream(file, table().schema) as writer:
            writer.write_table(table(), 50)
    elif form == "feather":
        feather.write_feather(table(), str(path), compression="uncompressed", chunksize=50)
    else:
        table().to_pandas().to_csv(path, index=False)


@pytest.mark.parametrize("form", FORMATS)
def test_damaged_bytes_end_in_a_result_or_a_data_error(tmp_path, form):
    """Truncate or replace bytes of a file, for every format and every way to read it."""
    ending, ways = FORMATS[form]
    good = tmp_path / f"good{ending}"
    write(good, form)
    data = good.read_bytes()
    damaged = {}
    for way in ways:
        for seed in range(N_SEEDS):
            rng = np.random.default_rng(seed)
            copy = bytearray(data)
            if seed % 3 == 0:
                del copy[int(rng.integers(0, len(copy))) :]
            else:
                for at in rng.integers(0, len(copy), 30 if seed % 3 == 1 else 1):
                    copy[at] = int(rng.integers(0, 256))
            path = tmp_path / f"{way}-{seed}{ending}"
            path.write_bytes(bytes(copy))
            damaged.setdefault(way, []).append(str(path))
    children.run_script(READER, json.dumps(damaged), timeout=100)
    for way, paths in damaged.items():
        for path in paths:
            with open(path + ".outcome") as file:
                outcome = file.read()
            assert outcome.startswith(("result", "DataError ")), (path, outcome)
            if outcome != "result" and way in ("table", "path", "dataset"):
                assert os.path.basename(path) in outcome or "column" in outcome, outcome


def damaged_text():
    """Make a string column whose offsets point far behind its bytes."""
    offsets = np.array([0, 2, 1 << 30, 3], dtype=np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"abc")]
    return pa.Array.from_buffers(pa.string(), 3, buffers)


def damaged_codes():
    """Make a dictionary column with codes that have no level."""
    codes = pa.array([0, 99, 1], pa.int32())
    return pa.DictionaryArray.from_arrays(codes, pa.array(["x", "y"]), safe=False)


@pytest.mark.parametrize("column", [damaged_text, damaged_codes])
def test_columns_that_would_crash_the_process_are_refused(column):
    import imbcore

    batch = pa.RecordBatch.from_arrays([column(), pa.array(["p", "n", "p"])], names=["a", "y"])
    whole = pa.Table.from_batches([batch])
    with pytest.raises(DataError, match="cannot be read"):
        imbcore.fit(whole.drop_columns(["y"]), whole["y"], "cart")
    with pytest.raises(DataError, match="cannot be read"):
        imbcore.fit(pa.table({"x": [1.0, 2.0, 3.0]}), whole["a"], "cart")
    with pytest.raises(DataError, match="cannot be read"):
        imbcore.fit(lambda: pa.RecordBatchReader.from_batches(batch.schema, [batch]), "y", "naive_bayes")


def swap(path, change):
    """Replace a file by another of the same size and modification time."""
    before = path.stat()
    change(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size


def reverse_lines(path):
    head, *lines = path.read_text().splitlines()
    path.write_text("\n".join([head, *lines[::-1]]) + "\n")


def test_a_file_replaced_by_one_of_the_same_size_and_time_is_noticed(tmp_path):
    """Values that change between two passes are an error, even if file size and time are unchanged."""
    path = tmp_path / "rows.csv"
    path.write_text("a,y\n" + "".join(f"{i % 7},{'pn'[i % 5 > 0]}\n" for i in range(500)))
    source = open_source(path, "y", batch_size=64)
    first = [piece for _, piece in source.batches(["y"])]
    swap(path, reverse_lines)
    with pytest.raises(DataError, match=r"rows\.csv: column 'y' holds other values"):
        list(source.batches())
    assert sum(map(len, first)) == 500


def test_checksums_do_not_depend_on_batches(tmp_path):
    path = tmp_path / "rows.parquet"
    parquet.write_table(table(), path, row_group_size=80)
    source = open_source(path, "y", batch_size=7)
    for rows in (7, 200, 13):
        assert sum(len(piece) for _, piece in source.with_batch_rows(rows).batches()) == 200
    assert len(source.take([3, 190])) == 2


def test_a_query_that_gives_another_order_is_noticed():
    """A source with another order at each pass would combine labels with features of other rows."""
    import imbcore

    rng = np.random.default_rng(0)
    whole = table()

    def shuffled():
        rows = whole.take(pa.array(rng.permutation(len(whole))))
        return pa.RecordBatchReader.from_batches(rows.schema, rows.to_batches())

    with pytest.raises(DataError, match="the same in another order"):
        imbcore.fit(shuffled, "y", "tan")


def test_a_fit_right_after_a_stopped_one_works_on_one_connection():
    """A database connection serves one query at a time; a stopped fit must not hold it."""
    import imbcore

    duckdb = pytest.importorskip("duckdb")
    rng = np.random.default_rng(0)
    n = 200_000
    label = np.where(rng.random(n) < 0.1, "p", "n")
    rows = pa.table({"a": rng.normal(size=n), "y": label})  # noqa: F841
    relation = duckdb.connect().sql("select * from rows where a > -9")

    def stop(*_progress):
        raise KeyError("stopped")

    for _ in range(2):
        with pytest.raises(KeyError):
            imbcore.fit(relation, "y", "naive_bayes", callback=stop, batch_size=5000)
        imbcore.fit(relation, "y", "naive_bayes", batch_size=50_000)


def test_a_damaged_gzip_file_is_named(tmp_path):
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(b"\x1f\x8b\x08\x00" + b"\xff" * 60)
    with pytest.raises(DataError, match=r"rows\.csv\.gz"):
        read_table(path)
    with pytest.raises(DataError, match=r"rows\.csv\.gz"):
        open_source(path, "y")
