"""Structure learning from tables with missing values."""

import numpy as np
import pandas as pd
import pytest

from imbcore import BayesianNetwork

NAMES = list("abcdef")


def hide(table, fraction, rng):
    """Replace a random fraction of the values by missing values."""
    return table.astype(object).mask(rng.random(table.shape) < fraction)


def n_false_arcs(seed, fraction, **given):
    """Count arcs between independent columns."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame((rng.random((2000, 6)) < 0.1).astype(int), columns=NAMES)
    return len(BayesianNetwork.learn(hide(table, fraction, rng), **given).arcs)


@pytest.mark.parametrize("score", ["bic", "bdeu", "qnml"])
@pytest.mark.parametrize("fraction", [0.1, 0.3])
def test_independent_columns_have_no_arcs(score, fraction):
    arcs = [n_false_arcs(seed, fraction, score=score) for seed in range(5)]
    assert sum(arcs) <= 3, arcs


def test_means_over_different_rows_add_arcs():
    # The published node-average likelihood has this defect with the penalty of BIC.
    arcs = [n_false_arcs(seed, 0.3, score__missing_likelihood="node_average") for seed in range(3)]
    assert min(arcs) >= 4, arcs


def test_true_arcs_are_found_with_missing_values():
    rng = np.random.default_rng(1)
    n = 4000
    a = rng.integers(0, 2, n)
    b = np.where(rng.random(n) < 0.85, a, 1 - a)
    c = np.where(rng.random(n) < 0.85, b, 1 - b)
    d = rng.integers(0, 2, n)
    e = np.where(rng.random(n) < 0.9, c | d, 1 - (c | d))
    table = hide(pd.DataFrame({"a": a, "b": b, "c": c, "d": d, "e": e}), 0.15, rng)
    learned = {frozenset(arc) for arc in BayesianNetwork.learn(table).arcs}
    assert learned == {frozenset(pair) for pair in ("ab", "bc", "ce", "de")}


def test_complete_tables_have_the_same_network_for_all_formulas():
    rng = np.random.default_rng(2)
    a = rng.integers(0, 3, 500)
    table = pd.DataFrame({"a": a, "b": (a + (rng.random(500) < 0.3)) % 3, "c": rng.integers(0, 2, 500)})
    networks = [
        BayesianNetwork.learn(table, score__missing_likelihood=formula).arcs
        for formula in ("common_rows", "node_average", "available")
    ]
    assert networks[0] == networks[1] == networks[2]
