"""Averaged one-dependence estimators compared with the formula of the paper, written as loops."""

import itertools

import numpy as np
import pandas as pd
import pytest

from imbcore import AODEClassifier
from imbcore.bayes import Uniform
from imbcore.discretization import EqualFrequencyDiscretizer
from imbcore.exceptions import ParameterError

STATES = (2, 3, 4)
WEIGHT = 2.0


def table(n_rows, seed):
    """Codes of three columns whose dependence changes with a rare class."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n_rows) < 0.2).astype(int)
    X = np.column_stack([rng.integers(0, states, n_rows) for states in STATES])
    follows = rng.random(n_rows) < 0.6
    X[follows, 2] = (X[follows, 1] + y[follows]) % 4
    return X, y


def frame(X):
    """Codes as categories; -1 is missing."""
    named = {f"c{j}": pd.Categorical.from_codes(X[:, j], list("abcd"[:n])) for j, n in enumerate(STATES)}
    return pd.DataFrame(named)


def joint(X, y, parents, row, of_class):
    """Sum over super-parents i of P(y, x_i) times all P(x_j | y, x_i), over states of missing values."""

    def smoothed(rows, among, prior):
        return (rows.sum() + prior) / (among.sum() + prior * n)

    found = 0.0
    known = [range(states) if value < 0 else [value] for value, states in zip(row, STATES, strict=True)]
    for full in itertools.product(*known):
        for i in parents:
            n = 2
            p = smoothed(y == of_class, np.ones(len(y)), WEIGHT / n)
            n = STATES[i]
            above = y == of_class
            p *= smoothed(above & (X[:, i] == full[i]), above, WEIGHT / (2 * n))
            above = above & (X[:, i] == full[i])
            for j in set(range(3)) - {i}:
                n = STATES[j]
                p *= smoothed(above & (X[:, j] == full[j]), above, WEIGHT / (2 * STATES[i] * n))
            found += p
    return found


def posterior(X, y, parents, rows):
    cells = np.array([[joint(X, y, parents, row, of_class) for of_class in range(2)] for row in rows])
    return cells / cells.sum(axis=1, keepdims=True), np.log(cells.sum(axis=1) / len(parents))


@pytest.mark.parametrize("seed", range(3))
def test_probabilities_match_the_formula(seed):
    X, y = table(80, seed)
    rows, _ = table(40, seed + 100)
    rows[np.random.default_rng(seed).random(rows.shape) < 0.3] = -1
    bayes = AODEClassifier(prior=Uniform(weight=WEIGHT)).fit(frame(X), y)
    wanted, logs = posterior(X, y, range(3), rows)
    np.testing.assert_allclose(bayes.predict_proba(frame(rows)), wanted, rtol=0, atol=1e-12)
    np.testing.assert_allclose(bayes.log_probability(frame(rows)), logs, rtol=0, atol=1e-10)


def test_super_parents_are_the_most_informative_columns():
    X, y = table(300, 0)
    X[:, 1] = np.where(np.random.default_rng(1).random(300) < 0.8, y, X[:, 1])
    bayes = AODEClassifier(max_super_parents=1, prior=Uniform(weight=WEIGHT)).fit(frame(X), y)
    wanted, _ = posterior(X, y, [1], X[:30])
    np.testing.assert_allclose(bayes.predict_proba(frame(X[:30])), wanted, rtol=0, atol=1e-12)
    more = AODEClassifier(max_super_parents=9, random_state=0).fit(frame(X), y)
    assert np.array_equal(
        more.predict_proba(frame(X)), AODEClassifier().fit(frame(X), y).predict_proba(frame(X))
    )
    with pytest.raises(ParameterError, match="max_super_parents"):
        AODEClassifier(max_super_parents=0).fit(frame(X), y)


def test_uninformative_columns_give_the_class_priors():
    y = np.repeat([0, 1], [30, 10])
    bayes = AODEClassifier().fit(np.zeros((40, 2)), y)
    assert np.ptp(bayes.predict_proba([[0.0, 0.0], [1.0, None]]), axis=0).tolist() == [0, 0]


def test_averaged_probabilities_stay_at_most_one():
    # Every network is certain, and their weights sum to 1 except for the last digit.
    y = np.repeat([0, 1], [60, 20])
    for n_columns in range(5, 30):
        X = pd.DataFrame({f"c{j}": pd.Categorical(y) for j in range(n_columns)})
        bayes = AODEClassifier(prior=Uniform(weight=1e-9)).fit(X, y)
        assert 1 - 1e-12 < bayes.predict_proba(X).max() <= 1


def test_more_networks_than_memory_holds_are_rejected():
    # Each column has a network with a table per column: more than any address space.
    X, y = np.tile(np.arange(6.0)[:, None], 450_000), [0, 0, 0, 1, 1, 1]
    bayes = AODEClassifier(discretizer=EqualFrequencyDiscretizer(n_bins=2))
    with pytest.raises(MemoryError, match="max_super_parents"):
        bayes.fit(X, y)
