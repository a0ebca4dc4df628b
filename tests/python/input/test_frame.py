"""Tables of every kind as input: a named error, or the same model."""

import datetime
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import _NotAnArray

import imbcore
from imbcore._validation.columns import MISSING, Nominal
from imbcore._validation.frame import to_prediction_frame, to_training_frame
from imbcore._validation.read import read_raw_table
from imbcore._validation.schema import Schema
from imbcore.exceptions import DataError, DataWarning, ModelFormatError, ParameterError

SETTINGS = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
TRAINING = np.random.default_rng(0).normal(size=(60, 3))
TARGETS = (TRAINING.sum(axis=1) > 1).astype(int)


def to_native(X, **options):
    options = {"categorical_features": None, "feature_names": None, **options}
    return to_training_frame(X, options["categorical_features"], options["feature_names"], "hddt")


@pytest.mark.parametrize("order", ["C", "F"])
def test_float64_is_not_copied(order):
    X = np.array(TRAINING, order=order)
    frame, _ = to_native(X)
    assert frame is X
    model = imbcore.fit(X, TARGETS)
    assert to_prediction_frame(X, model._schema, "") is X


def test_pandas_block_of_float64_is_not_copied():
    X = pd.DataFrame(np.asfortranarray(TRAINING.T).T, columns=list("abc"))
    frame, schema = to_native(X)
    assert schema.named
    assert np.shares_memory(frame, X.to_numpy())


def test_polars_and_pyarrow_floats_are_not_copied():
    polars = pl.DataFrame({"a": TRAINING[:, 0].copy()})
    (column,) = to_native(polars)[0]
    assert np.shares_memory(column, polars["a"].to_numpy())
    table = pa.table({"a": TRAINING[:, 0].copy()})
    (column,) = to_native(table)[0]
    assert column.ctypes.data == table["a"].chunk(0).buffers()[1].address


def test_chunked_arrow_floats_are_one_column():
    for kind in (pa.float32(), pa.float64()):
        chunks = pa.chunked_array([[1.5, None], [], [float("nan"), -0.25]], type=kind)
        (column,) = to_native(pa.table({"a": chunks}))[0]
        np.testing.assert_array_equal(column, [1.5, np.nan, np.nan, -0.25])
        assert column.dtype == np.float64


def as_pandas(columns):
    frame = pd.DataFrame(columns)
    frame["level"] = pd.Categorical(frame["level"])
    return frame


def as_pandas_nullable(columns):
    frame = as_pandas(columns)
    return frame.astype({"children": "Int64", "member": "boolean", "age": "Float64", "job": "string"})


def as_pandas_arrow(columns):
    return pa.Table.from_pandas(as_pandas(columns)).to_pandas(types_mapper=pd.ArrowDtype)


def as_pandas_objects(columns):
    return pd.DataFrame(
        {name: np.asarray(values, dtype=object) for name, values in columns.items()}, dtype=object
    )


def as_polars(columns):
    # Here missing numbers are NaN or null.
    frame = pl.DataFrame({name: pl.Series(values, strict=False) for name, values in columns.items()})
    return frame.with_columns(pl.col("level").cast(pl.Categorical), pl.col("age").fill_nan(None))


def as_polars_enum(columns):
    return as_polars(columns).with_columns(pl.col("level").cast(pl.Enum(["high", "low", "mid"])))


def as_arrow(columns):
    return pa.Table.from_pandas(as_pandas(columns))


def as_arrow_dictionaries(columns):
    table = pa.table({name: pa.array(values, from_pandas=True) for name, values in columns.items()})
    for name in ("job", "level"):
        table = table.set_column(table.column_names.index(name), name, table[name].dictionary_encode())
    return pa.concat_tables([table[:40], table[40:]])


def as_dict(columns):
    return dict(columns)


def as_dict_of_series(columns):
    return {name: pl.Series(values, strict=False) for name, values in columns.items()}


class Table:
    """The table type of ``imbcore.datasets`` and the file readers."""

    class Levels:
        def __init__(self, codes, levels):
            self.codes, self.levels = codes, levels

    def __init__(self, columns):
        self.columns = columns

    def _imbcore_columns_(self):
        parts = []
        for name, values in self.columns.items():
            if values.dtype == object:
                levels = sorted(set(values) - {None})
                codes = [MISSING if v is None else levels.index(v) for v in values]
                parts.append((name, self.Levels(np.array(codes, dtype=np.uint32), levels)))
            else:
                parts.append((name, values.astype(np.float64)))
        return parts


TABLES = [
    as_pandas,
    as_pandas_nullable,
    as_pandas_arrow,
    as_pandas_objects,
    as_polars,
    as_polars_enum,
    as_arrow,
    as_arrow_dictionaries,
    as_dict,
    as_dict_of_series,
    Table,
]


@pytest.mark.parametrize("method", ["hddt", "c44", "cart"])
def test_all_table_types_give_the_same_model(mixed, method):
    columns, y = mixed
    models = [imbcore.fit(make(columns), y, method, random_state=0) for make in TABLES]
    reference = models[0]
    assert reference.feature_names == list(columns)
    for make, model in zip(TABLES, models, strict=True):
        assert model.to_bytes() == reference.to_bytes(), make.__name__
        found = reference.predict_proba(make(columns))
        assert np.array_equal(found, reference.predict_proba(as_pandas(columns))), make.__name__


def test_object_arrays_and_lists_are_accepted(mixed):
    columns, y = mixed
    rows = [list(row) for row in zip(*(values.tolist() for values in columns.values()), strict=True)]
    array = np.array(rows, dtype=object)
    as_list = imbcore.fit(rows, y, random_state=0)
    assert as_list.to_bytes() == imbcore.fit(array, y, random_state=0).to_bytes()
    assert [f.levels for f in as_list._schema.features] == [
        None,
        None,
        None,
        ["clerk", "farmer", "nurse"],
        ["high", "low", "mid"],
    ]


def test_text_in_rows_with_numbers_stays_text():
    body = read_raw_table([[1, "a"], [2, "b"]], "").body
    assert body[0].tolist() == [1.0, 2.0]
    assert body[1].levels == ["a", "b"]


def test_missing_values_of_every_kind_are_recognized():
    X = np.array([[None, "a"], [np.nan, None], [pd.NA, np.nan], [pd.NaT, pd.NA], [1.5, "b"]], dtype=object)
    numbers, text = read_raw_table(X, "").body
    assert np.array_equal(numbers, [np.nan] * 4 + [1.5], equal_nan=True)
    assert text.codes.tolist() == [0, MISSING, MISSING, MISSING, 1]
    masked = np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[False, True], [False, False]])
    assert np.array_equal(read_raw_table(masked, "").body, [[1.0, np.nan], [3.0, 4.0]], equal_nan=True)
    whole = np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    assert np.array_equal(read_raw_table(whole, "").body, [[1.0, np.nan], [3.0, 4.0]], equal_nan=True)


def test_numbers_of_every_type_are_accepted():
    values = [1, 2.5, True, np.int8(3), np.float32(0.5), np.bool_(False), Decimal("1.25"), Fraction(1, 2)]
    (column,) = read_raw_table(np.array([[v] for v in values], dtype=object), "").body
    assert column.tolist() == [1.0, 2.5, 1.0, 3.0, 0.5, 0.0, 1.25, 0.5]


def test_all_missing_columns_are_numeric():
    for column in ([None, None], [np.nan, None]):
        (found,) = read_raw_table(np.array([[v] for v in column], dtype=object), "").body
        assert np.isnan(found).all()
    for frame in (
        pl.DataFrame({"a": [None, None]}),
        pa.table({"a": pa.nulls(2)}),
        pd.DataFrame({"a": [None, None]}),
    ):
        (found,) = read_raw_table(frame, "").columns()
        assert np.isnan(found).all()


def test_array_likes_are_accepted():
    assert np.array_equal(read_raw_table(_NotAnArray(TRAINING), "").body, TRAINING)
    assert np.array_equal(read_raw_table(memoryview(TRAINING), "").body, TRAINING)
    assert np.array_equal(read_raw_table(tuple(map(tuple, TRAINING)), "").body, TRAINING)


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, object, "Int64", "polars", "arrow"])
@pytest.mark.parametrize("value", [2**53 + 1, 2**60])
def test_integers_beyond_float64_are_rejected(dtype, value):
    values = [1, value]
    if dtype == "polars":
        X = pl.DataFrame({"x0": [0, 0], "x1": values})
    elif dtype == "arrow":
        X = pa.table({"x0": [0, 0], "x1": values})
    elif dtype == "Int64":
        X = pd.DataFrame({"x0": [0.5, 0], "x1": pd.array(values, dtype="Int64")})
    else:
        X = np.array([[0, 1], [0, value]], dtype=dtype)
    with pytest.raises(DataError, match=f"column 'x1' has the integer {value}, beyond 2"):
        imbcore.fit(X, [0, 1])


def test_integers_up_to_two_to_the_53_are_exact():
    assert read_raw_table(np.array([[2**53], [-(2**53)]]), "").body.tolist() == [[2.0**53], [-(2.0**53)]]
    frame = pd.DataFrame({"a": np.array([2**53 + 1, 1]), "b": [0.5, 1.0]})
    with pytest.raises(DataError, match="column 'a'"):
        imbcore.fit(frame, [0, 1])


@pytest.mark.parametrize(
    "chosen", [["b"], [1], [-2], [False, True, False], np.array([1]), np.array([False, True, False])]
)
def test_declared_columns_are_nominal(chosen):
    X = {"a": [0.5, 1.5, 2.5, 3.5], "b": [3, 1, 2, 3], "c": [0, 0, 1, 1]}
    schema = to_native(X, categorical_features=chosen)[1]
    assert [f.levels for f in schema.features] == [None, [1, 2, 3], None]
    array = np.column_stack(list(X.values()))
    if isinstance(chosen, np.ndarray) or chosen != ["b"]:
        frame, schema = to_native(array, categorical_features=chosen)
        assert [f.levels for f in schema.features] == [None, [1, 2, 3], None]
        assert frame[1][0].tolist() == [2, 0, 1, 2]


def test_declared_numbers_round_trip_through_predict():
    X = np.array([[3.0], [1.0], [2.0], [np.nan], [1.5]])
    schema = to_native(X, categorical_features=[0])[1]
    assert schema.features[0].levels == [1, 1.5, 2, 3]
    assert Schema.from_json(schema.to_json()).features == schema.features
    ((codes, n_levels),) = to_prediction_frame(X.astype(object), schema, "")
    assert (codes.tolist(), n_levels) == ([3, 0, 2, MISSING, 1], 4)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (["d"], "no column 'd'"),
        ([3], "no column 3"),
        ([1.5], "no column 1.5"),
        ([True], "mask of 1 values, but X has 3 columns"),
        ("a", "must be a list"),
        (1, "must be a list"),
    ],
)
def test_invalid_declarations_are_named(chosen, message):
    with pytest.raises(ParameterError, match=f"categorical_features.*{message}"):
        imbcore.fit(pd.DataFrame(TRAINING, columns=list("abc")), TARGETS, categorical_features=chosen)


def test_categories_keep_their_order_and_unused_levels():
    levels = ["low", "mid", "high", "never"]
    column = pd.DataFrame({"a": pd.Categorical(["mid", None, "low"], categories=levels)})
    for frame in (column, pl.DataFrame({"a": pl.Series(["mid", None, "low"], dtype=pl.Enum(levels))})):
        (found,) = read_raw_table(frame, "").columns()
        assert found.levels == levels
        assert found.codes.tolist() == [1, MISSING, 0]


def test_categories_of_other_types():
    binned = pd.DataFrame({"a": pd.cut(np.arange(6.0), 3), "b": pd.Categorical([3, 1, 2, 3, 1, None])})
    model = imbcore.fit(binned, [0, 0, 0, 1, 1, 1])
    assert model._schema.features[0].levels == [str(i) for i in binned["a"].cat.categories]
    assert model._schema.features[1].levels == [1, 2, 3]
    assert np.array_equal(model.predict(binned), model.predict(binned.astype({"a": "str"})))


def test_unseen_levels_count_as_missing_with_one_warning(mixed):
    columns, y = mixed
    model = imbcore.fit(as_pandas(columns), y, "cart")
    strange = as_pandas(columns)
    strange["job"] = ["pilot", "baker"] * 45
    missing = as_pandas(columns)
    missing["job"] = None
    with pytest.warns(
        DataWarning, match=r"column 'job' has 2 value\(s\) not seen during fit, such as"
    ) as caught:
        found = model.predict_proba(strange)
    assert len(caught) == 1
    assert "'baker', 'pilot'; they are treated as missing in 90 rows" in str(caught[0].message)
    assert caught[0].filename == __file__
    with pytest.warns(DataWarning, match="column 'job' is missing in all 90 rows"):
        assert np.array_equal(found, model.predict_proba(missing))


def test_unseen_levels_of_another_case_have_a_hint():
    model = imbcore.fit({"grade": ["I", "II", "III"] * 20}, [0, 0, 1] * 20, "cart")
    with pytest.warns(DataWarning, match=r"in 2 rows; did you mean 'II', 'III'\?"):
        model.predict({"grade": ["iii", "II ", "I"]})


def test_unused_new_categories_do_not_warn(mixed):
    columns, y = mixed
    model = imbcore.fit(as_pandas(columns), y)
    wider = as_pandas(columns)
    wider["level"] = wider["level"].cat.set_categories(["never", "mid", "low", "high"])
    assert np.array_equal(model.predict(wider), model.predict(as_pandas(columns)))


@pytest.mark.parametrize("make", [as_pandas, as_polars, as_arrow, as_dict])
@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("age", ["old"] * 90, "column 'age' was numeric during fit, but contains text"),
        ("job", np.arange(90.0), "column 'job' had values such as 'clerk'"),
    ],
)
def test_changed_type_at_predict_names_the_column(mixed, make, column, values, message):
    columns, y = mixed
    model = imbcore.fit(as_pandas(columns), y)
    changed = make({**columns, "job": columns["job"]})
    if make is as_pandas:
        changed[column] = values
    elif make is as_polars:
        changed = changed.with_columns(pl.Series(column, values))
    elif make is as_arrow:
        changed = changed.set_column(changed.column_names.index(column), column, pa.array(values))
    else:
        changed[column] = values
    with pytest.raises(DataError, match=message) as caught:
        model.predict(changed)
    assert caught.value.column == list(columns).index(column)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (scipy.sparse.csr_array((3, 10**9)), r"a copy of shape \(3, 1000000000\) would have 24.0 GB"),
        (scipy.sparse.csc_matrix((3, 10**9)), "X is sparse, and .* needs dense columns"),
        (np.eye(3) + 1j, "Complex data not supported"),
        ([[1j], [2], [3]], "Complex data not supported"),
        (np.array([[1j], [2], [3]], dtype=object), "column 'x0'"),
        (np.array([["2020-01-01"]] * 3, dtype="M8[D]"), "convert dates to numbers"),
        (np.array([[1]] * 3, dtype="m8[s]"), "convert durations to numbers"),
        (np.array([[b"a"]] * 3), "decode bytes"),
        (np.zeros((3, 1), dtype=[("a", float)]), "column 'x0' has dtype"),
        (np.array([[1, {}]] * 3, dtype=object), "argument must be a string or a number, not 'dict'"),
        (np.array([[1, "a"], [1, 2.5], [1, None]], dtype=object), "column 'x1' mixes text and numbers"),
        ([[1], [2, 3], [4]], "rows of equal length"),
        (pd.DataFrame({"day": pd.to_datetime(["2020-01-01"] * 3)}), "column 'day' .*convert dates"),
        (pl.DataFrame({"day": [datetime.date(2020, 1, 1)] * 3}), "column 'day' .*convert dates"),
        (pa.table({"day": [datetime.datetime(2020, 1, 1)] * 3}), "column 'day' .*convert dates"),
        (pl.DataFrame({"tags": [[1], [2], [3]]}), "column 'tags' .*expand nested values"),
        (pa.table({"who": [{"name": "a"}] * 3}), "column 'who' .*expand nested values"),
        (pd.DataFrame(np.eye(3), columns=["a", "b", "a"]), "duplicate column names; rename them: 'a'"),
        (pd.DataFrame(np.eye(3), columns=[7, 8, 7]), "duplicate column names; rename them: 7"),
        (pl.LazyFrame({"a": [1, 2, 3]}), "collect it first"),
        ({"a": [1, 2, 3], "b": [1, 2]}, "column 'b' has 2 rows, but column 'a' has 3"),
        ({"a": np.eye(3)}, "column 'a' must be one-dimensional"),
        ({}, r"0 sample\(s\)"),
        (object(), "table of rows and columns"),
        (None, "table of rows and columns"),
        ("text", "give the name of its column of labels"),
        (3.0, "table of rows and columns"),
        (np.zeros((3, 2, 2)), "Found array with dim 3, while dim <= 2 is required by forest"),
        (np.zeros((0, 3)), r"Found array with 0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1"),
        (np.zeros((3, 0)), r"Found array with 0 feature\(s\) \(shape=\(3, 0\)\) while a minimum of 1"),
        (pd.DataFrame(index=range(3)), r"Found array with 0 feature\(s\) \(shape=\(3, 0\)\)"),
        (pl.DataFrame(), r"Found array with 0 sample\(s\)"),
        (pd.DataFrame({"a": []}), r"Found array with 0 sample\(s\)"),
        (pd.Series([1.0, 2.0, 3.0]), "Reshape your data"),
        (pl.Series([1.0, 2.0, 3.0]), "Reshape your data"),
        (np.arange(3.0), "Reshape your data"),
    ],
)
def test_invalid_tables_are_rejected(X, message):
    with pytest.raises(DataError, match=message):
        imbcore.fit(X, [0, 1, 1])


def test_feature_names_for_arrays():
    model = imbcore.fit(TRAINING, TARGETS, feature_names=["a", "b", "c"])
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    model.predict(TRAINING)
    model.predict(pd.DataFrame(TRAINING, columns=["a", "b", "c"]))
    for wrong in (["a", "b"], ["a", "b", "b"]):
        with pytest.raises(
            ParameterError, match="feature_names must have one name for each of the 3 columns"
        ):
            imbcore.fit(TRAINING, TARGETS, feature_names=wrong)
    unnamed = imbcore.fit(TRAINING, TARGETS)
    assert unnamed.feature_names == ["x0", "x1", "x2"]
    assert not hasattr(unnamed, "feature_names_in_")


def test_numeric_column_names_are_not_stored():
    model = imbcore.fit(pd.DataFrame(TRAINING), TARGETS, random_state=0)
    assert not hasattr(model, "feature_names_in_")
    assert model.to_bytes() == imbcore.fit(TRAINING, TARGETS, random_state=0).to_bytes()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        '{"features": 3, "named": true, "classes": [0, 1], "class_dtype": "int64"}',
        '{"features": [], "named": true, "classes": [0, 1], "class_dtype": "V99999999999"}',
        '{"features": [], "named": true, "classes": [[0], 1], "class_dtype": "int64"}',
        '{"features": [], "named": true, "classes": ["a", "b"], "class_dtype": "int64"}',
        '{"features": [], "named": true, "classes": [300, 1e99], "class_dtype": "int8"}',
    ],
)
def test_malformed_schemas_are_rejected(text):
    with pytest.raises(ModelFormatError):
        Schema.from_json(text)


def test_huge_text_width_allocates_nothing():
    text = '{"features": [], "named": false, "classes": ["a", "b"], "class_dtype": "<U2000000000"}'
    assert Schema.from_json(text).classes.dtype == "<U1"


@SETTINGS
@given(st.lists(st.none() | st.text(max_size=3), min_size=1, max_size=30))
def test_text_columns_are_the_same_for_all_libraries(values):
    # Arrow cannot store lone surrogates.
    assume(all(v is None or v.isprintable() or "\0" in v for v in values))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tables = [
            np.array([[v] for v in values], dtype=object),
            {"a": values},
            pd.DataFrame({"a": pd.Series(values, dtype=object)}),
            pd.DataFrame({"a": pd.Series(values, dtype="str")}),
            pl.DataFrame({"a": pl.Series(values, dtype=pl.String)}),
            pl.DataFrame({"a": pl.Series(values, dtype=pl.Categorical)}),
            pa.table({"a": pa.array(values, pa.string())}),
            pa.table({"a": pa.array(values, pa.large_string()).dictionary_encode()}),
        ]
        found = [read_raw_table(table, "").columns()[0] for table in tables]
    known = sorted({v for v in values if v is not None})
    expected = [MISSING if v is None else known.index(v) for v in values]
    for column in found:
        if not known and not isinstance(column, Nominal):
            assert np.isnan(column).all()
        else:
            assert column.levels == known
            assert column.codes.tolist() == expected
            assert column.codes.dtype == np.uint32


ROWS = [
    {"age": 31.0, "job": "nurse", "member": True},
    {"job": "clerk", "age": None, "member": False},
    {"member": True, "age": 45, "job": None},
    {"age": 60, "job": "clerk"},
]
