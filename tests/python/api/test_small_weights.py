"""Weights that are all below 1 are scaled to a mean of 1, so that limits in rows keep their meaning."""

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.metrics import roc_auc_score

import imbcore
from imbcore import discretization
from imbcore.networks import BayesianNetwork

METHODS = [method.name for method in imbcore.methods()]
OPTIONS = {
    "exact_boxes": {"n_boxes": 1, "time_limit": 5.0},
    "metacost": {"n_estimators": 3},
    "bayes_bagging": {"n_estimators": 3},
    "beat": {"n_estimators": 3},
    "boosted_trees": {"n_rounds": 5, "min_samples_leaf": 3},
    "bagged_c45": {"n_estimators": 3},
    "random_forest": {"n_estimators": 3},
    "balanced_random_forest": {"n_estimators": 3},
    "weighted_random_forest": {"n_estimators": 3},
    "svr_forest": {"n_estimators": 3},
    "rule_list": {"n_estimators": 3},
}


def table(n_rows=60, apart=1.5, seed=3):
    """Two columns; the first is informative about a class with one row in four."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n_rows) % 4 == 0).astype(int)
    return np.column_stack([rng.normal(size=n_rows) + apart * y, rng.normal(size=n_rows)]).round(2), y


def fitted(method, X, y, weight, **options):
    costs = {"cost_matrix": "balanced"} if method == "metacost" else {}
    return imbcore.fit(
        X,
        y,
        method=method,
        sample_weight=weight,
        random_state=0,
        **OPTIONS.get(method, {}),
        **costs,
        **options,
    )


@pytest.mark.parametrize("method", METHODS)
class TestScaling:
    X, y = table()
    weight = np.random.default_rng(7).uniform(0.1, 0.99, size=60)

    def test_power_of_two_changes_no_byte(self, method):
        whole = fitted(method, self.X, self.y, self.weight).to_bytes()
        for power in (-1, -20):
            assert fitted(method, self.X, self.y, self.weight * 2.0**power).to_bytes() == whole

    def test_any_constant_only_changes_rounding(self, method):
        whole, third = (fitted(method, self.X, self.y, self.weight / by) for by in (1, 3))
        pairs = [(whole, third)]
        if method == "auto":
            # If repeated members give equal losses, rounding decides between numbers of selection steps.
            assert np.allclose(whole.estimator_weights_, third.estimator_weights_, rtol=0, atol=0.01)
            pairs = list(zip(whole.estimators_, third.estimators_, strict=True))
        for one, other in pairs:
            proba, expected = one.predict_proba(self.X), other.predict_proba(self.X)
            assert np.allclose(proba, expected, rtol=0, atol=1e-9)

    def test_equal_weights_equal_no_weights(self, method):
        plain = fitted(method, self.X, self.y, None).predict_proba(self.X)
        equal = fitted(method, self.X, self.y, np.full(60, 1 / 64)).predict_proba(self.X)
        assert np.allclose(plain, equal, rtol=0, atol=1e-9)

    def test_row_of_weight_0_is_ignored(self, method):
        if method == "metacost":
            pytest.skip("its bags sample rows regardless of weights")
        kept = np.arange(60) % 5 > 0
        if method in OPTIONS and method != "exact_boxes":
            pytest.skip("bootstraps of different rows differ")
        without = fitted(method, self.X[kept], self.y[kept], self.weight[kept]).predict_proba(self.X)
        zero = fitted(method, self.X, self.y, self.weight * kept).predict_proba(self.X)
        assert np.allclose(without, zero, rtol=0, atol=1e-9)


@pytest.mark.parametrize("method", ["c44", "c45", "prim", "naive_bayes", "fast_boxes"])
def test_class_weights_below_1_are_scaled(method):
    X, y = table()
    small = imbcore.fit(X, y, method=method, class_weight={0: 0.0007, 1: 0.0019}, random_state=0)
    # 45 rows of 0.7 and 15 of 1.9 have a mean of 1.
    meant = imbcore.fit(X, y, method=method, class_weight={0: 0.7, 1: 1.9}, random_state=0)
    assert np.allclose(small.predict_proba(X), meant.predict_proba(X), rtol=0, atol=1e-9)


def test_class_weights_that_include_1_are_not_scaled():
    X, y = table()
    stays = imbcore.fit(X, y, method="c44", class_weight={0: 0.01, 1: 1}, min_samples_split=1000)
    assert np.isclose(stays.predict_proba(X)[0, 1], (15 + 1) / (15.45 + 2))


def test_product_of_both_weights_is_scaled():
    X, y = table()
    rows, classes = np.where(y == 1, 0.5, 4.0), {0: 0.125, 1: 1.0}
    both = imbcore.fit(X, y, method="c44", sample_weight=rows, class_weight=classes)
    plain = imbcore.fit(X, y, method="c44")
    assert np.allclose(both.predict_proba(X), plain.predict_proba(X), rtol=0, atol=1e-12)


def test_scale_is_computed_before_the_folds():
    X, y = table(200)
    weight = np.random.default_rng(1).uniform(0.1, 0.9, size=200)
    options = {"method": "c44", "sample_weight": weight, "threshold": "f1", "random_state": 0}
    whole = imbcore.evaluate(X, y, **options)
    halved = imbcore.evaluate(X, y, **(options | {"sample_weight": weight / 2}))
    assert whole.proba.tobytes() == halved.proba.tobytes()
    # One row of weight 1 keeps all weights unscaled, even if its fold is held out.
    weight[0] = 1.0
    leaf = imbcore.evaluate(X, y, method="c44", sample_weight=weight, min_samples_split=1000, random_state=0)
    train = leaf.fold != leaf.fold[0]
    mass = np.bincount(y[train], weight[train])
    assert np.allclose(leaf.proba[0], (mass + 1) / (mass.sum() + 2), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "estimator", [imbcore.CARTClassifierCV(cv=3, leaf_estimate="laplace"), imbcore.FastBoxesCV(cv=3)]
)
def test_estimators_with_inner_folds(estimator):
    X, y = table(120)
    weight = np.random.default_rng(1).uniform(0.1, 0.9, size=120)
    whole = estimator.set_params(random_state=0).fit(X, y, sample_weight=weight)
    whole = whole.model_.to_bytes(), {key: np.array(found) for key, found in whole.cv_results_.items()}
    again = estimator.fit(X, y, sample_weight=weight / 4)
    assert again.model_.to_bytes() == whole[0]
    for key, found in again.cv_results_.items():
        assert np.array_equal(found, whole[1][key]), key


class TestBoosting:
    """Boosting passes weights that sum to 1."""

    X, y = table(400, apart=2.5)
    train, test = np.arange(400) < 240, np.arange(400) >= 240

    @staticmethod
    def members():
        return [
            imbcore.C44Classifier(max_depth=3),
            imbcore.C45Classifier(max_depth=3),
            imbcore.BaggedC45Classifier(n_estimators=3, max_depth=3),
            imbcore.NaiveBayesClassifier(),
            imbcore.TANClassifier(),
            imbcore.KDBClassifier(),
            imbcore.AODEClassifier(),
            imbcore.FullBayesClassifier(),
            imbcore.BayesBaggingClassifier(n_estimators=2),
            imbcore.PRIMClassifier(),
            imbcore.FastBoxesClassifier(n_boxes=2),
        ]

    def auc(self, member):
        member.fit(self.X[self.train], self.y[self.train])
        return roc_auc_score(self.y[self.test], member.predict_proba(self.X[self.test])[:, 1])

    def boosted(self, member):
        return self.auc(AdaBoostClassifier(member, n_estimators=5, random_state=0))

    def test_members_rank_like_cart(self):
        # Standard error of an AUC of 0.85 with 40 positives of 160 rows: 0.035 (Hanley and McNeil 1982);
        # three of them. Boosting does not reweight the first Fast Boxes, so they rank as without it.
        cart = self.boosted(imbcore.CARTClassifier(max_depth=3))
        assert cart > 0.85
        for member in self.members():
            found = self.boosted(member)
            assert found > 0.7, member
            assert found > min(cart, self.auc(member)) - 0.105, member

    def test_rusboost_scales_weights(self):
        imblearn = pytest.importorskip("imblearn.ensemble")
        for member in (
            imbcore.C44Classifier(max_depth=3),
            imbcore.NaiveBayesClassifier(),
            imbcore.PRIMClassifier(),
        ):
            boosted = imblearn.RUSBoostClassifier(member, n_estimators=5, random_state=0)
            boosted.fit(self.X[self.train], self.y[self.train])
            assert roc_auc_score(self.y[self.test], boosted.predict_proba(self.X[self.test])[:, 1]) > 0.7


def test_networks_scale_weights():
    rng = np.random.default_rng(2)
    a = rng.integers(0, 2, size=300)
    data = {"a": a.astype(str), "b": np.where(rng.random(300) < 0.9, a, 1 - a).astype(str)}
    plain = BayesianNetwork.learn(data, random_state=0)
    small = BayesianNetwork.learn(data, sample_weight=np.full(300, 1 / 512), random_state=0)
    assert plain.arcs
    assert small.arcs == plain.arcs
    assert np.allclose(small.cpt("b").to_numpy(float), plain.cpt("b").to_numpy(float))


def test_discretizers_scale_weights():
    X, y = table(200)
    kind = discretization.MDLPDiscretizer
    plain = kind().fit(X, y)
    assert [list(cuts) for cuts in kind().fit(X, y, sample_weight=np.full(200, 1 / 256)).cuts_] == [
        list(cuts) for cuts in plain.cuts_
    ]


def test_proofs_of_exact_boxes_hold_for_small_weights():
    X, y = table(40)
    boxes = imbcore.ExactBoxesClassifier(n_boxes=1, time_limit=5.0, random_state=0)
    weight = np.full(40, 1 / 64)
    found = boxes.fit(X, y, sample_weight=weight).verify_certificate(X, y, sample_weight=weight)
    assert found["objective_holds"]


def test_weights_that_cannot_be_scaled_are_rejected():
    X, y = table()
    with pytest.raises(imbcore.DataError, match="multiply all weights by a constant"):
        imbcore.fit(X, y, method="c44", sample_weight=np.full(60, 5e-324))
