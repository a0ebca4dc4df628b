"""Certificates of Exact Boxes: forged ones for worse drawings, and valid ones after JSON.

The verifier trusts nothing in a certificate. Objective, scale, boxes, tolerances and counts follow from the
data and the parameters; statements of the certificate about them are compared, never used.
"""

import json

import numpy as np
import pytest
from forgeries import KINDS, forge

from imbcore import ExactBoxesClassifier
from imbcore.exceptions import DataError


def table(seed, n_rows=40):
    rng = np.random.default_rng(seed)
    X = rng.random((n_rows, 2)).round(2)
    near = (np.abs(X - 0.3).max(axis=1) < 0.2) | (np.abs(X - 0.75).max(axis=1) < 0.15)
    return X, np.where(near ^ (rng.random(n_rows) < 0.08), "rare", "common")


def settings(seed):
    rng = np.random.default_rng(seed)
    options = {
        "n_boxes": 1 + seed % 3,
        "negative_weight": [1.0, 0.3, 0.37][seed // 3 % 3],
        "class_weight": [None, {"common": 1, "rare": 2}][seed // 2 % 2],
        "positive": "rare",
        "random_state": 0,
    }
    return options, [None, np.tile([1.0, 2.0, 3.0, 0.0], 10), rng.random(40) + 0.1][seed // 4 % 3]


@pytest.fixture(scope="module")
def cases():
    found = []
    for seed in range(10):
        (X, y), (options, weights) = table(seed), settings(seed)
        best = ExactBoxesClassifier(**options).fit(X, y, weights)
        worse = ExactBoxesClassifier(**options, abs_gap=1e6, init="none").fit(X, y, weights)
        if best.proven_optimal_ and worse.objective_ < best.objective_ - 1e-3:
            certificate = best.certificate()
            own = {name: worse.certificate()[name] for name in certificate if name != "prices"}
            found.append(
                (
                    worse,
                    [
                        certificate,
                        certificate | own,
                        own
                        | {
                            "prices": certificate["prices"],
                            "bound": worse.objective_,
                            "abs_gap": 0.0,
                            "proven_optimal": True,
                        },
                    ],
                    X,
                    y,
                    weights,
                )
            )
    assert len(found) >= 5
    return found


def try_forged(cases, kind, n):
    rng = np.random.default_rng(100 + sorted(KINDS).index(kind))
    for number in range(n):
        worse, certificates, X, y, weights = cases[number % len(cases)]
        forged = forge(certificates[number // len(cases) % len(certificates)], kind, rng)
        whole = bool(rng.random() < 0.3)
        try:
            verdict = worse.verify_certificate(
                X, y, weights, certificate=forged, whole=whole, time_limit=20.0
            )
        except DataError:
            continue
        assert verdict["proves_optimal"] is not True, (number, forged)
        assert verdict["reason"], verdict


@pytest.mark.parametrize("kind", KINDS)
def test_no_forged_certificate_of_a_worse_drawing_is_accepted(cases, kind):
    try_forged(cases, kind, 100)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", KINDS)
def test_none_of_ten_thousand_forged_certificates_is_accepted(cases, kind):
    try_forged(cases, kind, 10_000)


def valid(seeds):
    for seed in seeds:
        (X, y), (options, weights) = table(seed), settings(seed)
        boxes = ExactBoxesClassifier(**options).fit(X, y, weights)
        certificate = json.loads(json.dumps(boxes.certificate()))
        assert certificate == boxes.certificate()
        own = boxes.verify_certificate(X, y, weights, whole=True)
        given = boxes.verify_certificate(X, y, weights, certificate=certificate, whole=True)
        assert given == own
        assert own["objective_holds"], (seed, own)
        assert own["bounds_hold"] is not False, (seed, own)
        assert own["proof_holds"] is True, (seed, own)
        assert own["proves_optimal"] is boxes.proven_optimal_, (seed, own)
        assert (own["reason"] is None) is boxes.proven_optimal_, (seed, own)


def test_valid_certificates_hold_after_json():
    valid(range(24))


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_thousand_valid_certificates_hold_after_json():
    valid(range(1000))


def test_bound_that_is_slightly_too_small_does_not_hold():
    """Values lie on a lattice, but the claimed bound is not rounded to it."""
    X, y = table(1)
    boxes = ExactBoxesClassifier(n_boxes=2, random_state=0).fit(X, y)
    below = ExactBoxesClassifier(n_boxes=2, random_state=0, abs_gap=1e6, init="none").fit(X, y)
    certificate = below.certificate() | {"prices": boxes.certificate()["prices"]}
    for short in (1e-4, 5e-4, 0.01):
        forged = certificate | {"bound": boxes.objective_ - short}
        verdict = below.verify_certificate(X, y, certificate=forged, whole=True)
        assert verdict["proof_holds"] is False
        assert verdict["proves_optimal"] is False
    with pytest.raises(DataError, match="no 'prices'"):
        boxes.verify_certificate(X, y, certificate={})
    with pytest.raises(DataError, match="missing field"):
        boxes.verify_certificate(X, y, certificate={"prices": []})
