"""The entry points: functions, models without scikit-learn, and scikit-learn classes."""

import copy
import io
import pickle

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from children import run_script
from public_classes import CLASSES, COMPLETE, bound
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

import imbcore
from imbcore.trees._base import TreeClassifier

METHODS = [method.name for method in imbcore.methods()]
OPTIONS = {"metacost": {"cost_matrix": "balanced"}, "exact_boxes": {"abs_gap": 1e9}}


def usable_columns(method, columns, y):
    """Columns that the method accepts, and options that it needs or that make it fast."""
    options = OPTIONS.get(method, {})
    if method in [found._method for found in COMPLETE]:
        whole = pd.DataFrame(columns).notna().all(axis=1).to_numpy()
        columns, y = {name: values[whole] for name, values in columns.items()}, y[whole]
    if method == "exact_boxes":
        columns = {name: columns[name] for name in ("age", "children")}
    return columns, y, options


def test_light_use_imports_no_heavy_library():
    script = """
import sys
import imbcore
first = set(sys.modules)
assert "numpy" not in first, "import imbcore alone needs nothing"
model = imbcore.fit([[1.0], [2.0]], ["a", "b"])
model.predict([[1.5]])
imbcore.methods()
imbcore.evaluate([[float(i)] for i in range(20)], [0, 1] * 10)
heavy = {"sklearn", "scipy", "pandas", "polars", "pyarrow", "matplotlib", "narwhals", "click"}
print(sorted(heavy & {name.split(".")[0] for name in sys.modules}))
"""
    assert run_script(script).strip() == "[]"


def test_every_public_name_is_found():
    assert set(imbcore.__all__) <= set(dir(imbcore))
    for name in imbcore.__all__:
        assert getattr(imbcore, name) is not None
    assert imbcore.__version__ == "0.1.0"
    with pytest.raises(AttributeError, match="nonsense"):
        _ = imbcore.nonsense


@pytest.mark.parametrize("estimator_class", CLASSES)
@pytest.mark.parametrize(
    "options", [{}, {"max_depth": 3, "criterion": "entropy", "class_weight": "balanced"}]
)
def test_functions_and_estimators_give_the_same_model(estimator_class, options, numbers):
    X, y = numbers
    # Default numbers of members are compared once, without options.
    options = options and {**options, "n_estimators": 3}
    options = {name: value for name, value in options.items() if name in estimator_class().get_params()}
    weights = np.linspace(0.5, 2.0, len(y))
    fitted = estimator_class(random_state=3, **options).fit(X, y, sample_weight=weights)
    decided = {name: getattr(fitted, f"{name}_") for name in estimator_class._decides}
    decided["cost_matrix"] = fitted.cost_matrix
    model = imbcore.fit(
        X, y, estimator_class._method, random_state=3, sample_weight=weights, **options, **decided
    )
    assert fitted.model_.to_bytes() == model.to_bytes()
    assert np.array_equal(fitted.predict_proba(X), model.predict_proba(X))
    if hasattr(estimator_class, "apply"):  # networks have no decision path
        assert np.array_equal(fitted.apply(X), model.apply(X))
    if hasattr(estimator_class, "feature_importances_"):  # boxes have no leaves
        assert np.array_equal(fitted.feature_importances_, model.feature_importances_)
    if isinstance(fitted, TreeClassifier):
        assert (fitted.get_depth(), fitted.get_n_leaves()) == (model.depth_, model.n_leaves_)


LABELS = {
    "int64": np.array([3, -1, 3, 7]),
    "int8": np.array([3, -1, 3, 7], dtype=np.int8),
    "int8 whole range": np.array([-128, 127, 0, 127], dtype=np.int8),
    "uint64": np.array([3, 2**64 - 1, 3, 7], dtype=np.uint64),
    "int64 far apart": np.array([-(2**63), 2**63 - 1, 0, 0]),
    "bool": np.array([True, False, True, False]),
    "float64": np.array([1.0, -2.0, 1.0, 3.0]),
    "float32": np.array([1.0, -2.0, 1.0, 3.0], dtype=np.float32),
    "float32 large": np.array([1e12, -2.0, 1.0, 3.0], dtype=np.float32),
    "big-endian": np.array([3, 1, 3, 7], dtype=">i4"),
    "text": np.array(["b", "a", "b", "ccc"]),
    "wide text": np.array(["b", "a", "b", "ccc"], dtype="<U20"),
    "object text": np.array(["b", "a", "b", "\u00fcber"], dtype=object),
    "object integers": np.array([3, -1, 3, 7], dtype=object),
    "object booleans": np.array([True, False, True, True], dtype=object),
    "object numbers": np.array([3, 2.0, 3, np.int64(9)], dtype=object),
    "list of text": ["b", "a", "b", "c"],
    "list of integers": [3, -1, 3, 7],
    "tuple of booleans": (True, False, True, False),
    "pandas text": pd.Series(["b", "a", "b", "c"]),
    "pandas text with index": pd.Series(["b", "a", "b", "c"], index=[9, 8, 7, 6]),
    "pandas category": pd.Series(["b", "a", "b", "c"], dtype="category"),
    "pandas category of integers": pd.Series([3, 1, 3, 2], dtype="category"),
    "pandas Int64": pd.Series([3, -1, 3, 7], dtype="Int64"),
    "pandas boolean": pd.Series([True, False, True, False], dtype="boolean"),
    "polars text": pl.Series(["b", "a", "b", "c"]),
    "polars categorical": pl.Series(["b", "a", "b", "c"], dtype=pl.Categorical),
    "polars integers": pl.Series([3, -1, 3, 7], dtype=pl.Int16),
    "pyarrow text": pa.chunked_array([["b", "a"], ["b", "c"]]),
    "pyarrow dictionary": pa.array(["b", "a", "b", "c"]).dictionary_encode(),
    "pyarrow booleans": pa.array([True, False, True, False]),
}  # fmt: skip
if hasattr(np.dtypes, "StringDType"):
    LABELS["variable text"] = np.array(["b", "a", "b", "ccc"], dtype=np.dtypes.StringDType())


@pytest.mark.parametrize("name", LABELS)
def test_labels_round_trip(name, tmp_path):
    y = LABELS[name]
    X = np.arange(4.0).reshape(-1, 1)
    model = imbcore.fit(X, y, "cart")
    expected = np.asarray(y)
    found = model.predict(X)
    assert found.tolist() == expected.tolist()
    assert found.dtype.kind == expected.dtype.kind
    if expected.dtype.kind not in "UT":
        assert found.dtype == expected.dtype.newbyteorder("=")
    assert model.classes_.tolist() == sorted(set(expected.tolist()))
    model.save(tmp_path / "model.imb")
    again = imbcore.load(tmp_path / "model.imb")
    assert again.classes_.dtype == model.classes_.dtype
    assert again.classes_.tolist() == model.classes_.tolist()
    assert [type(c) for c in again.classes_.tolist()] == [type(c) for c in model.classes_.tolist()]
    assert again.predict(X).tolist() == found.tolist()


def through_joblib(model, path):
    joblib.dump(model, path, compress=3)
    return joblib.load(path)


def through_a_file(model, path):
    model.save(str(path))
    return imbcore.load(str(path))


@pytest.mark.parametrize("method", METHODS)
def test_models_survive_saving_and_copying(method, mixed, tmp_path):
    columns, y, options = usable_columns(method, *mixed)
    model = imbcore.fit(columns, y, method, **options)
    stored, proba = model.to_bytes(), model.predict_proba(columns)
    copies = {
        "pickle": pickle.loads(pickle.dumps(model)),
        "joblib": through_joblib(model, tmp_path / "model.joblib"),
        "copy": copy.copy(model),
        "deepcopy": copy.deepcopy(model),
        "file": through_a_file(model, tmp_path / "model.imb"),
    }
    for way, again in copies.items():
        assert again.to_bytes() == stored, way
        assert repr(again) == repr(model), way
        assert again.params == model.params, way
        assert again.feature_names_in_.tolist() == list(columns), way
        assert np.array_equal(again.predict_proba(columns), proba), way


@pytest.mark.parametrize("estimator_class", CLASSES)
def test_estimators_survive_pickling(estimator_class, numbers):
    X, y = numbers
    fitted = estimator_class(**bound(estimator_class, 4)).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.predict_proba(X), fitted.predict_proba(X))
    assert again.get_params() == fitted.get_params()
    unfitted = pickle.loads(pickle.dumps(estimator_class(**bound(estimator_class, 4))))
    with pytest.raises(NotFittedError):
        unfitted.predict(X)


def test_damaged_pickles_are_rejected(numbers):
    data = bytearray(pickle.dumps(imbcore.fit(*numbers)))
    data[len(data) // 2] ^= 0xFF
    with pytest.raises(imbcore.ModelFormatError):
        pickle.loads(bytes(data))


def test_model_describes_itself(numbers):
    X, y = numbers
    model = imbcore.fit(X, y, "cart", max_depth=2, feature_names=["a", "b", "c", "d"])
    assert repr(model) == f"<imbcore.Model cart: 2 classes, 4 features, {model.n_leaves_} leaves>"
    assert model.method == "cart"
    assert model.params["max_depth"] == 2
    assert set(model.params) == {
        p.name for p in next(m for m in imbcore.methods() if m.name == "cart").parameters
    }
    assert model.feature_names == ["a", "b", "c", "d"]
    assert model.feature_importances_.shape == (4,)
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert len(model.rules()) == model.n_leaves_
    assert {"conditions", "class", "probability", "rows", "mass"} <= set(model.rules()[0])
    assert sum(rule["rows"] for rule in model.rules()) == len(X)
    assert len(model.nodes()) > model.n_leaves_
    assert "a" in model.export_text()
    assert model.to_dot().startswith("digraph")


def test_apply_and_decision_path(numbers):
    X, y = numbers
    model = imbcore.fit(X, y, "cart")
    leaves, path = model.apply(X), model.decision_path(X)
    assert scipy.sparse.issparse(path)
    assert path.format == "csr"
    assert path.shape == (len(X), len(model.nodes()))
    assert leaves.shape == (len(X),)
    assert leaves.dtype == np.int64
    assert len(np.unique(leaves)) == model.n_leaves_
    assert (path.toarray()[np.arange(len(X)), leaves] == 1).all()
    assert (path.toarray()[:, 0] == 1).all()
    assert path.sum(axis=1).max() == model.depth_ + 1


def test_methods_print_as_a_table():
    methods = imbcore.methods()
    assert str(methods).splitlines()[0].split() == ["name", "title", "source"]
    assert repr(methods) == str(methods)
    assert "max_depth" in str(methods[0])


def test_evaluate(numbers):
    X, y = numbers
    labels = np.where(y, "rare", "usual")
    result = imbcore.evaluate(X, labels, "hddt", folds=4, repeats=2, random_state=0, max_depth=3)
    names = [
        "precision",
        "recall",
        "specificity",
        "npv",
        "f1",
        "g_mean",
        "balanced_accuracy",
        "mcc",
        "roc_auc",
        "average_precision",
        "accuracy",
        "log_loss",
        "brier",
        "calibration_slope",
        "calibration_intercept",
    ]
    assert list(result.metrics) == names
    assert all(scores.shape == (8,) for scores in result.metrics.values())
    assert result.positive == "rare"
    assert result.proba.shape == (len(y), 2)
    assert result.fold.shape == (len(y),)
    assert sorted(set(result.fold.tolist())) == [0, 1, 2, 3]
    assert result.y.tolist() == labels.tolist()
    assert result.mean()["accuracy"] == pytest.approx(result.metrics["accuracy"].mean())
    assert result.sd()["accuracy"] == pytest.approx(result.metrics["accuracy"].std(ddof=1))
    lines = str(result).splitlines()
    assert lines[0] == f"hddt: 2 x 4 stratified folds, {len(y)} rows, positive class 'rare'"
    assert [line.split()[0] for line in lines[2:]] == names
    other = imbcore.evaluate(
        X, labels, "hddt", folds=4, repeats=2, random_state=0, max_depth=3, positive="usual"
    )
    assert other.positive == "usual"
    assert other.mean()["accuracy"] == result.mean()["accuracy"]
    assert other.mean()["recall"] != result.mean()["recall"]


def test_evaluate_many_classes():
    iris = load_iris()
    result = imbcore.evaluate(iris.data, iris.target_names[iris.target], "cart", random_state=0)
    assert result.mean()["accuracy"] > 0.88
    assert "3 classes" in str(result).splitlines()[0]


def test_evaluate_calls_the_callback(numbers):
    calls = []
    imbcore.evaluate(*numbers, folds=3, random_state=0, callback=lambda *event: calls.append(event))
    assert calls


def test_weights_equal_repeated_rows(numbers):
    X, y = numbers
    times = np.arange(len(y)) % 3
    weighted = imbcore.fit(X, y, "cart", sample_weight=times, random_state=0)
    repeated = imbcore.fit(np.repeat(X, times, axis=0), np.repeat(y, times), "cart", random_state=0)
    assert np.array_equal(weighted.predict_proba(X), repeated.predict_proba(X))


def test_class_weight_equals_sample_weight(numbers):
    X, y = numbers
    labels = np.where(y, "rare", "usual")
    by_class = imbcore.fit(X, labels, "cart", class_weight={"rare": 5.0}, random_state=0)
    by_row = imbcore.fit(X, labels, "cart", sample_weight=np.where(y, 5.0, 1.0), random_state=0)
    assert np.array_equal(by_class.predict_proba(X), by_row.predict_proba(X))
    assert imbcore.fit(X, labels, sample_weight=2.0).n_leaves_ > 1


def test_saving_is_deterministic(numbers, tmp_path):
    model = imbcore.fit(*numbers)
    model.save(tmp_path / "a.imb")
    imbcore.load(tmp_path / "a.imb").save(tmp_path / "b.imb")
    assert (tmp_path / "a.imb").read_bytes() == (tmp_path / "b.imb").read_bytes() == model.to_bytes()


def test_no_pickle_inside_a_model_file(numbers):
    with pytest.raises(pickle.UnpicklingError):
        pickle.load(io.BytesIO(imbcore.fit(*numbers).to_bytes()))


def test_estimator_saves_its_model(numbers, tmp_path):
    X, y = numbers
    estimator = imbcore.HDDTClassifier(max_depth=3).fit(X, y)
    assert estimator.rules() == estimator.model_.rules()
    estimator.save(tmp_path / "model.imb")
    assert imbcore.load(tmp_path / "model.imb").to_bytes() == estimator.model_.to_bytes()
    with pytest.raises(NotFittedError):
        imbcore.HDDTClassifier().save(tmp_path / "none.imb")


def test_estimator_has_the_attributes_of_its_family(numbers):
    X, y = numbers
    forest = imbcore.RandomForestClassifier(n_estimators=2).fit(X, y)
    assert not any(hasattr(forest, name) for name in ("rules", "plot", "export_text"))
    with pytest.raises(
        AttributeError, match=r"RandomForestClassifier: .* has no rules; .* trees have it; use one of"
    ):
        _ = forest.rules
    with pytest.raises(AttributeError, match="no attribute 'export_text'; its model_ has"):
        _ = imbcore.HDDTClassifier().fit(X, y).export_text
    with pytest.raises(AttributeError, match="no attribute 'rulez'"):
        _ = imbcore.HDDTClassifier().rulez
    with pytest.raises(NotFittedError):
        _ = imbcore.RandomForestClassifier().feature_importances_
    relabeled = imbcore.MetaCostClassifier("hddt", random_state=0).fit(X, y)
    assert relabeled.rules() == relabeled.model_.rules()
    assert not hasattr(imbcore.MetaCostClassifier("random_forest", random_state=0).fit(X, y), "rules")


def test_deeply_nested_values_are_named():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(imbcore.ParameterError, match="`max_depth` is nested more than 32 deep"):
        imbcore.fit([[0.0], [1.0]], [0, 1], max_depth=deep)
    with pytest.raises(imbcore.ParameterError, match="quantity"):
        imbcore.metrics.isometrics({"name": deep}, 1.0)
