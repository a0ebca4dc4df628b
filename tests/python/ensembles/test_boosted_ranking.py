"""Boosted trees with ranking losses: their ranking, and probabilities calibrated on held-out rows."""

import pickle

import numpy as np
import pytest
from alike import first
from sklearn.datasets import make_classification
from sklearn.metrics import average_precision_score, log_loss, roc_auc_score

import imbcore
from imbcore import BoostedTreesClassifier
from imbcore.exceptions import ParameterError

ORDERS = pytest.mark.parametrize("objective", ["pairwise_auc", "smooth_ap"])


def rare(n, seed=0):
    return make_classification(
        n, 8, n_informative=5, n_redundant=0, weights=[0.97], flip_y=0.01, class_sep=1.2, random_state=seed
    )


ENDS = [{"max_rounds": 80, "stopping_score": "average_precision"}, {"max_rounds": 80}, {"n_rounds": 40}]


@ORDERS
@pytest.mark.parametrize("options", first(1, ENDS))
def test_scores_rank_and_probabilities_are_calibrated(objective, options):
    X, y = rare(26000, seed=1)
    options = {"objective": objective, "random_state": 0, "max_leaf_nodes": 15, **options}
    boosted = BoostedTreesClassifier(**options).fit(X[:6000], y[:6000])
    truth, p = y[6000:], boosted.predict_proba(X[6000:])[:, 1]
    assert roc_auc_score(truth, p) > 0.87
    assert average_precision_score(truth, p) > 0.45
    # 220 training positives: the standard error of their proportion is one fifteenth of it.
    assert p.mean() == pytest.approx(y[:6000].mean(), rel=0.15)
    assert log_loss(truth, p) < 0.7 * log_loss(truth, np.full(len(truth), truth.mean()))
    assert (len(boosted.validation_path_) == 0) == ("n_rounds" in options)


@ORDERS
def test_log_odds_are_a_linear_function_of_the_scores(objective):
    X, y = rare(2000)
    boosted = BoostedTreesClassifier(objective=objective, random_state=0, n_rounds=15).fit(X, y)
    p, scores = boosted.predict_proba(X)[:, 1], boosted.decision_function(X)
    slope, level = np.polyfit(scores, np.log(p / (1 - p)), 1)
    assert slope > 0
    np.testing.assert_allclose(p, 1 / (1 + np.exp(-(slope * scores + level))), atol=1e-9)
    np.testing.assert_array_equal(boosted.predict(X), p > 0.5)
    again = pickle.loads(pickle.dumps(boosted.model_))
    np.testing.assert_array_equal(again.predict_proba(X)[:, 1], p)
    explained = boosted.model_.explain(X[:5])
    np.testing.assert_allclose(explained.base_value + explained.values.sum(axis=1), scores[:5], atol=1e-9)


@ORDERS
def test_class_labels_may_be_swapped(objective):
    X, y = rare(2000)
    options = {"objective": objective, "random_state": 0, "n_rounds": 10, "subsample": 1.0}
    p, turned = (
        imbcore.fit(X, t, "boosted_trees", positive=label, **options).predict_proba(X)
        for t, label in ((y, 1), (1 - y, 0))
    )
    np.testing.assert_allclose(turned[:, ::-1], p, rtol=1e-6)


@ORDERS
def test_models_depend_on_the_seed_and_not_on_threads(objective):
    X, y = rare(20000)

    def fit_proba(seed, n_threads):
        options = {"objective": objective, "random_state": seed, "n_threads": n_threads, "n_rounds": 4}
        return imbcore.fit(X, y, "boosted_trees", **options).to_bytes()

    assert fit_proba(0, 1) == fit_proba(0, 2) == fit_proba(0, 7) != fit_proba(1, 1)


@ORDERS
def test_weights_of_zero_equal_removed_rows_and_constraints_hold(objective):
    X, y = rare(1500)
    kept = np.arange(len(y)) % 3 != 0
    options = {"objective": objective, "random_state": 0, "n_rounds": 6, "monotonic_cst": [1, *[0] * 7]}
    weighed = imbcore.fit(X, y, "boosted_trees", sample_weight=kept.astype(float), **options)
    fewer = imbcore.fit(X[kept], y[kept], "boosted_trees", **options)
    np.testing.assert_array_equal(weighed.predict_proba(X), fewer.predict_proba(X))
    moved = [weighed.predict_proba(np.c_[np.full(99, v), X[:99, 1:]])[:, 1] for v in np.linspace(-4, 4, 40)]
    assert (np.diff(moved, axis=0) >= 0).all()


@ORDERS
def test_mean_probability_is_correct_for_very_rare_rows(objective):
    X, _ = rare(120000)
    noisy = X[:, 0] + np.random.default_rng(0).normal(size=len(X))
    y = (noisy > np.quantile(noisy, 0.998)).astype(int)
    boosted = BoostedTreesClassifier(objective=objective, random_state=0, n_rounds=10, stopping_folds=2)
    new = boosted.fit(X[:20000], y[:20000]).predict_proba(X[20000:])[:, 1]
    # The mean probability rests on 40 rows.
    assert new.mean() == pytest.approx(y[:20000].mean(), rel=0.3)


@ORDERS
def test_one_rare_row_or_several_classes_are_rejected(objective):
    X, _ = rare(300)
    one = np.r_[1, np.zeros(299, dtype=int)]
    boosted = BoostedTreesClassifier(objective=objective, n_rounds=5, random_state=0).fit(X, one)
    assert boosted.predict_proba(X)[:, 1].mean() == pytest.approx(1 / 300, rel=0.01)
    with pytest.raises(ParameterError, match="with more than two classes"):
        BoostedTreesClassifier(objective=objective).fit(X, np.arange(300) % 3)
