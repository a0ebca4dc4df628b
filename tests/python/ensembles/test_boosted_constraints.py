"""Boosted trees: monotone and interaction constraints, and row sampling of each round."""

import json

import numpy as np
import pytest
from boosting_oracle import Oracle, balanced_loss_of, log_loss_of, table

import imbcore
from imbcore import BoostedTreesClassifier
from imbcore.exceptions import ParameterError

LIMITS = {
    "max_leaf_nodes": 9,
    "min_samples_leaf": 6,
    "learning_rate": 0.3,
    "reg_lambda": 0.7,
    "level_smoothing": 2.0,
    "subsample": 1.0,
    "colsample_bytree": 1.0,
}


@pytest.mark.parametrize(("objective", "loss"), [("log_loss", log_loss_of), ("balanced", balanced_loss_of)])
@pytest.mark.parametrize(
    ("signs", "sets"), [([1, -1, 0, 0], None), ([-1, 0, 0, 0], [[0, 2], [1, 3]]), (None, [[0, 3], [1, 2, 3]])]
)
@pytest.mark.parametrize("seed", [0, 1])
def test_two_rounds_match_a_slow_reference(seed, signs, sets, objective, loss):
    columns, y = table(seed)
    model = imbcore.fit(
        columns,
        y,
        "boosted_trees",
        n_rounds=2,
        objective=objective,
        monotonic_cst=signs,
        interaction_cst=sets,
        random_strength=0.0,
        **LIMITS,
    )
    oracle = Oracle(columns, y, LIMITS, loss(y), signs, sets and [set(of) for of in sets])
    scores, grown = oracle.fit(2)
    leaves = model.apply(columns)
    for at, (_, parts) in enumerate(grown):
        found = [tuple(np.flatnonzero(leaves[:, at] == leaf)) for leaf in np.unique(leaves[:, at])]
        assert sorted(found) == parts
    assert model.decision_function(columns).tolist() == scores
    options = {"n_rounds": 2, "objective": objective, "random_strength": 0.0}
    free = imbcore.fit(columns, y, "boosted_trees", **options, **LIMITS)
    assert free.decision_function(columns).tolist() != scores


def monotone_data(seed=0, n=1500):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    score = X[:, 0] - 0.7 * X[:, 1] + X[:, 2] * X[:, 3] + rng.normal(size=n)
    X[rng.random(X.shape) < 0.05] = np.nan
    return X, (score > 2).astype(int)


@pytest.mark.parametrize(
    "options",
    [
        {"objective": "log_loss", "n_rounds": "auto", "max_rounds": 30},
        {"objective": "balanced", "reg_alpha": 0.5},
        {"objective": "focal", "subsample": 1.0},
        {"max_leaf_nodes": None, "max_depth": 4, "min_samples_leaf": 1, "reg_lambda": 0.0},
        {"calibrate": "isotonic"},
    ],
)
@pytest.mark.parametrize("positive", [0, 1])
def test_probabilities_of_the_positive_class_are_monotone(options, positive):
    X, y = monotone_data()
    boosted = BoostedTreesClassifier(
        monotonic_cst=[1, -1, 0, 0],
        positive=positive,
        random_state=0,
        **{"n_rounds": 20, **options},
    )
    boosted.fit(X, y if positive else 1 - y)
    assert boosted.feature_importances_[:2].min() > 0
    for column, sign in [(0, 1), (1, -1)]:
        answers = []
        for value in np.linspace(-4, 4, 50):
            moved = X[:300].copy()
            moved[:, column] = value
            answers.append(sign * boosted.predict_proba(moved)[:, positive])
        assert (np.diff(answers, axis=0) >= 0).all()
    # The unconstrained model is not monotone.
    free = BoostedTreesClassifier(random_state=0, n_rounds=20).fit(X, y)
    moved = [free.predict_proba(np.c_[np.full(300, v), X[:300, 1:]])[:, 1] for v in np.linspace(-4, 4, 50)]
    assert (np.diff(moved, axis=0) < 0).any()


def path_feature_sets(tree, at=0, above=frozenset()):
    """The feature sets of the paths of a tree."""
    node = tree[at]
    if "children" not in node:
        return {above}
    return set().union(
        *(path_feature_sets(tree, child, above | {node["feature"]}) for child in node["children"])
    )


@pytest.mark.parametrize(
    ("given", "sets"),
    [
        ([[0, 1], [2, 3]], [{0, 1}, {2, 3}, {4}]),
        ([["a", "b"], ["b", "c"]], [{0, 1}, {1, 2}, {3, 4}]),
        ("no_interactions", [{at} for at in range(5)]),
        ("pairwise", [{a, b} for a in range(5) for b in range(5)]),
    ],
)
def test_paths_use_features_of_one_set(given, sets):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(2000, 5))
    y = X[:, 0] * X[:, 1] * X[:, 2] + X[:, 3] * X[:, 4] + rng.normal(size=2000) > 1.5
    data = dict(zip("abcde", X.T, strict=True))
    options = {"n_rounds": 10, "random_state": 0, "colsample_bytree": 1.0}
    model = imbcore.fit(data, y, "boosted_trees", interaction_cst=given, **options)
    trees = json.loads(model.to_json())["steps"][0]["trees"]
    found = set().union(*(path_feature_sets(tree) for tree in trees))
    assert all(any(way <= of for of in sets) for way in found)
    assert max(map(len, found)) == max(map(len, sets))
    free = json.loads(imbcore.fit(data, y, "boosted_trees", **options).to_json())["steps"][0]["trees"]
    assert max(map(len, set().union(*(path_feature_sets(tree) for tree in free)))) == 5


def test_score_without_interactions_is_additive():
    X, y = monotone_data(3)
    boosted = BoostedTreesClassifier(interaction_cst="no_interactions", n_rounds=20, random_state=0).fit(X, y)
    one, other = X[:200], X[200:400].copy()
    mixed = np.c_[one[:, :2], other[:, 2:]], np.c_[other[:, :2], one[:, 2:]]
    total = boosted.decision_function(one) + boosted.decision_function(other)
    np.testing.assert_allclose(sum(map(boosted.decision_function, mixed)), total, atol=1e-9)


def test_constraints_by_name_and_by_position_are_equal():
    X, y = monotone_data()
    data = dict(zip("abcd", X.T, strict=True))
    by_name = {"monotonic_cst": {"b": -1, "a": 1}, "interaction_cst": [["a", "b"]]}
    by_place = {"monotonic_cst": np.array([1, -1, 0, 0]), "interaction_cst": [{0, 1}, (2, 3)]}
    a, b = (
        imbcore.fit(data, y, "boosted_trees", n_rounds=5, random_state=0, **given)
        for given in (by_name, by_place)
    )
    np.testing.assert_array_equal(a.predict_proba(data), b.predict_proba(data))


def test_invalid_constraints_are_named():
    X, y = monotone_data()
    data = {"a": X[:, 0], "b": ["x", "y"] * (len(y) // 2)}
    for options, words in [
        ({"monotonic_cst": {"z": 1}}, "must name features of the data, got 'z'"),
        ({"monotonic_cst": {"b": 1}}, "nominal"),
        ({"monotonic_cst": [2, 0]}, "-1, 0 and 1"),
        ({"monotonic_cst": [1]}, "2 numbers"),
        ({"interaction_cst": [["a", "q"]]}, "must name features of the data, got 'q'"),
        ({"interaction_cst": [[0, 2]]}, "positions from 0 to 1"),
        ({"interaction_cst": "some"}, "interaction_cst"),
    ]:
        with pytest.raises(ParameterError, match=words):
            imbcore.fit(data, y, "boosted_trees", **options)
    with pytest.raises(ParameterError, match="more than two classes"):
        imbcore.fit(data, np.arange(len(y)) % 3, "boosted_trees", monotonic_cst=[1, 0])


GOSS = {"sampling": "goss", "n_rounds": 10, "random_state": 0}


def few_positives(n=6000):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(n, 6))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n) > 3.5).astype(int)


@pytest.mark.parametrize("objective", ["log_loss", "balanced", "focal"])
def test_one_side_sampling_keeps_every_positive_and_the_total_weight(objective):
    X, y = few_positives()
    model = imbcore.fit(X, y, "boosted_trees", objective=objective, **GOSS)
    for tree in range(10):
        np.testing.assert_allclose(model._native.masses(tree)[0], np.bincount(y))
    held = few_positives(30000)
    p = model.predict_proba(held[0][6000:])[:, 1]
    assert p.mean() == pytest.approx(held[1][6000:].mean(), rel=0.25)


def test_one_side_sampling_of_all_rows_changes_nothing():
    X, y = few_positives(1500)
    options = {"n_rounds": 5, "random_state": 0}
    all_rows = imbcore.fit(X, y, "boosted_trees", subsample=1.0, **options).decision_function(X)
    for rates in [(0.0, 1.0), (0.4, 0.6)]:
        goss = dict(zip(("top_rate", "other_rate"), rates, strict=True))
        found = imbcore.fit(X, y, "boosted_trees", sampling="goss", **goss, **options)
        np.testing.assert_array_equal(found.decision_function(X), all_rows)
    with pytest.raises(ParameterError, match="with top_rate at most 1"):
        imbcore.fit(X, y, "boosted_trees", sampling="goss", top_rate=0.5, other_rate=0.6)


def test_one_side_sampling_of_several_classes_depends_on_the_seed():
    X, y = few_positives(2000)
    labels = y + 2 * (X[:, 3] > 1.8)

    def fit_proba(seed, n_threads=1):
        options = {**GOSS, "random_state": seed, "n_threads": n_threads}
        return imbcore.fit(X, labels, "boosted_trees", **options).predict_proba(X)

    np.testing.assert_array_equal(fit_proba(0), fit_proba(0, 3))
    assert (fit_proba(0) != fit_proba(1)).any()
    np.testing.assert_allclose(fit_proba(0).mean(axis=0), np.bincount(labels) / 2000, atol=0.03)
