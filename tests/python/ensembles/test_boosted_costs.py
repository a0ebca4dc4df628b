"""Boosted trees that mind what errors cost: weights of rows, which probabilities do not show."""

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
    # Few values: bins lie where weights put them.
    return {f"x{at}": column.round(1) for at, column in enumerate(X.T)} | {"amount": amount}, y


def odds(model, X):
    p = model.predict_proba(X)
    return np.log(p[:, 1] / p[:, 0])


def test_equal_costs_are_the_logistic_loss():
    X, y = table()
    plain = imbcore.fit(X, y, "boosted_trees", **FEW)
    equal = imbcore.fit(X, y, "boosted_trees", objective="cost", cost_matrix=[[0, 4], [4, 0]], **FEW)
    np.testing.assert_allclose(equal.decision_function(X), plain.decision_function(X), atol=1e-9)
    np.testing.assert_allclose(equal.predict_proba(X), plain.predict_proba(X), atol=1e-12)


def test_costs_of_classes_are_their_weights_and_are_undone():
    X, y = table()
    costs = np.array([[0, 1.0], [8.0, 0]])
    weights = dict(enumerate(imbcore.costs.ting_weights(costs, y)))
    weighed = imbcore.fit(X, y, "boosted_trees", class_weight=weights, **FEW)
    costly = imbcore.fit(X, y, "boosted_trees", objective="cost", cost_matrix=costs, **FEW)
    np.testing.assert_allclose(costly.decision_function(X), weighed.decision_function(X), atol=1e-6)
    # The weighed world less the ratio of the costs; and the answers are those of the weighed world.
    np.testing.assert_allclose(odds(costly, X), odds(weighed, X) - np.log(8), atol=1e-6)
    np.testing.assert_array_equal(costly.predict(X), weighed.predict(X))


def test_costs_of_rows_are_their_weights_and_are_undone():
    X, y = table()
    costs = {"alarm": 0.5, "miss": "amount"}
    costly = imbcore.fit(X, y, "boosted_trees", objective="cost", costs=costs, **FEW)
    stakes = np.where(y == 1, X["amount"], 0.5)
    weighed = imbcore.fit(X, y, "boosted_trees", sample_weight=stakes / stakes.mean(), **FEW)
    np.testing.assert_allclose(costly.decision_function(X), weighed.decision_function(X), atol=1e-6)
    np.testing.assert_allclose(odds(costly, X), odds(weighed, X) - np.log(X["amount"] / 0.5), atol=1e-6)
    # Least expected cost by these probabilities is the larger share of what is at stake.
    np.testing.assert_array_equal(costly.predict(X), weighed.predict(X))
    again = pickle.loads(pickle.dumps(costly))
    np.testing.assert_array_equal(again.predict_proba(X), costly.predict_proba(X))


def test_rounds_are_judged_by_probabilities_of_the_rows_and_stay_honest():
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


def test_models_are_equal_at_any_number_of_threads():
    X, y = table(20000)
    costs = {"alarm": 0.5, "miss": "amount"}
    told = [
        imbcore.fit(
            X, y, "boosted_trees", objective="cost", costs=costs, n_rounds=3, random_state=0, n_threads=n
        ).to_bytes()
        for n in (1, 2, 7)
    ]
    assert told[0] == told[1] == told[2]


def test_what_has_no_costs_is_refused():
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
        ([[0, -1], [2, 0]], r"costs must contain finite numbers of at least 0, got -1.0 at \(0, 1\)"),
        (-np.ones((300, 2, 2)), r"costs must contain finite numbers .* at \(0, 0, 0\)"),
        (lambda X: -np.ones((len(X["x0"]), 2, 2)), "the result of the cost function must contain finite"),
    ],
)
def test_what_is_no_cost_is_refused_by_the_name_that_it_was_given(costs, words):
    X, y = table(300)
    with pytest.raises(DataError, match=words):
        imbcore.fit(X, y, "boosted_trees", objective="cost", costs=costs, **FEW)
