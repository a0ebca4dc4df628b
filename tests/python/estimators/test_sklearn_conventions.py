"""Expectations of scikit-learn users for a classifier, a tree and a forest."""

import copy
import pickle
import warnings

import joblib
import numpy as np
import pytest
from public_classes import CLASSES
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.tree import DecisionTreeClassifier

import imbcore
from imbcore.decisions import CalibratedClassifier, ThresholdClassifier
from imbcore.decompositions import OVAClassifier
from imbcore.ensembles._base import BaseForest
from imbcore.exceptions import DataError, ParameterError, UnsupportedError
from imbcore.trees._base import SingleTree

FORESTS = [found for found in CLASSES if issubclass(found, BaseForest)]
TREES = [found for found in CLASSES if issubclass(found, SingleTree)]
AROUND = [
    CalibratedClassifier(LogisticRegression(), cv=2),
    ThresholdClassifier(LogisticRegression(), cv=2),
    OVAClassifier(LogisticRegression()),
]
# The positive class of these data is not rare, and calibration uses few rows.
pytestmark = pytest.mark.filterwarnings("ignore::imbcore.exceptions.DataWarning")


def rows(n=120):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 4))
    return X, np.where(X[:, 0] + 0.7 * rng.normal(size=n) > 0.9, "rare", "common")


def fast_estimator(estimator_class, **options):
    few = {"n_estimators": 5, "random_state": 0, "time_limit": 5.0, "class_costs": (1.0, 0.8)}
    known = estimator_class().get_params()
    return estimator_class(**{name: value for name, value in few.items() if name in known} | options)


class TestEveryClassifier:
    @pytest.mark.parametrize(
        "estimator", [*map(fast_estimator, CLASSES), *AROUND], ids=lambda one: type(one).__name__
    )
    def test_log_probabilities_and_number_of_classes(self, estimator):
        X, y = rows()
        fitted = copy.deepcopy(estimator).fit(X, y)
        proba, logarithms = fitted.predict_proba(X), fitted.predict_log_proba(X)
        assert fitted.n_classes_ == 2
        np.testing.assert_allclose(np.exp(logarithms), proba, rtol=1e-14)
        assert (np.isneginf(logarithms) == (proba == 0.0)).all()

    @pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
    @pytest.mark.parametrize("estimator_class", CLASSES)
    def test_sparse_matrix_equals_its_dense_copy(self, estimator_class, kind):
        X, y = rows(60)
        X[X < 0.3] = 0.0
        dense, thin = (
            fast_estimator(estimator_class).fit(X, y),
            fast_estimator(estimator_class).fit(kind(X), y),
        )
        np.testing.assert_array_equal(thin.predict_proba(kind(X)), dense.predict_proba(X))

    def test_large_sparse_matrix_is_rejected_with_its_size(self):
        X, y = sparse.csr_array((2000, 10**6)), np.arange(2000) % 2
        with pytest.raises(DataError, match=r"would have 16\.0 GB.*at most 125 rows at a time"):
            imbcore.CARTClassifier().fit(X, y)
        tree = imbcore.CARTClassifier().fit([[0.0], [1.0]], [0, 1])
        with pytest.raises(DataError, match="more than the limit of"):
            tree.predict(sparse.csr_array((2 * 10**8, 1)))

    def test_multiple_outputs_are_rejected_with_the_remedy(self):
        X, y = rows(20)
        with pytest.raises(DataError, match="MultiOutputClassifier"):
            imbcore.CARTClassifier().fit(X, np.column_stack([y, y]))
        with pytest.raises(TypeError, match="sparse multilabel-indicator"):
            imbcore.CARTClassifier().fit(X, sparse.eye_array(20))


class TestParameters:
    @pytest.mark.parametrize("estimator_class", [imbcore.CARTClassifier, imbcore.RandomForestClassifier])
    @pytest.mark.parametrize(("share", "number"), [(0.051, 7), (0.05, 6), (1.0, 120), (1e-9, 1)])
    def test_fractions_of_rows_are_rounded_up(self, estimator_class, share, number):
        X, y = rows()
        found = fast_estimator(estimator_class, min_samples_leaf=share).fit(X, y)
        wanted = fast_estimator(estimator_class, min_samples_leaf=number).fit(X, y)
        assert found.model_.to_bytes() == wanted.model_.to_bytes()
        found = fast_estimator(estimator_class, min_samples_split=share).fit(X, y)
        assert found.model_.params["min_samples_split"] == max(2, number)

    def test_fractions_in_members_refer_to_all_rows(self):
        X, y = rows()

        def bags(**inside):
            return fast_estimator(imbcore.BaggingClassifier, estimator=imbcore.CARTClassifier(**inside)).fit(
                X, y
            )

        found, wanted = bags(min_samples_leaf=0.05), bags(min_samples_leaf=6)
        assert found.model_.to_bytes() == wanted.model_.to_bytes() != bags().model_.to_bytes()

    @pytest.mark.parametrize("share", [0.0, -0.1, 1.1, 2.0, np.nan])
    def test_invalid_fractions_are_rejected(self, share):
        with pytest.raises(ParameterError, match=r"`min_samples_leaf` .* a fraction of the rows"):
            imbcore.CARTClassifier(min_samples_leaf=share).fit(*rows())

    @pytest.mark.parametrize("criterion", ["log_loss", {"name": "log_loss"}])
    def test_log_loss_is_entropy(self, criterion):
        X, y = rows()
        wanted = imbcore.fit(X, y, "cart", criterion="entropy").to_bytes()
        assert imbcore.fit(X, y, "cart", criterion=criterion).to_bytes() == wanted
        inside = {"estimator_params": {"criterion": criterion}}
        bags = imbcore.fit(X, y, "bagging", estimator="cart", n_estimators=2, random_state=0, **inside)
        assert bags.params["estimator_params"]["criterion"] == "entropy"

    def test_balanced_subsample_needs_full_bootstrap_samples(self):
        X, y = rows()
        with pytest.raises(ParameterError, match="BaggingClassifier"):
            fast_estimator(imbcore.RandomForestClassifier, class_weight="balanced_subsample").fit(X, y)
        options = {"bootstrap": False, "class_weight": "balanced_subsample"}
        found = fast_estimator(imbcore.RandomForestClassifier, **options).fit(X, y)
        wanted = fast_estimator(imbcore.RandomForestClassifier, **options | {"class_weight": "balanced"}).fit(
            X, y
        )
        assert found.model_.to_bytes() == wanted.model_.to_bytes()

    @pytest.mark.parametrize(
        ("estimator_class", "options"),
        [
            (imbcore.RandomForestClassifier, {}),
            (imbcore.BaggingClassifier, {}),
            (imbcore.BaggingClassifier, {"estimator": LogisticRegression()}),
        ],
    )
    def test_oob_score_may_be_a_function(self, estimator_class, options):
        X, y = rows()
        calls = []

        def score(truth, answers):
            calls.append(len(truth))
            return f1_score(truth, answers, pos_label="rare")

        def made(oob_score, **more):
            given = options | {"n_estimators": 20, "oob_score": oob_score} | more
            return estimator_class(random_state=0, **given).fit(X, y)

        assert made(score).oob_score_ == made("f1").oob_score_
        assert len(calls) == 1
        # If requested later, existing members predict; with another score function they are scored again.
        warm = made(False, warm_start=True)
        for later in (True, "f1", score):
            with pytest.warns(UserWarning, match="Warm-start"):
                warm.set_params(oob_score=later).fit(X, y)
            assert warm.oob_score_ == made(later).oob_score_


@pytest.mark.parametrize("estimator_class", TREES)
class TestTrees:
    def test_tree_view_predicts_like_the_tree(self, estimator_class):
        X, y = rows()
        fitted = fast_estimator(estimator_class).fit(X, y)
        tree = fitted.tree_
        at = np.zeros(len(X), dtype=int)
        while (inside := tree.children_left[at] != -1).any():
            left = X[np.arange(len(X)), tree.feature[at]] <= tree.threshold[at]
            at = np.where(inside, np.where(left, tree.children_left[at], tree.children_right[at]), at)
        np.testing.assert_array_equal(at, fitted.apply(X))
        np.testing.assert_array_equal(tree.predict(X), fitted.predict_proba(X))
        assert (tree.node_count, tree.n_leaves) == (len(tree.value), (tree.children_left == -1).sum())
        assert (tree.max_depth, tree.n_leaves) == (fitted.get_depth(), fitted.get_n_leaves())
        assert fitted.decision_path(X).shape == (len(X), tree.node_count)
        np.testing.assert_array_equal(tree.decision_path(X).sum(axis=0), [tree.n_node_samples])


class TestAgainstScikitLearn:
    @pytest.mark.parametrize("criterion", ["gini", "log_loss"])
    def test_tree_view_has_the_same_nodes(self, criterion):
        X, y = rows()
        weights = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
        options = {"criterion": criterion, "max_depth": 3, "random_state": 0}
        ours = imbcore.CARTClassifier(**options).fit(X, y, weights)
        theirs = DecisionTreeClassifier(**options).fit(X, y, weights)
        # Node numbers differ: ours are assigned when nodes are split, theirs depth-first.
        pairs = np.unique(np.column_stack([ours.apply(X), theirs.apply(X)]), axis=0)
        assert len(pairs) == theirs.get_n_leaves() == ours.get_n_leaves()
        here, there = [0, *pairs[:, 0]], [0, *pairs[:, 1]]
        for name in ("impurity", "value", "weighted_n_node_samples", "n_node_samples", "feature"):
            found, wanted = getattr(ours.tree_, name)[here], getattr(theirs.tree_, name)[there]
            np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12, err_msg=name)
        np.testing.assert_allclose(ours.tree_.threshold[0], theirs.tree_.threshold[0], rtol=1e-6)
        assert ours.max_features_ == theirs.max_features_

    @pytest.mark.parametrize("criterion", ["gini", "entropy"])
    @pytest.mark.parametrize("least", [0.001, 0.01, 0.05])
    @pytest.mark.parametrize("leaves", [None, 6])
    def test_minimum_impurity_decrease(self, criterion, least, leaves):
        X, y = rows()
        weights = np.random.default_rng(1).uniform(0.5, 2.0, len(y))
        options = {"criterion": criterion, "min_impurity_decrease": least, "max_leaf_nodes": leaves}
        ours = imbcore.CARTClassifier(random_state=0, **options).fit(X, y, weights)
        theirs = DecisionTreeClassifier(random_state=0, **options).fit(X, y, weights)
        assert ours.get_n_leaves() == theirs.get_n_leaves()
        assert len(set(zip(ours.apply(X), theirs.apply(X), strict=True))) == theirs.get_n_leaves()

    @pytest.mark.parametrize("max_features", ["sqrt", "log2", 3, 0.5, 0.01, None])
    def test_features_per_node(self, max_features):
        X, y = rows()
        ours = imbcore.CARTClassifier(max_features=max_features).fit(X, y)
        assert ours.max_features_ == DecisionTreeClassifier(max_features=max_features).fit(X, y).max_features_
        # The logarithm of 1 is 0.
        assert imbcore.CARTClassifier(max_features="log2").fit(X[:, :1], y).max_features_ == 1

    @pytest.mark.parametrize("estimator_class", FORESTS)
    def test_forests_have_the_same_shapes(self, estimator_class):
        X, y = rows()
        ours, theirs = (
            fast_estimator(estimator_class).fit(X, y),
            RandomForestClassifier(5, random_state=0).fit(X, y),
        )
        (indicator, starts), (shape, their_starts) = ours.decision_path(X), theirs.decision_path(X)
        assert (type(indicator).__name__, starts.dtype) == (type(shape).__name__, their_starts.dtype)
        assert (len(starts), starts[0], starts[-1]) == (len(their_starts), 0, indicator.shape[1])
        leaves = ours.apply(X)
        assert leaves.shape == theirs.apply(X).shape == (len(X), len(ours)) == (len(X), 5)
        for place, tree in enumerate(ours):
            path = indicator[:, starts[place] : starts[place + 1]]
            assert (path != tree.decision_path(X)).nnz == 0
            assert (path[np.arange(len(X)), leaves[:, place]] == 1).all()
        assert ours[0].to_bytes() == ours.estimators_[0].to_bytes()


def missing_data():
    X, y = rows()
    X[np.random.default_rng(0).random(X.shape) < 0.15] = np.nan
    return X, y


class TestToShap:
    @pytest.mark.parametrize(
        ("method", "options"),
        [
            ("cart", {}),
            ("hddt", {"leaf_estimate": "laplace"}),
            ("cart", {"calibrate": "sigmoid"}),
            ("random_forest", {"n_estimators": 7}),
            ("random_forest", {"n_estimators": 3, "voting": "hard"}),
            ("balanced_random_forest", {"n_estimators": 5, "calibrate": "sigmoid"}),
            ("beat", {"n_estimators": 5}),
            ("svr_tree", {}),
            ("svr_forest", {"n_estimators": 3}),
            ("optimal_tree", {"time_limit": 5.0}),
        ],
    )
    def test_shap_values_equal_ours(self, method, options):
        shap = pytest.importorskip("shap")
        X, y = rows() if method in ("svr_tree", "svr_forest", "optimal_tree") else missing_data()
        model = imbcore.fit(X, y, method, random_state=0, **options)
        explainer = shap.TreeExplainer(model.to_shap())
        found = explainer.shap_values(X[:20], check_additivity=False)
        for code, label in enumerate(model.classes_.tolist()):
            wanted = model.explain(X[:20], label=label)
            np.testing.assert_allclose(found[..., code], wanted.values, rtol=0, atol=1e-10)
            assert abs(explainer.expected_value[code] - wanted.base_value) < 1e-10

    def test_split_of_missing_values_only(self):
        """All observed values go to one side of a threshold at infinity."""
        X = np.array([[1.0], [2.0], [np.nan], [np.nan]])
        tree = imbcore.fit(X, [0, 0, 1, 1], "cart").tree_
        assert (tree.threshold[0], tree.missing_go_to_left[0]) == (np.inf, 0)

    def test_unsupported_trees_are_rejected(self):
        X, y = missing_data()
        table = {"k": [text[0] for text in y], "x": X[:, 0]}
        nominal = imbcore.fit(table, y, "cart")
        shares = imbcore.fit(X, y, "cart", missing="fraction")
        voted = imbcore.fit(X, y, "weighted_random_forest", n_estimators=3, random_state=0)
        with pytest.raises(UnsupportedError, match="levels of a nominal column"):
            nominal.to_shap()
        with pytest.raises(UnsupportedError, match="levels of a nominal column"):
            nominal.tree_  # noqa: B018 -- the attribute access raises
        with pytest.raises(UnsupportedError, match="divides them"):
            shares.to_shap()
        with pytest.raises(UnsupportedError, match="weights of their leaves"):
            voted.to_shap()


def by_pickle(estimator, path):
    return pickle.loads(pickle.dumps(estimator))


def by_joblib(estimator, path):
    joblib.dump(estimator, path)
    return joblib.load(path)


def by_skops(estimator, path):
    stored = pytest.importorskip("skops.io")
    stored.dump(estimator, path)
    return stored.load(path, trusted=stored.get_untrusted_types(file=path))


def by_mlflow(estimator, path):
    stored = pytest.importorskip("skops.io")
    with warnings.catch_warnings():
        # Warnings of mlflow's own dependencies.
        warnings.simplefilter("ignore")
        flavour = pytest.importorskip("mlflow.sklearn", reason="mlflow is not installed")
    trusted = stored.get_untrusted_types(data=stored.dumps(estimator))
    flavour.save_model(estimator, path, skops_trusted_types=trusted)
    return flavour.load_model(path)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("way", [by_pickle, by_joblib, by_skops, by_mlflow])
@pytest.mark.parametrize(
    "estimator_class", [imbcore.CARTClassifier, imbcore.RandomForestClassifier, imbcore.BaggingClassifier]
)
def test_round_trips_are_exact(estimator_class, way, tmp_path):
    X, y = rows()
    fitted = fast_estimator(estimator_class).fit(X, y)
    fitted.predict_log_proba(X)
    back = way(fitted, tmp_path / "stored")
    assert back.model_.to_bytes() == fitted.model_.to_bytes()
    assert back.get_params() == fitted.get_params()
    np.testing.assert_array_equal(back.predict_log_proba(X), fitted.predict_log_proba(X))
