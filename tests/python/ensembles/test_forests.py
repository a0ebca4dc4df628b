"""Forests in Python: attributes, members, out-of-bag scores, files and interrupts."""

import pickle
import time

import numpy as np
import pandas as pd
import pytest
from public_classes import CLASSES
from sklearn.datasets import make_classification
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.metrics import accuracy_score, average_precision_score, f1_score

import imbcore
from imbcore.ensembles import (
    BalancedRandomForestClassifier,
    RandomForestClassifier,
    WeightedRandomForestClassifier,
)
from imbcore.ensembles._base import BaseForest
from imbcore.exceptions import ParameterError

FORESTS = [found for found in CLASSES if issubclass(found, BaseForest)]


def data(rows=400, classes=2, seed=0):
    return make_classification(
        rows,
        6,
        n_informative=4,
        n_redundant=0,
        n_classes=classes,
        weights=[0.8] + [0.2 / (classes - 1)] * (classes - 1),
        random_state=seed,
    )


def test_all_classes_are_tested():
    assert {c.__name__ for c in FORESTS} == {
        "BEATClassifier",
        "BaggedC45Classifier",
        "BalancedRandomForestClassifier",
        "ExtraTreesClassifier",
        "ForestClassifier",
        "RandomForestClassifier",
        "SVRForestClassifier",
        "WeightedRandomForestClassifier",
    }


@pytest.mark.parametrize("forest_class", FORESTS)
def test_prediction_is_the_vote_of_the_members(forest_class):
    X, y = data(classes=3)
    forest = forest_class(n_estimators=7, random_state=0).fit(X, y)
    assert len(forest.estimators_) == 7
    mean = np.mean([tree.predict_proba(X) for tree in forest.estimators_], axis=0)
    np.testing.assert_array_equal(forest.predict(X), forest.classes_[mean.argmax(axis=1)])
    if getattr(forest, "prior_correction", "none") == "prior":
        # The samples are balanced between classes.
        mean *= np.bincount(y)
        mean /= mean.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(forest.predict_proba(X), mean, atol=1e-12)
    tree = forest.estimators_[-1]
    assert "class:" in tree.export_text()
    assert len(forest.estimators_[2:5]) == 3
    with pytest.raises(IndexError):
        forest.estimators_[7]
    assert imbcore.fit(X, y, method="cart", **tree.params).params.keys() == tree.params.keys()
    members = np.mean([tree.feature_importances_ for tree in forest.estimators_], axis=0)
    np.testing.assert_allclose(forest.feature_importances_, members, atol=1e-9)


# A tree of an SVR forest predicts weighted proportions, so its votes differ from its labels.
VOTERS = [found for found in FORESTS if found is not imbcore.SVRForestClassifier]


@pytest.mark.parametrize("forest_class", VOTERS)
def test_hard_votes_count_trees(forest_class):
    X, y = data()
    forest = forest_class(n_estimators=9, voting="hard", prior_correction="none", random_state=0).fit(X, y)
    votes = forest.predict_proba(X)
    np.testing.assert_allclose(votes.sum(axis=1), 1.0)
    if forest_class.__name__ == "WeightedRandomForestClassifier":
        return
    shares = np.mean([tree.predict(X)[:, None] == forest.classes_ for tree in forest.estimators_], axis=0)
    np.testing.assert_allclose(votes, shares, atol=1e-12)


def test_weighted_votes_use_leaf_weights():
    X, y = data()
    forest = imbcore.WeightedRandomForestClassifier(
        n_estimators=5, voting="hard", max_depth=2, random_state=0
    )
    forest.fit(X, y)
    sums = np.zeros((len(y), 2))
    for tree in forest.estimators_:
        leaves = tree.apply(X)
        nodes = {node["id"]: node for node in tree.nodes()}
        weight = np.array([sum(nodes[leaf]["mass"]) / nodes[leaf]["rows"] for leaf in leaves.tolist()])
        sums[np.arange(len(y)), (tree.predict(X) == forest.classes_[1]).astype(int)] += weight
    np.testing.assert_allclose(forest.predict_proba(X), sums / sums.sum(axis=1, keepdims=True), atol=1e-12)


def test_classes_have_equal_weight_in_weighted_forests():
    X, y = data()
    weighted = imbcore.fit(X, y, method="weighted_random_forest", n_estimators=3, random_state=1)
    same = imbcore.fit(X, y, method="random_forest", n_estimators=3, random_state=1, class_weight="balanced")
    np.testing.assert_array_equal(weighted.predict_proba(X), same.predict_proba(X))


def balanced(X, y, prior_correction="prior", **options):
    options = {"n_estimators": 20, "random_state": 0, "prior_correction": prior_correction, **options}
    return imbcore.fit(X, y, method="balanced_random_forest", **options)


def test_balanced_forests_correct_probabilities_and_predict_by_votes(tmp_path):
    X, y = data(rows=2000)
    shifted, votes = balanced(X, y), balanced(X, y, "none")
    expected = imbcore.costs.prior_shift(votes.predict_proba(X)[:, 1], 0.5, y.mean())
    np.testing.assert_allclose(shifted.predict_proba(X)[:, 1], expected, atol=1e-12)
    np.testing.assert_array_equal(shifted.predict(X), votes.predict(X))
    assert abs(expected.mean() - y.mean()) < abs(votes.predict_proba(X)[:, 1].mean() - y.mean())
    shifted.save(tmp_path / "forest.imb")
    again = imbcore.load(tmp_path / "forest.imb")
    np.testing.assert_array_equal(again.predict_proba(X), shifted.predict_proba(X))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(shifted)).predict(X), votes.predict(X))
    # A threshold applies to the probabilities.
    np.testing.assert_array_equal(balanced(X, y, threshold=0.3).predict(X), expected >= 0.3)
    costs = [[0.0, 1.0], [4.0, 0.0]]
    np.testing.assert_array_equal(balanced(X, y, cost_matrix=costs).predict(X), expected > 0.2)


def test_balanced_forests_accept_a_strategy():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = np.where(X[:, 0] + rng.normal(size=400) > 2.0, "ill", "well")
    n_ill = int((y == "ill").sum())

    def votes(**options):
        forest = imbcore.BalancedRandomForestClassifier(
            n_estimators=20, max_depth=1, prior_correction="none", random_state=0, **options
        )
        return forest.fit(X, y).predict_proba(X)[:, 0]

    usual = votes()
    names = {"sampling_strategy": "all", "replacement": True, "bootstrap": False}
    np.testing.assert_array_equal(votes(**names), usual)
    counts = votes(sampling_strategy={"ill": n_ill, "well": n_ill})
    np.testing.assert_array_equal(counts, usual)
    # Trees with twice as many other rows give the rare class lower probabilities.
    assert votes(sampling_strategy=0.5).mean() < 0.8 * usual.mean()
    assert votes(sampling_strategy={"well": 2 * n_ill}).mean() < 0.8 * usual.mean()
    assert abs(votes(bootstrap=True, sampling_strategy="auto", replacement=False).mean() - usual.mean()) < 0.1
    with pytest.raises(imbcore.ParameterError, match="sampling_strategy"):
        votes(sampling_strategy={"ill": n_ill + 1})


def test_weights_are_corrected_on_request():
    X, y = data(classes=3)
    method, weights = "random_forest", {0: 1.0, 1: 5.0, 2: 2.0}
    options = {"method": method, "class_weight": weights, "n_estimators": 5, "random_state": 0}
    sample_weight = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    votes = imbcore.fit(X, y, sample_weight=sample_weight, **options)
    shifted = imbcore.fit(X, y, sample_weight=sample_weight, prior_correction="prior", **options)
    expected = votes.predict_proba(X) / list(weights.values())
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(shifted.predict_proba(X), expected, atol=1e-12)
    # Without class weights there is nothing to correct, to the bit.
    plain = imbcore.fit(X, y, method=method, n_estimators=5, random_state=0)
    corrected = imbcore.fit(X, y, method=method, n_estimators=5, random_state=0, prior_correction="prior")
    np.testing.assert_array_equal(corrected.predict_proba(X), plain.predict_proba(X))


def test_out_of_bag_predictions_are_corrected_too():
    X, y = data(rows=2000)
    shifted = balanced(X, y, oob_score="f1")
    votes = balanced(X, y, "none", oob_score="f1")
    raw = votes.oob_decision_function_[:, 1]
    expected = imbcore.costs.prior_shift(raw, 0.5, y.mean())
    np.testing.assert_allclose(shifted.oob_decision_function_[:, 1], expected, atol=1e-12)
    assert shifted.oob_score_ == votes.oob_score_


@pytest.mark.parametrize("forest_class", FORESTS)
def test_out_of_bag_score_matches_its_definition(forest_class):
    X, y = data()
    # Predictions of these classes use corrected votes, see above.
    raw = {"prior_correction": "none"} if forest_class is imbcore.BalancedRandomForestClassifier else {}
    raw |= with_bootstrap(forest_class)
    forest = forest_class(n_estimators=20, oob_score=True, random_state=0, **raw).fit(X, y)
    answers = forest.oob_decision_function_
    known = ~np.isnan(answers[:, 0])
    assert known.mean() > 0.9
    predicted = forest.classes_[answers[known].argmax(axis=1)]
    assert forest.oob_score_ == pytest.approx(accuracy_score(y[known], predicted), abs=1e-12)
    assert 0.6 < forest.oob_score_ < 1.0
    by_f1 = forest_class(n_estimators=20, oob_score="f1", random_state=0, **raw).fit(X, y)
    assert by_f1.oob_score_ == pytest.approx(f1_score(y[known], predicted), abs=1e-12)
    plain = forest_class(n_estimators=2, random_state=0).fit(X, y)
    assert not hasattr(plain, "oob_score_")
    assert not hasattr(plain, "oob_decision_function_")
    with pytest.raises(imbcore.ParameterError, match="oob_score"):
        forest_class(oob_score="f7").fit(X, y)


def test_extra_trees_are_forests_with_random_thresholds():
    X, y = data()
    options = {
        "splitter": "random",
        "categorical_split": "subset",
        "bootstrap": False,
        "n_estimators": 5,
        "random_state": 3,
    }
    for extra in ({}, {"criterion": "hellinger", "class_weight": "balanced"}):
        named = imbcore.fit(X, y, "extra_trees", n_estimators=5, random_state=3, **extra)
        built = imbcore.fit(X, y, "random_forest", **options, **extra)
        np.testing.assert_array_equal(named.predict_proba(X), built.predict_proba(X))
        # Trees that are fully grown on all rows reproduce all labels.
        np.testing.assert_array_equal(named.predict_proba(X)[:, 1], y)
    thresholds = [node["threshold"] for node in named.estimators_[0].nodes() if "threshold" in node]
    assert len(thresholds) > 10
    assert not np.isin(thresholds, X).any()


def test_extra_trees_rank_like_those_of_scikit_learn():
    X, y = data(rows=3000, seed=5)
    half = np.arange(len(y)) % 2 == 0
    found = {}
    for name, make in (("ours", imbcore.ExtraTreesClassifier), ("theirs", ExtraTreesClassifier)):
        forests = [make(n_estimators=50, random_state=seed).fit(X[half], y[half]) for seed in range(4)]
        found[name] = [average_precision_score(y[~half], f.predict_proba(X[~half])[:, 1]) for f in forests]
    ours, theirs = (np.array(found[name]) for name in ("ours", "theirs"))
    # The mean of four, within four standard errors of the difference; the random numbers differ.
    error = np.sqrt((ours.var(ddof=1) + theirs.var(ddof=1)) / 4)
    assert abs(ours.mean() - theirs.mean()) < 4 * error + 0.002


def with_bootstrap(forest_class):
    """Options that give a forest out-of-bag rows, if its trees use all rows by default."""
    return {"bootstrap": True} if forest_class().get_params().get("splitter") == "random" else {}


def test_alphas_have_a_beta_distribution():
    X, y = data(80)
    forest = imbcore.BEATClassifier(n_estimators=40, beta_a=1, beta_b=3, random_state=0).fit(X, y)
    assert forest.alphas_.shape == (40,)
    assert ((forest.alphas_ > 0) & (forest.alphas_ < 2)).all()
    assert 0.3 < forest.alphas_.mean() < 0.7
    assert [tree.params["criterion"]["alpha"] for tree in forest.estimators_] == forest.alphas_.tolist()
    assert not hasattr(imbcore.fit(X, y, method="random_forest", n_estimators=2), "alphas_")
    assert not hasattr(imbcore.fit(X, y, method="cart"), "estimators_")
    uniform = imbcore.BEATClassifier(n_estimators=3, reference="uniform", random_state=0).fit(X, y)
    assert uniform.estimators_[0].params["criterion"]["reference"] == "uniform"


@pytest.mark.parametrize("forest_class", FORESTS)
def test_pickles_and_files(forest_class, tmp_path):
    X, y = data()
    with pytest.warns(imbcore.DataWarning, match=r"\d+ of 400 rows were drawn for every member"):
        forest = forest_class(
            n_estimators=5, oob_score=True, random_state=0, **with_bootstrap(forest_class)
        ).fit(X, y)
    again = pickle.loads(pickle.dumps(forest))
    np.testing.assert_array_equal(again.predict_proba(X), forest.predict_proba(X))
    assert again.oob_score_ == forest.oob_score_
    forest.model_.save(tmp_path / "forest.imb")
    read = imbcore.load(tmp_path / "forest.imb")
    assert read.to_bytes() == forest.model_.to_bytes()
    np.testing.assert_array_equal(read.oob_decision_function_, forest.oob_decision_function_)


@pytest.mark.parametrize("forest_class", FORESTS)
def test_more_trees_do_not_change_the_first(forest_class):
    X, y = data()
    few = forest_class(n_estimators=3, random_state=5, n_threads=1).fit(X, y)
    many = forest_class(n_estimators=9, random_state=5, n_threads=2).fit(X, y)
    for a, b in zip(few.estimators_, many.estimators_[:3], strict=True):
        assert a.to_bytes() == b.to_bytes()


def test_single_tree_attributes_are_rejected():
    X, y = data()
    model = imbcore.fit(X, y, method="random_forest", n_estimators=2)
    for question in ("export_text", "rules", "nodes", "to_dot"):
        with pytest.raises(AttributeError, match=f"{question}; .*trees have it; use one of estimators_"):
            getattr(model, question)
    assert "2 trees" in repr(model)


def test_apply_returns_the_leaves_of_every_tree():
    X, y = data()
    forest = imbcore.RandomForestClassifier(n_estimators=3, random_state=0).fit(X, y)
    expected = np.column_stack([tree.apply(X) for tree in forest.estimators_])
    assert np.array_equal(forest.apply(X), expected)


def test_progress_counts_trees():
    X, y = data()
    seen = []
    imbcore.fit(X, y, method="random_forest", n_estimators=30, callback=lambda *step: seen.append(step))
    assert {stage for stage, _, _ in seen} <= {"trees"}
    assert all(done <= total == 30 for _, done, total in seen)


def test_progress_counts_the_trees_of_the_inner_folds():
    X = np.random.default_rng(0).normal(size=(5000, 5))
    seen = []
    options = {"n_estimators": 3, "n_threads": 1, "callback": lambda *step: seen.append(step)}
    imbcore.fit(X, X[:, 0] + X[:, 1] > 2, "forest", **options)
    # Steps are skipped while the callback is busy, but 100 trees of this size take long enough for some.
    assert list(dict.fromkeys(stage for stage, _, _ in seen)) == ["held-out trees", "trees"]
    assert {total for stage, _, total in seen if stage == "held-out trees"} == {100}


def test_interrupt_is_handled_soon():
    X, y = make_classification(60_000, 20, n_informative=15, random_state=0)
    calls = []

    def stop(*_):
        calls.append(time.perf_counter())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        imbcore.fit(X, y, method="random_forest", n_estimators=2000, callback=stop)
    assert time.perf_counter() - calls[0] < 1.0


def test_weights_of_zero_equal_removed_rows():
    X, y = data()
    weight = np.where(np.arange(len(y)) % 3 == 0, 0.0, 1.0)
    kept = weight > 0
    for method in ("random_forest", "balanced_random_forest", "beat"):
        options = {"method": method, "n_estimators": 4, "random_state": 0}
        all_rows = imbcore.fit(X, y, sample_weight=weight, **options)
        fewer = imbcore.fit(X[kept], y[kept], **options)
        np.testing.assert_array_equal(all_rows.predict_proba(X), fewer.predict_proba(X))


class TestAutoNumberOfTrees:
    """``n_estimators="auto"``."""

    X = np.random.default_rng(5).normal(size=(400, 3))
    Y = X[:, 0] + np.random.default_rng(6).normal(size=400) > 1

    @pytest.mark.parametrize(
        "forest", [RandomForestClassifier, BalancedRandomForestClassifier, WeightedRandomForestClassifier]
    )
    def test_equals_the_forest_of_that_size(self, forest):
        auto = forest(n_estimators="auto", random_state=0).fit(self.X, self.Y)
        number = forest(n_estimators=len(auto), random_state=0).fit(self.X, self.Y)
        assert len(auto) in (100, 200, 400, 800)
        assert np.array_equal(auto.predict_proba(self.X), number.predict_proba(self.X))

    def test_rejects_forests_without_out_of_bag_rows(self):
        for given in ({"method": "forest"}, {"method": "random_forest", "bootstrap": False}):
            with pytest.raises(ParameterError, match=r"n_estimators.*bootstrap=True"):
                imbcore.fit(self.X, self.Y, n_estimators="auto", **given)
        with pytest.raises(ParameterError, match=r"warm_start=True .* whole number"):
            RandomForestClassifier(n_estimators="auto", warm_start=True).fit(self.X, self.Y)
        for method in ("bagging", "beat", "svr_forest"):
            with pytest.raises(ParameterError, match=r"n_estimators.*whole number"):
                imbcore.fit(self.X, self.Y, method=method, n_estimators="auto")


@pytest.mark.parametrize("groups", [None, np.arange(100) % 50])
def test_the_prior_correction_refers_to_the_rows_of_a_first_sample(groups):
    """Of 20 rows or groups, class 0 keeps 5 rows, and class 1 all."""
    X, y = np.zeros((100, 1)), np.repeat([0, 1], 50)
    options = {"n_estimators": 200, "sampling_strategy": {0: 5}, "bootstrap": True, "max_samples": 20}
    forest = imbcore.BalancedRandomForestClassifier(**options, random_state=0).fit(X, y, groups=groups)
    assert forest.predict_proba(X[:1])[0, 0] == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("vote", ["soft", "hard"])
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.filterwarnings("ignore:column 'x2' is missing in all 100 rows")
def test_batches_predict_like_single_rows(classes, vote):
    # Trees are reordered for batches only; blocks with missing values use the code path of single rows.
    X, y = data(3000, classes)
    X[:, 0] = X[:, 0].round(1)
    forest = imbcore.fit(X, y, "random_forest", n_estimators=9, random_state=0, voting=vote)
    holes = X.copy()
    holes[2500:2600, 2] = np.nan
    for rows in (X, np.asfortranarray(X), holes):
        few = [forest.predict_proba(rows[at : at + 100]) for at in range(0, len(rows), 100)]
        np.testing.assert_array_equal(forest.predict_proba(rows), np.concatenate(few))
        np.testing.assert_array_equal(forest.predict_proba(rows, n_threads=3), np.concatenate(few))


def test_batches_predict_like_single_rows_if_only_some_trees_have_levels():
    X, y = data(3000)
    frame = pd.DataFrame(X).rename(columns=str)
    frame["5"] = pd.qcut(X[:, 5], 4, labels=list("abcd"))
    forest = imbcore.fit(
        frame, y, "weighted_random_forest", n_estimators=15, random_state=0, max_depth=2, voting="hard"
    )
    few = [forest.predict_proba(frame[at : at + 100]) for at in range(0, 3000, 100)]
    np.testing.assert_array_equal(forest.predict_proba(frame), np.concatenate(few))


@pytest.mark.parametrize("columns", [8, 40])
def test_batches_of_one_tree_predict_like_single_rows(columns):
    X, y = make_classification(3000, columns, n_informative=4, flip_y=0.2, random_state=0)
    tree = imbcore.fit(X, y, "hddt")
    assert tree.n_leaves_ > 64
    for rows in (X, np.asfortranarray(X)):
        few = np.concatenate([tree.apply(rows[at : at + 100]) for at in range(0, len(rows), 100)])
        np.testing.assert_array_equal(tree.apply(rows), few)
        few = np.concatenate([tree.predict_proba(rows[at : at + 100]) for at in range(0, len(rows), 100)])
        np.testing.assert_array_equal(tree.predict_proba(rows), few)
