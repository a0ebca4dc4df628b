"""Cost-sensitive wrappers of any classifier: minimum expected cost, and rows weighted by costs."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import imbcore
from imbcore import costs as c
from imbcore.decisions import InstanceWeightingClassifier, MinExpectedCostClassifier
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

THREE = [[0, 1, 2], [3, 0, 1], [9, 4, 0]]


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    return X, np.array(["a", "b", "c"])[np.digitize(X[:, 0] + rng.normal(size=300) / 2, [0.5, 1.3])]


@parametrize_with_checks(
    [
        MinExpectedCostClassifier(LogisticRegression()),
        InstanceWeightingClassifier(LogisticRegression()),
        InstanceWeightingClassifier(
            DecisionTreeClassifier(random_state=0), "imbalance", predict_mode="min_cost"
        ),
    ],
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


class TestMinExpectedCost:
    def test_predictions_have_minimum_expected_cost(self, table):
        X, y = table
        inside = LogisticRegression().fit(X, y)
        model = MinExpectedCostClassifier(LogisticRegression(), THREE).fit(X, y)
        proba = inside.predict_proba(X)
        np.testing.assert_array_equal(model.predict_proba(X), proba)
        np.testing.assert_array_equal(model.predict(X), inside.classes_[(proba @ THREE).argmin(axis=1)])
        np.testing.assert_array_equal(model.cost_matrix_, THREE)
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.predict(X), model.predict(X))

    def test_all_forms_of_costs_give_equal_predictions(self, table):
        X, y = table
        for given in ("balanced", "imbalance", {("a", "c"): 1, ("c", "a"): 7.5}):
            own = imbcore.CARTClassifier(max_depth=3, cost_matrix=given).fit(X, y)
            around = MinExpectedCostClassifier(imbcore.CARTClassifier(max_depth=3), given).fit(X, y)
            np.testing.assert_array_equal(around.cost_matrix_, own.model_.cost_matrix)
            np.testing.assert_array_equal(around.predict(X), own.predict(X))

    def test_costs_may_depend_on_rows(self, table):
        X, y = table
        cells = np.zeros((len(X), 3, 3))
        cells[:] = 1 - np.eye(3)
        cells[:, 2, :2] = 1 + np.abs(X[:, :1])
        model = MinExpectedCostClassifier(LogisticRegression()).fit(X, y)
        predicted = model.predict(X, cost_matrix=cells)
        by_hand = c.minimum_expected_cost(model.predict_proba(X), cells)
        np.testing.assert_array_equal(predicted, model.classes_[by_hand])

        def costs(X):
            found = np.zeros((len(X), 3, 3))
            found[:] = 1 - np.eye(3)
            found[:, 2, :2] = 1 + np.abs(np.asarray(X)[:, :1])
            return found

        wrapper = MinExpectedCostClassifier(LogisticRegression(), None, costs=costs).fit(X, y)
        np.testing.assert_array_equal(wrapper.predict(X), predicted)
        assert wrapper.cost_matrix_ is None
        with pytest.raises(UnsupportedError, match="costs= is a function"):
            wrapper.save("nowhere.imb")
        np.testing.assert_array_equal(
            wrapper.predict(X, cost_matrix=THREE), model.predict(X, cost_matrix=THREE)
        )

    def test_frames_pipelines_weights_and_clones_work(self, table):
        X, y = table
        frame = pd.DataFrame(X, columns=list("pqr"))
        inside = make_pipeline(StandardScaler(), LogisticRegression())
        model = clone(MinExpectedCostClassifier(inside, THREE)).fit(frame, y)
        assert model.feature_names_in_.tolist() == ["p", "q", "r"]
        assert model.n_features_in_ == 3
        assert cross_val_score(model, frame, y, cv=3).min() > 0.3
        light = MinExpectedCostClassifier(LogisticRegression(), THREE).fit(X, y)
        heavy = clone(light).fit(X, y, sample_weight=np.where(y == "c", 20.0, 1.0))
        assert (heavy.predict(X) == "c").sum() > (light.predict(X) == "c").sum()

    def test_invalid_costs_are_rejected(self, table):
        X, y = table
        refused = [
            ({"cost_matrix": None}, ParameterError, "exclude each other"),
            ({"cost_matrix": THREE, "costs": abs}, ParameterError, "exclude each other"),
            ({"cost_matrix": None, "costs": {"miss": "q"}}, ParameterError, "must be a function"),
            ({"cost_matrix": "cheap"}, ParameterError, "imbalance"),
            ({"cost_matrix": [[0, 1], [1, 0]]}, DataError, "classes"),
        ]
        for given, error, words in refused:
            with pytest.raises(error, match=words):
                MinExpectedCostClassifier(LogisticRegression(), **given).fit(X, y)


class TestInstanceWeighting:
    @pytest.mark.parametrize("weights", [None, "some"])
    def test_weights_match_the_definition(self, table, weights):
        X, y = table
        given = None if weights is None else np.random.default_rng(1).uniform(0.5, 2, len(y))
        rows = np.ones(len(y)) if given is None else given
        mass = np.array([rows[y == label].sum() for label in "abc"])
        for price, prices in (("sum", [3, 4, 13]), ("max", [2, 3, 9])):
            model = InstanceWeightingClassifier(LogisticRegression(), THREE, cost_aggregation=price)
            model.fit(X, y, sample_weight=given)
            expected = np.array(prices) * mass.sum() / (np.array(prices) @ mass)
            np.testing.assert_allclose(model.class_weight_, expected, rtol=1e-12)
            # The total weight of all rows is unchanged.
            assert model.class_weight_ @ mass == pytest.approx(mass.sum())
            by_class = dict(zip("abc", expected, strict=True))
            weighed = rows * np.array([by_class[label] for label in y])
            inside = LogisticRegression().fit(X, y, sample_weight=weighed)
            np.testing.assert_allclose(model.predict_proba(X), inside.predict_proba(X), rtol=1e-6)
            np.testing.assert_array_equal(model.predict(X), inside.predict(X))

    def test_cost_option_of_a_tree_gives_the_same_weights(self, table):
        X, y = table
        own = imbcore.CARTClassifier(max_depth=4, cost_matrix=THREE, cost_strategy="reweight").fit(X, y)
        around = InstanceWeightingClassifier(imbcore.CARTClassifier(max_depth=4), THREE).fit(X, y)
        np.testing.assert_array_equal(around.predict(X), own.predict(X))
        np.testing.assert_allclose(around.predict_proba(X), own.predict_proba(X), rtol=1e-12)

    def test_leaf_probabilities_are_corrected_to_row_frequencies(self, table):
        X, y = table
        tree = DecisionTreeClassifier(max_depth=3, random_state=0)
        model = InstanceWeightingClassifier(tree, THREE, predict_mode="min_cost").fit(X, y)
        leaves = model.estimator_.apply(X)
        shares = [[np.mean(y[leaves == leaf] == label) for label in "abc"] for leaf in leaves]
        np.testing.assert_allclose(model.predict_proba(X), shares, atol=1e-12)
        cheapest = np.array(list("abc"))[(model.predict_proba(X) @ THREE).argmin(axis=1)]
        np.testing.assert_array_equal(model.predict(X), cheapest)

    def test_costs_of_classes_are_supported(self, table):
        X, y = table
        matrix = np.outer([1.0, 2.0, 5.0], np.ones(3)) * (1 - np.eye(3))
        by_matrix = InstanceWeightingClassifier(LogisticRegression(), matrix).fit(X, y)
        for given in ([1, 2, 5], {"c": 5, "b": 2, "a": 1}):
            model = InstanceWeightingClassifier(LogisticRegression(), None, class_cost=given).fit(X, y)
            np.testing.assert_allclose(model.class_weight_, by_matrix.class_weight_, rtol=1e-12)
            np.testing.assert_array_equal(model.cost_matrix_, matrix)

    def test_invalid_costs_are_rejected(self, table):
        X, y = table
        refused = [
            ({"cost_matrix": None}, ParameterError, "exclude each other"),
            ({"cost_matrix": THREE, "class_cost": [1, 2, 3]}, ParameterError, "exclude each other"),
            ({"cost_matrix": None, "class_cost": [1, 2]}, ParameterError, "a cost for each"),
            (
                {"cost_matrix": None, "class_cost": {"a": 1, "b": 1}},
                (DataError, ParameterError),
                "class_cost|finite",
            ),
            ({"cost_matrix": np.eye(3) + 1}, DataError, "diagonal"),
            ({"cost_aggregation": "mean"}, ParameterError, '"sum" or "max"'),
            ({"predict_mode": "cheap"}, ParameterError, '"vote" or "min_cost"'),
        ]
        for given, error, words in refused:
            with pytest.raises(error, match=words):
                InstanceWeightingClassifier(LogisticRegression(), **given).fit(X, y)
        with pytest.raises(ParameterError, match="BaggingClassifier"):
            InstanceWeightingClassifier(KNeighborsClassifier()).fit(X, y)
