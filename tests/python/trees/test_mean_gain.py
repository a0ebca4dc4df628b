"""C4.5's choice among nominal columns: the best gain ratio of columns with at least the mean gain.

Every nominal column with a valid split counts in the mean gain, with its gain: 0 if its observed rows belong
to one class or are distributed equally over its branches (Quinlan 1993, section 2.3; J48 of Weka).
"""

import numpy as np
import pytest

from imbcore.trees import C44Classifier, C45Classifier


def entropy(masses):
    parts = masses[masses > 0] / masses.sum()
    return float(-(parts * np.log2(parts)).sum())


def split_of(column, codes, weights, n_classes, branch_of, least):
    """Gain and split information of one split, or None if fewer than two branches are large enough."""
    known = ~np.isnan(column)
    branches = [known & (branch_of(column) == branch) for branch in np.unique(branch_of(column[known]))]
    if sum(weights[rows].sum() >= least and rows.any() for rows in branches) < 2:
        return None
    mass = [np.bincount(codes[rows], weights[rows], n_classes) for rows in branches]
    total, known_mass = weights.sum(), weights[known].sum()
    left = sum(own.sum() / known_mass * entropy(own) for own in mass)
    gain = known_mass / total * (entropy(np.sum(mass, axis=0)) - left)
    parts = np.array([own.sum() for own in mass] + [total - known_mass])
    return max(gain, 0.0), entropy(parts)


def best_roots(X, codes, weights, nominal, least=2.0):
    """Columns that the rule may choose: several for equal ratios; None if two of them cannot be compared."""
    n, n_classes = len(codes), codes.max() + 1
    found = {}
    for at, column in enumerate(X.T):
        levels = np.unique(column[~np.isnan(column)])
        if nominal == "multiway":
            rules = [lambda values: values]
        else:
            rules = [lambda values, level=level: values == level for level in levels]
        splits = [split_of(column, codes, weights, n_classes, rule, least) for rule in rules]
        splits = [split for split in splits if split is not None]
        if splits:
            # The best split of a column has the largest gain; the first of equal ones.
            best = max(gain for gain, _ in splits)
            near = [split for split in splits if split[0] > best - 1e-12]
            if len({round(info, 12) for _, info in near}) > 1:
                return None
            found[at] = (*near[0], len(levels))
    if not found:
        return set()
    counted = [gain for gain, _, levels in found.values() if levels < 0.3 * n] or [
        gain for gain, _, _ in found.values()
    ]
    least_gain = np.mean(counted) - 1e-3
    if any(abs(gain - least_gain) < 1e-9 for gain, _, _ in found.values()):
        return None
    ratios = {
        at: gain / info
        for at, (gain, info, _) in found.items()
        if gain >= least_gain and gain > 1e-12 and info > 0
    }
    return {at for at, ratio in ratios.items() if ratio > max(ratios.values()) - 1e-12}


def root(model):
    """Column of the root, or None for a leaf."""
    feature = model.model_.nodes()[0].get("feature")
    return None if feature is None else int(feature.removeprefix("x"))


def test_reported_case():
    rng = np.random.default_rng(160)
    n = rng.integers(8, 31)
    c = rng.integers(2, 5)
    y = rng.integers(0, c, n)
    y[:c] = range(c)
    X = rng.integers(0, 2, (n, 3)).astype(float)
    X[rng.random((n, 3)) < rng.choice([0, 0.3, 0.7])] = np.nan
    for least, column in ((0.0, 0), (1.0, 0), (2.0, 2)):
        # With branches of at least 2 rows, the default, only x2 has a split.
        assert best_roots(X, y, np.ones(n), "multiway", least) == {column}
        model = C44Classifier(categorical_features=[0, 1, 2], min_weight_leaf=least)
        assert root(model.fit(X, y)) == column


@pytest.mark.parametrize("nominal", ["multiway", "ovr"])
@pytest.mark.parametrize("method", [C44Classifier, C45Classifier])
def test_roots_match_a_brute_force_reference(method, nominal):
    compared = pure = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        n, c, d = rng.integers(8, 31), rng.integers(2, 5), rng.integers(2, 5)
        y = rng.integers(0, c, n)
        y[:c] = range(c)
        X = rng.integers(0, rng.integers(2, 4), (n, d)).astype(float)
        X[rng.random((n, d)) < rng.choice([0, 0.3, 0.7, 0.85])] = np.nan
        if np.isnan(X).all(axis=0).any():
            continue
        weighted = seed % 2 == 1
        weights = rng.integers(1, 4, n).astype(float) if weighted else np.ones(n)
        options = {
            "min_weight_leaf": 0.0,
            "min_samples_leaf": 1,
            "max_depth": 1,
            "categorical_split": nominal,
        }
        if method is C45Classifier:
            options |= {"confidence": None, "collapse": False}
        expected = best_roots(X, y, weights, nominal, least=0.0)
        if expected is None:
            continue
        model = method(categorical_features=list(range(d)), **options)
        model.fit(X, y, sample_weight=weights if weighted else None)
        found = root(model)
        assert found in expected or (found is None and not expected), (seed, found, expected)
        compared += 1
        pure += any(len(set(y[~np.isnan(column)])) == 1 for column in X.T)
    assert compared > 100
    assert pure > 3
