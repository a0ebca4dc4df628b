"""Arrow dictionaries in every form.

A dictionary column stands for its values, for any code type and chunk encoding, with a missing value as a
null in the dictionary or as a null code; in memory, from pandas and polars, in streams and in Parquet.
"""

from itertools import pairwise

import numpy as np
import pytest
from commands import run
from hypothesis import given, settings
from hypothesis import strategies as st

import imbcore

pa = pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
parquet = pytest.importorskip("pyarrow.parquet")

N = 30
A = np.arange(N, dtype=float)
Y = np.repeat(["no", "yes"], [20, 10])
VALUES = ["x", None, "z"] * 10
CODES = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]


def dictionary(values, codes, *, null_inside=False, unreferenced=()):
    """A dictionary array with codes of a given type; missing values are in the dictionary or null codes."""
    levels = list(dict.fromkeys([*unreferenced, *(v for v in values if null_inside or v is not None)]))
    numbers = pa.array([None if v is None and not null_inside else levels.index(v) for v in values], codes)
    return pa.DictionaryArray.from_arrays(numbers, pa.array(levels, pa.string()))


def model_of(column):
    return imbcore.fit({"a": A, "c": column}, Y, "naive_bayes", random_state=0).to_bytes()


PLAIN = model_of(pa.array(VALUES))


@pytest.mark.parametrize("codes", CODES, ids=str)
@pytest.mark.parametrize("null_inside", [False, True])
def test_dictionaries_equal_their_values(codes, null_inside):
    one = dictionary(VALUES, codes, null_inside=null_inside)
    halves = pa.chunked_array(
        [
            dictionary(VALUES[:17], codes, null_inside=null_inside),
            dictionary(VALUES[17:], codes, null_inside=not null_inside),
        ]
    )
    forms = {
        "array": one,
        "null that no code names": dictionary(VALUES, codes, unreferenced=[None]),
        "chunks": halves,
        "chunk without rows": pa.chunked_array([one[:0], one]),
        "pandas": pandas.Series(pandas.arrays.ArrowExtensionArray(pa.chunked_array([one]))),
        "pandas of chunks": pandas.Series(pandas.arrays.ArrowExtensionArray(halves)),
    }
    for name, column in forms.items():
        assert model_of(column) == PLAIN, name
    model = imbcore.fit({"a": A, "c": VALUES}, Y, "naive_bayes", random_state=0)
    right = model.predict_proba({"a": A, "c": VALUES})
    for name, column in forms.items():
        np.testing.assert_array_equal(model.predict_proba({"a": A, "c": column}), right, err_msg=name)


def test_null_of_dictionary_encode_is_not_a_level():
    encoded = pa.array(VALUES).dictionary_encode(null_encoding="encode")
    assert encoded.null_count == 0
    assert model_of(encoded) == PLAIN
    assert model_of(polars.from_arrow(encoded)) == PLAIN
    for codes in CODES[:3]:
        ordered = pa.DictionaryArray.from_arrays(
            pa.array([0, 1, 2] * 10, codes), pa.array(["x", None, "z"]), ordered=True
        )
        assert model_of(ordered) == PLAIN
    numbers = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2] * 10, pa.uint8()), pa.array([1.5, None, np.nan])
    )
    plain = pandas.Categorical([1.5, None, None] * 10)
    assert model_of(numbers) == model_of(plain)


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from(["u", "v", "w", None]), min_size=N, max_size=N),
    st.lists(st.integers(0, N), max_size=3),
    st.sampled_from(CODES),
    st.data(),
)
def test_random_dictionaries_equal_their_values(values, ends, codes, data):
    bounds = [0, *sorted(ends), N]
    chunks = [
        dictionary(
            values[a:b],
            codes,
            null_inside=data.draw(st.booleans()),
            unreferenced=data.draw(st.lists(st.sampled_from(["u", "v", None]), max_size=2)),
        )
        for a, b in pairwise(bounds)
    ]
    from imbcore._validation.read import read_raw_table

    (column,) = read_raw_table({"c": pa.chunked_array(chunks)}, "test").columns()
    if not hasattr(column, "levels"):
        assert set(values) == {None}
        return
    found = [column.levels[code] if code < len(column.levels) else None for code in column.codes.tolist()]
    assert found == values
    assert column.levels == sorted(set(column.levels))


def tables(*, null_inside=True):
    """Tables for which a library writes dictionaries with its own code type."""
    frame = polars.DataFrame({"a": A, "c": polars.Series(VALUES, dtype=polars.Categorical), "y": Y})
    enum = frame.with_columns(polars.col("c").cast(polars.Enum(["z", "x"])))
    arrow = pa.table({"a": A, "y": Y, "c": dictionary(VALUES, pa.uint32(), null_inside=null_inside)})
    return {"polars": frame.to_arrow(), "enum": enum.to_arrow(), "arrow": arrow}


@pytest.mark.parametrize("name", ["polars", "enum", "arrow"])
def test_dictionaries_in_files_and_streams_equal_their_values(name, tmp_path):
    table = tables()[name].select(["a", "c", "y"])
    path = str(tmp_path / "rows.parquet")
    # Parquet files do not store a null in the dictionary.
    stored = tables(null_inside=False)[name].select(["a", "c", "y"])
    parquet.write_table(stored, path, row_group_size=7)
    right = imbcore.fit({"a": A, "c": pa.array(VALUES)}, Y, "naive_bayes", random_state=0)
    answers = right.predict_proba({"a": A, "c": pa.array(VALUES)})
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=7))
    model = imbcore.fit(path, "y", "naive_bayes", random_state=0)
    again = imbcore.fit(
        lambda: pa.RecordBatchReader.from_batches(table.schema, table.to_batches(7)),
        "y",
        "naive_bayes",
        random_state=0,
    )
    for found in (model, again, imbcore.fit(reader.read_all().drop(["y"]), Y, "naive_bayes", random_state=0)):
        np.testing.assert_array_equal(found.predict_proba({"a": A, "c": VALUES}), answers)
    out = str(tmp_path / "out.parquet")
    right.predict_to_file(out, path)
    predicted = parquet.read_table(out)
    assert predicted.num_rows == N
    scanned = polars.scan_parquet(path)
    assert imbcore.fit(scanned, "y", "naive_bayes", random_state=0).to_bytes() == model.to_bytes()


def test_command_line_reads_dictionaries(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, table in tables(null_inside=False).items():
        parquet.write_table(table, "rows.parquet")
        fit = ["fit", "rows.parquet", "--target", "y", "--method", "cart", "-o", "model.imb"]
        assert run(*fit) == 0, name
        assert run("predict", "model.imb", "rows.parquet", "-o", "out.csv") == 0, name


def test_enums_of_duckdb_equal_their_values():
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        connection.execute("CREATE TYPE level AS ENUM ('z', 'x')")
        table = pa.table({"a": A, "c": pa.array(VALUES), "y": Y})
        connection.register("rows", table)
        relation = connection.sql("SELECT a, c::level AS c, y FROM rows")
        model = imbcore.fit(relation, "y", "naive_bayes", random_state=0)
        right = imbcore.fit({"a": A, "c": VALUES}, Y, "naive_bayes", random_state=0)
        np.testing.assert_array_equal(
            model.predict_proba({"a": A, "c": VALUES}), right.predict_proba({"a": A, "c": VALUES})
        )


@pytest.mark.parametrize("codes", CODES, ids=str)
def test_labels_may_be_dictionaries(codes):
    labels = dictionary(Y.tolist(), codes)
    X = {"a": A, "c": pa.array(VALUES)}
    right = imbcore.fit(X, Y.astype(object), "cart", random_state=0)
    for y in (labels, pa.chunked_array([labels[:9], labels[9:]])):
        assert imbcore.fit(X, y, "cart", random_state=0).to_bytes() == right.to_bytes()
    with pytest.raises(imbcore.DataError, match="NaN or None"):
        imbcore.fit(X, dictionary([None, *Y[1:].tolist()], codes, null_inside=True), "cart")


def test_score_metrics_of_columns_in_a_dict():
    table = {"a": [0.0, 1.0, 2.0, 3.0], "b": [1.0, 0.0, 1.0, 0.0]}
    y = [0, 0, 0, 1]
    model = imbcore.fit(table, y, "cart")
    found, expected = (model.score_metrics(X, y) for X in (table, pandas.DataFrame(table)))
    np.testing.assert_equal(found, expected)
    with pytest.raises(imbcore.DataError, match="X has 4 rows and y has 3 labels"):
        model.score_metrics(table, y[:3])
