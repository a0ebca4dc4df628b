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
    for one_sided in ([[2, 1], [3, 0]], [[0, 0], [3, 0]], [[0, 5], [2, 5]]):
        with pytest.raises(DataError, match="the cheaper decision for every row"):
            imbcore.fit(X, y, "boosted_trees", objective="cost", cost_matrix=one_sided, **FEW)
    with pytest.raises(DataError, match="no row whose decisions differ in cost"):
        imbcore.fit(
            X, y, "boosted_trees", objective="cost", costs={"alarm": "amount", "pass": "amount"}, **FEW
        )
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


# Every sign of the cost differences: rows whose alarm costs more than the miss, decisions that cost the same,
# errors that are always cheaper.
SIGNS = {
    "page": {"alarm": 5, "hit": 5, "miss": "amount"},
    "equal costs of some rows": {"alarm": 1.1, "hit": 1.1, "miss": "amount"},
    "pass costs": {"alarm": "amount", "pass": 1.5, "miss": 3},
    "both columns": {"alarm": "amount", "hit": "amount", "miss": 2, "pass": 0.3},
    "both differ by row": {"alarm": "amount", "pass": "fee", "miss": "fee", "hit": 0.5},
    "errors are cheaper": {"alarm": 1, "pass": 3, "miss": 2, "hit": 4},
}


def signed_table(seed=0):
    X, y = table(3000, seed)
    fee = np.random.default_rng(seed + 50).choice([0.0, 0.5, 1.0, 2.0, 8.0], len(y))
    return X | {"fee": fee}, y


def decision_costs(X, costs):
    """Compute the matrix of each row: true class, then decision."""
    cells = np.zeros((len(X["x0"]), 2, 2))
    for name, (truth, decision) in {"alarm": (0, 1), "hit": (1, 1), "miss": (1, 0), "pass": (0, 0)}.items():
        cost = costs.get(name, 0)
        cells[:, truth, decision] = X[cost] if isinstance(cost, str) else cost
    return cells


@pytest.mark.parametrize("name", SIGNS)
@pytest.mark.parametrize("options", [FEW, {"random_state": 1, "max_rounds": 15}], ids=["given", "auto"])
def test_training_labels_are_cheaper_decisions_and_weights_are_differences(name, options):
    """Kind: costs in which the right decision of some row costs at least as much as the wrong one."""
    X, y = signed_table()
    cells = decision_costs(X, SIGNS[name])
    rows = np.arange(len(y))
    labels = cells[rows, y].argmin(axis=1)
    weights = np.abs(cells[rows, y, 0] - cells[rows, y, 1])
    labels = np.where(weights == 0, y, labels)
    costly = imbcore.fit(X, y, "boosted_trees", objective="cost", costs=SIGNS[name], **options)
    by_hand = imbcore.fit(
        X,
        labels,
        "boosted_trees",
        sample_weight=weights / weights.mean(),
        **options | {"n_rounds": costly.n_rounds_},
    )
    np.testing.assert_allclose(costly.decision_function(X), by_hand.decision_function(X), rtol=0, atol=1e-9)

    scores = by_hand.decision_function(X)
    difference = np.stack([cells[:, 0, 1] - cells[:, 0, 0], cells[:, 1, 0] - cells[:, 1, 1]])
    least = 1e-3 * weights.mean()
    positive, negative = (difference >= least).all(axis=0), (difference <= -least).all(axis=0)
    identified = positive | negative
    sign, ratio = np.where(positive, 1.0, -1.0), np.ones((2, len(y)))
    ratio[:, identified] = np.abs(difference[:, identified])
    level = odds(costly, X) - (sign * scores - np.log(ratio[1] / ratio[0]))
    # One level for all rows, and none without inner folds.
    np.testing.assert_allclose(
        level[identified], 0.0 if "n_rounds" in options else level[identified][0], atol=1e-6
    )
    np.testing.assert_allclose(costly.predict_proba(X)[~identified, 1], y.mean(), rtol=1e-9)
    cheapest = imbcore.costs.minimum_expected_cost(costly.predict_proba(X), cells)
    np.testing.assert_array_equal(costly.predict(X), cheapest)
    # Whatever the scores, the decision is the cheaper one if it does not depend on the class.
    one_sided = (difference[0] > 0) != (difference[1] > 0)
    one_sided &= (difference != 0).all(axis=0)
    np.testing.assert_array_equal(costly.predict(X)[one_sided], difference[1][one_sided] > 0)


def test_one_sided_costs_in_every_place_that_takes_costs_of_rows():
    X, y = signed_table()
    train = {name: column[:2000] for name, column in X.items()}
    new = {name: column[2000:] for name, column in X.items()}
    costs = SIGNS["page"]
    costly = imbcore.fit(train, y[:2000], "boosted_trees", objective="cost", costs=costs, **FEW)
    again = pickle.loads(pickle.dumps(costly))
    np.testing.assert_array_equal(again.predict_proba(new), costly.predict_proba(new))
    estimator = imbcore.BoostedTreesClassifier(objective="cost", costs=costs, **FEW).fit(train, y[:2000])
    np.testing.assert_array_equal(estimator.predict_proba(new), costly.predict_proba(new))
    # Labels other than 0 and 1, and the other positive class.
    words = np.where(y == 1, "a fraud", "honest")
    turned = imbcore.fit(
        train, words[:2000], "boosted_trees", objective="cost", costs=costs, positive="a fraud", **FEW
    )
    np.testing.assert_allclose(
        turned.predict_proba(new)[:, 0], costly.predict_proba(new)[:, 1], rtol=0, atol=1e-6
    )
    np.testing.assert_array_equal(turned.predict(new) == "a fraud", costly.predict(new) == 1)
    cells = decision_costs(new, costs)
    saved = metrics.savings_score(y[2000:], costly.predict(new), cells)
    plain = imbcore.fit(train, y[:2000], "boosted_trees", **FEW)
    assert saved > metrics.savings_score(y[2000:], plain.predict(new), cells)
    folds = imbcore.evaluate(X, y, "boosted_trees", objective="cost", costs=costs, folds=2, **FEW)
    assert np.isfinite(folds.metrics["expected_cost"]).all()
    for method in ("hddt", "naive_bayes", "random_forest"):
        other = imbcore.fit(train, y[:2000], method, costs=costs, random_state=0)
        cheapest = imbcore.costs.minimum_expected_cost(other.predict_proba(new), cells)
        np.testing.assert_array_equal(other.predict(new), cheapest)


def test_class_weights_multiply_weights_of_true_classes():
    X, y = signed_table()
    costs = SIGNS["page"]
    by_class = imbcore.fit(
        X, y, "boosted_trees", objective="cost", costs=costs, class_weight={0: 1.0, 1: 3.0}, **FEW
    )
    by_row = imbcore.fit(
        X, y, "boosted_trees", objective="cost", costs=costs, sample_weight=np.where(y == 1, 3.0, 1.0), **FEW
    )
    np.testing.assert_allclose(by_class.predict_proba(X), by_row.predict_proba(X), rtol=1e-9)
