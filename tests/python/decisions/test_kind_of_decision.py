"""``decision_["kind"]`` says how ``predict`` finds the classes."""

import numpy as np
import pytest

import imbcore

OPTIONS = {
    "exact_boxes": {"n_boxes": 1, "time_limit": 5.0},
    "metacost": {"cost_matrix": "balanced"},
    "auto": {"budget": 2.0},
}
VOTING = (
    "balance_cascade",
    "balanced_bagging",
    "balanced_random_forest",
    "easy_ensemble",
    "rusboost",
    "under_bagging",
    "under_over_bagging",
)
LABELING = ("exact_boxes", "fast_boxes", "optimal_tree", "prim", "rule_list", "svr_tree")
KINDS = dict.fromkeys(VOTING, "votes") | dict.fromkeys(LABELING, "labels")


@pytest.mark.parametrize("method", [method.name for method in imbcore.methods()])
def test_kind_of_each_method(method):
    rng = np.random.default_rng(3)
    y = (np.arange(300) % 6 == 0).astype(int)
    X = rng.normal(size=(300, 3)) + 0.8 * y[:, None]
    model = imbcore.fit(X, y, method, random_state=0, **OPTIONS.get(method, {}))
    kind = model.decision_["kind"]
    proba = model.predict_proba(X)
    most_probable = model.classes_[proba.argmax(axis=1)]
    if kind == "most_probable":
        np.testing.assert_array_equal(model.predict(X), most_probable)
    if kind == "votes":
        assert (model.predict(X) != most_probable).any()
    assert kind == KINDS.get(method, "most_probable")
