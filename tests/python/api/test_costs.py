"""Costs as options of every method, and the functions of imbcore.costs."""

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.datasets import make_classification

import imbcore
from imbcore import costs, metrics
from imbcore._cli import cli
from imbcore.sampling import DuplicateOverSampler

RNG = np.random.default_rng(5)
X = RNG.normal(size=(300, 2))
Y = np.where(X[:, 0] + RNG.normal(scale=0.8, size=300) > 1.2, "yes", "no")
MATRIX = [[0.0, 1.0], [8.0, 0.0]]
PAIRS = {("no", "yes"): 1.0, ("yes", "no"): 8.0}


def tree(**options):
    return imbcore.fit(X, Y, "hddt", max_depth=3, **options)


def test_cheapest_class_is_predicted_and_probabilities_are_unchanged():
    plain, costly = tree(), tree(cost_matrix=MATRIX)
    np.testing.assert_array_equal(plain.predict_proba(X), costly.predict_proba(X))
    expected = costs.minimum_expected_cost(plain.predict_proba(X), MATRIX)
    assert costly.predict(X).tolist() == plain.classes_[expected].tolist()
    assert (costly.predict(X) == "yes").sum() > (plain.predict(X) == "yes").sum()
    assert costly.cost_matrix.tolist() == MATRIX
    assert plain.cost_matrix is None


def test_costs_of_a_threshold_rule_are_measured():
    """A threshold chosen by costs needs no second cost matrix, which would decide in its place."""
    rule = {"cost": PAIRS}
    model = tree(threshold=rule, random_state=0)
    cost = metrics.expected_cost(Y, model.predict(X), MATRIX)
    assert model.score_metrics(X, Y)["expected_cost"] == cost
    found = imbcore.evaluate(X, Y, "hddt", max_depth=3, threshold=rule, folds=2, random_state=0)
    tested = [
        metrics.expected_cost(found.y[rows], found.predicted[rows], MATRIX)
        for rows in (found.fold == 0, found.fold == 1)
    ]
    np.testing.assert_allclose(found.metrics["expected_cost"], tested)


def test_costs_of_a_measurement_do_not_change_predictions():
    plain = tree()
    cost = metrics.expected_cost(Y, plain.predict(X), MATRIX)
    assert "expected_cost" not in plain.score_metrics(X, Y)
    assert plain.score_metrics(X, Y, cost_matrix=MATRIX) == plain.score_metrics(X, Y) | {
        "expected_cost": cost
    }
    assert plain.score_metrics(X, Y, cost_matrix=PAIRS)["expected_cost"] == cost
    costly = tree(cost_matrix=MATRIX)
    doubled = costly.score_metrics(X, Y, cost_matrix=2 * np.array(MATRIX))["expected_cost"]
    assert doubled == 2 * costly.score_metrics(X, Y)["expected_cost"]
    for wrong in ("balanced", [[0, 1, 2]], [MATRIX] * len(Y)):
        with pytest.raises(imbcore.ParameterError, match="cost_matrix must"):
            plain.score_metrics(X, Y, cost_matrix=wrong)


def test_rules_and_text_state_the_predicted_class():
    costly = tree(cost_matrix=MATRIX)
    answers = dict(zip(costly.apply(X).tolist(), costly.predict(X).tolist(), strict=True))
    assert sorted(answers.values()) == sorted(rule["class"] for rule in costly.rules())
    assert costly.export_text() != tree().export_text()


def test_dict_of_labels_equals_the_matrix():
    assert tree(cost_matrix=PAIRS).to_bytes() == tree(cost_matrix=np.array(MATRIX)).to_bytes()


def test_reweighting_equals_tings_class_weights():
    weights = dict(zip(["no", "yes"], costs.ting_weights(MATRIX, Y).tolist(), strict=True))
    reweighted = imbcore.fit(X, Y, "cart", cost_matrix=MATRIX, cost_strategy="reweight", max_depth=3)
    assert reweighted.cost_matrix is None
    weighted = imbcore.fit(X, Y, "cart", class_weight=weights, max_depth=3)
    np.testing.assert_array_equal(reweighted.predict_proba(X), weighted.predict_proba(X))


def test_threshold_predicts_the_positive_class():
    model = tree(threshold=0.2)
    expected = np.where(model.predict_proba(X)[:, 1] >= 0.2, "yes", "no")
    assert model.predict(X).tolist() == expected.tolist()
    assert model.threshold == 0.2
    both = tree(cost_matrix=MATRIX, cost_strategy="reweight", threshold=0.2)
    assert both.threshold == 0.2


def test_balanced_costs_of_two_classes_equal_a_threshold_at_the_prior():
    share = float(np.mean(Y == "yes"))
    model = tree(cost_matrix="balanced")
    # A probability exactly at the prior has equal costs for both classes.
    p = model.predict_proba(X)[:, 1]
    assert model.predict(X)[p > share + 1e-9].tolist() == ["yes"] * int((p > share + 1e-9).sum())
    assert model.predict(X)[p < share - 1e-9].tolist() == ["no"] * int((p < share - 1e-9).sum())


def test_decisions_survive_files_and_estimators(tmp_path):
    estimator = imbcore.HDDTClassifier(max_depth=3, cost_matrix=PAIRS).fit(X, Y)
    assert estimator.model_.to_bytes() == tree(cost_matrix=PAIRS).to_bytes()
    estimator.model_.save(tmp_path / "costs.imb")
    read = imbcore.load(tmp_path / "costs.imb")
    assert read.predict(X).tolist() == estimator.predict(X).tolist()
    assert read.cost_matrix.tolist() == MATRIX


def test_evaluate_predicts_by_costs():
    plain = imbcore.evaluate(X, Y, "hddt", max_depth=3, random_state=0)
    costly = imbcore.evaluate(X, Y, "hddt", max_depth=3, cost_matrix=PAIRS, random_state=0)
    np.testing.assert_array_equal(plain.proba, costly.proba)
    expected = costs.minimum_expected_cost(costly.proba, MATRIX)
    assert costly.predicted.tolist() == costly.classes_[expected].tolist()
    assert costly.mean()["recall"] > plain.mean()["recall"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cost_matrix": [[0, 1]]}, "square"),
        ({"cost_matrix": [0, 1]}, "2 dimensions"),
        ({"cost_matrix": [[0, 1], [-1, 0]]}, "at least 0"),
        ({"cost_matrix": [[0, np.inf], [1, 0]]}, "finite"),
        ({"cost_matrix": [[1, 1], [2, 2]]}, "same cost"),
        ({"cost_matrix": np.ones((3, 3)) - np.eye(3)}, "for 3 classes, but there are 2"),
        ({"cost_matrix": "equal"}, "balanced"),
        ({"cost_matrix": {("no", "maybe"): 1}}, "pairs"),
        ({"cost_matrix": {"no": 1}}, "pairs"),
        ({"cost_matrix": {("no", "yes"): "dear"}}, "must be a number"),
        ({"cost_matrix": [["a", "b"], ["c", "d"]]}, "numbers"),
        ({"cost_matrix": MATRIX, "cost_strategy": "weights"}, "cost_strategy"),
        ({"cost_strategy": None}, "cost_strategy"),
        ({"cost_matrix": [[1, 2], [3, 0]], "cost_strategy": "reweight"}, "diagonal"),
        ({"threshold": 1.5}, r"\[0, 1\]"),
        ({"threshold": "half"}, r"\[0, 1\]"),
        ({"threshold": True}, r"\[0, 1\]"),
        ({"threshold": 0.5, "cost_matrix": MATRIX}, "threshold"),
    ],
)
def test_invalid_options_are_rejected(options, message):
    with pytest.raises((imbcore.ParameterError, imbcore.DataError), match=message):
        tree(**options)


def test_threshold_needs_two_classes():
    with pytest.raises(imbcore.DataError, match="2 classes"):
        imbcore.fit(X, np.arange(300) % 3, threshold=0.3)


def test_functions_match_hand_calculations():
    assert costs.ting_weights([[0, 1], [9, 0]], [0] * 9 + [1]).tolist() == pytest.approx([10 / 18, 5.0])
    assert costs.elkan_threshold([[0, 1], [10, 0]]) == pytest.approx(1 / 11)
    # C(1,0) = 4, C(0,0) = 1, C(0,1) = 8, C(1,1) = 2: 3 / (3 + 6).
    assert costs.elkan_threshold([[1, 4], [8, 2]]) == pytest.approx(1 / 3)
    assert costs.elkan_negative_weight(0.2, 0.5) == pytest.approx(0.25)
    np.testing.assert_allclose(costs.expected_cost([[0.2, 0.8]], [[0, 5], [2, 1]]), [[1.6, 1.8]])
    assert costs.minimum_expected_cost([[0.5, 0.5]], [[0, 1], [1, 0]]).tolist() == [0]
    # Odds 1 at base rate 1/2 are odds 1/9 at 1/10.
    np.testing.assert_allclose(costs.prior_shift([[0.5, 1.0]], 0.5, 0.1), [[0.1, 1.0]])


@pytest.mark.parametrize(
    "call",
    [
        lambda: costs.elkan_threshold(np.ones((3, 3)) - np.eye(3)),
        lambda: costs.elkan_threshold([[5, 1], [3, 0]]),
        lambda: costs.ting_weights(MATRIX, [0, 1, 2]),
        lambda: costs.expected_cost([0.5, 0.5], MATRIX),
        lambda: costs.minimum_expected_cost([[0.2, 0.3, 0.5]], MATRIX),
        lambda: costs.prior_shift([1.2], 0.5, 0.1),
        lambda: costs.prior_shift([0.2], 0.0, 0.1),
        lambda: costs.elkan_negative_weight(1.0),
    ],
)
def test_functions_reject_invalid_arguments(call):
    with pytest.raises((imbcore.ParameterError, imbcore.DataError)):
        call()


def test_command_line_accepts_costs(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("a,b,y\n" + "".join(f"{a},{b},{label}\n" for (a, b), label in zip(X, Y, strict=True)))
    model = tmp_path / "m.imb"
    text = '{"yes": {"no": 8}, "no": {"yes": 1}}'
    arguments = ["fit", str(table), "-t", "y", "-p", "max_depth=3", "-o", str(model)]
    done = CliRunner().invoke(cli, [*arguments, "--cost-matrix", text], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert imbcore.load(model).cost_matrix.tolist() == MATRIX
    done = CliRunner().invoke(cli, [*arguments, "--threshold", "0.25"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert imbcore.load(model).threshold == 0.25
    done = CliRunner().invoke(cli, [*arguments, "--threshold", "f1"], catch_exceptions=False)
    assert done.exit_code == 0
    assert 0 <= imbcore.load(model).threshold <= 1
    bad = CliRunner().invoke(cli, [*arguments, "--cost-matrix", '{"yes": 8}'])
    assert bad.exit_code == 2


class TestMetaCost:
    def test_costly_errors_become_rarer(self):
        plain = imbcore.HDDTClassifier(max_depth=3).fit(X, Y)
        given = {"cost_matrix": PAIRS, "n_estimators": 10, "random_state": 0}
        model = imbcore.MetaCostClassifier("hddt", estimator_params={"max_depth": 3}, **given).fit(X, Y)
        assert (model.predict(X) == "yes").sum() > (plain.predict(X) == "yes").sum()
        assert model.model_.rules()
        assert model.model_.params["estimator_params"]["criterion"] == "hellinger"
        same = imbcore.fit(X, Y, "metacost", estimator="hddt", estimator_params={"max_depth": 3}, **given)
        assert same.to_bytes() == model.model_.to_bytes()

    def test_any_base_learner_works(self):
        y = np.arange(300) % 3
        for base in ("cart", "ova"):
            model = imbcore.fit(
                X, y, "metacost", estimator=base, n_estimators=3, cost_matrix="balanced", random_state=1
            )
            assert imbcore.load
            assert model.predict_proba(X).shape == (300, 3)

    def test_costs_are_balanced_by_default(self):
        balanced, default = (
            imbcore.MetaCostClassifier(cost_matrix=c, n_estimators=3, random_state=0)
            for c in ("balanced", None)
        )
        np.testing.assert_array_equal(*(of.fit(X, Y).predict_proba(X) for of in (default, balanced)))
        with pytest.raises(imbcore.ParameterError, match="cost_strategy"):
            imbcore.MetaCostClassifier(cost_matrix=PAIRS, cost_strategy="reweight").fit(X, Y)
        with pytest.raises(imbcore.ParameterError, match="estimator"):
            imbcore.MetaCostClassifier("metacost", cost_matrix=PAIRS).fit(X, Y)
        with pytest.raises(imbcore.ParameterError, match="n_estimators"):
            imbcore.MetaCostClassifier(n_estimators=0, cost_matrix=PAIRS).fit(X, Y)


@pytest.mark.parametrize("ratio", [3, 7, 11])
def test_priors_costs_and_thresholds_are_equivalent_if_splits_ignore_priors(ratio):
    """Thesis 3.4.1: class weights, repeated rows, costs and a threshold give equal predictions."""
    table, rare = make_classification(
        1500, 6, n_informative=4, weights=[0.9], flip_y=0.1, class_sep=0.5, random_state=1
    )

    def predict_costly_class(X=table, y=rare, **options):
        # Leaves predict frequencies, and the distance does not depend on class weights.
        model = imbcore.fit(
            X, y, method="hddt", max_depth=6, leaf_estimate="frequency", positive=1, **options
        )
        return model.predict(table)

    moved = predict_costly_class(threshold=1 / (1 + ratio))
    assert 0 < predict_costly_class().sum() < moved.sum() < len(rare)
    shares = imbcore.fit(table, rare, method="hddt", max_depth=6, leaf_estimate="frequency").predict_proba(
        table
    )[:, 1]
    shifted = costs.prior_shift(shares, 0.5, ratio / (1 + ratio))
    copied, labels = DuplicateOverSampler(weights={1: ratio}).fit_resample(table, rare)
    for way in (
        predict_costly_class(cost_matrix=[[0, 1], [ratio, 0]]),
        predict_costly_class(class_weight={0: 1.0, 1: float(ratio)}),
        predict_costly_class(X=copied, y=labels),
        shifted > 0.5,
    ):
        np.testing.assert_array_equal(way, moved)


@pytest.mark.parametrize("probabilities", [[[np.nan, 0.5]], [[1.5, -0.5]], [[np.inf, 0.0]]])
def test_expected_cost_rejects_invalid_probabilities(probabilities):
    for answer in (costs.expected_cost, costs.minimum_expected_cost):
        with pytest.raises(imbcore.DataError, match=r"proba must lie in \[0, 1\], found"):
            answer(probabilities, MATRIX)


def test_costs_too_large_to_add_up_are_rejected():
    for compute in (costs.elkan_threshold, lambda matrix: costs.ting_weights(matrix, Y)):
        with pytest.raises(imbcore.DataError, match="costs above 1e100 cannot be summed"):
            compute([[0, 1e308], [1e308, 0]])
