"""Boosted trees as ensemble members: EasyEnsemble, RUSBoost, balanced bagging."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.metrics import average_precision_score

import imbcore

FEW = {"n_rounds": 10, "max_leaf_nodes": 7}
ENSEMBLES = {
    "easy_ensemble": {"n_estimators": 3, "n_rounds_per_subset": 2},
    "rusboost": {"n_estimators": 3},
    "balanced_bagging": {"n_estimators": 4},
}


def rare(n):
    return make_classification(n, 8, n_informative=5, weights=[0.97], class_sep=1.3, random_state=0)


@pytest.mark.parametrize("method", ENSEMBLES)
def test_members_may_be_boosted_and_models_do_not_depend_on_threads(method):
    X, y = rare(6000)
    options = {**ENSEMBLES[method], "estimator": "boosted_trees", "estimator_params": FEW, "random_state": 0}
    models = [imbcore.fit(X[:3000], y[:3000], method, n_threads=threads, **options) for threads in (1, 2, 7)]
    assert models[0].to_bytes() == models[1].to_bytes() == models[2].to_bytes()
    p = models[0].predict_proba(X[3000:])[:, 1]
    assert average_precision_score(y[3000:], p) > 0.25
    # Members are fitted on balanced rows: alerts are not rare.
    found = models[0].predict(X[3000:])[y[3000:] == 1]
    assert np.mean(found) > 0.6
