"""Discretization of numeric columns by networks."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from imbcore import BayesianNetwork
from imbcore.discretization import EqualFrequencyDiscretizer, MDLPDiscretizer
from imbcore.exceptions import DataError, DataWarning, ParameterError
from imbcore.networks._variables import DEFAULT_BINS


def test_default_number_of_bins_is_that_of_the_discretizer():
    assert EqualFrequencyDiscretizer().n_bins == DEFAULT_BINS


def test_numbers_are_discretized():
    rng = np.random.default_rng(0)
    age = rng.uniform(20, 80, 2000)
    ill = np.where(rng.random(2000) < np.where(age > 50, 0.8, 0.1), "ill", "well")
    data = pd.DataFrame({"age": age, "ill": ill})
    with pytest.raises(DataError, match="column 'age' has numbers that are not whole; set discretize"):
        BayesianNetwork.learn(data)
    given = BayesianNetwork.learn(data, discretize={"age": [30, 50.5]})
    assert given.states("age") == ["<= 30.0", "30.0 to 50.5", "> 50.5"]
    # The upper end belongs to the bin.
    assert (
        given.query("ill", {"age": 50.5}).to_dict() == given.query("ill", {"age": "30.0 to 50.5"}).to_dict()
    )
    assert given.query("ill", {"age": 77})["ill"] == pytest.approx(0.8, abs=0.1)
    assert len(BayesianNetwork.learn(data, discretize={"age": 4}).states("age")) == 4
    assert len(BayesianNetwork.learn(data, discretize="equal_freq").states("age")) == 5
    cut = BayesianNetwork.learn(data, discretize="mdlp", target="ill")
    assert len(cut.states("age")) == 2
    assert 48 < float(cut.states("age")[0].removeprefix("<= ")) < 52
    for rule in ("mdlp", {"age": "caim"}, MDLPDiscretizer()):
        with pytest.raises(ParameterError, match=r"by the classes of a column; set target= to its name"):
            BayesianNetwork.learn(data, discretize=rule)
    for bad in ("mdpl", [3, 1], {"agee": 3}, 1):
        with pytest.raises(ParameterError):
            BayesianNetwork.learn(data, discretize=bad)


def test_one_rule_covers_every_numeric_column():
    """Kind: whole numbers, also as floats with missing values, silently kept one state for each value."""
    rng = np.random.default_rng(0)
    glucose = rng.integers(60, 200, 400)
    data = pd.DataFrame(
        {
            "glucose": glucose,
            "with_missing": np.where(rng.random(400) < 0.1, np.nan, rng.integers(0, 60, 400)),
            "weight": rng.normal(70, 9, 400),
            "flag": rng.integers(0, 2, 400),
            "children": rng.integers(0, 4, 400),
            "text": np.where(rng.random(400) < 0.5, "a", "b"),
            "ill": (glucose + rng.normal(0, 10, 400) > 150).astype(int),
        }
    )
    for rule, n_states in ((4, 4), ("equal_freq", 5), ([70, 80], 3), ("mdlp", None)):
        network = BayesianNetwork.learn(data, discretize=rule, target="ill")
        for name in ("glucose", "with_missing", "weight"):
            assert len(network.states(name)) <= 6
            assert n_states is None or len(network.states(name)) == n_states
        # Two values need no bins, nor do as many as there are bins; the target keeps its classes.
        assert network.states("flag") == network.states("ill") == [0, 1]
        assert (network.states("children") == [0, 1, 2, 3]) == (rule in (4, "equal_freq"))
        assert network.states("text") == ["a", "b"]
    supervised = BayesianNetwork.learn(data, discretize="mdlp", target="ill")
    assert {"glucose", "ill"} in [set(arc) for arc in supervised.arcs]
    assert supervised.query("ill", {"glucose": 190})[1] > 0.9


def test_many_states_of_whole_numbers_warn():
    rng = np.random.default_rng(0)
    data = pd.DataFrame({"count": rng.integers(0, 100, 300), "few": rng.integers(0, 20, 300)})
    for given in (None, {"few": 4}):
        with pytest.warns(DataWarning, match=r"column 'count' has \d+ states.*set discretize") as found:
            BayesianNetwork.learn(data, discretize=given)
        assert len(found) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        BayesianNetwork.learn(data.astype("category"))
        BayesianNetwork.learn(data, discretize=5)


def test_the_target_is_a_column_of_classes():
    rng = np.random.default_rng(0)
    data = pd.DataFrame({"x": rng.normal(size=200), "y": rng.normal(size=200)})
    with pytest.raises(ParameterError, match="target must be the name of a column, got 'z'"):
        BayesianNetwork.learn(data, discretize="mdlp", target="z")
    with pytest.raises(DataError, match="column 'y' has numbers that are not whole"):
        BayesianNetwork.learn(data, discretize="mdlp", target="y")
