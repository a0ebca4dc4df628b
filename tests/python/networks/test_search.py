"""Searches over orders, and results of stopped searches."""

import numpy as np
import pandas as pd
import pytest

from imbcore import BayesianNetwork
from imbcore.bayes import BestSearch


@pytest.fixture
def data():
    """A parity of two coins, and a noisy copy of it: no single coin is informative."""
    rng = np.random.default_rng(0)
    n = 2000
    a, b = rng.integers(0, 2, (2, n))
    c = np.where(rng.random(n) < 0.1, rng.integers(0, 2, n), a ^ b)
    d = np.where(rng.random(n) < 0.2, rng.integers(0, 2, n), c)
    return pd.DataFrame({"d": d, "b": b, "a": a, "c": c})


def test_many_restarts_find_a_parity_with_any_number_of_threads(data):
    truth = BayesianNetwork.from_arcs(data, [("a", "c"), ("b", "c"), ("c", "d")])
    learnt = BayesianNetwork.learn(data, search="best", random_state=1, n_threads=1)
    assert learnt.shd(truth) == 0
    assert learnt.search["stopped_by"] == "no_improvement"
    assert learnt.search["score"] == pytest.approx(learnt.score(data), abs=1e-6)
    again = BayesianNetwork.learn(data, search="best", random_state=1, n_threads=2)
    assert (again, again.search) == (learnt, learnt.search)
    few = BayesianNetwork.learn(data, search=BestSearch(rounds=7, max_scores=1)).search
    assert (few["stopped_by"], few["iterations"]) == ("max_scores", 1)


def test_exact_search_handles_more_columns_than_full_tables(data):
    rng = np.random.default_rng(1)
    wide = data.assign(**{f"x{i}": np.where(rng.random(2000) < 0.2, 1 - data.c, data.c) for i in range(10)})
    proven = BayesianNetwork.learn(wide, search="exact", max_parents=3)
    assert proven.search["stopped_by"] == "optimal"
    assert proven.search["bound"] == proven.search["score"]
    greedy = BayesianNetwork.learn(wide, search="hc", max_parents=3)
    assert greedy.search["score"] <= proven.search["score"] + 1e-6
    assert "bound" not in greedy.search
    late = BayesianNetwork.learn(wide, search="exact", search__time_limit=1e-9)
    assert late.search["stopped_by"] == "time_limit"
    assert late.search["bound"] >= proven.search["score"]


def test_order_search_adds_arcs_one_by_one(data):
    learnt = BayesianNetwork.learn(data, search="boss", search__restarts=2, random_state=1)
    assert learnt.search["score"] == pytest.approx(learnt.score(data), abs=1e-6)
    assert {frozenset(arc) for arc in learnt.arcs} >= {frozenset("cd")}


def test_stopped_search_returns_its_best_network(data):
    stages = set()

    def stop(stage, done, total):
        stages.add(stage)
        if done >= 2:
            raise KeyboardInterrupt

    # Only the time limit ends the rounds.
    with pytest.raises(KeyboardInterrupt) as stopped:
        BayesianNetwork.learn(data, search="best", search__time_limit=60, callback=stop)
    network = stopped.value.network
    assert stages == {"rounds"}
    assert network.search["stopped_by"] == "interrupted"
    assert network.search["score"] == pytest.approx(network.score(data), abs=1e-6)
    late = BayesianNetwork.learn(data, search="best", search__time_limit=0.2)
    assert late.search["stopped_by"] == "time_limit"
