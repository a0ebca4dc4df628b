"""Ensemble selection: the model is a function of data, seed and budget, and its scores are held-out scores.

Kinds of errors covered: a choice that depends on threads or the clock, a budget whose members are not nested,
predictions of rows by models that were fitted to the row, its group or later rows, and parts of the API that
treat the ensemble unlike other models.
"""

import itertools
import json
import sqlite3
import threading
import time
import warnings
from _thread import interrupt_main

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import average_precision_score, log_loss

import imbcore
from imbcore import AutoClassifier
from imbcore._model.member_explanations import explain_member_probability

# All candidates up to the large boosted trees on the table below.
FAST = {"budget": 1.3, "n_estimators": 10, "random_state": 0}


def table(n_rows=300, seed=0):
    """Three numeric columns and one of text; one row in five is positive."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n_rows, 3)), columns=list("abc"))
    X["d"] = rng.choice(["u", "v", "w"], n_rows)
    y = (X["a"] + X["b"] * (X["d"] == "u") + rng.normal(size=n_rows) > 1.2).astype(int)
    X.loc[::17, "b"] = np.nan
    return X, y.to_numpy()


def weak_signal(seed, n_rows):
    """Ten columns and about 4 % positives, whose true probabilities have an AUC of 0.7."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 10))
    z = -3.5 + 0.7 * X[:, 0] + 0.5 * X[:, 1] * X[:, 2] - 0.5 * (X[:, 3] > 1)
    return X, (rng.random(n_rows) < 1 / (1 + np.exp(-z))).astype(int)


@pytest.fixture(scope="module")
def model():
    return imbcore.fit(*table(), "auto", oob_score=True, **FAST)


def complete(model):
    """Members that were fitted."""
    return {row["member"] for row in model.leaderboard_ if row["left_out"] is None}


def test_equal_seeds_give_equal_bytes_for_any_number_of_threads(model):
    for n_threads in (2, 7):
        again = imbcore.fit(*table(), "auto", n_threads=n_threads, oob_score=True, **FAST)
        assert again.to_bytes() == model.to_bytes()
    assert imbcore.fit(*table(), "auto", **(FAST | {"random_state": 1})).to_bytes() != model.to_bytes()


def test_a_larger_budget_fits_a_superset_of_the_members():
    fitted = [
        imbcore.fit(*table(120), "auto", **(FAST | {"budget": budget}))
        for budget in (1e-6, 0.011, 0.05, 0.19)
    ]
    members = [complete(one) for one in fitted]
    assert all(small < large for small, large in itertools.pairwise(members)), members
    assert members[0] == {"prior", "naive_bayes"}
    for one in fitted:
        rows = [row for row in one.leaderboard_ if row["left_out"] is not None]
        assert all(row["left_out"] == "budget" and row["score"] is None for row in rows)


def test_the_leaderboard_lists_every_candidate_with_score_and_weight(model):
    board = model.leaderboard_
    scores = [row["score"] for row in board if row["score"] is not None]
    assert scores == sorted(scores)
    assert len(scores) == len(complete(model)) > 4
    assert sum(row["weight"] for row in board) == pytest.approx(1.0)
    assert all(row["weight"] == 0 for row in board if row["left_out"])
    assert all(
        (row["seconds"] is None) == (row["left_out"] is not None or row["member"] == "prior") for row in board
    )
    for row in board:
        imbcore.fit(*table(60), row["method"], **(row["params"] | {"random_state": 0}))
    assert "ensemble" in model.leaderboard_text()
    assert "naive_bayes" in model.leaderboard_text()


def test_the_score_is_that_of_the_held_out_predictions(model):
    _, y = table()
    held_out = model.oob_decision_function_
    assert model.validation_score_ == pytest.approx(log_loss(y, held_out), rel=1e-12)
    assert model.oob_score_ == model.validation_score_
    # Held-out predictions are worse than those of the fitted rows, and their mean is the prevalence.
    assert model.validation_score_ > log_loss(y, model.predict_proba(table()[0]))
    assert held_out[:, 1].mean() == pytest.approx(y.mean(), rel=0.02)
    best = min(row["score"] for row in model.leaderboard_ if row["score"] is not None)
    assert model.validation_score_ < 1.05 * best


def test_members_are_models_whose_weighted_mean_is_the_ensemble(model):
    X, _ = table(40, seed=3)
    mean = sum(
        weight * member.predict_proba(X)
        for weight, member in zip(model.estimator_weights_, model.estimators_, strict=True)
    )
    odds = model.predict_proba(X) / mean
    ratio = odds[:, 1] / odds[:, 0]
    # Calibration in the large multiplies all odds by one factor.
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-9)
    assert 0.5 < ratio[0] < 2.0
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    assert np.argmax(model.feature_importances_) == 0


def test_files_and_exports_give_the_same_predictions(model, tmp_path):
    X, _ = table(50, seed=4)
    model.save(tmp_path / "model.imb")
    loaded = imbcore.load(tmp_path / "model.imb")
    assert loaded.to_bytes() == model.to_bytes()
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    drop = [{key: value for key, value in row.items() if key != "seconds"} for row in loaded.leaderboard_]
    assert drop == [
        {key: value for key, value in row.items() if key != "seconds"} for row in model.leaderboard_
    ]
    assert all(row["seconds"] is None for row in loaded.leaderboard_)
    small = imbcore.fit(*table(80), "auto", budget=0.05, random_state=0)
    with sqlite3.connect(":memory:") as database:
        X.to_sql("rows", database, index_label="id")
        query = small.to_sql("rows", output="proba", dialect="sqlite", keep=["id"])
        found = pd.read_sql(query, database).sort_values("id")
    columns = [name for name in found.columns if name != "id"]
    np.testing.assert_allclose(found[columns].to_numpy(float), small.predict_proba(X), rtol=1e-9)
    assert json.loads(model.to_json())["method"] == "auto"


def test_time_limit_leaves_out_members_with_a_warning():
    X, y = weak_signal(0, 4000)
    start = time.monotonic()
    with pytest.warns(imbcore.DataWarning, match="time_limit=0.3 was reached.*forest"):
        model = imbcore.fit(X, y, "auto", time_limit=0.3, random_state=0)
    assert time.monotonic() - start < 20
    assert "naive_bayes" in complete(model)
    assert {row["left_out"] for row in model.leaderboard_} == {None, "time_limit"}


def test_ctrl_c_returns_the_ensemble_of_the_complete_members():
    X, y = weak_signal(0, 6000)
    fired = threading.Event()

    def interrupt(stage, done, total):
        if not fired.is_set():
            fired.set()
            interrupt_main()

    with pytest.warns(imbcore.DataWarning, match="interrupted"):
        model = imbcore.fit(X, y, "auto", random_state=0, callback=interrupt)
    assert "naive_bayes" in complete(model)
    assert "interrupted" in {row["left_out"] for row in model.leaderboard_}
    assert model.predict_proba(X[:3]).shape == (3, 2)
    # Other exceptions of the callback are raised.
    with pytest.raises(ZeroDivisionError):
        imbcore.fit(X, y, "auto", random_state=0, callback=lambda *_: 1 // 0)


@pytest.mark.parametrize("seed", range(2))
def test_weak_signal_is_not_worse_than_the_class_prior(seed):
    X, y = weak_signal(seed, 6000)
    model = imbcore.fit(X[:1000], y[:1000], "auto", budget=8, n_estimators=20, random_state=seed)
    prior = log_loss(y[1000:], np.full(5000, y[:1000].mean()))
    assert log_loss(y[1000:], model.predict_proba(X[1000:])) < 1.02 * prior


def test_pure_noise_gives_the_class_prior():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4000, 5)), (rng.random(4000) < 0.1).astype(int)
    model = imbcore.fit(X[:500], y[:500], "auto", budget=2.2, n_estimators=10, random_state=0)
    prior = log_loss(y[500:], np.full(3500, y[:500].mean()))
    assert log_loss(y[500:], model.predict_proba(X[500:])) < 1.02 * prior


def test_groups_are_never_split_between_training_and_held_out_rows():
    # Rows of a group share values and a random label, so that a leak looks like a strong signal.
    rng = np.random.default_rng(1)
    groups = np.repeat(np.arange(80), 5)
    y = np.repeat((rng.random(80) < 0.4).astype(int), 5)
    X = np.repeat(rng.normal(size=(80, 3)), 5, axis=0) + 1e-6 * rng.normal(size=(400, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        leaky = imbcore.fit(X, y, "auto", n_estimators=10, budget=0.5, random_state=0)
    honest = imbcore.fit(X, y, "auto", n_estimators=10, budget=0.5, random_state=0, groups=groups)
    prior = log_loss(y, np.full(400, y.mean()))
    assert leaky.validation_score_ < 0.7 * prior
    assert honest.validation_score_ > 0.93 * prior


def test_members_of_rows_with_times_are_fitted_to_all_rows():
    X, y = table(200)
    moments = np.arange(200)
    model = imbcore.fit(X, y, "auto", time=moments, oob_score=True, **FAST)
    used = [row for row in model.leaderboard_ if row["weight"] > 0]
    assert len(model.estimators_) == len(used)
    # The earliest rows are never held out, and the held-out rows are the latest.
    known = ~np.isnan(model.oob_decision_function_[:, 0])
    assert not known[0]
    assert known[-1]
    assert np.all(np.diff(known.astype(int)) >= 0)


def test_several_classes_weights_and_costs():
    X, y = table()
    y = y + (X["c"] > 1).to_numpy()
    for metric in ("log_loss", "average_precision"):
        model = imbcore.fit(X, y, "auto", **FAST, metric=metric)
        proba = model.predict_proba(X)
        np.testing.assert_allclose(proba.sum(axis=1), 1.0)
        assert (model.predict(X) == np.argmax(proba, axis=1)).all()
        assert model.validation_score_ > 0
    weighted = imbcore.fit(X, y > 0, "auto", **FAST, class_weight="balanced")
    assert weighted.predict_proba(X)[:, 1].mean() == pytest.approx(0.5, abs=0.1)
    costly = imbcore.fit(X, y > 0, "auto", **FAST, cost_matrix=[[0, 1], [9, 0]])
    proba = costly.predict_proba(X)[:, 1]
    assert (costly.predict(X) == (proba >= 0.1)).all()


def test_average_precision_is_maximized():
    X, y = table()
    model = imbcore.fit(X, y, "auto", metric="average_precision", oob_score=True, **FAST)
    scores = [row["score"] for row in model.leaderboard_ if row["score"] is not None]
    assert scores == sorted(scores, reverse=True)
    held_out = average_precision_score(y, model.oob_decision_function_[:, 1])
    assert model.validation_score_ == pytest.approx(held_out)


def test_thresholds_and_calibration_use_the_held_out_predictions():
    X, y = table()
    kept = imbcore.fit(X, y, "auto", oob_score=True, **FAST)
    tuned = imbcore.fit(X, y, "auto", threshold="f1", calibrate="sigmoid", **FAST)
    assert tuned.decision_["source"] == "out_of_fold"
    assert tuned.decision_["n_rows"] == 300
    assert tuned.calibration_["source"] == "out_of_fold"
    with pytest.raises(AttributeError, match="oob_score"):
        _ = tuned.oob_score_
    plain = imbcore.fit(X, y, "auto", threshold="f1", **FAST)
    np.testing.assert_array_equal(plain.predict_proba(X), kept.predict_proba(X))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"budget": 0}, "budget.* must be a number above 0, or None"),
        ({"time_limit": -1.0}, "time_limit.* must be seconds above 0"),
        ({"metric": "auc"}, "metric"),
    ],
)
def test_wrong_parameters_are_refused(given, message):
    with pytest.raises(imbcore.exceptions.ParameterError, match=message):
        imbcore.fit(*table(60), "auto", **given)


def test_the_class_has_the_attributes_of_the_model():
    X, y = table(120)
    auto = AutoClassifier(**FAST).fit(X, y)
    assert auto.model_.to_bytes() == imbcore.fit(X, y, "auto", **FAST).to_bytes()
    assert auto.leaderboard_[0]["score"] <= auto.leaderboard_[1]["score"]
    assert len(auto.estimators_) == len(auto.estimator_weights_)
    assert auto.feature_importances_.shape == (4,)
    assert auto.validation_score_ == auto.model_.validation_score_


@pytest.mark.parametrize("seed", range(5))
def test_rounded_means_of_a_single_positive_row_are_probabilities(seed):
    """Kind: weights that sum to 1 + 2e-16 after rounding make a mean of ones no probability."""
    X = np.random.default_rng(seed).normal(size=(200, 4))
    one_positive = (np.arange(200) == seed).astype(int)
    model = imbcore.fit(X, one_positive, "auto", budget=1.0, n_estimators=10, random_state=0)
    assert np.isfinite(model.validation_score_)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("with_background", [False, True])
def test_explanations_add_up_to_the_mean_probability_of_the_members(n_classes, with_background):
    """Members are explained on the scale of probabilities, whatever the scale on which they are additive."""
    X, y = table(160)
    y = y + (X["c"].to_numpy() > 1.0) if n_classes == 3 else y
    model = imbcore.fit(X, y, "auto", budget=0.7, n_estimators=5, random_state=2 if n_classes == 2 else 0)
    methods = {member.method for member in model.estimators_}
    assert methods & {"forest", "extra_trees", "random_forest", "balanced_random_forest"}
    assert methods & {"boosted_trees", "logistic_regression", "naive_bayes", "tan"}
    rows, background = X.iloc[:6], X.iloc[20:50] if with_background else None
    for label in range(n_classes):
        found = model.explain(rows, label=label, background=background)
        mean = sum(
            weight * member.predict_proba(rows)[:, label]
            for weight, member in zip(model.estimator_weights_, model.estimators_, strict=True)
        )
        np.testing.assert_allclose(found.base_value + found.values.sum(axis=1), mean, atol=1e-9)
        assert (found.scale, found.label, found.values.shape) == ("probability", label, (6, 4))
    assert "a = " in model.explain(rows).to_text()


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("boosted_trees", {"n_rounds": 20}),
        ("logistic_regression", {"C": 1.0}),
        ("naive_bayes", {}),
        ("tan", {}),
        ("forest", {"n_estimators": 5}),
        ("balanced_random_forest", {"n_estimators": 5, "prior_correction": "prior"}),
    ],
)
def test_every_kind_of_member_is_explained_in_probabilities(method, params, n_classes):
    X, y = table(200)
    y = y + (X["c"].to_numpy() > 1.0) if n_classes == 3 else y
    member = imbcore.fit(X, y, method, random_state=0, **params)
    for background in (None, X.iloc[:30]):
        options = {"background": background, "n_threads": 1, "n_jobs": None}
        values, base = explain_member_probability(member, X.iloc[:40], 1, options)
        expected = member.predict_proba(X.iloc[:40])[:, 1]
        np.testing.assert_allclose(base + values.sum(axis=1), expected, atol=1e-9)
        own = member.explain(X.iloc[:40], label=1).values
        if n_classes == 2 and background is None:
            # Within a row, all contributions are multiplied with the same number above 0.
            np.testing.assert_array_equal(
                np.sign(values.round(12)), np.sign(np.where(abs(values) < 1e-12, 0, own))
            )


def test_members_read_the_tables_that_the_ensemble_reads():
    rng = np.random.default_rng(0)
    X = {"a": rng.normal(size=120), "b": [None] * 120}
    with pytest.warns(imbcore.DataWarning, match="no value in any row"):
        auto = imbcore.fit(
            X, (X["a"] + rng.normal(size=120) > 1).astype(int), "auto", budget=0.05, random_state=0
        )
    text = {"a": [0.0, 2.0], "b": ["new", "text"]}
    with pytest.warns(imbcore.DataWarning, match="not seen during fit"):
        found = auto.explain(text)
    assert found.values[:, 1].tolist() == [0.0, 0.0]
    arrow = pytest.importorskip("pyarrow").table(X)
    assert auto.explain(arrow.to_reader()).values.tolist() == auto.explain(arrow).values.tolist()
