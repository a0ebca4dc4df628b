"""Gains of splits by the formulas and in the units of the page on trees."""

import numpy as np
import pytest

import imbcore

COUNTS = np.array([[55, 5], [15, 25]])
X = np.repeat([[0.0], [1.0]], COUNTS.sum(axis=1), axis=0)
Y = np.repeat([0, 1, 0, 1], COUNTS.ravel())


def gain(criterion):
    return imbcore.fit(X, Y, method="cart", criterion=criterion, max_depth=1).nodes()[0]["gain"]


def test_hellinger_gain_is_the_squared_distance_without_one_half():
    by_class = np.sqrt(COUNTS / COUNTS.sum(axis=0))
    assert gain("hellinger") == pytest.approx(np.sum((by_class[:, 1] - by_class[:, 0]) ** 2))
    assert imbcore.fit(X, X[:, 0].astype(int), method="hddt").nodes()[0]["gain"] == pytest.approx(2.0)


def test_alpha_gain_is_in_nats_and_entropy_in_bits():
    joint = COUNTS / COUNTS.sum()
    independent = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
    nats = np.sum(joint * np.log(joint / independent))
    assert gain({"name": "alpha", "alpha": 1.0}) == pytest.approx(nats)
    assert gain("entropy") == pytest.approx(nats / np.log(2))
    squares = np.sum((np.sqrt(joint) - np.sqrt(independent)) ** 2)
    assert gain({"name": "alpha", "alpha": 0.5}) == pytest.approx(2 * squares)
