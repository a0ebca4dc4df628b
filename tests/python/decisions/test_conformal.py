"""Conformal sets: p-values by definition and by other libraries, simulated coverage, and invalid requests."""

import pickle

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

import imbcore
from imbcore._bindings import native
from imbcore.decisions import ConformalClassifier, ThresholdClassifier
from imbcore.exceptions import DataError, DataWarning, ParameterError

METHODS = ["split", "cross", "out_of_bag"]


def overlapping_classes(n, seed, n_classes=2):
    """Overlapping classes; one row in ten belongs to the last."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) < n // 10, n_classes - 1, np.arange(n) % max(n_classes - 1, 1))
    return rng.normal(size=(n, 2)) + 1.5 * y[:, None], y


def normal_rows(n, seed):
    return overlapping_classes(n, seed)[0]


@pytest.fixture(scope="module")
def table():
    return overlapping_classes(600, 1)


def forest(n_estimators=30, **given):
    return imbcore.RandomForestClassifier(n_estimators=n_estimators, random_state=0, **given)


def by_hand(truth, groups, scores, proba, n_classes):
    """The definition of Vovk, one row and class after the other."""
    found = np.empty((proba.shape[1], n_classes))
    for row in range(proba.shape[1]):
        for k in range(n_classes):
            own = [s <= proba[g, row, k] for t, g, s in zip(truth, groups, scores, strict=True) if t == k]
            found[row, k] = (sum(own) + 1) / (len(own) + 1)
    return found


@pytest.mark.parametrize("n_groups", [1, 4])
def test_p_values_match_the_definition(n_groups):
    rng = np.random.default_rng(2)
    # Few distinct numbers, so that there are many ties.
    truth, groups = (rng.integers(0, k, 90).astype(np.uint32) for k in (3, n_groups))
    scores, proba = rng.integers(0, 8, 90) / 8, rng.integers(0, 8, (n_groups, 20, 3)) / 8
    compared = native.decisions.Conformal(truth, groups, scores, 3)
    expected = by_hand(truth, groups, scores, proba, 3)
    np.testing.assert_array_equal(compared.p_values(proba.reshape(-1, 3), None), expected)
    smooth = compared.p_values(proba.reshape(-1, 3), 5)
    assert (smooth <= expected).all()
    assert (smooth > 0).all()
    assert (smooth < expected).any()
    np.testing.assert_array_equal(smooth, compared.p_values(proba.reshape(-1, 3), 5))
    assert (smooth != compared.p_values(proba.reshape(-1, 3), 6)).any()


@pytest.mark.parametrize("method", METHODS)
def test_classifier_uses_the_predictions_of_its_models(table, method):
    X, y = table
    model = ConformalClassifier(forest(), method=method, abstain=-1, random_state=0).fit(X, y)
    new = overlapping_classes(80, 3)[0]
    proba = np.stack([member.predict_proba(new) for member in model.estimators_])
    p = by_hand(*model._calibration, proba, 2)
    np.testing.assert_array_equal(model.p_values(new), p)
    sets = model.predict_set(new)
    np.testing.assert_array_equal(sets, p > 0.1)
    assert model.predict_labels(new) == [[k for k in (0, 1) if row[k]] for row in sets]
    single = sets.sum(axis=1) == 1
    np.testing.assert_array_equal(model.predict(new), np.where(single, sets.argmax(axis=1), -1))
    assert 0 < single.sum() < len(new)
    ever = clone(model).set_params(abstain=None).fit(X, y).predict(new)
    np.testing.assert_array_equal(ever, np.where(single, sets.argmax(axis=1), p.argmax(axis=1)))
    np.testing.assert_array_equal(model.predict_set(new, 0.3), p > 0.3)
    assert sum(model.n_calibration_.values()) == (150 if method == "split" else 600)
    assert len(model.estimators_) == (5 if method == "cross" else 1)
    assert (pickle.loads(pickle.dumps(model)).p_values(new) == p).all()
    assert (clone(model).fit(X, y).p_values(new) == p).all()


def test_promised_coverage_is_the_proven_one(table):
    promised = {
        method: ConformalClassifier(forest(), method=method, random_state=0).fit(*table).coverage_guarantee_
        for method in METHODS
    }
    assert promised["split"] == {0: 0.9, 1: 0.9}
    assert promised["out_of_bag"] == {0: None, 1: None}
    # 60 positives in five folds: 2 (0.1 * 61 + 4) / 65 missed.
    assert promised["cross"][1] == pytest.approx(1 - 2 * (6.1 + 4) / 65)
    assert promised["cross"][1] < promised["cross"][0] < 0.8


def test_out_of_bag_scores_equal_those_of_the_forest(table):
    X, y = table
    scored_forest = forest(oob_score=True).fit(X, y)
    model = ConformalClassifier(forest(), method="out_of_bag").fit(X, y)
    codes, _, scores = model._calibration
    expected = scored_forest.oob_decision_function_
    kept = ~np.isnan(expected[:, 0])
    np.testing.assert_array_equal(scores, expected[kept, y[kept]])
    np.testing.assert_array_equal(codes, y[kept])
    other = ConformalClassifier(
        RandomForestClassifier(30, random_state=0), method="out_of_bag", random_state=0
    )
    assert other.fit(X, y).n_calibration_[1] == 60
    # Out-of-bag predictions precede calibration: new rows would be compared on another scale.
    with pytest.raises(ParameterError, match="set its calibrate=None"):
        ConformalClassifier(forest(calibrate="beta"), method="out_of_bag").fit(X, y)
    # cv= was recommended, which this method does not use.
    foreign = RandomForestClassifier(30, random_state=0)
    with pytest.raises(ParameterError, match='ignore groups and time; use inner folds: method="cross"'):
        ConformalClassifier(foreign, method="out_of_bag").fit(X, y, groups=np.arange(len(y)) // 2)


@pytest.mark.parametrize("smoothed", [False, True])
def test_coverage_of_each_class_is_binomial(smoothed):
    """Every new row has its own calibration rows: misses are independent, with a known probability."""
    rng = np.random.default_rng(11)
    n, alpha, trials = 29, 0.1, 4000
    missed = np.zeros(2)
    for trial in range(trials):
        truth = np.repeat(np.array([0, 1], dtype=np.uint32), n)
        # Scores of rare and frequent rows have different distributions; those of frequent rows have ties.
        scores = np.concatenate([rng.random(n), rng.integers(0, 50, n) / 50])
        new = np.array([[rng.random(), rng.integers(0, 50) / 50]])
        compared = native.decisions.Conformal(truth, np.zeros(2 * n, dtype=np.uint32), scores, 2)
        missed += compared.p_values(new, trial if smoothed else None)[0] <= alpha
    # Unsmoothed and without ties: exactly floor(0.1 * 30) / 30; ties can only lower it.
    chance = stats.binom(trials, alpha)
    low, high = chance.ppf(0.0005), chance.ppf(0.9995)
    assert low <= missed[0] <= high
    assert missed[1] <= high
    if smoothed:
        assert low <= missed[1]


def test_miss_rates_hold_on_average_and_with_confidence():
    rng = np.random.default_rng(4)
    n, miss, trials, broken, share = 40, 0.1, 1500, 0, []
    for _ in range(trials):
        # A positive row scores below u with probability u.
        scores = np.sort(rng.random(n))
        compared = native.decisions.Conformal(
            np.zeros(n, dtype=np.uint32), np.zeros(n, dtype=np.uint32), scores, 1
        )
        share.append(compared.min_score(0, native.decisions.miss_level(n, miss, None)))
        broken += compared.min_score(0, native.decisions.miss_level(n, miss, 0.95)) > miss
    distribution = stats.beta(4, 37)
    assert abs(np.mean(share) - 4 / 41) < 3.3 * distribution.std() / np.sqrt(trials)
    assert np.mean(share) <= miss + 3.3 * distribution.std() / np.sqrt(trials)
    assert broken <= stats.binom(trials, 0.05).ppf(0.9995)


def test_miss_control_predicts_by_its_threshold(table):
    X, y = table
    new = overlapping_classes(300, 5)[0]
    for method in ("split", "out_of_bag"):
        model = ConformalClassifier(forest(), method=method, miss=0.1, random_state=0).fit(X, y)
        np.testing.assert_array_equal(
            model.predict(new), np.where(model.predict_proba(new)[:, 1] >= model.threshold_, 1, 0)
        )
        codes, _, scores = model._calibration
        positives = np.sort(scores[codes == 1])
        assert model.threshold_ == positives[int(0.1 * (len(positives) + 1)) - 1]
    cross = ConformalClassifier(forest(), method="cross", miss=0.1, random_state=0).fit(X, y)
    assert cross.threshold_ is None
    np.testing.assert_array_equal(cross.predict(new), (cross.p_values(new)[:, 1] > 0.1).astype(int))
    sure = ConformalClassifier(forest(), miss=0.2, confidence=0.9, calibration_rows=0.5, random_state=0).fit(
        X, y
    )
    codes, _, scores = sure._calibration
    _, kept = imbcore.metrics.threshold_for(
        (codes == 1).astype(int), np.where(codes == 1, scores, 1 - scores), {"recall": 0.8, "guarantee": 0.9}
    )
    # The order statistic is that of the guarantee, whose threshold equals it.
    assert kept["recall"]["value"] == np.mean(scores[codes == 1] >= sure.threshold_)


def test_several_classes_and_confidence_levels():
    X, y = overlapping_classes(900, 6, 3)
    names = np.array(["a", "b", "rare"])[y]
    model = ConformalClassifier(
        GaussianNB(), {"a": 0.2, "b": 0.1, "rare": 0.05}, abstain="?", calibration_rows=0.4, random_state=0
    ).fit(X, names)
    new, truth = overlapping_classes(6000, 7, 3)
    sets = model.predict_set(new)
    np.testing.assert_array_equal(sets, model.p_values(new) > [0.2, 0.1, 0.05])
    for k, alpha in enumerate([0.2, 0.1, 0.05]):
        n = list(model.n_calibration_.values())[k]
        # Given its n calibration rows, the coverage of a class has a beta distribution.
        k_miss = int(alpha * (n + 1))
        low = stats.beta(n + 1 - k_miss, k_miss).ppf(1e-4)
        assert sets[truth == k, k].mean() > low - 3.3 * np.sqrt(0.25 / np.sum(truth == k))
    assert set(model.predict(new)) <= {"a", "b", "rare", "?"}
    with pytest.raises(DataError, match="two classes"):
        ConformalClassifier(GaussianNB(), miss=0.1).fit(X, names)


def test_p_values_equal_those_of_crepes(table):
    crepes = pytest.importorskip("crepes", reason="crepes is not installed")
    X, y = table
    model = ConformalClassifier(GaussianNB(), random_state=0).fit(X, y)
    codes, _, scores = model._calibration
    new = overlapping_classes(200, 8)[0]
    proba = model.predict_proba(new)
    other = crepes.ConformalClassifier().fit(1 - scores, bins=codes)
    found = np.column_stack(
        [
            other.predict_p((1 - proba[:, [k]]), bins=np.full(len(new), k), smoothing=False)[:, 0]
            for k in (0, 1)
        ]
    )
    np.testing.assert_allclose(model.p_values(new), found, atol=1e-12)


@pytest.mark.filterwarnings("ignore:WARNING. your conformalization dataset has less labels:UserWarning")
def test_sets_of_a_class_equal_those_of_mapie(table):
    classification = pytest.importorskip("mapie.classification", reason="MAPIE is not installed")
    X, y = table
    train, calibrate = np.arange(0, 600, 2), np.arange(1, 600, 2)
    fitted = GaussianNB().fit(X[train], y[train])
    new = overlapping_classes(200, 9)[0]
    proba = fitted.predict_proba(new)
    for k in (0, 1):
        # Marginal sets, calibrated on the rows of one class only, contain that class as ours do.
        own = calibrate[y[calibrate] == k]
        mapie = classification.SplitConformalClassifier(fitted, confidence_level=0.9, prefit=True)
        mapie.conformalize(X[own], y[own])
        compared = native.decisions.Conformal(
            np.zeros(len(own), dtype=np.uint32),
            np.zeros(len(own), dtype=np.uint32),
            fitted.predict_proba(X[own])[:, k].copy(),
            1,
        )
        ours = compared.p_values(proba[:, [k]].copy(), None)[:, 0] > 0.1
        np.testing.assert_array_equal(ours, mapie.predict_set(new)[1][:, k, 0])


def test_prefit_classifier_is_calibrated_on_all_rows(table):
    X, y = table
    fitted = forest().fit(X[::2], y[::2])
    model = ConformalClassifier(FrozenEstimator(fitted), random_state=0).fit(X[1::2], y[1::2])
    assert model.n_calibration_ == {0: 270, 1: 30}
    assert model.coverage_guarantee_ == {0: 0.9, 1: 0.9}
    new = overlapping_classes(80, 3)[0]
    scores = fitted.predict_proba(X[1::2])[np.arange(300), y[1::2]]
    expected = by_hand(y[1::2], np.zeros(300, dtype=int), scores, fitted.predict_proba(new)[None], 2)
    np.testing.assert_array_equal(model.p_values(new), expected)
    goal = {"recall": 0.8, "guarantee": 0.9}
    chosen = ThresholdClassifier(FrozenEstimator(fitted), goal).fit(X[1::2], y[1::2])
    assert (chosen.decision_["n_rows"], chosen.decision_["n_positives"]) == (300, 30)
    with pytest.raises(DataError, match="rows of all its classes"):
        ConformalClassifier(FrozenEstimator(fitted)).fit(X, np.array(["no", "yes"])[y])


def test_jackknife_plus_compares_by_trees_trained_on_neither_row(table):
    X, y = table
    model = ConformalClassifier(forest(60), method="out_of_bag_plus", random_state=4).fit(X, y)
    member = model.estimator_
    codes, left_out, scores = model._calibration
    assert left_out.shape == (600, member.n_estimators)
    assert member.n_estimators == native.decisions.draw_n_members(600, 60, 4)
    # Based on the out-of-bag predictions of the forest, which are means over the same trees.
    counts = left_out.sum(axis=1)
    seen = counts > 0
    np.testing.assert_allclose(
        scores[seen] / counts[seen], member.oob_decision_function_[seen, y[seen]], atol=1e-12
    )
    new = normal_rows(30, 3)
    trees = np.stack([tree.predict_proba(new) for tree in member.estimators_])
    expected = np.empty((30, 2))
    for row in range(30):
        for k in (0, 1):
            own = np.flatnonzero(codes == k)
            votes = np.array([trees[left_out[i], row, k].sum() for i in own])
            expected[row, k] = (np.sum(scores[own] <= votes + 1e-12) + 1) / (len(own) + 1)
    np.testing.assert_array_equal(model.p_values(new), expected)
    assert model.coverage_guarantee_ == pytest.approx({0: 0.8, 1: 0.8}, abs=1e-9)
    assert (pickle.loads(pickle.dumps(model)).p_values(new) == expected).all()
    careful = ConformalClassifier(forest(60), method="out_of_bag_plus", miss=0.1, random_state=4).fit(X, y)
    assert careful.threshold_ is None
    np.testing.assert_array_equal(careful.predict(new), (expected[:, 1] > 0.1).astype(int))


def test_jackknife_plus_does_not_depend_on_row_blocks(table, monkeypatch):
    model = ConformalClassifier(forest(60), method="out_of_bag_plus", random_state=0).fit(*table)
    new = normal_rows(40, 5)
    whole = model.p_values(new)
    monkeypatch.setattr("imbcore.decisions._left_out._CELLS", 500)
    np.testing.assert_array_equal(model.p_values(new), whole)
    np.testing.assert_array_equal(clone(model).fit(*table).p_values(new), whole)


def test_jackknife_plus_covers_each_class_as_proven():
    covered = np.zeros(2)
    X, y = overlapping_classes(5000, 21)
    rng = np.random.default_rng(0)
    for trial in range(30):
        rows = rng.permutation(len(y))
        train, new = rows[:200], rows[200:]
        model = ConformalClassifier(forest(60), 0.2, method="out_of_bag_plus", random_state=trial)
        sets = model.fit(X[train], y[train]).predict_set(X[new])
        covered += [sets[y[new] == k, k].mean() / 30 for k in (0, 1)]
    # Proven is 1 - 2 alpha; observed is about 1 - alpha, and more if trees agree.
    assert (covered > 0.6).all()
    assert (covered < 0.95).all()


@pytest.mark.parametrize(
    ("estimator", "given", "text"),
    [
        (GaussianNB(), {}, "needs an imbcore forest"),
        (imbcore.BaggingClassifier(), {}, 'method="cross" works with any'),
        (imbcore.BalancedRandomForestClassifier(), {}, "samples each class separately"),
        (forest(max_samples=0.5), {}, "with max_samples=None, got 0.5"),
        (forest(bootstrap=False), {}, "with bootstrap=True, got False"),
        (forest(max_bins=32), {}, "max_bins"),
        (forest(), {"smoothed": True}, "smoothed=False"),
        (forest("many"), {}, "n_estimators must be a whole number of at least 1, got 'many'"),
        (forest(0), {}, "n_estimators must be"),
    ],
)
def test_cases_outside_the_proof_are_rejected(table, estimator, given, text):
    with pytest.raises(ParameterError, match=text):
        ConformalClassifier(estimator, method="out_of_bag_plus", **given).fit(*table)


def test_proof_excludes_weights(table):
    with pytest.raises(ParameterError, match="no sample_weight"):
        ConformalClassifier(forest(), method="out_of_bag_plus").fit(*table, sample_weight=1 + np.arange(600))


def test_rows_in_every_bag_do_not_calibrate(table):
    few = imbcore.RandomForestClassifier(n_estimators=4, random_state=0)
    with pytest.warns(DataWarning, match="no out-of-bag prediction"):
        model = ConformalClassifier(few, method="out_of_bag").fit(*table)
    # A row is in all four bags with probability (1 - 1/e)^4, or 0.16.
    assert 400 < sum(model.n_calibration_.values()) < 580
    assert np.isfinite(model.p_values(table[0])).all()


def test_weights_reach_the_estimator_and_calibration_counts_rows(table):
    X, y = table
    weights = np.where(y == 1, 9.0, 1.0)
    plain, weighed = (
        ConformalClassifier(LogisticRegression(), random_state=0).fit(X, y, w) for w in (None, weights)
    )
    assert plain.n_calibration_ == weighed.n_calibration_ == {0: 135, 1: 15}
    assert weighed.predict_proba(X)[:, 1].mean() > 2 * plain.predict_proba(X)[:, 1].mean()


def test_results_do_not_depend_on_threads(table):
    new = overlapping_classes(50, 10)[0]
    found = [
        ConformalClassifier(forest(n_threads=n), method="cross", smoothed=True, random_state=3)
        .fit(*table)
        .p_values(new)
        for n in (1, 3)
    ]
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({"alpha": 0.01}, DataError, r"class 1 has 60 calibration rows, .* at least 99"),
        ({"alpha": 0.05}, DataError, r"class 1 has 15 calibration rows, .* at least 19"),
        ({"miss": 0.05}, DataError, r"positive class has 15 calibration rows, .* at least 19"),
        ({"miss": 0.1, "confidence": 0.99}, DataError, "15 positive rows are held out.* at least 44"),
        ({"alpha": 0}, ParameterError, "alpha"),
        ({"alpha": "few"}, ParameterError, "number in"),
        ({"alpha": {0: 0.1}}, ParameterError, r"a level for each of \[0, 1\]"),
        ({"method": "bag"}, ParameterError, '"out_of_bag"'),
        ({"method": "out_of_bag"}, ParameterError, 'method="cross" works with any'),
        ({"confidence": 0.9}, ParameterError, "needs miss="),
        ({"miss": 0.1, "abstain": -1}, ParameterError, "never abstains"),
        ({"abstain": 1}, ParameterError, "is a class"),
        (
            {"calibration_rows": 1.5},
            ParameterError,
            r"`calibration_rows` must be a number in \(0, 1\), got 1.5",
        ),
    ],
)
def test_invalid_arguments_are_rejected(table, given, error, text):
    with pytest.raises(error, match=text):
        ConformalClassifier(GaussianNB(), random_state=0, **given).fit(*table)


def test_level_at_prediction_is_checked_too(table):
    model = ConformalClassifier(GaussianNB(), method="cross", random_state=0).fit(*table)
    with pytest.raises(DataError, match="at least 99"):
        model.predict_set(table[0], 0.01)
    with pytest.raises(AttributeError, match="predict_proba"):
        model.predict_proba(table[0])


# Whether the predictions for the fifteen rows of that check agree differs between processors.
@parametrize_with_checks(
    [ConformalClassifier(LogisticRegression(), 0.5, method="cross", random_state=0)],
    expected_failed_checks=lambda _: {
        "check_sample_weight_equivalence_on_sparse_data": "calibration counts rows, not weights"
    },
    xfail_strict=False,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
