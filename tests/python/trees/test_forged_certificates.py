"""Certificates of exact trees: forged ones for worse trees, and valid ones after JSON.

The verifier trusts nothing in a certificate. Costs, units, tolerances, sizes and counts follow from the data
and the stated objective; statements of the certificate about them are compared, never used.
"""

import json

import numpy as np
import pytest
from forgeries import KINDS, forge

from imbcore import OptimalTreeClassifier
from imbcore.exceptions import DataError

LIMIT = {"time_limit": 20.0}


def table(seed, n_rows=36, nominal=True):
    """Rows on which greedy trees are worse than the best one."""
    rng = np.random.default_rng(seed)
    size, age = rng.integers(0, 6, n_rows), rng.integers(0, 6, n_rows)
    colour = rng.choice(["red", "blue", "green"], n_rows)
    y = ((size > 2) ^ (age > 2)) ^ (rng.random(n_rows) < 0.12)
    data = {"size": size.astype(float), "age": age.astype(float)}
    return data | ({"colour": colour} if nominal else {}), np.where(y, "rare", "common"), rng


def settings(seed):
    """Options of a fit, and row weights, in alternating kinds."""
    rng = np.random.default_rng(seed)
    objective = ["cost", "f1", {"f_beta": 2}, "hull", "cost", {"recall": 0.8}, {"precision": 0.7}][seed % 7]
    options = {"objective": objective, "max_depth": 1 + seed // 7 % 3, "positive": "rare"}
    if objective == "cost":
        options["cost_matrix"] = [
            [[0, 1], [1, 0]],
            [[0, 1], [5, 0]],
            [[2, 3.5], [40, 1]],
            [[0, 1], [3e6, 0]],
        ][seed % 4]
        options["leaf_cost"] = [0.0, 0.25][seed % 2]
    options["class_weight"] = [None, "balanced", {"common": 1, "rare": 3}][seed // 2 % 3]
    options["min_weight_leaf"] = [0.0, 0.0, 2.0][seed // 3 % 3]
    weights = [None, np.tile([1.0, 2.0, 0.5, 0.0], 9), rng.random(36) + 0.1][seed // 5 % 3]
    return options, weights


def best_and_worse(seed):
    data, y, _ = table(seed)
    options, weights = settings(seed)
    while True:
        best = OptimalTreeClassifier(**options).fit(data, y, weights)
        lookahead = (
            {}
            if isinstance(options["objective"], dict) and "f_beta" not in options["objective"]
            else {"lookahead": 1}
        )
        if lookahead and options["max_depth"] > 1:
            worse = OptimalTreeClassifier(**options, **lookahead).fit(data, y, weights)
            return best, worse, data, y, weights
        options = options | {"max_depth": 2, "objective": "f1" if not lookahead else options["objective"]}


CASES = [0, 1, 3, 4, 7, 8, 9, 10, 11, 14, 15, 18, 21, 23]


@pytest.fixture(scope="module")
def cases():
    """Trees known to be worse than the best one of their kind, with certificates to modify."""
    found = []
    for seed in CASES:
        best, worse, data, y, weights = best_and_worse(seed)
        gained = worse.objective_ - best.objective_
        if abs(gained) > 1e-6 * max(1.0, abs(best.objective_)):
            certificate = best.certificate()
            stated = {name: worse.certificate()[name] for name in ("objective", "trees", "chosen")}
            found.append((worse, [certificate, certificate | stated], data, y, weights))
    assert len(found) >= 8
    return found


def try_forged(cases, kind, n):
    rng = np.random.default_rng(sorted(KINDS).index(kind))
    for number in range(n):
        worse, certificates, data, y, weights = cases[number % len(cases)]
        forged = forge(certificates[number // len(cases) % 2], kind, rng)
        try:
            verdict = worse.verify_certificate(data, y, weights, certificate=forged, **LIMIT)
        except DataError:
            continue
        assert verdict["proves_optimal"] is not True, (number, forged)
        assert verdict["reason"], verdict


@pytest.mark.filterwarnings("ignore:the search is complete")
@pytest.mark.parametrize("kind", KINDS)
def test_no_forged_certificate_of_a_worse_tree_is_accepted(cases, kind):
    try_forged(cases, kind, 150)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.filterwarnings("ignore:the search is complete")
@pytest.mark.parametrize("kind", KINDS)
def test_none_of_ten_thousand_forged_certificates_is_accepted(cases, kind):
    try_forged(cases, kind, 10_000)


def valid(seeds):
    for seed in seeds:
        options, weights = settings(seed)
        data, y, _ = table(seed, nominal=seed % 3 > 0)
        tree = OptimalTreeClassifier(**options).fit(data, y, weights)
        certificate = json.loads(json.dumps(tree.certificate()))
        assert certificate == tree.certificate()
        verdict = tree.verify_certificate(data, y, weights, certificate=certificate, **LIMIT)
        assert verdict["objective_holds"], (seed, verdict)
        assert verdict["bounds_hold"] is True, (seed, verdict)
        if "recall" in str(options["objective"]) or "precision" in str(options["objective"]):
            assert verdict["proves_optimal"] is None, (seed, verdict)
        elif options["min_weight_leaf"] == 0 and tree.proven_optimal_:
            assert verdict["proves_optimal"] is True, (seed, verdict)
        if not tree.proven_optimal_:
            assert verdict["proves_optimal"] is not True, (seed, verdict)


@pytest.mark.filterwarnings("ignore:the search is complete")
def test_valid_certificates_hold_after_json():
    # In case 783 the sums of the weights are rounded.
    valid([*range(70), 783])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the search is complete")
def test_a_thousand_valid_certificates_hold_after_json():
    valid(range(1000))


@pytest.mark.parametrize("objective", ["cost", "f1", "hull", {"recall": 0.8}, {"precision": 0.7}])
def test_dual_values_of_0_prove_nothing(objective):
    data, y, _ = table(4)
    model = OptimalTreeClassifier(objective=objective, positive="rare").fit(data, y)
    for prices in (
        [[0, 0], [0, 0]],
        [[0, -1], [-1, 0]],
        [[0, 1e-300], [1e-300, 0]],
        [[0, 1e300], [1e300, 0]],
    ):
        forged = model.certificate()
        forged["proof"]["claims"] = [{"prices": prices, "leaf": 0, "bound": 0, "between": None, "cuts": []}]
        verdict = model.verify_certificate(data, y, certificate=forged)
        assert verdict["proves_optimal"] is not True
        # With costs above 0 it is always true that no tree costs less than 0.
        assert verdict["bounds_hold"] is (prices[0][1] > 0)


@pytest.mark.parametrize("rare", ["a first label", "rare"])
def test_hull_proofs_hold_for_either_positive_class(rare):
    """The positive class is the first or the second one, which exchanges the costs of both errors."""
    for seed in range(4):
        data, y, _ = table(seed)
        labels = np.where(y == "rare", rare, "common")
        model = OptimalTreeClassifier(objective="hull", max_depth=3, positive=rare).fit(data, labels)
        verdict = model.verify_certificate(data, labels, certificate=model.certificate())
        assert verdict["proves_optimal"] is True, verdict


def test_small_cost_is_compared_next_to_a_large_one():
    """The costs of a claim equal those of the model individually, not relative to the largest."""
    X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]
    y = [0, 1, 0, 0, 1, 0]
    tree = OptimalTreeClassifier(max_depth=1, cost_matrix=[[0, 1], [3e6, 0]]).fit(X, y)
    forged = tree.certificate()
    forged["proof"]["claims"][0]["prices"] = [[0, 0], [3e6, 0]]
    forged["proof"]["claims"][0]["bound"] = 0
    verdict = tree.verify_certificate(X, y, certificate=forged)
    assert verdict["proves_optimal"] is False
    assert "costs that the model states" in verdict["reason"]
    assert tree.verify_certificate(X, y)["proves_optimal"] is True


def test_statements_outside_the_claims_are_compared():
    data, y, _ = table(2)
    tree = OptimalTreeClassifier().fit(data, y)
    for change in ({"objective": 0}, {"objective": 1e11}, {"bound": tree.objective_ + 1}, {"bound": 0}):
        verdict = tree.verify_certificate(data, y, certificate=tree.certificate() | change)
        assert (verdict["objective_holds"], verdict["proves_optimal"]) == (False, False)
        assert "the certificate states" in verdict["reason"]
    deep = []
    for _ in range(100_000):
        deep = [deep]
    certificate = tree.certificate() | {"proof": deep}
    with pytest.raises(DataError, match="certificate must be the dict"):
        tree.verify_certificate(data, y, certificate=certificate)


def brute_force_stump(X, y, weights, costs):
    """Lowest cost of a leaf or of one split of one column."""
    order = np.argsort(X)
    X, y, weights = X[order], y[order], weights[order]
    cells = np.array(costs, float)[y] * weights[:, None]
    sums = np.vstack([np.zeros(2), cells.cumsum(axis=0)])
    ends = [0, *(np.flatnonzero(np.diff(X)) + 1)]
    return min(sums[at].min() + (sums[-1] - sums[at]).min() for at in ends)


@pytest.mark.filterwarnings("ignore:column 'x0' alone", "ignore:the search is complete")
def test_costs_of_different_magnitude_give_a_valid_bound():
    """1,000 rows with one column equal to the label: a leaf has 463 errors, a split has none."""
    y = np.arange(1000) < 537
    X = y.astype(float).reshape(-1, 1)
    for costs in ([[0, 1], [3e6, 0]], [[0, 1], [3e9, 0]], [[0, 0.1], [1e12, 0]], [[0, 1], [np.pi * 1e6, 0]]):
        tree = OptimalTreeClassifier(cost_matrix=costs).fit(X, y)
        assert (tree.objective_, tree.bound_, tree.proven_optimal_) == (0, 0, True)
        assert tree.verify_certificate(X, y)["proves_optimal"] is True
    # Double-precision sums cannot represent such costs: there is no proof, and the bound holds.
    tree = OptimalTreeClassifier(cost_matrix=[[0, 1e-9], [3e9, 0]]).fit(X, y)
    assert (tree.bound_, tree.status_, tree.proven_optimal_) == (0, "rounded", False)
    assert tree.verify_certificate(X, y)["proves_optimal"] is False


@pytest.mark.filterwarnings("ignore:the search is complete")
def test_bound_holds_for_the_stated_costs():
    """Scaled or rounded costs and weights give a bound that is not above the cost of any tree."""
    rng = np.random.default_rng(8)
    rounded = 0
    for case in range(60):
        n = int(rng.integers(5, 60))
        X, y = rng.integers(0, 12, n).astype(float), rng.integers(0, 2, n)
        y[:2] = 0, 1
        costs = np.zeros((2, 2))
        costs[0, 1], costs[1, 0] = (
            10.0 ** rng.uniform(-9, 9, 2) if case % 2 else (1.0, 1.0 + 10.0 ** rng.uniform(-12, 0))
        )
        # Weights that are all below 1 are scaled before the fit.
        weights = [np.ones(n), rng.random(n) + 1e-3, 10.0 ** rng.uniform(-6, 6, n)][case % 3]
        weights[0] = 1.0
        tree = OptimalTreeClassifier(max_depth=1, cost_matrix=costs.tolist()).fit(
            X.reshape(-1, 1), y, weights
        )
        best = brute_force_stump(X, y, weights, costs)
        assert tree.bound_ <= best * (1 + 1e-9)
        assert tree.objective_ >= best * (1 - 1e-9)
        if tree.proven_optimal_:
            assert tree.objective_ == pytest.approx(best, rel=1e-8)
        else:
            assert (tree.status_, tree.gap_ > 0) == ("rounded", True)
            rounded += 1
    assert rounded < 30


def test_rounding_that_leaves_a_gap_is_not_a_proof():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 9, (60, 1)).astype(float), rng.integers(0, 2, 60)
    weights = 10.0 ** rng.uniform(-12, 3, 60)
    with pytest.warns(match="no tree is proven optimal"):
        tree = OptimalTreeClassifier(max_depth=1, objective={"recall": 0.5}).fit(X, y, weights)
    assert (tree.status_, tree.proven_optimal_) == ("rounded", False)
    assert 0 == tree.bound_ < tree.objective_
    assert tree.verify_certificate(X, y, weights)["proves_optimal"] is not True
