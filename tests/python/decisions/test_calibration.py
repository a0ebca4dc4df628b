"""Calibration: compared with scikit-learn and venn-abers, in every method, in files and on the command
line.
"""

from __future__ import annotations

import json
import pickle
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest
import sklearn.ensemble
from click.testing import CliRunner
from sklearn.calibration import CalibratedClassifierCV, _SigmoidCalibration
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

import imbcore
from imbcore import metrics
from imbcore._bindings import native
from imbcore._cli.commands import cli
from imbcore.datasets import make_disjunct_grid
from imbcore.decisions import CalibratedClassifier, ThresholdClassifier
from imbcore.ensembles import BaggingClassifier, RandomForestClassifier
from imbcore.plotting import export_text, plot_calibration

METHODS = ["sigmoid", "isotonic", "beta", "venn_abers"]


def scores(seed=0, n=400, ties=True):
    """Labels and overconfident scores, with ties and both extremes."""
    rng = np.random.default_rng(seed)
    p = rng.beta(0.5, 2.0, n)
    y = (rng.random(n) < p).astype(np.uint32)
    scores_ = np.clip(0.5 + 1.6 * (p - 0.5), 0.0, 1.0)
    return y, np.round(scores_, 2) if ties else np.clip(scores_, 0.001, 0.999)


def both(p):
    return np.column_stack([1.0 - p, p])


def fitted(method, y, p, weights=None):
    return native.metrics.Calibration.fit(method, y, both(p), weights)


@pytest.mark.parametrize("weighed", [False, True])
def test_sigmoid_equals_scikit_learn(weighed):
    y, p = scores()
    weights = np.random.default_rng(1).integers(1, 4, len(y)).astype(float) if weighed else None
    inside = np.unique(p[(p > 0) & (p < 1)])
    clipped = np.clip(p, inside[0] / 2, 1 - (1 - inside[-1]) / 2)
    log_odds = np.log(clipped / (1 - clipped))
    theirs = _SigmoidCalibration().fit(log_odds, y, weights).predict(log_odds)
    # scikit-learn stops at a gradient of 1e-6 per row.
    assert np.allclose(fitted("sigmoid", y, p, weights).apply(both(p))[:, 1], theirs, atol=2e-4)


@pytest.mark.parametrize("method", ["sigmoid", "beta"])
def test_calibrated_probabilities_of_a_rare_class_stay_right(method):
    """A logistic curve of the probability itself cannot bend where all probabilities are small."""
    rng = np.random.default_rng(0)
    p = 1 / (1 + np.exp(7.2 - 1.8 * rng.normal(size=40_000)))
    y = (rng.random(len(p)) < p).astype(np.uint32)
    found = fitted(method, y, p).apply(both(p))[:, 1]
    truth = metrics.log_loss(y, p)
    assert metrics.log_loss(y, found) < 1.01 * truth
    assert np.median(found) == pytest.approx(np.median(p), rel=0.2)


@pytest.mark.parametrize("method", METHODS)
def test_no_curve_reverses_the_ranking(method):
    """No curve decreases, even if the rows contradict the ranking of the scores."""
    y, p = scores(ties=False)
    calibrated = fitted(method, 1 - y, p).apply(both(p))[:, 1][np.argsort(p)]
    assert (np.diff(calibrated) >= 0).all()
    if method == "sigmoid":
        assert len(np.unique(calibrated)) == len(np.unique(p))
        assert abs(calibrated.mean() - (1 - y).mean()) < 2e-3


@pytest.mark.parametrize("weighed", [False, True])
@pytest.mark.parametrize("ties", [False, True])
def test_isotonic_equals_scikit_learn(weighed, ties):
    y, p = scores(ties=ties)
    weights = np.random.default_rng(1).integers(0, 4, len(y)).astype(float) if weighed else None
    grid = np.linspace(0.0, 1.0, 501)
    theirs = IsotonicRegression(out_of_bounds="clip").fit(p, y, weights).predict(grid)
    assert np.allclose(fitted("isotonic", y, p, weights).apply(both(grid))[:, 1], theirs, atol=1e-12)


def test_beta_is_a_logistic_regression_on_logarithms():
    y, p = scores(ties=False)
    positives = int(y.sum())
    on, off = (positives + 1) / (positives + 2), 1 / (len(y) - positives + 2)
    target = np.where(y == 1, on, off)
    columns = np.column_stack([np.log(p), -np.log(1 - p)])
    theirs = LogisticRegression(C=1e12, tol=1e-12, max_iter=10_000).fit(
        np.vstack([columns, columns]),
        np.repeat([1, 0], len(y)),
        sample_weight=np.concatenate([target, 1 - target]),
    )
    assert np.all(theirs.coef_ > 0)
    expected = theirs.predict_proba(columns)[:, 1]
    assert np.allclose(fitted("beta", y, p).apply(both(p))[:, 1], expected, atol=1e-6)


@pytest.mark.parametrize("ties", [False, True])
def test_venn_abers_equals_the_package(ties):
    package = pytest.importorskip("venn_abers", reason="the venn-abers package is not installed")
    y, p = scores(ties=ties)
    grid = np.unique(np.concatenate([p, np.linspace(0.0, 1.0, 201)]))
    theirs, ends = package.calc_probs(*package.calc_p0p1(both(p), y), both(grid))
    ours = fitted("venn_abers", y, p)
    low, high = ours.interval(both(grid))
    assert np.allclose(np.column_stack([low[:, 1], high[:, 1]]), ends, atol=1e-12)
    assert np.allclose(ours.apply(both(grid)), theirs, atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_curves_are_monotone_and_are_stored(method):
    y, p = scores(3)
    curves, grid = fitted(method, y, p), np.linspace(0.0, 1.0, 1001)
    found = curves.apply(both(grid))
    assert np.all(np.diff(found[:, 1]) >= 0)
    assert np.array_equal(native.metrics.Calibration(*curves.parts()).apply(both(grid)), found)


def rows(n=500, seed=0, share=0.2):
    return make_disjunct_grid(n, minority_fraction=share, overlap=2, random_state=seed)


FOREST = {"method": "random_forest", "n_estimators": 40, "random_state": 0}
QUIET = pytest.mark.filterwarnings("ignore:calibrate=:imbcore.DataWarning")


@QUIET
@pytest.mark.parametrize("method", METHODS)
def test_forest_is_calibrated_out_of_bag_on_all_rows(method):
    X, y = rows()
    plain = imbcore.fit(X, y, oob_score=True, **FOREST)
    model = imbcore.fit(X, y, calibrate=method, **FOREST)
    counts = {int(label): int(np.sum(y == label)) for label in np.unique(y)}
    assert model.calibration_ == {
        "method": method, "source": "out_of_bag", "n_rows": len(y), "rows_by_class": counts
    }  # fmt: skip
    assert plain.calibration_ is None
    answers = plain.oob_decision_function_
    curves = native.metrics.Calibration.fit(method, np.asarray(y, dtype=np.uint32), answers, None)
    assert np.array_equal(model.predict_proba(X), curves.apply(plain.predict_proba(X)))
    assert np.array_equal(model.predict(X), model.classes_[model.predict_proba(X).argmax(axis=1)])


@QUIET
@pytest.mark.parametrize("name", ["cart", "hddt", "naive_bayes", "fast_boxes", "adaboost", "svr_tree"])
def test_other_methods_are_calibrated_on_inner_folds(name):
    X, y = rows(300)
    for method in ("sigmoid", "venn_abers"):
        model = imbcore.fit(X, y, name, calibrate=method, random_state=0)
        assert (model.calibration_["source"], model.calibration_["n_rows"]) == ("out_of_fold", len(y))
        # Calibrated in the large on the rows of its own folds.
        assert abs(model.predict_proba(X)[:, 1].mean() - np.mean(y)) < 0.08


@QUIET
@pytest.mark.parametrize("name", ["random_forest", "hddt"])
@pytest.mark.parametrize("method", METHODS)
def test_bytes_do_not_depend_on_threads_and_files_are_read_back(name, method, tmp_path):
    X, y = rows(300)
    models = [imbcore.fit(X, y, name, calibrate=method, random_state=1, n_threads=n) for n in (1, 3)]
    assert models[0].to_bytes() == models[1].to_bytes()
    models[0].save(tmp_path / "model.imb")
    for again in (imbcore.load(tmp_path / "model.imb"), pickle.loads(pickle.dumps(models[0]))):
        assert again.to_bytes() == models[0].to_bytes()
        assert again.calibration_ == models[0].calibration_
        assert np.array_equal(again.predict_proba(X), models[0].predict_proba(X))


@QUIET
def test_probabilities_are_calibrated_after_weighting():
    X, y = rows(1500, share=0.1)
    heavy = {"class_weight": "balanced", "max_depth": 3}
    test_X, test_y = rows(1500, seed=9, share=0.1)
    bent = imbcore.fit(X, y, "cart", random_state=0, **heavy)
    model = imbcore.fit(X, y, "cart", calibrate="sigmoid", random_state=0, **heavy)
    found = [metrics.log_loss(test_y, m.predict_proba(test_X)) for m in (bent, model)]
    assert found[1] < found[0]
    assert abs(model.predict_proba(test_X)[:, 1].mean() - 0.1) < 0.03


@QUIET
def test_thresholds_are_chosen_on_calibrated_predictions():
    X, y = rows()
    plain = imbcore.fit(X, y, threshold={"recall": 0.9}, **FOREST)
    model = imbcore.fit(X, y, calibrate="sigmoid", threshold={"recall": 0.9}, **FOREST)
    assert model.threshold != plain.threshold
    assert model.decision_["source"] == "out_of_bag"
    expected = [m.decision_["expected"]["recall"]["value"] for m in (plain, model)]
    assert expected[0] == expected[1] >= 0.9
    reached = model.predict_proba(X)[:, 1] >= model.threshold
    assert np.array_equal(model.predict(X) == model.positive_, reached)
    promised = {"recall": 0.6, "guarantee": 0.9, "guarantee_rows": 0.4}
    safe = imbcore.fit(X, y, calibrate="sigmoid", threshold=promised, **FOREST)
    n_rows = safe.decision_["n_rows"]
    assert safe.calibration_["n_rows"] + n_rows == len(y)
    assert safe.decision_["source"] == "held_out"


@QUIET
def test_leaves_of_a_tree_show_calibrated_probabilities():
    X, y = rows(400)
    model = imbcore.fit(
        X, y, "cart", calibrate="sigmoid", class_weight="balanced", max_depth=2, random_state=0
    )
    bent = imbcore.fit(X, y, "cart", class_weight="balanced", max_depth=2, random_state=0)
    assert np.any(bent.predict(X) != model.predict(X))
    # The tree is the same; the predictions of its leaves differ.
    assert export_text(model) != export_text(bent)


@QUIET
@pytest.mark.parametrize("method", METHODS)
def test_probabilities_of_several_classes_sum_to_one(method):
    rng = np.random.default_rng(0)
    y = rng.choice(["a", "b", "c"], 400, p=[0.6, 0.3, 0.1])
    X = rng.normal(size=(400, 3)) + (y[:, None] == np.array(["a", "b", "c"]))
    model = imbcore.fit(X, y, calibrate=method, prior_correction="prior", method="balanced_random_forest",
                        n_estimators=40, random_state=0)  # fmt: skip
    proba = model.predict_proba(X)
    assert np.allclose(proba.sum(axis=1), 1.0)
    assert np.all(proba >= 0)
    assert sum(model.calibration_["rows_by_class"].values()) == model.calibration_["n_rows"]
    if method == "venn_abers":
        low, high = model.predict_proba_interval(X)
        assert low.shape == (400, 3)
        assert np.all(low <= high)
    else:
        with pytest.raises(imbcore.UnsupportedError, match="venn_abers"):
            model.predict_proba_interval(X)


def test_only_venn_abers_has_intervals_that_contain_the_probability():
    X, y = rows()
    model = imbcore.fit(X, y, calibrate="venn_abers", **FOREST)
    low, high = model.predict_proba_interval(X)
    proba = model.predict_proba(X)
    assert np.all(low <= proba)
    assert np.all(proba <= high)
    assert np.allclose(low[:, 0], 1 - high[:, 1])
    with pytest.raises(imbcore.UnsupportedError, match="calibrate="):
        imbcore.fit(X, y, **FOREST).predict_proba_interval(X)


@QUIET
def test_weights_are_used():
    X, y = rows()
    weights = np.where(y == 1, 3.0, 1.0)
    model = imbcore.fit(X, y, calibrate="sigmoid", sample_weight=weights, **FOREST)
    share = float(weights[y == 1].sum() / weights.sum())
    assert abs(np.average(model.predict_proba(X)[:, 1], weights=weights) - share) < 0.08


@QUIET
def test_calibrated_model_adapts_from_its_training_priors():
    X, y = rows(1000)
    model = imbcore.fit(X, y, calibrate="venn_abers", class_weight="balanced", **FOREST)
    share = float(np.mean(y))
    same = model.correct_prior(X, prior={0: 1 - share, 1: share})
    assert np.allclose(same.predict_proba(X), model.predict_proba(X))
    more = model.correct_prior(X, prior={0: 0.5, 1: 0.5})
    odds = share / (1 - share)
    p, q = model.predict_proba(X)[:, 1], more.predict_proba(X)[:, 1]
    assert np.allclose(q / (1 - q), p / (1 - p) / odds)
    again = pickle.loads(pickle.dumps(more))
    assert np.array_equal(again.predict_proba(X), more.predict_proba(X))
    with pytest.raises(imbcore.UnsupportedError, match="after adaptation"):
        more.predict_proba_interval(X)


def test_too_few_rows_warn():
    X, y = rows(300, share=0.05)
    rare = np.flatnonzero(y == 1)
    with pytest.warns(imbcore.DataWarning, match="was fitted to 15 rows of class 1 and needs about 30"):
        imbcore.fit(X, y, calibrate="beta", **FOREST)
    few = np.concatenate([np.flatnonzero(y == 0), rare[:1]])
    with pytest.raises(imbcore.DataError, match="at least 2 rows of every class, and 20 to be reliable"):
        imbcore.fit(X[few], y[few], calibrate="sigmoid", **FOREST)
    with pytest.raises(imbcore.ParameterError, match="isotonic"):
        imbcore.fit(X, y, calibrate="isotonik", **FOREST)
    with pytest.raises(imbcore.ParameterError, match="calibrate must be"):
        imbcore.fit(X, y, calibrate=True, **FOREST)


def test_members_of_other_libraries_need_the_wrapper():
    X, y = rows(200)
    ensemble = BaggingClassifier(LogisticRegression(), n_estimators=3, calibrate="beta")
    with pytest.raises(imbcore.UnsupportedError, match="CalibratedClassifier"):
        ensemble.fit(X, y)


@QUIET
def test_command_line_calibrates(tmp_path):
    X, y = rows(300)
    table = tmp_path / "rows.csv"
    lines = [f"{a},{b},{label}" for (a, b), label in zip(X, y, strict=True)]
    table.write_text("\n".join(["a,b,y", *lines]) + "\n")
    run, model, out = CliRunner(), tmp_path / "model.imb", tmp_path / "out.csv"
    command = ["fit", str(table), "-t", "y", "-m", "hddt", "--calibrate", "venn_abers", "-o", str(model)]
    assert run.invoke(cli, command).exit_code == 0
    assert imbcore.load(model).calibration_["method"] == "venn_abers"
    done = run.invoke(cli, ["predict", str(model), str(table), "--proba", "--interval", "-o", str(out)])
    assert done.exit_code == 0, done.output
    header = out.read_text().splitlines()[0].split(",")
    assert header == ["prediction", "proba_0", "proba_1", "low_0", "low_1", "high_0", "high_1"]
    scores = tmp_path / "scores.json"
    command = ["evaluate", str(table), "-t", "y", "--calibrate", "sigmoid", "--json", str(scores)]
    assert run.invoke(cli, command).exit_code == 0
    assert json.loads(scores.read_text())


def test_reliability_tables_match_their_definition():
    y, p = scores()
    table = metrics.calibration_table(y, p, n_bins=5)
    assert table.rows.sum() == len(y)
    assert np.all(table.low <= table.positive_fraction)
    assert np.all(table.positive_fraction <= table.high)
    matrix = metrics.calibration_table(y, both(p), n_bins=5)
    assert all(np.array_equal(a, b) for a, b in zip(table, matrix, strict=True))
    for found in (p, both(p)):
        parts = metrics.brier_decomposition(y, found)
        total = parts.reliability - parts.resolution + parts.uncertainty + parts.within
        assert total == pytest.approx(parts.brier)
    assert metrics.brier_decomposition(y, p).brier == pytest.approx(metrics.brier_score_loss(y, p))
    assert metrics.brier_decomposition(y, p, strategy="distinct").within == pytest.approx(0, abs=1e-12)
    errors = metrics.calibration_errors(y, p)
    assert errors.expected_corrected < errors.expected <= errors.maximum
    classes = metrics.calibration_errors([0, 1, 2], np.eye(3))
    assert classes.expected == 0
    assert classes.maximum == 0
    assert metrics.calibration_table([0, 1, 2], np.eye(3), positive=2).rows.tolist() == [2, 1]
    with pytest.raises(imbcore.ParameterError, match="positive="):
        metrics.calibration_table([0, 1, 2], np.eye(3))


def test_wrapper_equals_the_option_and_uses_out_of_bag_rows_of_other_forests():
    X, y = rows()
    own = imbcore.fit(X, y, calibrate="sigmoid", **FOREST)
    ours = RandomForestClassifier(n_estimators=40, random_state=0)
    model = CalibratedClassifier(ours, "sigmoid").fit(X, y)
    assert np.array_equal(model.predict_proba(X), own.predict_proba(X))
    assert model.calibration_ == own.calibration_
    theirs = sklearn.ensemble.RandomForestClassifier(60, random_state=0)
    for method in ("sigmoid", "venn_abers"):
        model = CalibratedClassifier(theirs, method).fit(X, y)
        assert (model.calibration_["source"], model.calibration_["n_rows"]) == ("out_of_bag", len(y))
        assert model.estimator_.n_estimators == 60
        found = model.predict_proba(X)
        assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), found)
    low, high = model.predict_proba_interval(X)
    assert np.all(low <= found)
    assert np.all(found <= high)
    folds = CalibratedClassifier(ours, "sigmoid", cv=3, random_state=0).fit(X, y)
    assert folds.calibration_["source"] == "out_of_fold"


def test_one_curve_on_frozen_scores_equals_scikit_learn():
    y, p = scores(n=900, ties=False)
    line = LogisticRegression().fit(p[:, None], y)
    theirs = CalibratedClassifierCV(FrozenEstimator(line), method="isotonic", ensemble=False, cv=5)
    ours = CalibratedClassifier(FrozenEstimator(line), "isotonic", random_state=0).fit(p[:, None], y)
    expected = theirs.fit(p[:, None], y).predict_proba(p[:, None])
    assert np.allclose(ours.predict_proba(p[:, None]), expected, atol=1e-6)


def test_rows_given_to_a_frozen_estimator_are_held_out():
    y, p = scores(n=900, ties=False)
    frozen = FrozenEstimator(LogisticRegression().fit(p[:300, None], y[:300]))
    curves = CalibratedClassifier(frozen, random_state=0).fit(p[300:, None], y[300:])
    chosen = ThresholdClassifier(frozen, "f1", random_state=0).fit(p[300:, None], y[300:])
    assert (curves.calibration_["source"], curves.calibration_["n_rows"]) == ("held_out", 600)
    assert (chosen.decision_["source"], chosen.decision_["n_rows"]) == ("held_out", 600)


@QUIET
@pytest.mark.filterwarnings("ignore:calibration by:imbcore.DataWarning")
@parametrize_with_checks([CalibratedClassifier(LogisticRegression(), random_state=0)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_plot_has_one_point_per_bin_and_their_counts():
    y, p = scores()
    ax = plot_calibration(y, p, n_bins=4)
    # Equal probabilities are in one bin: 253 of the 400 rows have probability 0, so four bins become three.
    assert (p == 0).sum() == 253
    counts = [int(text.get_text()) for text in ax.texts[1:]]
    assert counts == [253, 48, 99]
    several = plot_calibration(y, {"a": p, "b": both(p)})
    assert len(several.get_legend().get_texts()) == 2
    plt.close("all")


@pytest.mark.filterwarnings("ignore:.*to be reliable")
@pytest.mark.parametrize("seed", range(5))
def test_rounded_sums_of_fractions_can_be_calibrated(seed):
    """Fractions of a row with missing values may sum to slightly more than 1."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(130, 4)), (rng.random(130) < 0.2).astype(int)
    X[rng.random(X.shape) < 0.08] = np.nan
    model = imbcore.fit(X, y, "bagged_c45", n_estimators=3, calibrate="sigmoid", random_state=seed)
    assert model.predict_proba(X).max() <= 1


@pytest.mark.parametrize("kind", ["option", "classifier"])
def test_the_warning_of_few_rows_counts_groups(kind):
    """Kind: the number of independent units, not of rows, decides whether a calibration is reliable."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(60), 5)
    X = rng.normal(size=(300, 2)) + groups[:, None] % 3
    # 50 rows of ten groups.
    y = (groups % 6 == 2).astype(int)

    def fit(**options):
        if kind == "option":
            imbcore.fit(X, y, "logistic_regression", calibrate="sigmoid", random_state=0, **options)
        else:
            CalibratedClassifier(LogisticRegression(), method="sigmoid", cv=3).fit(X, y, **options)

    with pytest.warns(imbcore.DataWarning, match="10 groups with rows of class 1"):
        fit(groups=groups)
    with warnings.catch_warnings():
        warnings.simplefilter("error", imbcore.DataWarning)
        fit()
