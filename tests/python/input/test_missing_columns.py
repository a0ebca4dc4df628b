"""Columns without a value, at fit or at predict.

A column whose values are all missing has no type that could conflict. Models accept it at fit, in any
container and type, accept values of any type in it later, and accept it at predict.
"""

import tempfile
from pathlib import Path

import numpy as np
import pytest

import imbcore
from imbcore._bindings.table import read_table

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

# Fits warn about columns without values, and predictions about values not seen at fit.
pytestmark = pytest.mark.filterwarnings("ignore")

N = 40
A = np.arange(N, dtype=float)
Y = np.repeat([0, 1], [30, 10])
EMPTY = [None] * N


def frame(column):
    return pandas.DataFrame({"a": A, "c": column})


def csv_file(column):
    lines = [f"{a},{'' if c is None else c}\n" for a, c in zip(A, column, strict=True)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.csv")
        path.write_text("a,c\n" + "".join(lines))
        return read_table(path)


# Tables with a column "c" of the stated type.
CONTAINERS = {
    "pandas object": lambda c: frame(pandas.Series(c, dtype=object)),
    "pandas str": lambda c: frame(pandas.Series(c, dtype="str")),
    "pandas string": lambda c: frame(pandas.Series(c, dtype="string")),
    "pandas string of Arrow": lambda c: frame(pandas.Series(c, dtype="string[pyarrow]")),
    "pandas categorical": lambda c: frame(pandas.Categorical(c)),
    "pandas ArrowDtype": lambda c: frame(pandas.Series(c, dtype=pandas.ArrowDtype(pyarrow.string()))),
    "pandas dictionary": lambda c: frame(
        pandas.Series(c, dtype=pandas.ArrowDtype(pyarrow.dictionary(pyarrow.int32(), pyarrow.string())))
    ),
    "polars String": lambda c: polars.DataFrame({"a": A, "c": polars.Series(c, dtype=polars.String)}),
    "polars Categorical": lambda c: polars.DataFrame(
        {"a": A, "c": polars.Series(c, dtype=polars.Categorical)}
    ),
    "arrow string": lambda c: pyarrow.table({"a": A, "c": pyarrow.array(c, pyarrow.string())}),
    "arrow dictionary": lambda c: pyarrow.table(
        {"a": A, "c": pyarrow.array(c, pyarrow.string()).dictionary_encode()}
    ),
    "dict of columns": lambda c: {"a": A, "c": c},
    "records": lambda c: [{"a": a, "c": value} for a, value in zip(A.tolist(), c, strict=True)],
    "csv": csv_file,
}
WITHOUT_TYPE = {
    "pandas float": lambda: frame(np.full(N, np.nan)),
    "pandas Int64": lambda: frame(pandas.array(EMPTY, dtype="Int64")),
    "pandas boolean": lambda: frame(pandas.array(EMPTY, dtype="boolean")),
    "pandas datetime": lambda: frame(pandas.Series([pandas.NaT] * N, dtype="datetime64[ns]")),
    "polars Null": lambda: polars.DataFrame({"a": A, "c": EMPTY}),
    "polars Int64": lambda: polars.DataFrame({"a": A, "c": polars.Series(EMPTY, dtype=polars.Int64)}),
    "arrow null": lambda: pyarrow.table({"a": A, "c": pyarrow.nulls(N)}),
    "declared categories": lambda: frame(pandas.Categorical(EMPTY, categories=["u", "v"])),
}
ALL = {**{name: (lambda make=make: make(EMPTY)) for name, make in CONTAINERS.items()}, **WITHOUT_TYPE}


@pytest.mark.parametrize("name", ALL)
def test_column_without_values_accepts_any_value_later(name):
    model = imbcore.fit(ALL[name](), Y, "cart", random_state=0)
    right = model.predict_proba(frame(np.full(N, np.nan)))
    np.testing.assert_array_equal(right[:, 1] > 0.5, Y == 1)
    for container in CONTAINERS.values():
        np.testing.assert_array_equal(model.predict_proba(container(["x"] * N)), right)
    np.testing.assert_array_equal(model.predict_proba(frame(A)), right)
    for empty in ALL.values():
        np.testing.assert_array_equal(model.predict_proba(empty()), right)


NUMBERS = ["pandas object", "dict of columns", "records", "csv"]


@pytest.mark.parametrize(
    ("name", "values"),
    # The values depend on the labels: other values than missing ones would change the predictions.
    [(name, np.where(Y == 1, "x", "y").tolist()) for name in CONTAINERS]
    + [(name, np.where(Y == 1, A, -A).tolist()) for name in NUMBERS],
)
def test_column_may_have_no_values_at_predict(name, values):
    model = imbcore.fit(CONTAINERS[name](values), Y, "naive_bayes", random_state=0)
    right = model.predict_proba(CONTAINERS[name](EMPTY))
    assert np.abs(model.predict_proba(CONTAINERS[name](values)) - right).max() > 0.01
    for empty in ALL.values():
        np.testing.assert_array_equal(model.predict_proba(empty()), right)


def test_model_file_stores_it(tmp_path):
    model = imbcore.fit(frame(pandas.Categorical(EMPTY)), Y, "cart", random_state=0)
    model.save(tmp_path / "model.imb")
    loaded = imbcore.load(tmp_path / "model.imb")
    with pytest.warns(UserWarning, match="not seen during fit, such as 'x'; they are treated as missing"):
        np.testing.assert_array_equal(
            loaded.predict_proba(frame(["x"] * N)), model.predict_proba(frame(EMPTY))
        )
    assert (
        len(
            {
                imbcore.fit(make(), Y, "cart", random_state=0).to_bytes()
                for name, make in ALL.items()
                if name != "declared categories"
            }
        )
        == 1
    )


def test_text_is_still_rejected_in_numeric_columns():
    model = imbcore.fit(frame(A), Y, "cart", random_state=0)
    with pytest.raises(imbcore.DataError, match="was numeric during fit"):
        model.predict(frame(["x"] * N))


@pytest.mark.parametrize("dtype", [object, "str", "category"])
def test_cross_validation_with_one_rare_text_value(dtype):
    from sklearn.model_selection import cross_val_score

    values = np.array(EMPTY, dtype=object)
    values[3] = "rare"
    X = frame(pandas.Series(values, dtype=dtype))
    scores = cross_val_score(imbcore.CARTClassifier(random_state=0), X, Y, cv=5, error_score="raise")
    assert len(scores) == 5


@pytest.mark.parametrize(
    "method", ["hddt", "random_forest", "boosted_trees", "tan", "fast_boxes", "adaboost"]
)
def test_methods_accept_columns_without_values(method):
    model = imbcore.fit(frame(pandas.Categorical(EMPTY)), Y, method, random_state=0)
    right = model.predict_proba(frame(EMPTY))
    np.testing.assert_array_equal(model.predict_proba(frame(["x"] * N)), right)


def test_sources_read_columns_without_values(tmp_path):
    from pyarrow import parquet

    path = tmp_path / "rows.parquet"
    for column in (pyarrow.array(EMPTY, pyarrow.string()), pyarrow.nulls(N)):
        table = pyarrow.table({"a": A, "c": column})
        parquet.write_table(table.append_column("y", pyarrow.array(Y)), path)
        model = imbcore.fit(str(path), "y", "naive_bayes", random_state=0)
        assert model.to_bytes() == imbcore.fit(table, Y, "naive_bayes", random_state=0).to_bytes()
        np.testing.assert_array_equal(model.predict(frame(["x"] * N)), model.predict(frame(EMPTY)))


@pytest.mark.parametrize("batch_size", [7, 1000])
def test_boxes_fitted_to_batches_record_columns_without_values(tmp_path, batch_size):
    from pyarrow import parquet

    path = tmp_path / "rows.parquet"
    columns = {"a": A, "c": pyarrow.nulls(N, pyarrow.float64()), "d": pyarrow.array([np.nan] * N)}
    parquet.write_table(pyarrow.table({**columns, "y": Y}), path)
    model = imbcore.fit(str(path), "y", "fast_boxes", random_state=0, batch_size=batch_size)
    rows = pyarrow.table(columns)
    text = rows.set_column(1, "c", pyarrow.array(["x"] * N))
    np.testing.assert_array_equal(model.predict(text), model.predict(rows))
