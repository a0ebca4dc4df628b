"""Random queries on networks of the literature, compared with pyAgrum's lazy propagation."""

import math
import warnings

import numpy as np
import pytest
from data_files import NETWORKS, needs_networks

from imbcore import BayesianNetwork

with warnings.catch_warnings():
    # SWIG-generated wrappers warn on import with newer Python versions.
    warnings.simplefilter("ignore")
    gum = pytest.importorskip("pyagrum", reason="pyagrum is not installed; the test extra brings it")

NAMES = [
    "alarm",
    "andes",
    "asia",
    "cancer",
    "child",
    "earthquake",
    "hailfinder",
    "hepar2",
    "insurance",
    "sachs",
    "survey",
    "water",
    "win95pts",
]
QUESTIONS = 40


def both(name):
    """The same network in both libraries, in memory, because pyAgrum's reader rounds to single precision."""
    ours = BayesianNetwork.read(NETWORKS / f"{name}.bif")
    theirs = gum.BayesNet()
    for v in ours.variables:
        theirs.add(gum.LabelizedVariable(v, v, [str(state) for state in ours.states(v)]))
    for v in ours.variables:
        # The last parent varies slowest there, the first one here.
        for parent in reversed(ours.parents(v)):
            theirs.addArc(parent, v)
        theirs.cpt(v).fillWith(ours.cpt(v).to_numpy().ravel().tolist())
    return ours, theirs


def close(ours, theirs):
    return abs(ours - theirs) <= 1e-9 * max(1.0, abs(theirs))


@needs_networks
@pytest.mark.parametrize("name", NAMES)
def test_queries_match_pyagrum(name):
    ours, theirs = both(name)
    rng = np.random.default_rng(len(name))
    rows = ours.sample(QUESTIONS, random_state=7)
    variables = ours.variables
    for number in range(QUESTIONS):
        turn = [variables[at] for at in rng.permutation(len(variables))]
        targets = turn[: int(rng.integers(1, 3))]
        some = turn[len(targets) :][: int(rng.integers(0, len(turn) // 2 + 1))]
        evidence = {v: str(rows[v].iloc[number]) for v in some}
        answer = ours.query(targets, evidence)
        engine = gum.LazyPropagation(theirs)
        engine.setEvidence(evidence)
        if len(targets) == 1:
            engine.addTarget(targets[0])
            marginal = engine.posterior(targets[0])
        else:
            engine.addJointTarget(set(targets))
            marginal = engine.jointPosterior(set(targets))
        for states, p in answer.to_dict().items():
            place = dict(zip(targets, states if len(targets) > 1 else (states,), strict=True))
            assert close(p, marginal[place]), (targets, evidence)
        # With targets set, pyAgrum omits irrelevant evidence from the probability.
        engine = gum.LazyPropagation(theirs)
        engine.setEvidence(evidence)
        assert close(answer.log_evidence, math.log(engine.evidenceProbability())), evidence


@needs_networks
@pytest.mark.parametrize("name", NAMES)
def test_marginals_and_rows_with_missing_values_match_pyagrum(name):
    ours, theirs = both(name)
    rng = np.random.default_rng(len(name))
    rows = ours.sample(5, random_state=11).astype(object)
    gaps = rows.mask(rng.random(rows.shape) < 0.3, None)
    logs = ours.log_probability(gaps)
    for number in range(len(gaps)):
        row = gaps.iloc[number]
        evidence = {v: str(state) for v, state in row.items() if state is not None}
        engine = gum.LazyPropagation(theirs)
        engine.setEvidence(evidence)
        engine.makeInference()
        assert close(logs[number], math.log(engine.evidenceProbability()))
        marginals = ours.marginals(evidence)
        for v in ours.variables:
            if v not in evidence:
                marginal = engine.posterior(v)
                assert all(close(p, marginal[{v: state}]) for state, p in marginals[v].to_dict().items())
