"""Label shift: EM and BBSE compared with NumPy, and their effect on decisions."""

import pickle

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

import imbcore
from imbcore._cli.commands import cli
from imbcore._cli.console import run_command
from imbcore.decisions import AdaptedClassifier, adapt_prior
from imbcore.exceptions import DataError, DataWarning, ParameterError, UnsupportedError


def gaussian_classes(counts, seed, gap=1.5):
    """Normal classes along a line with the given numbers of rows."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(len(counts)), counts)
    return rng.normal(size=(len(y), 2)) + gap * y[:, None], y


@pytest.fixture(scope="module")
def table():
    return gaussian_classes([900, 100], 0)


@pytest.fixture(scope="module")
def shifted():
    return gaussian_classes([600, 400], 1)


def em_by_hand(proba, known):
    prior = known.copy()
    for _ in range(10_000):
        posterior = proba * (prior / known)
        posterior /= posterior.sum(axis=1, keepdims=True)
        change = np.abs(posterior.mean(axis=0) - prior).max()
        prior = posterior.mean(axis=0)
        if change < 1e-10:
            break
    return prior


@pytest.mark.parametrize("n_classes", [2, 4])
def test_em_matches_the_iteration_of_saerens(n_classes):
    rng = np.random.default_rng(3)
    proba = rng.dirichlet(np.full(n_classes, 0.3), 500)
    known = rng.dirichlet(np.full(n_classes, 5.0))
    found = adapt_prior(proba, known)
    np.testing.assert_allclose(found["prior"], em_by_hand(proba, known), atol=1e-9)
    assert (found["low"] <= found["prior"]).all()
    assert (found["prior"] <= found["high"]).all()


def test_interval_of_em_uses_the_fisher_information():
    rng = np.random.default_rng(4)
    proba, known = rng.dirichlet([0.4, 0.4, 0.4], 400), np.array([0.5, 0.3, 0.2])
    found = adapt_prior(proba, known)
    ratio = proba / known
    mixture = ratio @ found["prior"]
    # Any class may be expressed as 1 minus the others.
    slopes = (ratio[:, :2] - ratio[:, [2]]) / mixture[:, None]
    covariance = np.linalg.inv(slopes.T @ slopes)
    deviations = np.sqrt([*np.diag(covariance), covariance.sum()])
    np.testing.assert_allclose(found["high"] - found["prior"], 1.959963985 * deviations, rtol=1e-6)


def test_bbse_solves_a_linear_system():
    rng = np.random.default_rng(5)
    known = np.array([0.6, 0.3, 0.1])
    confusion = np.array([[500.0, 60, 10], [80, 220, 15], [20, 20, 75]])
    proba = rng.dirichlet([2.0, 2.0, 2.0], 900)
    answers = (proba / known).argmax(axis=1)
    seen = np.bincount(answers, minlength=3) / 900
    raw = np.linalg.solve(confusion / confusion.sum(axis=0), seen)
    assert (raw > 0).all() or (raw.clip(0) != raw).any()
    expected = raw.clip(0) / raw.clip(0).sum()
    np.testing.assert_allclose(adapt_prior(proba, known, confusion)["prior"], expected, atol=1e-12)


@pytest.mark.parametrize("method", ["em", "bbse"])
def test_intervals_cover_the_class_prior(method):
    """With correct probabilities and a known prior, 95 % of the intervals contain it."""
    rng = np.random.default_rng(6)
    covered, trials, share = 0, 300, 0.3
    for _ in range(trials):
        y = rng.random(600) < share
        x = rng.normal(size=600) + 2 * y
        odds = np.exp(2 * x - 2) / 9
        p = odds / (1 + odds)
        confusion = None
        if method == "bbse":
            old = np.repeat([0.0, 1.0], [900, 100])
            answered = rng.normal(size=1000) + 2 * old >= 1
            confusion = [[np.sum((answered == a) & (old == k)) for k in (0, 1)] for a in (0, 1)]
        found = adapt_prior(np.column_stack([1 - p, p]), [0.9, 0.1], confusion)
        covered += found["low"][1] <= share <= found["high"][1]
    assert covered / trials >= 0.95 - 3.3 * np.sqrt(0.95 * 0.05 / trials)


@pytest.mark.parametrize(
    "method", ["naive_bayes", "random_forest", "balanced_random_forest", "bagging", "c44"]
)
@pytest.mark.parametrize("given", [{}, {"threshold": 0.3}, {"cost_matrix": [[0, 1], [5, 0]]}])
def test_adapting_to_unchanged_priors_changes_nothing(table, method, given):
    model = imbcore.fit(*table, method, random_state=0, **given)
    same = model.correct_prior(table[0], prior={0: 0.9, 1: 0.1})
    np.testing.assert_allclose(same.predict_proba(table[0]), model.predict_proba(table[0]), atol=1e-12)
    np.testing.assert_array_equal(same.predict(table[0]), model.predict(table[0]))
    assert same.decision_["kind"] == model.decision_["kind"]


@pytest.mark.parametrize("method", ["naive_bayes", "random_forest"])
def test_probabilities_and_predictions_follow_the_priors(table, shifted, method):
    model = (
        imbcore.fit(*table, method, min_samples_leaf=5, random_state=0)
        if method == "random_forest"
        else (imbcore.fit(*table, method))
    )
    X, y = shifted
    adapted = model.correct_prior(X)
    found = adapted.decision_["adapted"]
    known = np.array([0.9, 0.1])
    p = model.predict_proba(X)
    expected = em_by_hand(p, known)
    np.testing.assert_allclose([found["prior"][k] for k in (0, 1)], expected, atol=1e-9)
    assert found["before"] == pytest.approx({0: 0.9, 1: 0.1})
    assert (found["method"], found["n_rows"]) == ("em", 1000)
    weighed = p * (expected / known)
    weighed /= weighed.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(adapted.predict_proba(X), weighed, atol=1e-12)
    np.testing.assert_array_equal(adapted.predict(X), weighed.argmax(axis=1))
    assert imbcore.metrics.log_loss(y, adapted.predict_proba(X)) < imbcore.metrics.log_loss(y, p)
    # Starting from the training priors again.
    assert adapted.correct_prior(X).to_bytes() == adapted.to_bytes()


def test_bbse_of_a_model_uses_its_out_of_bag_predictions(table, shifted):
    X, y = table
    model = imbcore.fit(X, y, "random_forest", oob_score=True, random_state=0)
    adapted = model.correct_prior(shifted[0], method="bbse")
    answers = (model.oob_decision_function_ / [0.9, 0.1]).argmax(axis=1)
    confusion = [[np.sum((answers == a) & (y == k)) for k in (0, 1)] for a in (0, 1)]
    expected = adapt_prior(model.predict_proba(shifted[0]), [0.9, 0.1], confusion)
    found = adapted.decision_["adapted"]
    for name in ("prior", "low", "high"):
        np.testing.assert_allclose(list(found[name].values()), expected[name], atol=1e-12)
    # The truth, 0.4, within six deviations.
    assert abs(found["prior"][1] - 0.4) < 3 * (found["high"][1] - found["low"][1]) / 2
    plain = imbcore.fit(X, y, "naive_bayes")
    with pytest.raises(UnsupportedError, match="labeled="):
        plain.correct_prior(shifted[0], method="bbse")
    held = gaussian_classes([900, 100], 7)
    by_hand = adapt_prior(
        plain.predict_proba(shifted[0]),
        [0.9, 0.1],
        [
            [
                np.sum(((plain.predict_proba(held[0]) / [0.9, 0.1]).argmax(axis=1) == a) & (held[1] == k))
                for k in (0, 1)
            ]
            for a in (0, 1)
        ],
    )
    found = plain.correct_prior(shifted[0], method="bbse", labeled=held).decision_["adapted"]
    np.testing.assert_allclose(list(found["prior"].values()), by_hand["prior"], atol=1e-12)


@pytest.mark.parametrize("goal", [{"recall": 0.8}, {"fpr": 0.05}, "youden", "g_mean"])
def test_targets_of_one_class_select_the_same_rows(table, shifted, goal):
    model = imbcore.fit(*table, "random_forest", threshold=goal, random_state=0)
    adapted = model.correct_prior(shifted[0])
    assert adapted.threshold > model.threshold
    at = model.predict_proba(shifted[0])[:, 1]
    sure = np.abs(at - model.threshold) > 1e-9
    np.testing.assert_array_equal(adapted.predict(shifted[0])[sure], model.predict(shifted[0])[sure])
    before, after = model.decision_, adapted.decision_
    assert after["source"] == before["source"]
    assert after["goal"] == before["goal"]
    assert after["expected"]["recall"] == before["expected"]["recall"]
    recall, fpr = (
        np.array([before["expected"][rate][end] for end in ("value", "low", "high")])
        for rate in ("recall", "fpr")
    )
    prior, lowest, highest = (after["adapted"][end][1] for end in ("prior", "low", "high"))
    assert lowest < prior < highest
    found = after["expected"]
    rates = [found["alert_rate"][end] for end in ("value", "low", "high")]
    share = np.array([prior, lowest, highest])
    np.testing.assert_allclose(rates, share * recall + (1 - share) * fpr, rtol=1e-12)
    # The lowest precision has the lowest prior and recall, and the highest false positive rate.
    low = lowest * recall[1] / (lowest * recall[1] + (1 - lowest) * fpr[2])
    value = prior * recall[0] / (prior * recall[0] + (1 - prior) * fpr[0])
    assert found["precision"]["value"] == pytest.approx(value, rel=1e-12)
    assert found["precision"]["low"] == pytest.approx(low, rel=1e-12)


def test_a_known_prior_needs_no_rows_unless_the_threshold_depends_on_it(table, tmp_path, capsys):
    model = imbcore.fit(*table, "naive_bayes", threshold={"recall": 0.9}, random_state=0)
    adapted = model.correct_prior(prior={1: 0.4})
    assert adapted.decision_["adapted"]["prior"] == {0: pytest.approx(0.6), 1: 0.4}
    assert adapted.to_bytes() == model.correct_prior(prior={0: 0.6, 1: 0.4}).to_bytes()
    with_rows = model.correct_prior(table[0], prior={1: 0.4})
    assert adapted.decision_["expected"] == with_rows.decision_["expected"]
    np.testing.assert_array_equal(adapted.predict(table[0]), model.predict(table[0]))
    with pytest.raises(DataError, match=r"give X_new, or known proportions as prior="):
        model.correct_prior()
    by_f1 = imbcore.fit(*table, "naive_bayes", threshold="f1", random_state=0)
    with pytest.raises(DataError, match=r"depends on the class proportions .* give X_new"):
        by_f1.correct_prior(prior={1: 0.4})
    with pytest.raises(ParameterError, match="a dict with a proportion for each of"):
        model.correct_prior(prior={2: 0.4})
    model.save(tmp_path / "model.imb")
    command = ["correct-prior", str(tmp_path / "model.imb"), "-o", str(tmp_path / "new.imb")]
    assert run_command(cli, [*command, "--prior", "1=0.4"]) == 0
    assert capsys.readouterr().out == "0: 0.6000, in training 0.9000\n1: 0.4000, in training 0.1000\n"
    assert imbcore.load(tmp_path / "new.imb").to_bytes() == adapted.to_bytes()
    assert run_command(cli, [*command, "--force"]) == 2
    assert "give DATA" in capsys.readouterr().err
    assert run_command(cli, [*command, "--force", "--prior", "1:0.4"]) == 2
    assert "--prior needs LABEL=NUMBER" in capsys.readouterr().err


def test_other_targets_are_met_again_and_guarantees_rejected(table, shifted):
    model = imbcore.fit(*table, "random_forest", threshold={"alert_rate": 0.1}, random_state=0)
    adapted = model.correct_prior(shifted[0])
    assert 0.08 <= adapted.predict(shifted[0]).mean() <= 0.1 < model.predict(shifted[0]).mean()
    precise = imbcore.fit(*table, "random_forest", threshold={"precision": 0.7}, random_state=0)
    after = precise.correct_prior(shifted[0])
    p = after.predict_proba(shifted[0])[:, 1]
    assert p[p >= after.threshold].mean() >= 0.7
    big = gaussian_classes([2700, 300], 8)
    sure = imbcore.fit(*big, "naive_bayes", threshold={"precision": 0.5, "guarantee": 0.9}, random_state=0)
    with pytest.raises(UnsupportedError, match="at the class proportions of training only"):
        sure.correct_prior(shifted[0])
    kept = imbcore.fit(*big, "naive_bayes", threshold={"recall": 0.8, "guarantee": 0.9}, random_state=0)
    assert kept.correct_prior(shifted[0]).decision_["confidence"] == 0.9


def test_prior_decision_and_regions_are_unchanged(table, shifted):
    for model in (
        imbcore.fit(*table, "naive_bayes", threshold="prior"),
        imbcore.fit(*table, "fast_boxes", random_state=0),
        imbcore.fit(*table, "svr_tree", random_state=0),
    ):
        adapted = model.correct_prior(shifted[0])
        assert adapted.decision_["adapted"]["n_rows"] == 1000
        np.testing.assert_array_equal(adapted.predict(shifted[0]), model.predict(shifted[0]))


def test_adapted_model_survives_saving(table, shifted, tmp_path):
    model = imbcore.fit(*table, "random_forest", threshold="f1", random_state=0).correct_prior(shifted[0])
    model.save(tmp_path / "model.imb")
    for other in (imbcore.load(tmp_path / "model.imb"), pickle.loads(pickle.dumps(model))):
        assert other.decision_ == model.decision_
        assert other.to_bytes() == model.to_bytes()
        np.testing.assert_array_equal(other.predict_proba(shifted[0]), model.predict_proba(shifted[0]))
    threads = {model.correct_prior(shifted[0], n_threads=n).to_bytes() for n in (1, 3)}
    assert len(threads) == 1


def test_several_classes(tmp_path):
    X, y = gaussian_classes([500, 300, 100], 9, gap=2)
    new, truth = gaussian_classes([200, 200, 400], 10, gap=2)
    names = np.array(["a", "b", "c"])[y]
    model = imbcore.fit(X, names, "naive_bayes")
    adapted = model.correct_prior(new)
    found = adapted.decision_["adapted"]["prior"]
    assert list(found) == ["a", "b", "c"]
    assert found["c"] == pytest.approx(0.5, abs=0.05)
    codes = np.array(["a", "b", "c"])[truth]
    assert np.mean(adapted.predict(new) == codes) > np.mean(model.predict(new) == codes)


def test_class_weights_are_part_of_the_training_priors(table, shifted):
    weighed = imbcore.fit(*table, "c44", class_weight="balanced", min_samples_leaf=10)
    before = weighed.correct_prior(shifted[0]).decision_["adapted"]["before"]
    assert before == pytest.approx({0: 0.5, 1: 0.5})
    rows = imbcore.fit(*table, "c44", sample_weight=np.where(table[1] == 1, 3.0, 1.0))
    assert rows.correct_prior(shifted[0]).decision_["adapted"]["before"][1] == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({"method": "ems"}, DataError, "em"),
        ({"prior": {2: 1.0}}, ParameterError, "a proportion for each"),
        ({"prior": {0: 0.7, 1: 0.7}}, DataError, "sum to 1"),
        ({"method": "bbse", "labeled": ([[0.0, 0.0]], [0])}, DataError, "labeled rows of every class"),
        ({"method": "bbse", "labeled": ([[0.0, 0.0]], [2])}, ParameterError, "labeled must be one of"),
    ],
)
def test_models_that_cannot_be_adapted_explain_why(table, given, error, text):
    model = imbcore.fit(*table, "naive_bayes")
    with pytest.raises((error, ParameterError), match=text):
        model.correct_prior(table[0], **given)


def test_command_line_adapts_to_priors(table, shifted, tmp_path, capsys):
    model, data, out = tmp_path / "model.imb", tmp_path / "new.csv", tmp_path / "adapted.imb"
    named = dict(zip(["x0", "x1"], table[0].T, strict=True))
    fitted = imbcore.fit(named, table[1], "naive_bayes", random_state=0)
    fitted.save(model)
    np.savetxt(data, shifted[0], delimiter=",", header="x0,x1", comments="")
    assert run_command(cli, ["correct-prior", str(model), str(data), "-o", str(out)]) == 0
    printed = capsys.readouterr().out
    found = imbcore.load(out).decision_["adapted"]["prior"]
    assert f"1: {found[1]:.4f}" in printed
    assert "in training 0.1000" in printed
    assert "assumes that only the class proportions changed" in printed
    command = ["predict", str(model), str(data), "-o", str(tmp_path / "out.csv"), "--correct-prior"]
    assert run_command(cli, command) == 0
    assert "assumes that only the class proportions changed" in capsys.readouterr().err
    for command in ("correct-prior", "predict"):
        assert run_command(cli, [command, "--help"]) == 0
        assert "proportions changed" in " ".join(capsys.readouterr().out.split())
    assert run_command(cli, ["correct-prior", str(model), str(data), "-o", str(model)]) != 0
    assert run_command(cli, ["correct-prior", str(model), str(data), "--by", "bbse", "-o", str(out)]) != 0
    assert "oob_score" in capsys.readouterr().err


class TestOverAnyClassifier:
    @pytest.mark.parametrize("method", ["em", "bbse"])
    def test_priors_of_scikit_learn_classifiers(self, table, shifted, method):
        model = AdaptedClassifier(GaussianNB(), method=method, random_state=0).fit(*table)
        plain = model.predict_proba(shifted[0])
        np.testing.assert_array_equal(model.predict(shifted[0]), model.estimator_.predict(shifted[0]))
        adapted = model.correct_prior(shifted[0])
        assert adapted.adapted_["prior"][1] == pytest.approx(0.4, abs=0.06)
        expected = plain * (adapted.adapted_["prior"] / [0.9, 0.1])
        expected /= expected.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(adapted.predict_proba(shifted[0]), expected, atol=1e-12)
        np.testing.assert_array_equal(adapted.predict(shifted[0]), expected.argmax(axis=1))

    def test_invalid_arrays_are_rejected_with_the_remedy(self):
        with pytest.raises(DataError, match="columns"):
            adapt_prior([[0.5, 0.5]], [0.2, 0.3, 0.5])
        with pytest.raises(DataError, match="matrix"):
            adapt_prior([0.5, 0.5], [0.5, 0.5])
        with pytest.raises(DataError, match="alike"):
            adapt_prior([[0.5, 0.5]], [0.5, 0.5], [[5, 5], [1, 1]])
        with pytest.raises(ParameterError, match='"em" or "bbse"'):
            AdaptedClassifier(GaussianNB(), method="e").fit([[0.0], [1.0]], [0, 1])

    @parametrize_with_checks(
        [AdaptedClassifier(LogisticRegression(), method=method, random_state=0) for method in ("em", "bbse")]
    )
    def test_scikit_learn_checks(self, estimator, check):
        check(estimator)


def test_an_interval_that_contains_the_training_prior_is_reported(table, shifted):
    model = imbcore.fit(*table, "naive_bayes", random_state=0)
    again, _ = gaussian_classes([900, 100], 7)
    with pytest.warns(DataWarning, match="the new rows do not show that the proportions changed"):
        model.correct_prior(again)
    # Proportions that changed, or are known, give no warning.
    model.correct_prior(shifted[0])
    model.correct_prior(again, prior={1: 0.1})


def test_intervals_of_em_count_the_training_rows(table, shifted):
    """The model estimates the ratio of the class densities from its rows, which act like a second sample."""
    model = imbcore.fit(*table, "naive_bayes", random_state=0)
    found = model.correct_prior(shifted[0]).decision_["adapted"]
    alone = adapt_prior(model.predict_proba(shifted[0]), [0.9, 0.1])
    width, without = found["high"][1] - found["low"][1], alone["high"][1] - alone["low"][1]
    assert width / without == pytest.approx(np.sqrt(1 + 1000 / 1000), rel=1e-9)


@pytest.mark.parametrize(
    "options", [{}, {"threshold": 0.3}, {"threshold": {"recall": 0.9}}, {"calibrate": "beta"}], ids=str
)
@pytest.mark.parametrize("prior", [{1: 0.02}, {1: 0.6}], ids=str)
@pytest.mark.filterwarnings("ignore:threshold=.* does not fit the final model:UserWarning")
def test_leaves_show_the_predicted_classes_after_a_correction(table, shifted, tmp_path, options, prior):
    X, y = table
    model = imbcore.fit(X, y, "hddt", max_depth=3, min_samples_leaf=20, random_state=0, **options)
    adapted = model.correct_prior(prior=prior)
    adapted.save(tmp_path / "model.imb")
    for corrected in (adapted, imbcore.load(tmp_path / "model.imb")):
        nodes = corrected.nodes()
        shown = [nodes[leaf]["class"] for leaf in corrected.apply(shifted[0])]
        np.testing.assert_array_equal(shown, corrected.predict(shifted[0]))
        by_leaf = {rule["leaf"]: rule["class"] for rule in corrected.rules()}
        assert all(by_leaf[node["id"]] == node["class"] for node in nodes if node["kind"] == "leaf")
    assert [node["class"] for node in adapted.correct_prior(prior={1: 0.1}).nodes()] == [
        node["class"] for node in model.nodes()
    ]


@pytest.mark.parametrize("method", ["em", "bbse"])
def test_an_estimate_without_a_class_is_refused(method):
    """The corrected model would predict a probability of exactly 0 for every row."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2000, 3)), np.arange(2000) < 40
    X[y] += 3
    model = imbcore.fit(X, y, "random_forest", oob_score=True, random_state=0)
    with pytest.raises(
        DataError, match="the estimated proportion of class True is 0, so the corrected model"
    ):
        model.correct_prior(rng.normal(size=(2000, 3)) - 3, method=method)


@pytest.mark.parametrize("shift", [-0.02, -0.2])
def test_an_estimate_of_less_than_a_tenth_of_a_row_is_refused(shift):
    """EM approaches 0 without reaching it: 3e-9 with the smaller shift."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2000, 2)), (np.arange(2000) < 200).astype(int)
    X[y == 1] += 1
    model = imbcore.fit(X, y, "logistic_regression", random_state=0)
    with pytest.raises(DataError, match="the estimated proportion of class 1 is 0"):
        model.correct_prior(np.random.default_rng(50).normal(size=(2000, 2)) + shift)


def test_a_final_model_on_another_scale_is_reported():
    """Rule lists rescale their scores, so the threshold of inner folds may select none of the positives."""
    rng = np.random.default_rng(0)
    y = (rng.random(20000) < 0.01).astype(int)
    X = rng.normal(size=(20000, 3)) + 1.2 * y[:, None]
    options = {"n_rules": 3, "n_estimators": 20, "threshold": {"alert_rate": 0.005}, "random_state": 0}
    with pytest.warns(DataWarning, match="of the positive rows held out from them"):
        model = imbcore.fit(X, y, "rule_list", **options)
    found = model.predict(X)[y == 1].sum()
    assert 2 * found < model.decision_["expected"]["recall"]["value"] * y.sum()


def test_a_corrected_prior_keeps_the_proportion_of_groups():
    """Ill patients have four visits, others one: the proportions of visits and of patients differ."""
    rng = np.random.default_rng(0)
    ill = np.arange(400) < 80
    patient = np.repeat(np.arange(400), np.where(ill, 4, 1))
    y = np.where(ill[patient], "ill", "healthy")
    X = rng.normal(1.5 * ill[patient])[:, None]
    given = {"groups": patient, "threshold": {"recall": 0.8}, "positive": "ill", "random_state": 0}
    model = imbcore.fit(X, y, "logistic_regression", **given)
    known = model.decision_["expected_by_group"]
    same = model.correct_prior(prior={"ill": np.mean(y == "ill")}).decision_["expected_by_group"]
    for name in ("precision", "alert_rate", "recall", "fpr"):
        assert same[name]["value"] == pytest.approx(known[name]["value"], abs=1e-9), name
    # The odds of a patient change by the same factor as those of a visit: from 1 to 1/3.
    found = model.correct_prior(prior={"ill": 0.25}).decision_["expected_by_group"]
    recall, fpr, share = known["recall"]["value"], known["fpr"]["value"], 0.25 / 3 / (1 + 0.25 / 3)
    expected = share * recall / (share * recall + (1 - share) * fpr)
    assert found["precision"]["value"] == pytest.approx(expected, abs=1e-3)
