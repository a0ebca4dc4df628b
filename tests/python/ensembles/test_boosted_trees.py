"""Boosted trees: a slow reference for two rounds, calibrated probabilities, number of rounds, interrupts."""

import json

import numpy as np
import pytest
from boosting_oracle import Oracle, balanced_loss_of, log_loss_of, table
from sklearn.datasets import make_classification
from sklearn.metrics import average_precision_score, log_loss

import imbcore
from imbcore import BoostedTreesClassifier
from imbcore.exceptions import DataError, DataWarning, ParameterError


@pytest.mark.parametrize(("objective", "loss"), [("log_loss", log_loss_of), ("balanced", balanced_loss_of)])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_two_rounds_match_a_slow_reference(seed, objective, loss):
    columns, y = table(seed)
    limits = {
        "max_leaf_nodes": 7,
        "min_samples_leaf": 11,
        "learning_rate": 0.3,
        "reg_lambda": 0.7,
        "level_smoothing": 2.0,
        "subsample": 1.0,
        "colsample_bytree": 1.0,
    }
    options = {"n_rounds": 2, "objective": objective, "random_strength": 0.0}
    model = imbcore.fit(columns, y, "boosted_trees", **options, **limits)
    scores, grown = Oracle(columns, y, limits, loss(y)).fit(2)
    leaves = model.apply(columns)
    for at, (splits, parts) in enumerate(grown):
        found = [tuple(np.flatnonzero(leaves[:, at] == leaf)) for leaf in np.unique(leaves[:, at])]
        assert sorted(found) == parts
        written = json.loads(model.to_json())["steps"][0]["trees"][at]
        assert sorted(node["feature"] for node in written if "children" in node) == sorted(
            split[0] for split in splits
        )
    assert model.decision_function(columns).tolist() == scores


def rare(n=4000, seed=0, share=0.03):
    return make_classification(
        n,
        8,
        n_informative=5,
        n_redundant=0,
        weights=[1 - share],
        flip_y=0.01,
        class_sep=1.2,
        random_state=seed,
    )


@pytest.mark.parametrize("objective", ["log_loss", "balanced", "focal"])
def test_probabilities_are_calibrated_for_every_objective(objective):
    X, y = rare(26000, seed=1)
    options = {
        "random_state": 0,
        "objective": objective,
        "max_rounds": 80,
        "max_leaf_nodes": 15,
    }
    boosted = BoostedTreesClassifier(**options).fit(X[:6000], y[:6000])
    truth, p = y[6000:], boosted.predict_proba(X[6000:])[:, 1]
    # 220 training positives: the standard error of their proportion is one fifteenth of it.
    assert p.mean() == pytest.approx(truth.mean(), rel=0.15)
    assert average_precision_score(truth, p) > 0.68
    assert log_loss(truth, p) < 0.6 * log_loss(truth, np.full(len(truth), truth.mean()))


def test_held_out_rows_determine_the_mean_probability():
    X, y = rare(46000, share=0.02)
    few, truth = slice(0, 6000), y[6000:]
    boosted = BoostedTreesClassifier(early_stopping_rounds=10, random_state=0).fit(X[few], y[few])
    raw = BoostedTreesClassifier(n_rounds=boosted.n_rounds_, random_state=0).fit(X[few], y[few])
    off = [abs(np.log(found.predict_proba(X[6000:])[:, 1].mean() / truth.mean())) for found in (boosted, raw)]
    assert off[0] < off[1]


@pytest.mark.parametrize("objective", ["balanced", "focal"])
def test_prior_shift_of_an_objective_is_corrected(objective):
    X, y = rare()
    boosted = BoostedTreesClassifier(objective=objective, n_rounds=20, random_state=0).fit(X, y)
    p, scores = boosted.predict_proba(X)[:, 1], boosted.decision_function(X)
    # The mean equals the class frequency, and the order is that of the scores.
    assert p.mean() == pytest.approx(y.mean(), rel=1e-6)
    assert (np.diff(p[np.argsort(scores)]) >= 0).all()
    plain = BoostedTreesClassifier(n_rounds=20, random_state=0).fit(X, y)
    if objective == "balanced":
        lifted = np.log(p / (1 - p)) - scores
        np.testing.assert_allclose(lifted, lifted[0], atol=1e-9)
        np.testing.assert_array_equal(boosted.predict(X), scores > 0)
        assert boosted.predict(X).mean() > plain.predict(X).mean()
    else:
        np.testing.assert_array_equal(boosted.predict(X), p > 0.5)


def test_focal_loss_with_gamma_zero_is_the_logistic_loss():
    X, y = rare(1000)
    plain = BoostedTreesClassifier(n_rounds=5, random_state=0).fit(X, y)
    focal = BoostedTreesClassifier(n_rounds=5, objective="focal", focal_gamma=0.0, random_state=0).fit(X, y)
    np.testing.assert_allclose(focal.decision_function(X), plain.decision_function(X), atol=1e-6)


@pytest.mark.parametrize("score", ["log_loss", "average_precision"])
def test_number_of_rounds_is_the_best_on_inner_folds(score):
    X, y = rare(1500)
    boosted = BoostedTreesClassifier(
        stopping_score=score, early_stopping_rounds=8, max_rounds=60, random_state=0
    ).fit(X, y)
    path = boosted.validation_path_
    assert boosted.n_rounds_ == path.argmin() + 1
    assert len(path) == min(60, boosted.n_rounds_ + 8)
    assert (path < 0).all() == (score == "average_precision")
    given = BoostedTreesClassifier(n_rounds=boosted.n_rounds_, random_state=0).fit(X, y)
    assert len(given.validation_path_) == 0
    # The held-out rows also determine the mean probability.
    apart = boosted.decision_function(X) - given.decision_function(X)
    np.testing.assert_allclose(apart, apart[0], atol=1e-9)


def test_stages_are_models_of_fewer_rounds():
    X, y = rare(1500)
    boosted = BoostedTreesClassifier(n_rounds=6, random_state=0, threshold=0.2).fit(X, y)
    three = BoostedTreesClassifier(n_rounds=3, random_state=0, threshold=0.2).fit(X, y)
    for name in ("predict", "predict_proba", "decision_function"):
        stages = list(getattr(boosted, f"staged_{name}")(X[:100]))
        assert len(stages) == 6
        np.testing.assert_array_equal(stages[2], getattr(three, name)(X[:100]))
        np.testing.assert_array_equal(stages[-1], getattr(boosted, name)(X[:100]))
    assert boosted.model_.truncate(2).n_rounds_ == 2
    with pytest.raises(DataError, match="between 1 and the number of rounds 6"):
        boosted.model_.truncate(7)


def test_negligible_improvements_do_not_count():
    X, y = rare(1500)
    options = {"early_stopping_rounds": 4, "random_state": 0}
    rounds = [
        BoostedTreesClassifier(early_stopping_min_delta=delta, **options).fit(X, y).n_rounds_
        for delta in (0.0, 0.003, 10.0)
    ]
    assert rounds[0] > rounds[1] > rounds[2] == 1


def test_noise_is_stopped_early_and_too_few_rows_are_not_evaluated():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 5)), (rng.random(400) < 0.2).astype(int)
    assert BoostedTreesClassifier(random_state=0).fit(X, y).n_rounds_ < 15
    one = np.r_[1, np.zeros(39, dtype=int)]
    boosted = BoostedTreesClassifier().fit(X[:40], one)
    assert (boosted.n_rounds_, len(boosted.validation_path_)) == (100, 0)


@pytest.mark.parametrize("objective", ["log_loss", "balanced"])
def test_several_classes_are_supported(objective):
    X, y = make_classification(
        1500, 8, n_informative=5, n_classes=4, weights=[0.6, 0.25, 0.1], class_sep=1.5, random_state=0
    )
    labels = np.array(["a", "b", "c", "d"])[y]
    boosted = BoostedTreesClassifier(objective=objective, max_rounds=60, random_state=0).fit(
        X[:1000], labels[:1000]
    )
    p = boosted.predict_proba(X[1000:])
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert boosted.decision_function(X).shape == (1500, 4)
    assert boosted.score(X[1000:], labels[1000:]) > 0.75
    np.testing.assert_allclose(p.mean(axis=0), np.bincount(y[1000:]) / 500, atol=0.05)
    assert boosted.apply(X[:3]).shape == (3, 4 * boosted.n_rounds_)
    if objective == "log_loss":
        assert (boosted.predict(X) == boosted.classes_[boosted.decision_function(X).argmax(axis=1)]).all()
    for options in ({"objective": "focal"}, {"stopping_score": "average_precision"}):
        with pytest.raises(ParameterError, match="with more than two classes"):
            BoostedTreesClassifier(**options).fit(X, labels)


def test_weight_of_two_equals_a_repeated_row():
    X, y = rare(600)
    times = np.random.default_rng(0).integers(0, 3, 600)
    limits = {
        "n_rounds": 6,
        "min_samples_leaf": 1,
        "subsample": 1.0,
        "colsample_bytree": 1.0,
        "min_child_weight": 0.5,
        "max_leaf_nodes": 6,
        "max_bins": 16,
        "random_state": 0,
    }
    twice = BoostedTreesClassifier(**limits).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    weighed = BoostedTreesClassifier(**limits).fit(X, y, sample_weight=times)
    np.testing.assert_allclose(weighed.predict_proba(X), twice.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("options", [{"subsample": 0.3}, {"colsample_bytree": 0.4}, {"random_strength": 3.0}])
def test_samples_depend_on_the_seed(options):
    X, y = rare(1000)

    def bytes_of(seed):
        return imbcore.fit(X, y, "boosted_trees", n_rounds=5, random_state=seed, **options).to_bytes()

    assert bytes_of(0) == bytes_of(0) != bytes_of(1)


def test_limits_are_respected():
    X, y = rare(2000)
    model = imbcore.fit(
        X,
        y,
        "boosted_trees",
        n_rounds=4,
        max_depth=3,
        max_leaf_nodes=None,
        min_samples_leaf=30,
        subsample=1.0,
    )
    assert model.depth_ == 3
    assert np.unique(model.apply(X)[:, 0], return_counts=True)[1].min() >= 30
    few = imbcore.fit(X, y, "boosted_trees", n_rounds=4, max_leaf_nodes=5)
    assert few.n_leaves_ <= 20
    shy = imbcore.fit(X, y, "boosted_trees", n_rounds=4, reg_alpha=1e9)
    np.testing.assert_allclose(shy.predict_proba(X)[:, 1], y.mean(), rtol=1e-9)
    assert not shy.feature_importances_.any()


@pytest.mark.parametrize("objective", ["log_loss", "balanced", "focal"])
def test_thresholds_costs_and_calibration_are_supported(objective):
    X, y = rare(1500)
    options = {"objective": objective, "n_rounds": 20, "random_state": 0}
    p = imbcore.fit(X, y, "boosted_trees", **options).predict_proba(X)[:, 1]
    low = imbcore.fit(X, y, "boosted_trees", threshold=0.1, **options)
    np.testing.assert_array_equal(low.predict(X), (p >= 0.1).astype(int))
    priced = imbcore.fit(X, y, "boosted_trees", cost_matrix=[[0, 1], [9, 0]], **options)
    np.testing.assert_array_equal(priced.predict(X), (9 * p > 1 - p).astype(int))
    calibrated = imbcore.fit(X, y, "boosted_trees", calibrate="sigmoid", **options)
    assert calibrated.calibration_["source"] == "out_of_fold"
    assert np.corrcoef(calibrated.predict_proba(X)[:, 1], p)[0, 1] > 0.8


def test_missing_values_take_the_better_side_or_are_rejected():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    y = (rng.random(600) < 0.3).astype(int)
    X[(y == 1) & (rng.random(600) < 0.9), 0] = np.nan
    boosted = BoostedTreesClassifier(n_rounds=40, random_state=0).fit(X, y)
    assert (
        boosted.predict_proba([[np.nan, 0.0]])[0, 1] > 0.6 > boosted.predict_proba([[0.0, 0.0]])[0, 1] + 0.3
    )
    with pytest.raises(DataError, match="missing"):
        BoostedTreesClassifier(missing="error").fit(X, y)


def test_uninformative_columns_give_the_class_priors():
    boosted = BoostedTreesClassifier(n_rounds=3).fit(np.ones((50, 2)), [0] * 40 + [1] * 10)
    np.testing.assert_allclose(boosted.predict_proba([[1.0, 1.0], [7.0, 0.0]])[:, 1], 0.2)


def test_more_levels_than_bins_are_supported():
    rng = np.random.default_rng(0)
    levels = rng.integers(0, 600, 6000)
    y = (rng.random(6000) < np.where(levels % 3 == 0, 0.6, 0.05)).astype(int)
    boosted = BoostedTreesClassifier(n_rounds=30, min_samples_leaf=1).fit(
        {"l": levels.astype(str).astype(object)}, y
    )
    p = boosted.predict_proba({"l": levels.astype(str).astype(object)})[:, 1]
    assert average_precision_score(y, p) > 0.45


def test_interrupt_is_immediate_and_progress_counts_rounds():
    X, y = rare(3000)
    seen = []

    def stop(*calls):
        seen.append(calls)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        imbcore.fit(X, y, "boosted_trees", n_rounds=10**6, callback=stop)
    assert {stage for stage, _, _ in seen} == {"rounds"}
    # A run that continued would report a million rounds.
    assert all(done <= total == 10**6 for _, done, total in seen)
    calls = []
    imbcore.fit(X, y, "boosted_trees", max_rounds=4, callback=lambda *of: calls.append(of))
    assert {stage for stage, _, _ in calls} <= {"rounds", "rounds on inner folds"}


def test_weights_of_zero_equal_removed_rows():
    X, y = rare(900)
    kept = np.arange(len(y)) % 3 != 0
    all_rows = imbcore.fit(
        X, y, "boosted_trees", sample_weight=kept.astype(float), max_rounds=9, random_state=0
    )
    fewer = imbcore.fit(X[kept], y[kept], "boosted_trees", max_rounds=9, random_state=0)
    np.testing.assert_array_equal(all_rows.predict_proba(X), fewer.predict_proba(X))


@pytest.mark.parametrize(
    "option",
    [
        {"early_stopping_rounds": 5},
        {"early_stopping_min_delta": 0.1},
        {"stopping_score": "average_precision"},
    ],
)
def test_options_of_early_stopping_need_an_automatic_number_of_rounds(option):
    X, y = rare(600)
    name = next(iter(option))
    with pytest.warns(DataWarning, match=f"^{name} has no effect with n_rounds=4"):
        BoostedTreesClassifier(n_rounds=4, random_state=0, **option).fit(X, y)
    with pytest.warns(DataWarning, match=f"^{name} has no effect with n_rounds=4"):
        imbcore.fit(X, y, "bagging", estimator="boosted_trees", estimator_params={"n_rounds": 4, **option})
    # The default is not an option that the user set, and "auto" uses it.
    BoostedTreesClassifier(n_rounds=4, random_state=0).fit(X, y)
    BoostedTreesClassifier(max_rounds=4, random_state=0, **option).fit(X, y)
