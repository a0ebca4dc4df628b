"""``splitter`` and ``redraw_features`` through the Python API."""

import numpy as np
import pytest
from public_classes import CLASSES

import imbcore
from imbcore.exceptions import ParameterError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 4))
X[::17, 1] = np.nan
Y = (X[:, 0] + 0.5 * RNG.normal(size=300) > 1).astype(int)
SPACED = [found for found in CLASSES if {"splitter", "redraw_features"} <= found().get_params().keys()]


@pytest.mark.parametrize("estimator_class", SPACED)
def test_few_thresholds_give_another_model_that_is_stored(estimator_class, tmp_path):
    settings = {"random_state": 0, "splitter": {"per_node": 3}, "redraw_features": False}
    model = estimator_class(**settings).fit(X, Y)
    again = estimator_class(**settings).fit(X, Y)
    every = estimator_class(random_state=0).fit(X, Y)
    assert np.array_equal(model.predict_proba(X), again.predict_proba(X))
    other = RNG.normal(size=(2000, 4))
    assert not np.array_equal(model.predict_proba(other), every.predict_proba(other))
    path = tmp_path / "model.imb"
    model.model_.save(path)
    loaded = imbcore.load(path)
    assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert loaded.params["splitter"] == {"per_node": 3}
    assert loaded.params["redraw_features"] is False


def test_weights_affect_the_choice_among_thresholds():
    x = np.array([0.0, 1.0, 2.0, 3.0, 4.0])[:, None]
    y, params = [0, 1, 0, 1, 1], {"splitter": {"per_node": 3}, "max_depth": 1}
    tree = imbcore.fit(x, y, "cart", **params)
    assert [rule["conditions"][0]["value"] for rule in tree.rules()] == [2.0, 2.0]
    tree = imbcore.fit(x, y, "cart", sample_weight=[1, 1, 0, 1, 1], **params)
    assert tree.rules()[0]["conditions"][0]["value"] == 1.0


def test_nodes_with_constant_drawn_features_are_leaves():
    wide = np.hstack([np.zeros((300, 12)), X[:, :1]])
    sizes = [
        imbcore.fit(
            wide, Y, "random_forest", max_features=2, redraw_features=redraw, n_estimators=20, random_state=0
        )
        for redraw in (True, False)
    ]
    free, bound = (forest.n_leaves_ for forest in sizes)
    assert bound < free / 2


def test_invalid_cuts_are_named():
    for wrong in ({"per_node": 0}, {"q": 3}, "worst", 3):
        with pytest.raises(ParameterError, match="splitter"):
            imbcore.fit(X, Y, "cart", splitter=wrong)
    with pytest.raises(ParameterError, match="max_bins"):
        imbcore.fit(X, Y, "cart", splitter={"per_node": 3}, max_bins=20)
