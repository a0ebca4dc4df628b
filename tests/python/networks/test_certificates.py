"""Proofs of exact structure searches, and their verification."""

import copy
import itertools
import json
import pickle

import numpy as np
import pandas as pd
import pytest

from imbcore import BayesianNetwork
from imbcore.bayes import BDeu
from imbcore.exceptions import DataError, ParameterError, UnsupportedError


def noisy_copies(seed, n_columns=7, n_rows=300):
    """Columns that copy earlier ones, with noise."""
    rng = np.random.default_rng(seed)
    columns = {}
    for at in range(n_columns):
        echo = sum((columns[f"v{of}"] for of in rng.integers(0, at, 2)), np.zeros(n_rows, int)) if at else 0
        noise = rng.integers(0, 3, n_rows)
        columns[f"v{at}"] = np.where(rng.random(n_rows) < 0.3, noise, echo) % 3
    return pd.DataFrame(columns).astype("category")


@pytest.fixture(scope="module")
def data():
    """Seven columns."""
    return noisy_copies(0)


@pytest.fixture(scope="module")
def proven(data):
    """Their best graph."""
    return BayesianNetwork.learn(data, search="exact", random_state=0)


def test_certificate_survives_json_and_proves_the_graph(data, proven):
    certificate = json.loads(json.dumps(proven.certificate()))
    assert certificate == proven.certificate()
    assert certificate["proven_optimal"]
    assert certificate["variables"] == list(data.columns)
    verdict = proven.verify_certificate(data, certificate=certificate)
    assert verdict["proves_optimal"]
    assert verdict["score_holds"]
    assert verdict["bound_holds"]
    assert verdict["reason"] is None
    assert verdict["score"] == pytest.approx(proven.score(data), abs=1e-6)
    assert 0 <= verdict["bound"] - verdict["score"] < 1e-3
    assert verdict == pickle.loads(pickle.dumps(proven)).verify_certificate(data, n_threads=1)


@pytest.mark.parametrize("seed", range(2))
def test_no_graph_of_four_variables_exceeds_a_proven_bound(seed):
    data = noisy_copies(seed, n_columns=4, n_rows=60)
    network = BayesianNetwork.learn(data, search="exact", score=BDeu(equivalent_sample_size=2))
    assert network.verify_certificate(data)["proves_optimal"]
    names = list(data.columns)
    arcs = list(itertools.permutations(names, 2))
    graphs = set()
    for order in itertools.permutations(names):
        forward = [arc for arc in arcs if order.index(arc[0]) < order.index(arc[1])]
        for kept in itertools.product([False, True], repeat=len(forward)):
            graphs.add(frozenset(itertools.compress(forward, kept)))
    assert len(graphs) == 543
    score = BDeu(equivalent_sample_size=2)
    best = max(BayesianNetwork.from_arcs(data, sorted(graph)).score(data, score=score) for graph in graphs)
    assert network.search["bound"] == pytest.approx(best, abs=1e-6)


def test_changed_certificates_are_rejected(data, proven):
    def verdict(change, rows=data):
        certificate = copy.deepcopy(proven.certificate())
        change(certificate)
        return proven.verify_certificate(rows, certificate=certificate)

    def lower(certificate):
        certificate["bound"] -= 1.0

    def unpriced(certificate):
        for part in certificate["proof"]["parts"]:
            part["steps"] = [[]]
            part["split"] = None

    def humble(certificate):
        certificate["proof"]["most"][0] -= 1.0

    for change in (lower, unpriced, humble):
        found = verdict(change)
        assert not found["bound_holds"]
        assert not found["proves_optimal"]
        assert found["reason"]
    other = verdict(lambda _: None, noisy_copies(1))
    assert not other["proves_optimal"]
    assert not other["score_holds"]
    assert 'stated for variable "v' in other["reason"]

    def free(certificate):
        # A cut that requires more of larger parent sets implies nothing.
        cut = {"price": 1.0, "variables": [0, 1], "costs": [0.0, 0.0, 1.0] + [0.0] * 5}
        certificate["proof"]["parts"][0]["steps"].append([cut])

    def around(certificate):
        certificate["proof"]["parts"][0]["split"] = {"child": 0, "parent": 1, "without": 0, "with": 0}

    for change in (free, around):
        with pytest.raises(DataError, match=r"no(t a)? certificate"):
            verdict(change)
    with pytest.raises(DataError, match="certificate"):
        proven.verify_certificate(data, certificate={})


def test_time_limit_ends_verification(data, proven):
    found = proven.verify_certificate(data, time_limit=1e-6)
    assert found["bound_holds"] is None
    assert found["bound"] is None
    assert found["score_holds"]
    assert not found["proves_optimal"]
    assert "time_limit" in found["reason"]
    with pytest.raises(ParameterError, match="time_limit"):
        proven.verify_certificate(data, time_limit=0)


def test_constraints_are_part_of_the_proof(data):
    rules = {"max_parents": 1, "forbidden_arcs": [("v0", "v1")], "required_arcs": [("v6", "v0")]}
    network = BayesianNetwork.learn(data, search="exact", **rules)
    assert network.certificate()["structure"]["max_parents"] == 1
    assert network.verify_certificate(data)["proves_optimal"]


def test_only_proofs_have_certificates(data):
    for settings in ({"search": "tabu"}, {"search": "exact", "score": "ll", "max_parents": 1}):
        network = BayesianNetwork.learn(data, **settings)
        with pytest.raises(UnsupportedError, match="no certificate"):
            network.certificate()
    weighted = BayesianNetwork.learn(data, search="exact", sample_weight=np.ones(len(data)) * 2)
    with pytest.raises(UnsupportedError, match="no certificate"):
        weighted.verify_certificate(data)


def test_proof_does_not_depend_on_threads(data, proven):
    one = BayesianNetwork.learn(data, search="exact", random_state=0, n_threads=1)
    assert one.certificate() == proven.certificate()
