"""Shapley values of trees and forests: they sum to the prediction, and equal those of shap."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import imbcore
from imbcore.exceptions import DataError, ParameterError, UnsupportedError


@pytest.fixture
def three():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(300, 5))
    return X, np.array(["a", "b", "c"])[(X[:, 0] * X[:, 1] > 0.3).astype(int) + (X[:, 2] > 0.8)]


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("cart", {}),
        ("c45", {}),
        ("svr_tree", {"penalty": 0.001}),
        ("random_forest", {"n_estimators": 7}),
        ("random_forest", {"n_estimators": 7, "voting": "hard"}),
        ("balanced_random_forest", {"n_estimators": 7, "prior_correction": "none"}),
    ],
)
def test_values_sum_to_the_prediction(method, options, three, mixed):
    tables = [three, mixed] if method != "svr_tree" else [(three[0], three[1] == "c")]
    for X, y in tables:
        model = imbcore.fit(X, y, method, random_state=0, **options)
        for at, label in enumerate(model.classes_.tolist()):
            found = model.explain(X, label=label)
            sums = found.base_value + found.values.sum(axis=1)
            assert np.allclose(sums, model.predict_proba(X)[:, at], rtol=0, atol=1e-12)
            assert found.label == label
            assert found.feature_names == model.feature_names


@pytest.mark.parametrize("objective", ["log_loss", "balanced", "focal"])
def test_values_of_boosted_trees_sum_to_the_score(objective, three, mixed):
    tables = [three, mixed] if objective != "focal" else [(three[0], three[1] == "c")]
    for X, y in tables:
        model = imbcore.fit(X, y, "boosted_trees", n_rounds=6, objective=objective, min_samples_leaf=3)
        scores = model.decision_function(X)
        if scores.ndim == 1:
            scores = np.column_stack([-scores, scores])
        others = X[:20] if isinstance(X, np.ndarray) else {name: values[:20] for name, values in X.items()}
        for at, label in enumerate(model.classes_.tolist()):
            for background in (None, others):
                found = model.explain(X, label=label, background=background)
                sums = found.base_value + found.values.sum(axis=1)
                assert np.allclose(sums, scores[:, at], rtol=0, atol=1e-10)
                assert found.scale == ("log-odds" if len(model.classes_) == 2 else "score")
            assert found.base_value == pytest.approx(scores[:20, at].mean(), abs=1e-10)
        assert "reason_1" in found.to_columns()


def test_values_of_boosted_trees_equal_shap(three):
    shap = pytest.importorskip("shap", reason="shap is not installed")
    X, y = three
    for labels in (y, y == "c"):
        model = imbcore.fit(X, labels, "boosted_trees", n_rounds=5)
        expected = shap.TreeExplainer(model.to_shap())(X)
        at = -1 if labels is y else ()
        found = model.explain(X, label=model.classes_.tolist()[-1])
        # shap stores leaf values and row fractions in single precision.
        assert np.allclose(
            found.values, expected.values[(..., at)] if at else expected.values, rtol=0, atol=1e-5
        )
        base = np.ravel(expected.base_values[0])[-1]
        assert found.base_value == pytest.approx(base, abs=1e-5)


def test_values_do_not_depend_on_threads(three):
    model = imbcore.fit(*three, "random_forest", n_estimators=5, random_state=0)
    one = model.explain(three[0], n_threads=1)
    assert np.array_equal(model.explain(three[0], n_threads=3).values, one.values)
    assert model.explain(three[0][:2]).values.tolist() == one.values[:2].tolist()


def test_values_equal_shap():
    shap = pytest.importorskip("shap", reason="shap is not installed")
    rng = np.random.default_rng(1)
    X = rng.normal(size=(3000, 5))
    labels = (X[:, 0] * X[:, 1] + 0.5 * X[:, 2] + rng.normal(size=3000) > 1.5).astype(int)
    # Large nodes, so that no two splits of a node are equally good.
    model = imbcore.fit(X, labels, "cart", criterion="gini", max_depth=4)
    peer = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, labels)
    assert np.allclose(peer.predict_proba(X), model.predict_proba(X), rtol=0, atol=1e-12)
    expected = shap.TreeExplainer(peer, feature_perturbation="tree_path_dependent")(X)
    found = model.explain(X)
    assert np.allclose(found.values, expected.values[..., 1], rtol=0, atol=1e-10)
    assert found.to_shap(X).base_values[0] == pytest.approx(expected.base_values[0, 1], abs=1e-12)


@pytest.mark.parametrize("n_background", [1, 40])
@pytest.mark.parametrize(("pure", "tolerance"), [(True, 1e-10), (False, 2e-7)])
def test_values_with_a_background_equal_shap(pure, tolerance, n_background):
    shap = pytest.importorskip("shap", reason="shap is not installed")
    rng = np.random.default_rng(1)
    X = rng.normal(size=(3000, 5)).astype(np.float32)
    if pure:
        labels = ((X[:, 0] > 0.3) & (X[:, 1] < 0.4) | (X[:, 1] > 1.1) & (X[:, 0] < -0.2)).astype(int)
        size = {"max_depth": None}
    else:
        # shap stores leaf values and permutation weights in single precision, which is exact only for halves.
        labels = (X[:, 0] * X[:, 1] + 0.5 * X[:, 2] + rng.normal(size=3000) > 1.5).astype(int)
        size = {"max_depth": 4}
    model = imbcore.fit(X, labels, "cart", criterion="gini", **size)
    peer = DecisionTreeClassifier(random_state=0, **size).fit(X, labels)
    assert np.allclose(peer.predict_proba(X), model.predict_proba(X), rtol=0, atol=1e-12)
    rows, background = X[:200], X[200 : 200 + n_background]
    explainer = shap.TreeExplainer(peer, data=background, feature_perturbation="interventional")
    found = model.explain(rows, background=background)
    assert np.count_nonzero(found.values) > 100
    assert np.allclose(found.values, explainer.shap_values(rows)[..., 1], rtol=0, atol=tolerance)
    assert found.base_value == pytest.approx(model.predict_proba(background)[:, 1].mean(), abs=1e-12)


@pytest.mark.parametrize("options", [{}, {"voting": "hard"}, {"max_depth": 3}])
def test_values_with_a_background_sum_to_the_prediction(options, three, mixed):
    for X, y in (three, mixed):
        model = imbcore.fit(X, y, "random_forest", n_estimators=5, random_state=0, **options)
        others = X[:30] if isinstance(X, np.ndarray) else {name: values[:30] for name, values in X.items()}
        found = model.explain(X, background=others, n_threads=1)
        predicted = model.predict_proba(X)[:, model.classes_.tolist().index(model.positive_)]
        assert np.allclose(found.base_value + found.values.sum(axis=1), predicted, rtol=0, atol=1e-12)
        assert found.base_value == pytest.approx(predicted[:30].mean(), abs=1e-12)
        again = model.explain(X, background=others, n_threads=3)
        assert np.array_equal(found.values, again.values)


def test_background_needs_rows_with_the_columns_of_the_fit(three):
    model = imbcore.fit(*three, "cart")
    with pytest.raises(DataError, match=r"4 features.*background"):
        model.explain(three[0], background=three[0][:, 1:])
    with pytest.raises(DataError, match=r"0 sample.*background"):
        model.explain(three[0], background=three[0][:0])


def test_reasons_name_the_largest_contributions():
    rows = [[float(i), 0.0, float(i % 2)] for i in range(20)]
    model = imbcore.fit(rows, [0] * 14 + [1] * 6, method="cart")
    found = model.explain([[19.0, 0.0, 1.0]])
    assert found.reasons() == [[("x0", pytest.approx(0.7))]]
    with pytest.raises(ParameterError, match="top"):
        found.reasons(0)
    with pytest.raises(ParameterError, match="label must be one of"):
        model.explain(rows, label=3)


def test_non_additive_votes_are_rejected(three):
    model = imbcore.fit(*three, "weighted_random_forest", n_estimators=3, voting="hard", random_state=0)
    with pytest.raises(UnsupportedError, match='voting="soft"'):
        model.explain(three[0])
    gaps = three[0].copy()
    gaps[3, 1] = np.nan
    hard = imbcore.fit(gaps, three[1], "random_forest", n_estimators=3, voting="hard", missing="fraction")
    with pytest.raises(UnsupportedError, match="several leaves"):
        hard.explain(gaps)
    with pytest.raises(AttributeError, match="explain"):
        _ = imbcore.fit(*three, "adaboost", n_estimators=3).explain
