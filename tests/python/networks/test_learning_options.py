"""Options of learning: parameters of the prior, and required arcs without effect."""

import itertools

import numpy as np
import pandas as pd
import pytest

from imbcore import BayesianNetwork
from imbcore.bayes import Rebalanced
from imbcore.exceptions import ParameterError


def test_parameters_of_the_prior_have_names_of_their_own():
    rng = np.random.default_rng(1)
    data = pd.DataFrame({"rain": rng.choice(["no", "yes"], 80), "grass": rng.choice(["dry", "wet"], 80)})
    named = BayesianNetwork.learn(data, prior__weight=20.0)
    pd.testing.assert_frame_equal(
        named.cpt("grass"), BayesianNetwork.learn(data, prior={"weight": 20.0}).cpt("grass")
    )


def test_required_arcs_of_a_single_state_warn():
    rng = np.random.default_rng(0)
    data = pd.DataFrame({"noise": rng.normal(size=200), "other": rng.normal(size=200)})
    cuts = {"noise": [], "other": [0.0]}
    with pytest.warns(UserWarning, match="arcs of 'noise', which has a single state"):
        BayesianNetwork.learn(data, discretize=cuts, required_arcs=[("noise", "other")])


def test_a_variable_has_one_tier():
    data = {"rain": ["no", "yes"] * 9, "grass": ["dry", "wet"] * 9}
    with pytest.raises(ParameterError, match="variable 'rain' is listed twice"):
        BayesianNetwork.learn(data, tiers=[["rain"], ["grass", "rain"]])


@pytest.mark.parametrize("prior", ["rebalanced", "local", Rebalanced(weight="n")])
def test_priors_for_a_rare_class_need_a_target(prior):
    """Without a class variable, the prior would silently be uniform."""
    table = pd.DataFrame({"a": [0, 1] * 50, "ill": ["y"] * 5 + ["n"] * 95})
    for make in (
        lambda **given: BayesianNetwork.from_arcs(table, [], prior=prior, **given),
        lambda **given: BayesianNetwork.learn(table, prior=prior, **given),
    ):
        with pytest.raises(ParameterError, match="needs the class variable; give its name as target="):
            make()
        assert 0.05 < make(target="ill").query("ill")["y"] < 0.6


@pytest.mark.parametrize("gamma", [0.0, 0.25, 1.0])
def test_the_printed_prior_is_a_continuous_function_of_gamma(gamma):
    """The printed form is (1 -/+ gamma IR) alpha / q, also if gamma is 0 (Morán Jiménez 2018)."""
    table = pd.DataFrame({"ill": ["no"] * 90 + ["yes"] * 10})
    network = BayesianNetwork.from_arcs(
        table, [], target="ill", prior=Rebalanced(weight=40.0, gamma=gamma, form="literal")
    )
    pseudo = 40.0 * (1 + gamma * 10 / 90)
    assert network.query("ill")["yes"] == pytest.approx((10 + pseudo) / (100 + 2 * 40.0))


@pytest.mark.parametrize("search", ["hc", "tabu"])
@pytest.mark.parametrize("tie_breaking", ["entropy", "entropy2"])
def test_columns_with_equal_counts_are_ordered_by_name(search, tie_breaking):
    """Copies and permutations of a column have equal entropies; only names distinguish them."""
    rng = np.random.default_rng(4)
    first = rng.permutation(["no"] * 40 + ["yes"] * 60)
    noisy = np.where(rng.random(100) < 0.8, first, rng.permutation(first))
    data = pd.DataFrame({"n10": first, "n9": first, "other": rng.permutation(first), "noisy": noisy})

    def arcs(columns, **options):
        return sorted(BayesianNetwork.learn(data[columns], search=search, **options).arcs)

    by_name = ["n9", "n10", "other"]
    assert sorted(data["other"]) == sorted(data["n10"])
    for columns in itertools.permutations(by_name):
        columns = list(columns)
        assert arcs(columns, tie_breaking="entropy") == arcs(by_name, tie_breaking="column")
        found = [arcs([*columns[:at], "noisy", *columns[at:]], tie_breaking=tie_breaking) for at in range(4)]
        assert found == found[:1] * 4
        assert found[0] == arcs(list(data), tie_breaking=tie_breaking)
