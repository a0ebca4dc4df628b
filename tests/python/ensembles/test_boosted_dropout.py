"""Dropout of rounds: compared with a slow reference for every round, and cases without effect."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from sklearn.datasets import make_classification

import imbcore
from imbcore import BoostedTreesClassifier
from imbcore.exceptions import ParameterError, UnsupportedError

PLAIN = {"subsample": 1.0, "colsample_bytree": 1.0, "max_leaf_nodes": 6, "min_samples_leaf": 15}


def rows(n_classes=2, n=400, seed=0):
    X, y = make_classification(
        n, 6, n_informative=4, n_redundant=0, n_classes=n_classes, flip_y=0.1, random_state=seed
    )
    return X, y


def tree_contributions(model, X):
    """Contribution of every tree to the score of every row; one entry per tree."""
    leaves = model.apply(X)
    trees = model.to_shap()["trees"]
    return [tree["values"][leaves[:, at], 0] for at, tree in enumerate(trees)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rate", [0.05, 0.3, 0.8])
def test_every_round_matches_a_slow_reference(seed, rate):
    X, y = rows(seed=seed)
    options = PLAIN | {"learning_rate": 0.4, "reg_lambda": 0.5, "random_state": seed, "dropout_rate": rate}
    models = [imbcore.fit(X, y, "boosted_trees", n_rounds=n, **options) for n in range(1, 13)]
    start = np.log(y.mean() / (1 - y.mean()))
    counts = []
    for before, after in pairwise(models):
        old, new = tree_contributions(before, X), tree_contributions(after, X)
        dropped = [at for at, tree in enumerate(old) if not np.array_equal(tree, new[at])]
        k = len(dropped)
        counts.append(k)
        assert k >= 1
        for at in dropped:
            np.testing.assert_allclose(new[at], old[at] * k / (k + 1), rtol=1e-12)
        # The round is fitted without the dropped trees.
        score = start + sum(tree for at, tree in enumerate(old) if at not in dropped) + np.zeros(len(y))
        p = 1 / (1 + np.exp(-score))
        leaves = after.apply(X)[:, -1]
        for leaf in np.unique(leaves):
            here = leaves == leaf
            step = (y - p)[here].sum() / ((p * (1 - p))[here].sum() + 0.5)
            np.testing.assert_allclose(new[-1][here], 0.4 * step / (k + 1), rtol=1e-6)
    assert max(counts) > 1 or rate < 0.1


@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_are_sums_of_tree_contributions(n_classes):
    """Rounds subtract trees from the scores and add them again: the result equals the model's score."""
    X, y = rows(n_classes)
    options = {"dropout_rate": 0.3, "random_state": 1, "n_rounds": 60}
    found = [
        imbcore.fit(X, y, "boosted_trees", n_threads=threads, **options).predict_proba(X)
        for threads in (1, 2, 3)
    ]
    assert all(np.array_equal(found[0], other) for other in found[1:])
    model = imbcore.fit(X, y, "boosted_trees", **options)
    score = model.decision_function(X)
    if n_classes == 2:
        total = np.sum(tree_contributions(model, X), axis=0)
        np.testing.assert_allclose(score - score[0], total - total[0], atol=1e-9)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), found[0])


def test_skip_probability_of_one_disables_dropout():
    X, y = rows()
    fit = {"n_rounds": 30, "random_state": 2}
    plain = imbcore.fit(X, y, "boosted_trees", **fit)
    skipped = imbcore.fit(X, y, "boosted_trees", dropout_rate=0.5, skip_dropout=1.0, **fit)
    assert np.array_equal(plain.predict_proba(X), skipped.predict_proba(X))
    dropped = imbcore.fit(X, y, "boosted_trees", dropout_rate=0.5, **fit)
    assert not np.array_equal(plain.predict_proba(X), dropped.predict_proba(X))


def test_rounds_are_chosen_with_dropout():
    """The inner folds score a model of n rounds with the tree scales after n rounds."""
    X, y = rows(n=1200)
    fit = {"dropout_rate": 0.2, "random_state": 0}
    model = imbcore.fit(X, y, "boosted_trees", max_rounds=80, **fit)
    path = model.validation_path_
    assert model.n_rounds_ == 1 + int(np.argmin(path))
    given = imbcore.fit(X, y, "boosted_trees", n_rounds=model.n_rounds_, **fit)
    assert np.array_equal(given.apply(X), model.apply(X))


def test_invalid_options_are_rejected():
    X, y = rows()
    dropped = BoostedTreesClassifier(n_rounds=5, dropout_rate=0.3, random_state=0)
    fitted = dropped.fit(X, y)
    with pytest.raises(UnsupportedError, match="dropout_rate"):
        fitted.model_.truncate(2)
    with pytest.raises(UnsupportedError, match="dropout_rate"):
        next(fitted.staged_predict(X))
    warm = BoostedTreesClassifier(n_rounds=3, dropout_rate=0.3, warm_start=True, random_state=0).fit(X, y)
    with pytest.raises(ParameterError, match="fit from scratch"):
        warm.set_params(n_rounds=6).fit(X, y)
    for name, value in [("dropout_rate", 1.0), ("dropout_rate", -0.1), ("skip_dropout", 1.5)]:
        with pytest.raises(ParameterError, match=name):
            imbcore.fit(X, y, "boosted_trees", **{name: value})
