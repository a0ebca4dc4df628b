"""The classes inside scikit-learn tools: pipelines, grids, calibration, metadata routing, tags."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from public_classes import CLASSES, COMPLETE, bound
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import imbcore
from imbcore.exceptions import DataError
from imbcore.trees._base import TreeClassifier

# One class per base class: scikit-learn's own checks run on every class in tests/python/estimators.
KINDS = list({found.__bases__[-1]: found for found in reversed(CLASSES)}.values())
# Every second row, and the means of the ten features: the tools are tested, not the models.
CANCER = load_breast_cancer()
CANCER.data, CANCER.target = CANCER.data[::2, :10], CANCER.target[::2]
CANCER.feature_names = CANCER.feature_names[:10]

pytestmark = pytest.mark.parametrize("estimator_class", KINDS)


def fast_estimator(estimator_class):
    """Estimator with options for data on which proofs, grids and many trees take too long.

    Exact Boxes then predict with their start solution; the box of the harmless class, which is compact, is a
    good start. Given costs need no grid search.
    """
    of_one = {
        imbcore.AutoClassifier: {"n_estimators": 5, "budget": 0.6},
        imbcore.BEATClassifier: {"n_estimators": 10},
        imbcore.ExactBoxesClassifier: {"abs_gap": 1e9, "positive": 1},
        imbcore.BoostedTreesClassifier: {"n_rounds": 20},
        imbcore.FastBoxesCV: {"n_boxes_grid": (1, 3), "expansion_grid": (0.0, 10.0)},
        imbcore.MetaCostClassifier: {"n_estimators": 10},
        imbcore.SVRTreeCV: {"penalties": (0.0, 0.001), "cv": 3},
    }
    costs = {"class_costs": (1.0, 0.9)} if "class_costs" in estimator_class().get_params() else {}
    return of_one.get(estimator_class, costs)


def test_pipeline_and_scores(estimator_class):
    pipeline = make_pipeline(
        StandardScaler(), estimator_class(random_state=0, **fast_estimator(estimator_class))
    )
    scores = cross_val_score(pipeline, CANCER.data, CANCER.target, cv=3, scoring="roc_auc")
    assert scores.mean() > 0.85


def test_grid_search(estimator_class):
    grid = {
        **bound(estimator_class, np.array([1, 3])),
        "eps": np.array([0.0, 0.5]),
        "paste_alpha": np.array([0.0, 0.02]),
        "criterion": ["gini", "hellinger", {"name": "alpha", "alpha": 0.5}],
    }
    grid = {name: values for name, values in grid.items() if name in estimator_class().get_params()}
    estimator = estimator_class(random_state=0, **fast_estimator(estimator_class))
    search = GridSearchCV(estimator, grid, cv=3, n_jobs=2)
    search.fit(CANCER.data, CANCER.target)
    assert search.best_score_ > 0.85
    assert search.best_params_.items() >= bound(estimator_class, 3).items()


def test_cross_val_predict_and_calibration(estimator_class):
    options = {**bound(estimator_class, 4), **fast_estimator(estimator_class)}
    estimator = estimator_class(**options, random_state=0)
    proba = cross_val_predict(estimator, CANCER.data, CANCER.target, method="predict_proba")
    assert proba.shape == (len(CANCER.target), 2)
    calibrated = CalibratedClassifierCV(estimator, cv=3).fit(CANCER.data, CANCER.target)
    assert calibrated.score(CANCER.data, CANCER.target) > 0.9


def test_clone_and_params(estimator_class):
    options = {**bound(estimator_class, 2), **fast_estimator(estimator_class)}
    estimator = estimator_class(**options, class_weight={0: 1.0, 1: 2.0}, n_jobs=2)
    again = clone(estimator.fit(CANCER.data, CANCER.target))
    assert again.get_params() == estimator.get_params()
    assert not hasattr(again, "model_")
    larger = {**bound(estimator_class, 5), "n_jobs": 5}
    assert clone(again.set_params(**larger)).get_params().items() >= larger.items()


def test_set_output(estimator_class):
    steps = make_pipeline(StandardScaler(), estimator_class(**fast_estimator(estimator_class)))
    steps.set_output(transform="pandas")
    frame = pd.DataFrame(CANCER.data, columns=CANCER.feature_names)
    steps.fit(frame, CANCER.target)
    assert steps[-1].feature_names_in_.tolist() == list(CANCER.feature_names)
    assert isinstance(steps.predict(frame), np.ndarray)
    with sklearn.config_context(transform_output="polars"):
        polars = pl.from_pandas(frame)
        assert np.array_equal(steps.set_output(transform="polars").predict(polars), steps.predict(frame))


def test_column_transformer_with_categories(estimator_class, mixed):
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


def test_metadata_routing(estimator_class):
    weights = np.linspace(0.1, 1, len(CANCER.target))
    with sklearn.config_context(enable_metadata_routing=True):
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        options = {**bound(estimator_class, 2), **fast_estimator(estimator_class)}
        estimator = estimator_class(**options, random_state=0)
        estimator.set_fit_request(sample_weight=True)
        routed = make_pipeline(scaler, estimator).fit(CANCER.data, CANCER.target, sample_weight=weights)
    scaled = StandardScaler().fit_transform(CANCER.data)
    direct = clone(estimator).fit(scaled, CANCER.target, sample_weight=weights)
    unweighted = clone(estimator).fit(scaled, CANCER.target)
    assert routed[-1].model_.to_bytes() == direct.model_.to_bytes()
    assert routed[-1].model_.to_bytes() != unweighted.model_.to_bytes()


def test_column_vector_of_labels_warns(estimator_class, numbers):
    X, y = numbers
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed") as caught:
        fitted = estimator_class(random_state=0).fit(X, y[:, None])
    assert caught[0].filename == __file__
    assert fitted.model_.to_bytes() == estimator_class(random_state=0).fit(X, y).model_.to_bytes()


def test_tags_and_html(estimator_class, numbers):
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


def test_unfitted_estimators_raise_not_fitted_error(estimator_class, numbers):
    X, _ = numbers
    estimator = estimator_class()
    of_trees = isinstance(estimator, TreeClassifier)
    for question in ("predict", "predict_proba", "apply", *["decision_path"] * of_trees):
        if not hasattr(estimator, question):  # networks have no decision path
            continue
        with pytest.raises(NotFittedError):
            getattr(estimator, question)(X)
    for question in ("get_depth", "get_n_leaves") if of_trees else ():
        with pytest.raises(NotFittedError):
            getattr(estimator, question)()
    assert not hasattr(estimator, "feature_importances_")
