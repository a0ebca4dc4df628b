"""Reading and writing table files."""

from __future__ import annotations

import gzip
import os
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from imbcore import exceptions
from imbcore._bindings.table import read_table
from imbcore._validation.columns import MISSING, Nominal
from imbcore._validation.table import Table, write_table


@pytest.fixture
def written(tmp_path: Path):
    def write(content: str | bytes, name: str = "t.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def nominal(codes: list[int], levels: list[str]) -> Nominal:
    return Nominal(np.array(codes, dtype=np.uint32), list(levels))


def same(a: Table, b: Table) -> None:
    assert a.names == b.names
    for name in a.names:
        left, right = a[name], b[name]
        if isinstance(left, Nominal):
            assert isinstance(right, Nominal)
            assert left.levels == right.levels
            np.testing.assert_array_equal(left.codes, right.codes)
        else:
            np.testing.assert_array_equal(left, right)


def test_numbers_text_and_missing_values_are_read(written):
    table = read_table(written("age,job\n31,nurse\nNA,cook\n5,?\n"))
    assert table.names == ["age", "job"]
    assert table.n_rows == 3
    assert table["age"].dtype == np.float64
    np.testing.assert_array_equal(table["age"], [31, np.nan, 5])
    assert table["job"].levels == ["cook", "nurse"]
    np.testing.assert_array_equal(table["job"].codes, [1, 0, MISSING])
    assert table["job"].codes.dtype == np.uint32


def test_row_order_does_not_change_the_levels(written):
    a = read_table(written("w\nb\na\n"))["w"]
    b = read_table(written("w\na\nb\n"))["w"]
    assert a.levels == b.levels == ["a", "b"]


def test_byte_order_mark_line_ends_and_gzip_do_not_matter(written):
    plain = read_table(written("a,b\n1,x\n2,y\n"))
    same(read_table(written("\ufeffa,b\r\n1,x\r\n2,y")), plain)
    same(read_table(written(gzip.compress(b"a,b\n1,x\n2,y\n"), "t.csv.gz")), plain)
    same(read_table(written(gzip.compress(b"a,b\n1,x\n2,y\n"), "unmarked")), plain)
    same(read_table(written("a;b\n1;x\n2;y\n")), plain)


def test_reading_options_are_applied(written):
    path = written("1|NA\n2|x\n")
    table = read_table(path, separator="|", header=False, missing=[""], text=["x0"])
    assert table["x0"].levels == ["1", "2"]
    assert table["x1"].levels == ["NA", "x"]
    assert read_table(written("a,b\n"), numeric=["a"]).n_rows == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b\n1,2\n\n3\n", "line 4: 1 field, but the header has 2"),
        ("a,b\r\n1,2\r\n3,4,5\r\n", "line 3: 3 fields"),
        (b"a\nx\nM\xfcller\n", "line 3: column `a` is not UTF-8 text (`M\ufffdller`); set the encoding"),
        (b"a\nx\nM\xfcller\n", 'encoding="cp1252" (--encoding cp1252), which reads `M\xfcller`'),
        (b"Gr\xf6\xdfe,b\n1,2\n", 'encoding="cp1252" (--encoding cp1252), which reads `Gr\xf6\xdfe`'),
        (b"a\nx\nM\x81ller\n", "set the encoding of the file (encoding=, --encoding)"),
        ('a,b\n1,"x\n2,y\n', "line 2: a quote opened here is never closed"),
        ("a,a\n", "two columns are called `a`"),
        ("", "the file is empty"),
        (b"a\x00,\x00b\x00\n\x00", "UTF-16"),
        (gzip.compress(b"a,b\n" + os.urandom(5000).hex().encode())[:900], "gzip file ends too early"),
    ],
)
def test_invalid_content_names_file_and_line(written, content, message):
    path = written(content)
    with pytest.raises(exceptions.DataError) as caught:
        read_table(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_text_in_a_numeric_column_is_named(written):
    with pytest.raises(exceptions.DataError, match="line 3: column `a` must be numeric, got `x`"):
        read_table(written("a\n1\nx\n"), numeric=["a"])


@pytest.mark.parametrize(
    "option",
    [
        {"separator": "ab"},
        {"separator": '"'},
        {"separator": ""},
        {"separator": "é"},
        {"text": ["zz"]},
        {"decimal": ";"},
        {"thousands": "1"},
        {"decimal": ",", "thousands": ","},
        {"encoding": "klingon"},
        {"encoding": 7},
        {"delimiter": ","},
    ],
)
def test_invalid_options_are_rejected(written, option):
    with pytest.raises(exceptions.ParameterError):
        read_table(written("a,b\n1,2\n"), **option)


@pytest.mark.parametrize("values", [[-9], np.array([-9]), np.array([-9.0]), [np.float32(-9.0)], ["-9"]])
def test_numbers_may_mean_missing_values(written, values):
    table = read_table(written("a,b\n1,2\n-9,4\n"), na_values=values)
    assert np.array_equal(table["a"], [1.0, np.nan], equal_nan=True)


def test_string_instead_of_a_list_is_rejected(written):
    with pytest.raises(exceptions.ParameterError, match="must be a list"):
        read_table(written("a\n1\n"), text="a")


def test_file_problems_are_os_errors(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"gone\.csv"):
        read_table(tmp_path / "gone.csv")
    with pytest.raises(FileNotFoundError, match=r"gone\.parquet"):
        read_table(tmp_path / "gone.parquet")
    with pytest.raises(OSError, match=tmp_path.name):
        read_table(tmp_path)


@pytest.fixture
def pipe(tmp_path: Path):
    """A named pipe into which a thread writes the given text once."""
    if not hasattr(os, "mkfifo"):
        pytest.skip("the system has no named pipes")
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writers = []

    def write(content: str) -> Path:
        writers.append(threading.Thread(target=path.write_text, args=[content]))
        writers[0].start()
        return path

    yield write
    writers[0].join()


def test_pipe_is_read_once(pipe):
    table = read_table(pipe("a,b\n1,x\ny,y\n"))
    assert [table["a"].levels, table["b"].levels] == [["1", "y"], ["x", "y"]]


def test_broken_pipe_does_not_block(pipe):
    with pytest.raises(exceptions.DataError, match="line 2: 1 field, but the header has 2"):
        read_table(pipe("a,b\n1\n"))


COLUMNS = {
    "age": np.array([31.5, np.nan, -0.0]),
    "job": nominal([1, MISSING, 0], ["a, b", 'say "x"']),
    "n": np.array([1, 2, 3]),
}


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.TSV", "t.txt", "a.b.parquet", "t.pq"])
def test_written_tables_are_read_back(tmp_path, name):
    path = tmp_path / name
    write_table(path, COLUMNS)
    table = read_table(path)
    same(table, Table({**COLUMNS, "n": np.array([1.0, 2.0, 3.0])}))
    assert np.signbit(table["age"][2])
    assert os.listdir(tmp_path) == [name]


def test_equal_tables_give_equal_gzip_files(tmp_path):
    write_table(tmp_path / "a.csv.gz", COLUMNS)
    write_table(tmp_path / "b.csv.gz", COLUMNS)
    assert (tmp_path / "a.csv.gz").read_bytes() == (tmp_path / "b.csv.gz").read_bytes()


def test_plain_arrays_are_written_exactly(tmp_path):
    path = tmp_path / "t.csv"
    write_table(path, {"i": [1, 2], "s": ["x", None], "b": [True, False], "f": [1e300, 2.0]})
    assert path.read_text() == "i,s,b,f\n1,x,True,1e+300\n2,,False,2\n"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=30))
def test_every_float_is_read_back_from_text(tmp_path, values):
    write_table(tmp_path / "f.csv", {"v": values})
    np.testing.assert_array_equal(read_table(tmp_path / "f.csv", numeric=["v"])["v"], values)


def test_long_table_is_written_in_chunks(tmp_path):
    values = np.arange(25_003, dtype=np.float64)
    write_table(tmp_path / "t.csv", {"v": values})
    np.testing.assert_array_equal(read_table(tmp_path / "t.csv")["v"], values)


def test_invalid_tables_and_names_are_rejected(tmp_path):
    with pytest.raises(exceptions.DataError, match="equally long"):
        write_table(tmp_path / "t.csv", {"a": [1], "b": [1, 2]})
    with pytest.raises(exceptions.DataError, match="one dimension"):
        write_table(tmp_path / "t.csv", {"a": np.zeros((2, 2))})
    with pytest.raises(exceptions.ParameterError, match=r"must end in one of \.csv"):
        write_table(tmp_path / "t.xlsx", {"a": [1]})
    with pytest.raises(exceptions.DataError, match="equally long"):
        Table({"a": np.zeros(1), "b": np.zeros(2)})
    assert os.listdir(tmp_path) == []


def test_failed_write_keeps_the_old_file(tmp_path):
    class RaisesOnStr:
        def __str__(self) -> str:
            raise RuntimeError("no words")

    path = tmp_path / "t.csv"
    path.write_text("old")
    with pytest.raises(RuntimeError, match="no words"):
        write_table(path, {"a": np.array([RaisesOnStr()], dtype=object)})
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["t.csv"]


def test_parquet_types_are_read(tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    arrow = pa.table(
        {
            "int": pa.array([1, None, 3]),
            "bool": pa.array([True, None, False]),
            "text": pa.array(["b", None, "a"]),
            "dict": pa.array(["y", "x", None]).dictionary_encode(),
            "none": pa.nulls(3),
        }
    )
    path = tmp_path / "t.parquet"
    parquet.write_table(arrow, path)
    table = read_table(path)
    np.testing.assert_array_equal(table["int"], [1, np.nan, 3])
    np.testing.assert_array_equal(table["bool"], [1, np.nan, 0])
    assert (table["text"].levels, table["text"].codes.tolist()) == (["a", "b"], [1, MISSING, 0])
    assert (table["dict"].levels, table["dict"].codes.tolist()) == (["x", "y"], [1, 0, MISSING])
    assert np.isnan(table["none"]).all()
    assert read_table(path, text=["int"])["int"].levels == ["1", "3"]
    with pytest.raises(exceptions.ParameterError, match="nope"):
        read_table(path, text=["nope"])


def test_invalid_parquet_files_are_rejected(tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 and then nothing")
    with pytest.raises(exceptions.DataError, match=r"broken\.parquet: not a readable Parquet file"):
        read_table(broken)
    parquet.write_table(pa.table({"when": pa.array([0], pa.timestamp("s"))}), tmp_path / "t.parquet")
    with pytest.raises(exceptions.DataError, match="column 'when' has type Datetime"):
        read_table(tmp_path / "t.parquet")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"numeric": ["word"]}, "column 'word' must be numeric, but has text"),
        ({"numeric": ["nope"]}, "`numeric` contains column 'nope'"),
        ({"missing": ["a"]}, "missing applies only to text files"),
        ({"header": False}, "header applies only to text files"),
    ],
)
def test_options_of_parquet_files_apply_or_are_errors(tmp_path, option, message):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "t.parquet"
    parquet.write_table(pa.table({"word": ["a", "b"], "number": [1, 2]}), path)
    with pytest.raises(exceptions.ImbcoreError, match=message):
        read_table(path, **option)
    assert read_table(path, numeric=["number"])["number"].tolist() == [1.0, 2.0]


def test_parquet_without_pyarrow_names_the_package(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'imbcore\[parquet\]'"):
        write_table(tmp_path / "t.parquet", {"a": [1.0]})


def test_table_has_columns_and_length():
    table = Table(dict(COLUMNS))
    assert table.drop("age").names == ["job", "n"]
    assert table.drop("age")["job"] is table["job"]
    assert [name for name, _ in table._imbcore_columns_()] == table.names
    assert repr(table) == "Table(3 rows, 3 columns: age, job, n)"
    with pytest.raises(exceptions.DataError, match="did you mean 'age'"):
        table["agee"]
    with pytest.raises(exceptions.DataError, match="no column 'zzz'"):
        table.drop("zzz")


def test_table_converts_to_pandas():
    pd = pytest.importorskip("pandas")
    frame = Table(dict(COLUMNS)).to_pandas()
    assert isinstance(frame["job"].dtype, pd.CategoricalDtype)
    assert frame["job"].isna().tolist() == [False, True, False]
    assert frame["job"][0] == 'say "x"'


def test_numeric_tables_are_matrices() -> None:
    table = Table({"a": np.array([1.0, 2.0]), "b": np.array([0.5, np.nan])})
    np.testing.assert_array_equal(np.asarray(table), [[1.0, 0.5], [2.0, np.nan]])
    assert np.asarray(table.drop("b"), dtype=np.float32).dtype == np.float32
    with pytest.raises(exceptions.DataError, match="'c' is nominal"):
        np.asarray(Table({"c": nominal([0, 1], ["x", "y"])}))
