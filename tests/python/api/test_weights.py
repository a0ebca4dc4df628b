"""Weights are numbers of rows: 0 is no row, equal weights have no effect, k equals the row k times.

Every method of the registry is compared with itself on the unweighted table that the weights describe.
"""

import warnings

import numpy as np
import pandas as pd
import pytest

import imbcore
from imbcore import costs, discretization
from imbcore.decisions import (
    AdaptedClassifier,
    CalibratedClassifier,
    InstanceWeightingClassifier,
    MinExpectedCostClassifier,
    PriorShiftClassifier,
    PUClassifier,
    ThresholdClassifier,
)
from imbcore.networks import BayesianNetwork

METHODS = [method.name for method in imbcore.methods()]
# Few members, and costs of AdaC that need no folds.
QUICK = {
    "adac1": {"class_costs": [1.0, 0.9], "n_estimators": 5},
    "adac2": {"class_costs": [1.0, 0.9], "n_estimators": 5},
    "adac3": {"class_costs": [1.0, 0.9], "n_estimators": 5},
    "adaboost": {"n_estimators": 5},
    "auto": {"budget": 0.5},
    "boosted_trees": {"n_rounds": 5},
    "exact_boxes": {"n_boxes": 1},
    "fast_boxes": {"n_boxes": 2},
    "forest": {"n_estimators": 5},
    "metacost": {"n_estimators": 3, "cost_matrix": "balanced"},
    "optimal_tree": {"max_depth": 2},
    "ecoc": {},
} | {
    method.name: {"n_estimators": 3}
    for method in imbcore.methods()
    if method.name not in ("adac1", "adac2", "adac3", "adaboost", "forest", "metacost")
    and any(parameter.name == "n_estimators" for parameter in method.parameters)
}
# Methods that neither sample nor count rows, with parameters without row limits.
BY_WEIGHT = {
    "adaboost": {},
    "adac1": {},
    "adac2": {},
    "adac3": {},
    "alpha_tree": {},
    "aode": {},
    "c44": {},
    "c45": {},
    "cart": {},
    "ecoc": {},
    "exact_boxes": {},
    "extra_trees": {},
    "fast_boxes": {},
    "forest": {"min_samples_leaf": 1},
    "full_bayes": {},
    "hddt": {},
    "kdb": {},
    "logistic_regression": {"C": 1.0},
    "naive_bayes": {},
    "optimal_tree": {},
    "ova": {},
    "ovo": {},
    "prim": {},
    "svr_tree": {},
    "tan": {},
    "weighted_random_forest": {"bootstrap": False},
}
# Methods that need numbers without missing values.
COMPLETE = {"exact_boxes", "fast_boxes", "prim"}
GENERAL = [
    {},
    {"class_weight": "balanced"},
    {"cost_matrix": "balanced"},
    {"cost_matrix": "imbalance"},
    {"cost_matrix": "balanced", "cost_strategy": "reweight"},
]


def table(n_rows=48, seed=0):
    """Two numeric columns; the first is higher in a class with one row in four."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n_rows) % 4 == 0).astype(int)
    return np.column_stack([rng.normal(size=n_rows) + 1.5 * y, rng.normal(size=n_rows)]).round(1), y


def fitted(method, X, y, weight=None, **options):
    given = QUICK.get(method, {}) | BY_WEIGHT.get(method, {}) | {"random_state": 0} | options
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return imbcore.fit(X, y, method, sample_weight=weight, **given)


class TestNoRow:
    """Rows of weight 0: other class proportions, and values and levels that no other row has."""

    X, y = table()
    kept = np.arange(48) % 5 > 0
    kept[np.flatnonzero(y)[:4]] = False
    wide = X.copy()
    wide[~kept] *= 100
    weight = 1.0 + np.arange(48) % 3

    @pytest.mark.parametrize("method", METHODS)
    def test_model_equals_that_of_the_table_without_them(self, method):
        for options in GENERAL if method not in ("rule_list", "metacost") else GENERAL[:3]:
            without = fitted(method, self.X[self.kept], self.y[self.kept], **options)
            zero = fitted(method, self.wide, self.y, self.kept.astype(float), **options)
            assert zero.to_bytes() == without.to_bytes(), options

    @pytest.mark.parametrize("method", METHODS)
    def test_ignored_with_other_weights(self, method):
        weight = self.weight[self.kept]
        without = fitted(method, self.X[self.kept], self.y[self.kept], weight)
        zero = fitted(method, self.wide, self.y, self.weight * self.kept)
        assert zero.to_bytes() == without.to_bytes()

    @pytest.mark.parametrize("method", sorted(set(METHODS) - {"exact_boxes"}))
    def test_add_no_levels(self, method):
        names = np.array(["a", "b", "c"])[np.arange(48) % 3].astype(object)
        names[~self.kept] = "rare"
        table = pd.DataFrame({"x": self.X[:, 0], "name": names})
        without = fitted(method, table[self.kept], self.y[self.kept])
        zero = fitted(method, table, self.y, self.kept.astype(float))
        assert zero.to_bytes() == without.to_bytes()

    @pytest.mark.parametrize("method", ["cart", "naive_bayes", "random_forest", "boosted_trees"])
    @pytest.mark.parametrize("options", [{"threshold": "f1"}, {"calibrate": "sigmoid"}], ids=str)
    def test_are_ignored_in_inner_folds(self, method, options):
        X, y = table(120)
        kept = np.arange(120) % 7 > 0
        without = fitted(method, X[kept], y[kept], **options)
        assert fitted(method, X, y, kept.astype(float), **options).to_bytes() == without.to_bytes()

    @pytest.mark.parametrize(
        "options", [{"max_bins": 4}, {"min_samples_leaf": 0.1}, {"max_features": "sqrt"}]
    )
    def test_are_ignored_in_proportions_and_bins(self, options):
        X, y = table(120)
        kept = np.arange(120) % 3 > 0
        for method in ("cart", "hddt", "random_forest", "boosted_trees"):
            if method == "boosted_trees" and "max_bins" not in options:
                continue
            without = fitted(method, X[kept], y[kept], **options)
            assert fitted(method, X, y, kept.astype(float), **options).to_bytes() == without.to_bytes()

    def test_declared_categories_stay(self):
        names = pd.Categorical(np.where(self.kept, "a", "rare"), categories=["a", "b", "rare"])
        frame = pd.DataFrame({"x": self.X[:, 0], "name": names})
        without = fitted("naive_bayes", frame[self.kept], self.y[self.kept])
        zero = fitted("naive_bayes", frame, self.y, self.kept.astype(float))
        assert zero.to_bytes() == without.to_bytes()

    def test_are_ignored_in_every_container(self):
        pa, pl = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
        columns = {"x": self.X[:, 0], "z": self.X[:, 1]}
        without = fitted("naive_bayes", pd.DataFrame(columns)[self.kept], self.y[self.kept]).to_bytes()
        stream = pa.RecordBatchReader.from_batches(
            pa.table(columns).schema, pa.table(columns).to_batches(max_chunksize=10)
        )
        rows = [dict(zip("xz", row, strict=True)) for row in self.X.tolist()]
        for frame in (columns, pa.table(columns), pl.DataFrame(columns), stream, rows):
            assert fitted("naive_bayes", frame, self.y, self.kept.astype(float)).to_bytes() == without

    def test_costs_of_single_rows(self):
        matrices = np.zeros((48, 2, 2))
        matrices[:, 1, 0], matrices[:, 0, 1] = 1.0 + np.arange(48), 1.0
        # They do not take part in training; only their number is checked.
        cart = imbcore.CARTClassifier(cost_matrix=matrices)
        zero = cart.fit(self.X, self.y, self.kept.astype(float)).model_.to_bytes()
        cart.set_params(cost_matrix=matrices[self.kept])
        assert cart.fit(self.X[self.kept], self.y[self.kept]).model_.to_bytes() == zero

    def test_have_entries_in_results_per_row(self):
        forest = imbcore.RandomForestClassifier(n_estimators=20, oob_score=True, random_state=0)
        zero = forest.fit(self.X, self.y, self.kept.astype(float)).oob_decision_function_
        score = forest.oob_score_
        loaded = forest.model_.oob_decision_function_
        without = forest.fit(self.X[self.kept], self.y[self.kept])
        assert zero.shape == (48, 2)
        assert np.isnan(zero[~self.kept]).all()
        assert np.array_equal(zero[self.kept], without.oob_decision_function_, equal_nan=True)
        assert np.array_equal(loaded, zero, equal_nan=True)
        assert score == without.oob_score_
        bagging = imbcore.BaggingClassifier("cart", n_estimators=3, random_state=0).fit(
            self.X, self.y, self.kept.astype(float)
        )
        assert all(self.kept[rows].all() for rows in bagging.estimators_samples_)
        meta = imbcore.MetaCostClassifier("cart", n_estimators=3, random_state=0)
        labels = meta.fit(self.X, self.y, self.kept.astype(float)).relabeled_
        assert np.array_equal(labels[~self.kept], self.y[~self.kept])
        again = meta.fit(self.X[self.kept], self.y[self.kept]).relabeled_
        assert np.array_equal(labels[self.kept], again)

    def test_class_with_only_such_rows_stays_a_class(self):
        y = np.where(self.kept, self.y, 2)
        model = fitted("cart", self.X, y, self.kept.astype(float))
        assert model.classes_.tolist() == [0, 1, 2]
        without = fitted("cart", self.X[self.kept], self.y[self.kept])
        assert np.array_equal(model.predict_proba(self.X)[:, :2], without.predict_proba(self.X))

    @pytest.mark.parametrize(
        "estimator",
        [
            imbcore.CARTClassifierCV(cv=3, random_state=0),
            imbcore.FastBoxesCV(n_boxes_grid=(1, 2), cv=3, random_state=0),
            imbcore.SVRTreeCV(cv=3),
        ],
        ids=lambda estimator: type(estimator).__name__,
    )
    def test_are_ignored_by_estimators_with_inner_folds(self, estimator):
        zero = estimator.fit(self.X, self.y, self.kept.astype(float)).model_.to_bytes()
        assert estimator.fit(self.X[self.kept], self.y[self.kept]).model_.to_bytes() == zero

    @pytest.mark.filterwarnings("ignore")
    def test_are_ignored_by_members_of_other_libraries(self):
        from sklearn.tree import DecisionTreeClassifier

        tree = DecisionTreeClassifier(max_depth=3, random_state=0)
        weights = self.kept.astype(float)
        around = [
            imbcore.BaggingClassifier(tree, n_estimators=3, random_state=0),
            imbcore.MetaCostClassifier(tree, n_estimators=3, random_state=0),
            imbcore.OVAClassifier(tree),
            CalibratedClassifier(tree, random_state=0),
            ThresholdClassifier(tree, random_state=0),
            AdaptedClassifier(tree, method="bbse", random_state=0),
            PUClassifier(tree, random_state=0),
            PriorShiftClassifier(tree),
            InstanceWeightingClassifier(tree),
            MinExpectedCostClassifier(tree),
        ]
        for estimator in around:
            zero = estimator.fit(self.X, self.y, weights).predict_proba(self.X)
            without = estimator.fit(self.X[self.kept], self.y[self.kept]).predict_proba(self.X)
            assert np.array_equal(zero, without), estimator

    def test_are_ignored_by_networks_and_discretizers(self):
        names = {"a": np.where(self.y, "yes", "no"), "b": np.where(self.X[:, 0] > 0, "high", "low")}
        without = BayesianNetwork.learn({k: v[self.kept] for k, v in names.items()}, random_state=0)
        zero = BayesianNetwork.learn(names, sample_weight=self.kept.astype(float), random_state=0)
        assert zero.arcs == without.arcs
        assert np.array_equal(zero.cpt("b").to_numpy(float), without.cpt("b").to_numpy(float))
        for kind in (discretization.MDLPDiscretizer, discretization.EqualFrequencyDiscretizer):
            cuts = kind().fit(self.wide, self.y, sample_weight=self.kept.astype(float)).cuts_
            assert all(map(np.array_equal, cuts, kind().fit(self.X[self.kept], self.y[self.kept]).cuts_))


class TestEqualWeights:
    """Equal weights below 1 have no effect; 1/3000 is not a power of two, so its mean is rounded."""

    X, y = table()

    @pytest.mark.parametrize("method", METHODS)
    def test_give_the_same_bytes_as_no_weights(self, method):
        for options in GENERAL[:3] if method != "rule_list" else GENERAL[:1]:
            plain = fitted(method, self.X, self.y, **options).to_bytes()
            for weight in (1 / 3000, 1 / 4096, 1 / 48):
                assert fitted(method, self.X, self.y, np.full(48, weight), **options).to_bytes() == plain

    def test_small_class_weights_with_them(self):
        options = {"class_weight": {0: 0.0007, 1: 0.0019}}
        for method in ("c44", "naive_bayes", "prim"):
            plain = fitted(method, self.X, self.y, **options).to_bytes()
            assert fitted(method, self.X, self.y, np.full(48, 1 / 3000), **options).to_bytes() == plain

    def test_of_prim(self):
        rng = np.random.default_rng(5)
        X = rng.normal(size=(3000, 5))
        y = (X[:, 0] + rng.normal(size=3000) > 1.8).astype(int)
        plain = imbcore.fit(X, y, "prim").to_bytes()
        assert imbcore.fit(X, y, "prim", sample_weight=np.full(3000, 1 / 3000)).to_bytes() == plain

    def test_of_2_count_rows_twice(self):
        plain, twice = (fitted("c44", self.X, self.y, weight) for weight in (None, np.full(48, 2.0)))
        assert not np.array_equal(plain.predict_proba(self.X), twice.predict_proba(self.X))


class TestRepeatedRows:
    """A weight of k equals the row k times, except for values that are missing only at prediction.

    At a node without missing values in training, they go to the child with more rows, as in scikit-learn.
    """

    @pytest.mark.parametrize("options", GENERAL, ids=str)
    @pytest.mark.parametrize("method", sorted(BY_WEIGHT))
    def test_give_the_same_model(self, method, options):
        rng = np.random.default_rng(3)
        for seed in range(3):
            X, y = table(40, seed)
            new = X.copy()
            if method not in COMPLETE:
                X[rng.random(X.shape) < 0.1] = np.nan
            times = rng.integers(1, 4, 40)
            repeated = fitted(method, np.repeat(X, times, 0), np.repeat(y, times), **options)
            weighted = fitted(method, X, y, times.astype(float), **options)
            assert np.allclose(weighted.predict_proba(new), repeated.predict_proba(new), rtol=0, atol=1e-12)
            # If two classes have equal probabilities up to rounding, either may be predicted.
            clear = np.abs(np.diff(repeated.predict_proba(new))[:, 0]) > 1e-9
            assert np.array_equal(weighted.predict(new)[clear], repeated.predict(new)[clear])

    @pytest.mark.parametrize("method", METHODS)
    def test_give_the_same_costs_and_classes(self, method):
        """Also if rows are sampled: costs, positive class and prior follow from the weights."""
        X, y = table(40)
        times, y = np.where(y == 1, 5, 1), np.where(y == 1, "heavy", "light")
        for costs_by in ("balanced", "imbalance"):
            both = [
                fitted(method, *rows, cost_matrix=costs_by)
                for rows in ((X, y, times.astype(float)), (np.repeat(X, times, 0), np.repeat(y, times)))
            ]
            matrices = [model.cost_matrix for model in both]
            assert method == "metacost" or matrices[0] is not None
            if matrices[0] is not None:
                assert np.allclose(*matrices, rtol=1e-12, atol=0)
            assert both[0].positive_ == both[1].positive_ == "light"

    def test_cost_matrices_of_labels(self):
        X, y = table(40)
        times = np.where(y == 1, 3, 1)
        weighted = MinExpectedCostClassifier(imbcore.CARTClassifier(), "imbalance").fit(X, y, times)
        repeated = MinExpectedCostClassifier(imbcore.CARTClassifier(), "imbalance")
        repeated.fit(np.repeat(X, times, 0), np.repeat(y, times))
        assert np.array_equal(weighted.cost_matrix_, repeated.cost_matrix_)
        assert costs.elkan_threshold(weighted.cost_matrix_) == 0.5

    def test_penalties_of_svr_trees(self):
        X, y = table(40)
        tree, times = imbcore.SVRTreeClassifier(), np.full(40, 2)
        weighted = tree.penalty_path(X, y, sample_weight=times).penalties
        assert weighted == tree.penalty_path(np.repeat(X, 2, 0), np.repeat(y, 2)).penalties


class TestSize:
    """Weights of any size are handled or rejected with the reason: sums and products stay finite."""

    X, y = table()

    @pytest.mark.parametrize("method", METHODS)
    def test_sums_that_overflow_are_rejected(self, method):
        for weight in (np.full(48, 1e308), np.where(self.y, 1e200, 1.0)):
            with pytest.raises(imbcore.DataError, match="divide all weights by the same number"):
                fitted(method, self.X, self.y, weight)

    def test_class_weights_are_part_of_the_sum(self):
        with pytest.raises(imbcore.DataError, match=r"class_weight (adds up|sums) to .* divide all weights"):
            fitted("cart", self.X, self.y, class_weight={0: 1.0, 1: 1e300})

    def test_other_entry_points_reject_them(self):
        weight = np.full(48, 1e308)
        names = {"a": np.where(self.y, "yes", "no"), "b": np.where(self.X[:, 0] > 0, "high", "low")}
        entry_points = [
            lambda: imbcore.evaluate(self.X, self.y, "cart", sample_weight=weight),
            lambda: BayesianNetwork.learn(names, sample_weight=weight),
            lambda: discretization.MDLPDiscretizer().fit(self.X, self.y, sample_weight=weight),
            lambda: imbcore.BaggingClassifier("cart", n_estimators=2).fit(self.X, self.y, weight),
            lambda: imbcore.SVRTreeClassifier().penalty_path(self.X, self.y, sample_weight=weight),
        ]
        for entry_point in entry_points:
            with pytest.raises(
                imbcore.DataError, match=r"sample_weight (adds up to|sums to|must be 0 or a number from)"
            ):
                entry_point()

    @pytest.mark.parametrize("method", METHODS)
    def test_tiny_equal_weights_equal_no_weights(self, method):
        plain = fitted(method, self.X, self.y).to_bytes()
        assert fitted(method, self.X, self.y, np.full(48, 1e-200)).to_bytes() == plain
