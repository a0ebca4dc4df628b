"""The doors: functions, light models and scikit-learn classes, alone and in scikit-learn's tools."""

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
import sklearn
from children import run_script
from public_classes import CLASSES
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import imbcore
from imbcore.exceptions import DataError
from imbcore.trees._base import TreeClassifier

# Methods that make rows between others, or draw boxes by numbers, need all values of the rows that train.
COMPLETE = (imbcore.ExactBoxesClassifier, imbcore.SMOTEBaggingClassifier, imbcore.SMOTEBoostClassifier)
METHODS = [method.name for method in imbcore.methods()]
OPTIONS = {"metacost": {"cost_matrix": "balanced"}, "exact_boxes": {"gap": 1e9}}
CANCER = load_breast_cancer()


def taken(method, columns, y):
    """What the method takes of the columns, and the options without which it fits nothing, or not soon."""
    options = OPTIONS.get(method, {})
    if method in [found._method for found in COMPLETE]:
        whole = pd.DataFrame(columns).notna().all(axis=1).to_numpy()
        columns, y = {name: values[whole] for name, values in columns.items()}, y[whole]
    if method == "exact_boxes":
        columns = {name: columns[name] for name in ("age", "children")}
    return columns, y, options


def bound(estimator_class, size):
    """The parameter that bounds the size of the class's trees, set to ``size``; boxes have none."""
    known = estimator_class().get_params()
    if estimator_class in (imbcore.OptimalTreeClassifier, imbcore.RuleListClassifier):
        # A proof at depth three takes seconds, one at depth four minutes; rules are three deep at most.
        size = np.minimum(size, 2).tolist()
    return next(({name: size} for name in ("max_depth", "max_leaf_nodes") if name in known), {})


def quick(estimator_class):
    """Options for data on which proofs, grids and many trees take too long.

    Exact Boxes then answer what they start from; the drawing of the harmless class, which is compact, is a
    good start. Costs that are given are not looked for in a grid.
    """
    if estimator_class is imbcore.ExactBoxesClassifier:
        return {"gap": 1e9, "positive": 1}
    if estimator_class is imbcore.BoostedTreesClassifier:
        return {"n_rounds": 20}
    return {"class_costs": (1.0, 0.9)} if "class_costs" in estimator_class().get_params() else {}


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
def test_two_doors_one_corridor(estimator_class, options, numbers):
    X, y = numbers
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
    if hasattr(estimator_class, "apply"):  # networks send rows nowhere
        assert np.array_equal(fitted.apply(X), model.apply(X))
    if hasattr(estimator_class, "feature_importances_"):  # boxes have none
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


@pytest.mark.parametrize("dump", ["pickle", "joblib", "copy", "deepcopy", "file"])
@pytest.mark.parametrize("method", METHODS)
def test_models_survive(dump, method, mixed, tmp_path):
    columns, y, options = taken(method, *mixed)
    model = imbcore.fit(columns, y, method, **options)
    if dump == "pickle":
        again = pickle.loads(pickle.dumps(model))
    elif dump == "joblib":
        joblib.dump(model, tmp_path / "model.joblib", compress=3)
        again = joblib.load(tmp_path / "model.joblib")
    elif dump == "file":
        model.save(str(tmp_path / "model.imb"))
        again = imbcore.load(str(tmp_path / "model.imb"))
    else:
        again = getattr(copy, dump)(model)
    assert again.to_bytes() == model.to_bytes()
    assert repr(again) == repr(model)
    assert again.params == model.params
    assert again.feature_names_in_.tolist() == list(columns)
    assert np.array_equal(again.predict_proba(columns), model.predict_proba(columns))


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


def test_damaged_pickles_are_refused(numbers):
    data = bytearray(pickle.dumps(imbcore.fit(*numbers)))
    data[len(data) // 2] ^= 0xFF
    with pytest.raises(imbcore.ModelFormatError):
        pickle.loads(bytes(data))


def test_a_model_describes_itself(numbers):
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
        "accuracy",
        "precision",
        "recall",
        "f1",
        "g_mean",
        "balanced_accuracy",
        "mcc",
        "roc_auc",
        "average_precision",
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


def test_evaluate_hears_the_callback(numbers):
    heard = []
    imbcore.evaluate(*numbers, folds=3, random_state=0, callback=lambda *event: heard.append(event))
    assert heard


# One class of every base: each has scikit-learn's own checks in tests/python/estimators besides.
KINDS = list({found.__bases__[-1]: found for found in reversed(CLASSES)}.values())


@pytest.mark.parametrize("estimator_class", KINDS)
class TestInScikitLearn:
    def test_pipeline_and_scores(self, estimator_class):
        pipeline = make_pipeline(StandardScaler(), estimator_class(random_state=0, **quick(estimator_class)))
        scores = cross_val_score(pipeline, CANCER.data, CANCER.target, cv=5, scoring="roc_auc")
        assert scores.mean() > 0.85

    def test_grid_search(self, estimator_class):
        grid = {
            **bound(estimator_class, np.array([1, 3])),
            "eps": np.array([0.0, 0.5]),
            "paste_alpha": np.array([0.0, 0.02]),
            "criterion": ["gini", "hellinger", {"name": "alpha", "alpha": 0.5}],
        }
        grid = {name: values for name, values in grid.items() if name in estimator_class().get_params()}
        estimator = estimator_class(random_state=0, **quick(estimator_class))
        search = GridSearchCV(estimator, grid, cv=3, n_jobs=2)
        search.fit(CANCER.data, CANCER.target)
        assert search.best_score_ > 0.85
        assert search.best_params_.items() >= bound(estimator_class, 3).items()

    def test_cross_val_predict_and_calibration(self, estimator_class):
        options = {**bound(estimator_class, 4), **quick(estimator_class)}
        estimator = estimator_class(**options, random_state=0)
        proba = cross_val_predict(estimator, CANCER.data, CANCER.target, method="predict_proba")
        assert proba.shape == (len(CANCER.target), 2)
        calibrated = CalibratedClassifierCV(estimator, cv=3).fit(CANCER.data, CANCER.target)
        assert calibrated.score(CANCER.data, CANCER.target) > 0.9

    def test_clone_and_params(self, estimator_class):
        options = {**bound(estimator_class, 2), **quick(estimator_class)}
        estimator = estimator_class(**options, class_weight={0: 1.0, 1: 2.0}, n_jobs=2)
        again = clone(estimator.fit(CANCER.data, CANCER.target))
        assert again.get_params() == estimator.get_params()
        assert not hasattr(again, "model_")
        larger = {**bound(estimator_class, 5), "n_jobs": 5}
        assert clone(again.set_params(**larger)).get_params().items() >= larger.items()

    def test_set_output(self, estimator_class):
        steps = make_pipeline(StandardScaler(), estimator_class(**quick(estimator_class)))
        steps.set_output(transform="pandas")
        frame = pd.DataFrame(CANCER.data, columns=CANCER.feature_names)
        steps.fit(frame, CANCER.target)
        assert steps[-1].feature_names_in_.tolist() == list(CANCER.feature_names)
        assert isinstance(steps.predict(frame), np.ndarray)
        with sklearn.config_context(transform_output="polars"):
            polars = pl.from_pandas(frame)
            assert np.array_equal(steps.set_output(transform="polars").predict(polars), steps.predict(frame))

    def test_column_transformer_with_categories(self, estimator_class, mixed):
        columns, y = mixed
        frame = pd.DataFrame(columns).astype({"job": "category", "level": "category"})
        scaler = ColumnTransformer(
            [("numbers", StandardScaler(), make_column_selector(dtype_include="number"))],
            remainder="passthrough",
            verbose_feature_names_out=False,
        ).set_output(transform="pandas")
        pipeline = make_pipeline(scaler, estimator_class())
        if estimator_class in COMPLETE:
            with pytest.raises(DataError):
                pipeline.fit(frame, y)
            whole = frame.notna().all(axis=1).to_numpy()
            frame, y = frame[whole], y[whole]
        if estimator_class is imbcore.ExactBoxesClassifier:
            with pytest.raises(DataError):
                pipeline.fit(frame, y)
            return
        pipeline.fit(frame, y)
        levels = [f.levels for f in pipeline[-1].model_._schema.features]
        assert ["clerk", "farmer", "nurse"] in levels
        pipeline.predict(frame)

    def test_metadata_routing(self, estimator_class):
        weights = np.linspace(0.1, 1, len(CANCER.target))
        with sklearn.config_context(enable_metadata_routing=True):
            scaler = StandardScaler().set_fit_request(sample_weight=False)
            options = {**bound(estimator_class, 2), **quick(estimator_class)}
            estimator = estimator_class(**options, random_state=0)
            estimator.set_fit_request(sample_weight=True)
            routed = make_pipeline(scaler, estimator).fit(CANCER.data, CANCER.target, sample_weight=weights)
        scaled = StandardScaler().fit_transform(CANCER.data)
        direct = clone(estimator).fit(scaled, CANCER.target, sample_weight=weights)
        unweighted = clone(estimator).fit(scaled, CANCER.target)
        assert routed[-1].model_.to_bytes() == direct.model_.to_bytes()
        assert routed[-1].model_.to_bytes() != unweighted.model_.to_bytes()

    def test_a_column_vector_warns(self, estimator_class, numbers):
        X, y = numbers
        with pytest.warns(DataConversionWarning, match="A column-vector y was passed") as caught:
            fitted = estimator_class(random_state=0).fit(X, y[:, None])
        assert caught[0].filename == __file__
        assert fitted.model_.to_bytes() == estimator_class(random_state=0).fit(X, y).model_.to_bytes()

    def test_tags_and_html(self, estimator_class, numbers):
        tags = estimator_class().__sklearn_tags__().input_tags
        levels = estimator_class is not imbcore.ExactBoxesClassifier
        gaps = estimator_class not in COMPLETE
        assert (tags.allow_nan, tags.categorical, tags.sparse) == (gaps, levels, True)
        strict = {"missing": "error"}
        if "estimator_params" in estimator_class().get_params():
            strict = {"estimator_params": strict}
        assert not estimator_class(**strict).__sklearn_tags__().input_tags.allow_nan
        fitted = estimator_class(n_jobs=3).fit(*numbers)
        assert estimator_class.__name__ in fitted._repr_html_()
        assert repr(estimator_class(n_jobs=3)) == f"{estimator_class.__name__}(n_jobs=3)"

    def test_unfitted(self, estimator_class, numbers):
        X, _ = numbers
        estimator = estimator_class()
        of_trees = isinstance(estimator, TreeClassifier)
        for question in ("predict", "predict_proba", "apply", *["decision_path"] * of_trees):
            if not hasattr(estimator, question):  # networks send rows nowhere
                continue
            with pytest.raises(NotFittedError):
                getattr(estimator, question)(X)
        for question in ("get_depth", "get_n_leaves") if of_trees else ():
            with pytest.raises(NotFittedError):
                getattr(estimator, question)()
        assert not hasattr(estimator, "feature_importances_")


def test_weights_equal_repetition(numbers):
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


def test_an_estimator_saves_its_model(numbers, tmp_path):
    X, y = numbers
    estimator = imbcore.HDDTClassifier(max_depth=3).fit(X, y)
    assert estimator.rules() == estimator.model_.rules()
    estimator.save(tmp_path / "model.imb")
    assert imbcore.load(tmp_path / "model.imb").to_bytes() == estimator.model_.to_bytes()
    with pytest.raises(NotFittedError):
        imbcore.HDDTClassifier().save(tmp_path / "none.imb")


def test_an_estimator_has_what_its_family_has(numbers):
    X, y = numbers
    forest = imbcore.RandomForestClassifier(n_estimators=2).fit(X, y)
    assert not any(hasattr(forest, name) for name in ("rules", "plot", "export_text"))
    with pytest.raises(
        AttributeError, match=r"RandomForestClassifier: .* has no rules; .* trees have, take one of"
    ):
        _ = forest.rules
    with pytest.raises(AttributeError, match="no attribute 'export_text'; its model_ has"):
        _ = imbcore.HDDTClassifier().fit(X, y).export_text
    with pytest.raises(AttributeError, match="no attribute 'rulez'"):
        _ = imbcore.HDDTClassifier().rulez
    with pytest.raises(NotFittedError):
        _ = imbcore.RandomForestClassifier().feature_importances_
    relabelled = imbcore.MetaCostClassifier("hddt", random_state=0).fit(X, y)
    assert relabelled.rules() == relabelled.model_.rules()
    assert not hasattr(imbcore.MetaCostClassifier("random_forest", random_state=0).fit(X, y), "rules")


def test_values_that_are_nested_too_deeply_are_named():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(imbcore.ParameterError, match="`max_depth` is nested more than 32 deep"):
        imbcore.fit([[0.0], [1.0]], [0, 1], max_depth=deep)
    with pytest.raises(imbcore.ParameterError, match="quantity"):
        imbcore.metrics.isometrics({"name": deep}, 1.0)
