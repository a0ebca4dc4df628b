"""One test per kind of user error: the message names the column or parameter and the remedy."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import polars as pl
import pytest

import imbcore
from imbcore import _imbcore, exceptions
from imbcore._bindings.training import name_native_columns_in_errors
from imbcore.exceptions import ColumnTypeError, DataError, InternalError, ModelFormatError, ParameterError

X = np.random.default_rng(0).normal(size=(40, 3))
Y = np.arange(40) % 4 // 3


def test_exceptions_derive_from_builtin_ones():
    assert issubclass(ParameterError, ValueError)
    assert issubclass(DataError, ValueError)
    assert issubclass(ModelFormatError, ValueError)
    assert issubclass(ColumnTypeError, TypeError)
    assert issubclass(exceptions.UnsupportedError, NotImplementedError)
    assert issubclass(exceptions.SolverError, RuntimeError)
    assert issubclass(exceptions.InternalError, RuntimeError)
    assert issubclass(exceptions.DataWarning, UserWarning)


@pytest.mark.parametrize("name", exceptions.__all__)
def test_exceptions_can_be_pickled(name):
    error = getattr(exceptions, name)("what happened")
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is type(error)
        assert str(again) == "what happened"


def test_data_error_keeps_its_column():
    error = pickle.loads(pickle.dumps(DataError("column 'a': bad", 3)))
    assert (str(error), error.column) == ("column 'a': bad", 3)
    assert DataError("bad").column is None


def test_native_columns_are_named():
    with (
        pytest.raises(DataError, match=r"^column 'age': is infinite$") as caught,
        name_native_columns_in_errors(["id", "age"]),
    ):
        raise DataError("column 1: is infinite", 1)
    assert caught.value.column == 1
    with pytest.raises(DataError, match=r"^no rows$"), name_native_columns_in_errors(["id", "age"]):
        raise DataError("no rows")


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("names", [None, ["a", "b", "c"]])
def test_infinity_at_fit_and_predict(value, names):
    bad = X.copy()
    bad[7, 1] = value
    shown = names[1] if names else "x1"
    with pytest.raises(DataError, match=f"column '{shown}'.*infinit") as caught:
        imbcore.fit(bad, Y, feature_names=names)
    assert caught.value.column == 1
    model = imbcore.fit(X, Y, feature_names=names)
    for method in (model.predict, model.predict_proba, model.apply, model.decision_path):
        with pytest.raises(DataError, match=f"column '{shown}'.*infinit"):
            method(bad)


def test_infinity_in_a_declared_category():
    with pytest.raises(DataError, match="column 'x0' has an infinite value"):
        imbcore.fit([[1.0], [np.inf]], [0, 1], categorical_features=[0])


@pytest.mark.parametrize("estimator", [imbcore.HDDTClassifier, imbcore.C44Classifier, imbcore.CARTClassifier])
def test_unsupported_missing_values_are_rejected(estimator):
    bad = X.copy()
    bad[7, 1] = np.nan
    with pytest.raises(DataError, match="column 'x1'"):
        estimator(missing="error").fit(bad, Y)
    fitted = estimator(missing="error").fit(X, Y)
    with pytest.raises(DataError, match="column 'x1'"):
        fitted.predict(bad)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y to be passed, but the target y is None"),
        (np.ones(40, dtype=int), r"y has only 1 class \(1\)"),
        (Y[:39], r"inconsistent numbers of samples: \[40, 39\]"),
        ([], r"inconsistent numbers of samples: \[40, 0\]"),
        (X[:, 0], "Unknown label type: continuous"),
        (np.where(Y, np.nan, 1.0), "Input y contains NaN"),
        (np.where(Y, np.inf, 1.0), "Input y contains infinity"),
        (np.where(Y, "a", None), "Input y contains NaN or None"),
        (pd.array([1, None] * 20, dtype="Int64"), "Input y contains NaN"),
        (pl.Series([1, None] * 20), "Input y contains NaN"),
        (pl.Series(["a", None] * 20), "Input y contains NaN or None"),
        (np.ma.array(Y, mask=Y == 1), "masked"),
        (np.column_stack([Y, Y]), "should be a 1d array, got an array of shape"),
        (np.zeros((40, 1, 1)), "should be a 1d array"),
        (5, "should be a 1d array"),
        ("text", "should be a 1d array of labels, got str"),
        ([1, "a"] * 20, r"y mixes numbers \(1\) and text \('a'\)"),
        ([True, "a"] * 20, "y mixes booleans .* and text"),
        ([2**70, 1] * 20, "does not fit 64 bits"),
        ([{}, 1] * 20, "Unknown label type"),
        ([(1, 2), None] * 20, "Unknown label type|cannot be read"),
        ([object(), 1] * 20, "Unknown label type: y has object values"),
        (np.array([b"a", b"b"] * 20), "represented as bytes is not supported"),
        (np.array(["2020", "2021"] * 20, dtype="M8[Y]"), "Unknown label type: y has dtype datetime64"),
        (Y + 1j, "Complex data not supported"),
        (np.array([0.5, 1], dtype=object)[Y], "Unknown label type: continuous"),
    ],
)
def test_invalid_targets_are_rejected(y, message):
    with pytest.raises(DataError, match=message):
        imbcore.fit(X, y)


def test_target_with_nearly_as_many_classes_as_rows_is_rejected():
    with pytest.warns(exceptions.DataWarning, match="40 classes in 40 rows"):
        imbcore.fit(X, np.arange(40))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.ones(39), r"sample_weight.shape == \(39,\), expected \(40,\)"),
        (np.ones((40, 2)), "Sample weights must be 1D"),
        (np.array(1.0), "Input should have at least 1 dimension"),
        (np.ma.array(np.ones(40), mask=Y == 1), "masked"),
        (["a"] * 40, "sample_weight must contain numbers"),
        (np.where(Y, -1.0, 1.0), "weight"),
        (np.where(Y, np.nan, 1.0), "weight"),
        (np.where(Y, np.inf, 1.0), "weight"),
        (np.zeros(40), "(weight.*zero)|(zero.*weight)"),
        (-2, "weight"),
        (1.0 * Y, "class"),
    ],
)
def test_invalid_weights_are_rejected(weights, message):
    with pytest.raises(DataError, match=message):
        imbcore.fit(X, Y, sample_weight=weights)


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ("balance", "class_weight must be a dict from label to weight, 'balanced' or None"),
        ([1.0, 2.0], "class_weight must be a dict"),
        ({0: 1.0, 7: 2.0}, r"The classes, \[1\], are not in class_weight"),
        ({0: 1.0, 1: "heavy"}, "class_weight of class 1 must be a number, got 'heavy'"),
        ({0: 1.0, 1: np.nan}, "class_weight of class 1"),
        ({0: 1.0, 1: None}, "class_weight of class 1"),
        ({0: 1.0, 1: -1.0}, "weight"),
        ({0: 0.0, 1: 0.0}, "weight"),
    ],
)
def test_invalid_class_weights_are_rejected(class_weight, message):
    with pytest.raises(ValueError, match=message):
        imbcore.fit(X, Y, class_weight=class_weight)
    with pytest.raises(ValueError, match=message):
        imbcore.HDDTClassifier(class_weight=class_weight).fit(X, Y)


@pytest.mark.parametrize(
    ("method", "nearest"), [("hdtd", "hddt"), ("CART", "cart"), ("c4.4", "c44"), ("", "hddt")]
)
def test_unknown_method_suggests_the_nearest(method, nearest):
    with pytest.raises(ParameterError, match=f"unknown method.*{nearest}"):
        imbcore.fit(X, Y, method)
    with pytest.raises(ParameterError, match=f"unknown method.*{nearest}"):
        imbcore.evaluate(X, Y, method)


def test_method_must_be_a_name():
    with pytest.raises(ParameterError, match="method must be a name"):
        imbcore.fit(X, Y, 3)


def test_unknown_parameter_suggests_the_nearest():
    with pytest.raises(ParameterError, match=r"unknown parameter of forest.*max_dept.*max_depth"):
        imbcore.fit(X, Y, max_dept=3)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        (
            "criterion",
            [
                "ginny",
                3,
                None,
                {"name": "alpha", "beta": 1.0},
                {"alpha": 1.0},
            ],
        ),
        ("max_depth", [0, -1, 2.5, "deep", True, np.inf]),
        ("min_samples_split", [0, 1, 2.5, "2", None]),
        ("min_samples_leaf", [0, 1.5, "1", None]),
        ("min_weight_leaf", [-0.1, "1", None, np.nan]),
        ("max_leaf_nodes", [0, 1, 2.5, "2"]),
        ("max_features", [0, -1, 1.5, 0.0, "all", [1]]),
        ("min_split_gain", [-0.1, "0", None, np.inf]),
        ("min_impurity_decrease", [-0.1, "0", None, np.inf]),
        ("allow_zero_gain_splits", [1, "yes", None]),
        ("leaf_estimate", ["mean", None, 1]),
        ("prior_weight", [0.0, -1.0, "1", None]),
        ("categorical_split", ["binary", None, 1]),
        ("missing", ["ignore", None, 1]),
        ("ccp_alpha", [-0.1, "1", np.nan, -np.inf]),
        ("ccp_criterion", ["ginny", None, 1]),
    ],
)
def test_parameters_outside_their_domain_are_named(name, values):
    for value in values:
        with pytest.raises(ParameterError, match=f"`{name}`"):
            imbcore.fit(X, Y, **{name: value})


def test_invalid_parameters_of_a_criterion_are_named():
    with pytest.raises(
        ParameterError, match=r"forest: parameter `criterion.alpha` must be in \(0, 2\], got 5"
    ):
        imbcore.fit(X, Y, criterion={"name": "alpha", "alpha": 5.0})


@pytest.mark.parametrize("value", [object(), {1, 2}, len, {1: 2}, [[1]], 1j, np.datetime64("2020")])
def test_parameters_of_unsupported_types_are_rejected(value):
    with pytest.raises(ParameterError, match="forest: parameter `max_depth` must be"):
        imbcore.fit(X, Y, max_depth=value)


def test_numpy_scalars_are_accepted_as_parameters():
    model = imbcore.fit(
        X, Y, max_depth=np.int64(2), allow_zero_gain_splits=np.bool_(True), min_split_gain=np.float32(0.5)
    )
    assert (
        model.params["max_depth"],
        model.params["allow_zero_gain_splits"],
        model.params["min_split_gain"],
    ) == (2, True, 0.5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"folds": 1}, "folds must be an integer from 2 to 2147483647, got 1"),
        ({"folds": 2.5}, "folds"),
        ({"repeats": 0}, "repeats must be an integer from 1 to 2147483647, got 0"),
        ({"repeats": True}, "repeats"),
        ({"positive": "yes"}, r"positive must be one of the labels \[0, 1\], got 'yes'"),
        ({"folds": 41}, "fold"),
    ],
)
def test_evaluate_names_the_invalid_option(options, message):
    with pytest.raises(ValueError, match=message):
        imbcore.evaluate(X, Y, **options)


def test_wrong_number_of_columns_at_predict_is_rejected():
    model = imbcore.fit(X, Y)
    with pytest.raises(
        DataError, match="X has 2 features, but the forest model is expecting 3 features as input"
    ):
        model.predict(X[:, :2])
    fitted = imbcore.HDDTClassifier().fit(X, Y)
    with pytest.raises(
        DataError, match="X has 2 features, but HDDTClassifier is expecting 3 features as input"
    ):
        fitted.predict(X[:, :2])


@pytest.mark.parametrize("kind", ["array", "frame", "text"])
def test_columns_without_values_at_predict_cause_a_warning(kind):
    table = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": np.nan})
    if kind == "text":
        table["b"] = np.where(X[:, 1] > 0, "high", "low")
    later = table.assign(b=None if kind == "text" else np.nan)
    if kind == "array":
        table, later = table.to_numpy(), later.to_numpy()
    with pytest.warns(imbcore.DataWarning, match="has no value in any row"):
        model = imbcore.fit(table, Y, "naive_bayes")
    name = "x1" if kind == "array" else "b"
    with pytest.warns(
        imbcore.DataWarning, match=f"column '{name}' is missing in all {len(X)} rows, but"
    ) as seen:
        model.predict(later)
    assert len(seen) == 1
    # A column may be missing in a few rows by chance.
    model.predict(later[:19])
    model.predict(table)


def test_missing_columns_at_predict_are_rejected_and_extra_ones_ignored():
    frame = pl.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    model = imbcore.fit(frame, Y)
    with pytest.raises(DataError, match="yet now missing:\n- b\nTo predict without the missing columns"):
        model.predict(frame.select("a"))
    # A model finds its columns by name, as the command line does; an estimator is strict, as in scikit-learn.
    extra = frame.with_columns(c=pl.lit(1.0))
    assert model.predict(extra).tolist() == model.predict(frame).tolist()
    fitted = imbcore.HDDTClassifier().fit(frame, Y)
    with pytest.raises(DataError, match="unseen at fit time:\n- c"):
        fitted.predict(extra)


def test_missing_files_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"absent\.imb"):
        imbcore.load(tmp_path / "absent.imb")
    with pytest.raises(IsADirectoryError):
        imbcore.load(tmp_path)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        imbcore.fit(X, Y).save(tmp_path / "nowhere" / "model.imb")


@pytest.mark.parametrize("keep", [0, 1, 7, 100, -1])
def test_truncated_files_are_rejected(tmp_path, keep):
    path = tmp_path / "model.imb"
    imbcore.fit(X, Y).save(path)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ModelFormatError, match=r"model\.imb: "):
        imbcore.load(path)


def test_files_of_other_formats_are_rejected(tmp_path):
    path = tmp_path / "model.imb"
    for content in (b"PK\x03\x04" * 50, pickle.dumps({"a": 1}), b"{}" * 100, bytes(1000)):
        path.write_bytes(content)
        with pytest.raises(ModelFormatError, match=r"model\.imb: "):
            imbcore.load(path)


def test_full_disk_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "model.imb"
    model = imbcore.fit(X, Y)
    model.save(path)
    before = path.read_bytes()

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left on device"):
        model.save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["model.imb"]


@pytest.mark.parametrize(
    ("place", "message"),
    [("pool", "on purpose"), ("caller", "on purpose"), ("global pool", "has not been initialized")],
)
def test_panic_becomes_an_internal_error_and_the_process_stays_usable(place, message, capfd):
    with pytest.raises(InternalError, match=message):
        _imbcore._panic(place)
    with ThreadPoolExecutor(1) as thread, pytest.raises(InternalError, match=message):
        thread.submit(_imbcore._panic, place).result()
    capfd.readouterr()  # Rust's report of the panic
    assert imbcore.fit(X, Y).predict(X).shape == (len(X),)
