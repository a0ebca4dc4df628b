"""Cost-sensitive boosted trees: costs weight the rows, and probabilities are corrected for it."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import make_classification

import imbcore
from imbcore import metrics
from imbcore.exceptions import DataError, ParameterError

FEW = {"n_rounds": 12, "random_state": 0}


def table(n=4000, seed=0):
    X, y = make_classification(
        n, 6, n_informative=4, n_redundant=0, weights=[0.9], flip_y=0.05, class_sep=0.8, random_state=seed
    )
    amount = np.exp(np.random.default_rng(seed).normal(0.0, 1.2, n)).round(1) + 0.1
    # Few distinct values, so that weights do not move the bins.
    return {f"x{at}": column.round(1) for at, column in enumerate(X.T)} | {"amount": amount}, y


def odds(model, X):
    p = model.predict_proba(X)
    return np.log(p[:, 1] / p[:, 0])


def test_equal_costs_give_the_logistic_loss():
    X, y = table()
    plain = imbcore.fit(X, y, "boosted_trees", **FEW)
    equal = imbcore.fit(X, y, "boosted_trees", objective="cost", cost_matrix=[[0, 4], [4, 0]], **FEW)
    np.testing.assert_allclose(equal.decision_function(X), plain.decision_function(X), atol=1e-9)
    np.testing.assert_allclose(equal.predict_proba(X), plain.predict_proba(X), atol=1e-12)


def test_class_costs_act_as_weights_and_probabilities_are_corrected():
    X, y = table()
    costs = np.array([[0, 1.0], [8.0, 0]])
    weights = dict(enumerate(imbcore.costs.ting_weights(costs, y)))
    weighed = imbcore.fit(X, y, "boosted_trees", class_weight=weights, **FEW)
    costly = imbcore.fit(X, y, "boosted_trees", objective="cost", cost_matrix=costs, **FEW)
    np.testing.assert_allclose(costly.decision_function(X), weighed.decision_function(X), atol=1e-6)
    # Log-odds of the weighted data minus the log of the cost ratio; predictions are those of the weighted
    # data.
    np.testing.assert_allclose(odds(costly, X), odds(weighed, X) - np.log(8), atol=1e-6)
    np.testing.assert_array_equal(costly.predict(X), weighed.predict(X))


def test_row_costs_act_as_weights_and_probabilities_are_corrected():
    X, y = table()
    costs = {"alarm": 0.5, "miss": "amount"}
    costly = imbcore.fit(X, y, "boosted_trees", objective="cost", costs=costs, **FEW)
    stakes = np.where(y == 1, X["amount"], 0.5)
    weighed = imbcore.fit(X, y, "boosted_trees", sample_weight=stakes / stakes.mean(), **FEW)
    np.testing.assert_allclose(costly.decision_function(X), weighed.decision_function(X), atol=1e-6)
    np.testing.assert_allclose(odds(costly, X), odds(weighed, X) - np.log(X["amount"] / 0.5), atol=1e-6)
    # Minimum expected cost by these probabilities equals the larger weighted proportion.
    np.testing.assert_array_equal(costly.predict(X), weighed.predict(X))
    again = pickle.loads(pickle.dumps(costly))
    np.testing.assert_array_equal(again.predict_proba(X), costly.predict_proba(X))


def test_rounds_are_chosen_by_corrected_probabilities():
    X, y = table(24000, seed=1)
    train = {name: column[:4000] for name, column in X.items()}
    new = {name: column[4000:] for name, column in X.items()}
    costs = {"alarm": 0.5, "miss": "amount"}
    options = {"costs": costs, "random_state": 0, "max_rounds": 60}
    costly = imbcore.fit(train, y[:4000], "boosted_trees", objective="cost", **options)
    assert costly.predict_proba(new)[:, 1].mean() == pytest.approx(y[4000:].mean(), rel=0.15)
    cells = np.zeros((20000, 2, 2))
    cells[:, 0, 1], cells[:, 1, 0] = 0.5, new["amount"]
    assert metrics.savings_score(y[4000:], costly.predict(new), cells) > 0.2


def test_models_do_not_depend_on_threads():
    X, y = table(20000)
    costs = {"alarm": 0.5, "miss": "amount"}
    told = [
        imbcore.fit(
            X, y, "boosted_trees", objective="cost", costs=costs, n_rounds=3, random_state=0, n_threads=n
        ).to_bytes()
        for n in (1, 2, 7)
    ]
    assert told[0] == told[1] == told[2]


def test_missing_costs_are_rejected():
    X, y = table(300)
    with pytest.raises(ParameterError, match="costs"):
        imbcore.fit(X, y, "boosted_trees", objective="cost", **FEW)
    cells = np.ones((300, 2, 2))
    with pytest.raises(ParameterError, match="columns of X"):
        imbcore.fit(X, y, "boosted_trees", objective="cost", cost_matrix=cells, **FEW)
    with pytest.raises(DataError, match="no smaller costs than right answers"):
        imbcore.fit(X, y, "boosted_trees", objective="cost", cost_matrix=[[2, 1], [3, 0]], **FEW)
    costs = 1 - np.eye(3)
    with pytest.raises(ParameterError, match="with more than two classes"):
        imbcore.fit(X, np.arange(300) % 3, "boosted_trees", objective="cost", cost_matrix=costs, **FEW)


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        ({"alarm": -5, "miss": 1}, r"costs\['alarm'\] must be a finite number of at least 0, got -5"),
        ({"alarm": 5, "miss": float("nan")}, r"costs\['miss'\] must be a finite number"),
        ([[0, -1], [2, 0]], r"costs must hold finite numbers of at least 0, got -1.0 at \(0, 1\)"),
        (-np.ones((300, 2, 2)), r"costs must hold finite numbers .* at \(0, 0, 0\)"),
        (lambda X: -np.ones((len(X["x0"]), 2, 2)), "what the function of costs returns must hold finite"),
    ],
)
def test_invalid_costs_are_rejected_by_name(costs, words):
    X, y = table(300)
    with pytest.raises(DataError, match=words):
        imbcore.fit(X, y, "boosted_trees", objective="cost", costs=costs, **FEW)
