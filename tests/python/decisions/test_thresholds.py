"""Thresholds that reach a target: in every entry point, stored in the model, and with valid guarantees."""

import functools
import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

import imbcore
from imbcore import metrics
from imbcore._cli.commands import cli
from imbcore._cli.console import run_command
from imbcore.decisions import ThresholdClassifier
from imbcore.exceptions import DataError, DataWarning, ParameterError, UnsupportedError


def overlapping_classes(n, seed):
    """Two overlapping classes; one row in ten is positive."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) < n // 10).astype(int)
    return rng.normal(size=(n, 2)) + 1.5 * y[:, None], y


@pytest.fixture(scope="module")
def table():
    return overlapping_classes(1500, 1)


@functools.cache
def unseen(seed):
    return overlapping_classes(10_000, seed)


GOALS = [
    ({"recall": 0.9}, "recall", 0.9, 1.0),
    ({"precision": 0.6}, "precision", 0.6, 1.0),
    ({"fpr": 0.05}, "fpr", 0.0, 0.05),
    ({"alert_rate": 0.1}, "alert_rate", 0.0, 0.1),
    ({"alerts": 30, "per": 1000}, "alert_rate", 0.0, 0.03),
]


@pytest.mark.parametrize("method", ["random_forest", "c44"])
@pytest.mark.parametrize(("goal", "name", "low", "high"), GOALS)
def test_target_is_met_on_the_rows_it_was_chosen_on(table, method, goal, name, low, high):
    few = {"n_estimators": 30} if method == "random_forest" else {}
    model = imbcore.fit(*table, method, threshold=goal, random_state=0, **few)
    decision = model.decision_
    assert decision["goal"] == goal
    assert decision["source"] == ("out_of_bag" if method == "random_forest" else "out_of_fold")
    found = decision["expected"][name]
    assert low <= found["value"] <= high
    assert found["low"] <= found["value"] <= found["high"]
    # The interval is about future rows.
    X, y = unseen(7)
    answers = model.predict(X)
    np.testing.assert_array_equal(answers == 1, model.predict_proba(X)[:, 1] >= model.threshold)
    measured = {
        "recall": metrics.recall_score(y, answers, pos_label=1),
        "precision": metrics.precision_score(y, answers, pos_label=1),
        "fpr": 1 - metrics.recall_score(y, answers, pos_label=0),
        "alert_rate": np.mean(answers == 1),
    }
    assert found["low"] - 0.05 <= measured[name] <= found["high"] + 0.05


def test_out_of_bag_predictions_are_used_and_not_stored(table):
    plain = imbcore.fit(*table, "random_forest", random_state=0)
    tuned = imbcore.fit(*table, "random_forest", threshold={"recall": 0.9}, random_state=0)
    fitted = imbcore.fit(*table, "random_forest", oob_score=True, random_state=0)
    assert tuned.params == plain.params
    np.testing.assert_array_equal(tuned.predict_proba(table[0]), plain.predict_proba(table[0]))
    with pytest.raises(AttributeError, match="oob_score"):
        tuned.oob_decision_function_  # noqa: B018
    expected = metrics.threshold_for(table[1], fitted.oob_decision_function_[:, 1], {"recall": 0.9})
    assert (tuned.threshold, tuned.decision_["expected"]) == expected
    no_bags = imbcore.fit(*table, "random_forest", bootstrap=False, threshold="f2", n_estimators=5)
    assert no_bags.decision_["source"] == "out_of_fold"


@pytest.mark.filterwarnings("ignore:threshold=.* does not fit the final model:UserWarning")
def test_decision_survives_saving(table, tmp_path):
    model = imbcore.fit(*table, "c44", threshold={"cost": {(1, 0): 20, (0, 1): 1}}, random_state=0)
    model.save(tmp_path / "model.imb")
    for other in (imbcore.load(tmp_path / "model.imb"), pickle.loads(pickle.dumps(model))):
        assert other.decision_ == model.decision_
        assert other.to_bytes() == model.to_bytes()
    assert model.decision_["expected"]["cost"] > 0
    assert imbcore.fit(*table, "hddt").decision_ == {
        "kind": "most_probable",
        "positive": 1,
        "threshold": None,
    }


def test_a_tree_with_few_probabilities_reports_that_the_threshold_does_not_fit():
    """The threshold of inner folds lies below every leaf of the final tree, which alerts on all rows."""
    reported, alerts = [], []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        y = (np.arange(300) < 30).astype(int)
        X = rng.normal(size=(300, 4)) + np.outer(y, [1.0, 0.8, 0.0, 0.0])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            options = {"max_depth": 3, "threshold": {"recall": 0.9}, "random_state": 0}
            model = imbcore.fit(X, y, "hddt", min_samples_leaf=10, **options)
        messages = [str(one.message) for one in caught]
        reported.append(any("does not fit the final model" in text for text in messages))
        expected = model.decision_["expected"]["fpr"]
        alerts.append(model.predict(X)[y == 0].mean() > 2 * expected["high"] - expected["value"])
    assert reported == alerts
    assert any(alerts)


def test_a_precision_of_few_alerts_is_reported():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=400), np.zeros(400, int)
    x[:3], y[:3] = 6, 1
    y[rng.choice(np.arange(3, 400), 20, replace=False)] = 1
    X = np.column_stack([x, rng.normal(size=400)])
    options = {"numeric": "linear", "threshold": {"precision": 0.9}, "random_state": 0}
    with pytest.warns(DataWarning) as caught:
        imbcore.fit(X, y, "logistic_regression", **options)
    assert any("alerts on only 1 of 400 rows, too few" in str(one.message) for one in caught)


def test_the_best_threshold_counts_rows_of_probability_1():
    """Without a threshold above all scores, the best of the others is chosen."""
    y, p = [0, 1, 1, 0], [1.0, 0.6, 0.6, 0.2]
    goal = {"cost": [[0, 100], [20, 0]]}
    threshold, expected = metrics.threshold_for(y, p, goal)
    assert (threshold, expected["cost"]) == (0.4, 25.0)
    with pytest.warns(DataWarning, match="alerts on no row"):
        assert metrics.threshold_for(y, np.subtract(p, 0.1), goal)[0] == 1.0
    with pytest.warns(DataWarning, match="alerts on every row"):
        assert metrics.threshold_for([1, 0], [0.2, 1.0], "youden")[0] == 0.0


def test_costs_choose_the_cheapest_threshold(table):
    X, y = table
    p = imbcore.fit(*unseen(3), "naive_bayes").predict_proba(X)[:, 1]
    matrix = [[0, 1], [30, 0]]
    threshold, expected = metrics.threshold_for(y, p, {"cost": matrix})
    costs = [np.mean(np.where(y == 1, 30 * (p < at), 1.0 * (p >= at))) for at in [0, *np.unique(p), 1.1]]
    assert expected["cost"] == pytest.approx(min(costs))
    assert np.mean(np.where(y == 1, 30 * (p < threshold), 1.0 * (p >= threshold))) == pytest.approx(
        min(costs)
    )


@pytest.mark.parametrize(
    ("goal", "kept"),
    [
        ({"recall": 0.8, "guarantee": 0.9}, lambda recall, precision, fpr: recall >= 0.8),
        ({"fpr": 0.1, "guarantee": 0.9}, lambda recall, precision, fpr: fpr <= 0.1),
        ({"precision": 0.5, "guarantee": 0.9}, lambda recall, precision, fpr: precision >= 0.5),
    ],
)
def test_guarantee_holds_with_its_confidence(goal, kept):
    # Scores of a known distribution, so that the true rates of every threshold are known: p is correct.
    rng = np.random.default_rng(5)
    grid = (np.arange(20_000) + 0.5) / 20_000
    density = grid**0.3 * (1 - grid) ** 1.0
    density /= density.sum()

    def truth(threshold):
        above = grid >= threshold
        alerts, found = density[above].sum(), (density * grid)[above].sum()
        share = (density * grid).sum()
        return found / share, found / alerts if alerts else 1.0, (alerts - found) / (1 - share)

    failures, n = 0, 150
    for _ in range(n):
        p = rng.choice(grid, 1500, p=density)
        y = rng.random(1500) < p
        threshold, _ = metrics.threshold_for(y, p, goal, positive=True)
        failures += not kept(*truth(threshold))
    # Three standard errors above one in ten.
    assert failures / n <= 0.1 + 3 * np.sqrt(0.1 * 0.9 / n)


def test_guarantee_holds_out_rows_and_states_how_many_it_needs(table):
    X, y = table
    goal = {"recall": 0.8, "guarantee": 0.9, "guarantee_rows": 0.4}
    model = imbcore.fit(X, y, "naive_bayes", threshold=goal, random_state=0)
    assert (model.decision_["source"], model.decision_["n_rows"]) == ("held_out", 600)
    assert model.decision_["confidence"] == 0.9
    assert model.decision_["n_positives"] == 60
    with pytest.raises(DataError, match=r"3\d positive rows are held out.*at least 59"):
        imbcore.fit(X, y, "naive_bayes", threshold={"recall": 0.95, "guarantee": 0.95})
    with pytest.raises(DataError, match="sample_weight"):
        imbcore.fit(X, y, "naive_bayes", threshold=goal, sample_weight=np.arange(1, 1501))
    for rows, error, text in (
        (3, ParameterError, r'`threshold\["guarantee_rows"\]` must be a number in \(0, 1\), got 3'),
        (
            0.001,
            DataError,
            "0 positive rows are held out, but a guarantee .* requires at least 11; if the table has many",
        ),
    ):
        with pytest.raises(error, match=text):
            ThresholdClassifier(LogisticRegression(), goal | {"guarantee_rows": rows}).fit(X, y)


@pytest.mark.filterwarnings("ignore:1 positive:imbcore.DataWarning")
def test_class_of_one_row_is_handled(table):
    X, y = table[0], np.arange(1500) == 7
    for fit in (
        lambda: imbcore.fit(X, y, "cart", threshold="f1"),
        lambda: imbcore.evaluate(X, y, "cart"),
        lambda: imbcore.evaluate(X, y, LogisticRegression()),
    ):
        with pytest.raises(
            DataError, match="at least two rows of every class: collect more, or drop the rows"
        ):
            fit()


def test_error_names_the_target_as_given():
    with pytest.raises(DataError, match=r'threshold=\{"recall":0\.9\} needs two classes'):
        imbcore.fit(np.zeros((30, 1)), np.arange(30) % 3, "cart", threshold={"recall": 0.9})


@pytest.mark.parametrize(
    ("goal", "error", "text"),
    [
        ({"recall": 0}, ParameterError, r'threshold\["recall"\]'),
        ({"recal": 0.9}, ParameterError, "threshold"),
        ({"recall": "most"}, ParameterError, r"threshold\['recall'\] must be a number"),
        ({"recall": 0.9, "fpr": 0.1}, ParameterError, "a dict of"),
        ({"best": "f1", "guarantee": 0.9}, ParameterError, "no guarantee exists"),
        ({"alerts": 5000}, DataError, "does not limit 1500 rows"),
        ({"alerts": 10, "per": 5}, ParameterError, "at least the 10 alerts"),
        ({"cost": [[0, 1, 2], [1, 0, 1]]}, ParameterError, "2 x 2"),
        ("f3", ParameterError, "f2"),
        ([0.5], ParameterError, "threshold must be"),
    ],
)
def test_impossible_targets_are_rejected_with_the_remedy(table, goal, error, text):
    X, y = table
    with pytest.raises(error, match=text):
        imbcore.fit(X, y, "naive_bayes", threshold=goal, random_state=0)


def test_unreachable_precision_names_the_best():
    with pytest.raises(DataError, match=r"the best is 0\.5000"):
        metrics.threshold_for([0, 1], [0.9, 0.5], {"precision": 0.9})


def test_several_classes_are_rejected():
    X = np.arange(30.0).reshape(-1, 1)
    with pytest.raises(DataError, match="needs two classes"):
        imbcore.fit(X, np.arange(30) % 3, threshold={"recall": 0.9})
    alone = np.where(np.arange(30) == 7, 2, np.arange(30) % 2)
    with pytest.raises(DataError, match='threshold="f1" needs at least 2 rows of every class; class 2 has 1'):
        imbcore.fit(X, alone, "cart", threshold="f1")


def test_several_classes_have_one_threshold_each():
    X, y = make_classification(
        900, 6, n_informative=4, n_classes=3, weights=[0.86, 0.1, 0.04], class_sep=0.8, random_state=3
    )
    names = np.array(["usual", "rare", "rarest"])[y]
    model, plain = (
        imbcore.fit(X, names, "random_forest", threshold=goal, random_state=0) for goal in ("f1", None)
    )
    assert np.array_equal(model.predict_proba(X), plain.predict_proba(X))
    assert model.threshold is None
    decision = model.decision_
    assert decision["kind"] == "thresholds"
    assert set(decision["thresholds"]) == set(names)
    assert decision["n_rows"] <= 900
    assert decision["expected"]["recall"]["rarest"]["low"] < decision["expected"]["recall"]["rarest"]["value"]
    thresholds = np.array([decision["thresholds"][name] for name in model.classes_])
    assert 0.5 < thresholds.max() <= 1
    assert thresholds[1] < thresholds[2], "a rare class has a lower threshold"
    answers = model.classes_[np.argmax(model.predict_proba(X) / thresholds, axis=1)]
    assert np.array_equal(model.predict(X), answers)
    again = pickle.loads(pickle.dumps(model))
    assert again.decision_ == decision
    assert np.array_equal(again.predict(X), answers)
    assert f"{thresholds[1]:.3g} of rarest, {thresholds[2]:.3g} of usual" in model.to_card(), (
        "whose threshold it is"
    )
    rest = (X, names, "random_forest")
    with pytest.raises(UnsupportedError, match="which do not depend on proportions"):
        model.correct_prior(X)
    fair = imbcore.fit(*rest, threshold="g_mean", random_state=0)
    moved = fair.correct_prior(X, prior={"usual": 0.5, "rare": 0.3, "rarest": 0.2})
    assert np.array_equal(moved.predict(X), fair.predict(X)), "the recalls of classes stay as they are"


def test_bytes_do_not_depend_on_threads(table):
    models = [
        imbcore.fit(*table, "hddt", threshold={"recall": 0.7}, random_state=3, n_threads=n).to_bytes()
        for n in (1, 2, 5)
    ]
    assert len(set(models)) == 1


def test_command_line_accepts_targets(table, tmp_path, capsys):
    X, y = table
    data, model = tmp_path / "data.csv", tmp_path / "model.imb"
    np.savetxt(data, np.column_stack([X, y]), delimiter=",", header="a,b,y", comments="")
    for text, goal in [
        ("recall=0.9", {"recall": 0.9}),
        ('{"cost": {"1": {"0": 9}, "0": {"1": 1}}}', {"cost": [[0.0, 1.0], [9.0, 0.0]]}),
        ("youden", {"best": "youden"}),
    ]:
        arguments = ["fit", str(data), "-t", "y", "-m", "naive_bayes", "--threshold", text, "-o", str(model)]
        assert run_command(cli, [*arguments, "--force"]) == 0, capsys.readouterr().err
        assert imbcore.load(model).decision_["goal"] == goal


class TestOverAnyClassifier:
    def test_targets_of_scikit_learn_classifiers(self, table):
        X, y = table
        model = ThresholdClassifier(LogisticRegression(), {"recall": 0.8}, random_state=0).fit(X, y)
        assert model.decision_["expected"]["recall"]["value"] >= 0.8
        np.testing.assert_array_equal(model.predict(X) == 1, model.predict_proba(X)[:, 1] >= model.threshold_)
        kept = clone(model).set_params(threshold={"recall": 0.8, "guarantee": 0.9}).fit(X, y)
        assert (kept.decision_["source"], kept.decision_["n_rows"]) == ("held_out", 375)

    def test_wrapper_and_option_choose_the_same_threshold(self, table):
        X, y = table
        own = imbcore.NaiveBayesClassifier(threshold={"recall": 0.8}, random_state=0).fit(X, y)
        around = ThresholdClassifier(imbcore.NaiveBayesClassifier(), {"recall": 0.8}, random_state=0).fit(
            X, y
        )
        assert around.threshold_ == pytest.approx(own.model_.threshold, abs=0.1)

    @parametrize_with_checks([ThresholdClassifier(LogisticRegression(), random_state=0)])
    def test_scikit_learn_checks(self, estimator, check):
        check(estimator)
