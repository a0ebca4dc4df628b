"""`imbcore.evaluate`: several methods, classifiers of other libraries, costs and intervals."""

from __future__ import annotations

import builtins

import numpy as np
import pandas as pd
import pytest
from evaluated import COSTS, GROUPS, RESULT, N, NoWeights, X, Y, parts
from scipy import stats as scipy_stats
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import imbcore
from imbcore.evaluation import Sweep, TunedThreshold
from imbcore.exceptions import DataError, ParameterError


class TestMeasures:
    """Scores of the folds equal those of scikit-learn, or the definition, on the predictions of the
    result.
    """

    result = imbcore.evaluate(X, Y, "hddt", folds=4, alerts=40, cost_matrix=COSTS, **RESULT)

    @pytest.mark.parametrize(
        ("name", "score"),
        [
            ("log_loss", lambda y, p, _: log_loss(y, p, labels=[0, 1])),
            ("brier", lambda y, p, _: brier_score_loss(y, p[:, 1])),
            ("roc_auc", lambda y, p, _: roc_auc_score(y, p[:, 1])),
            (
                "expected_cost",
                lambda y, _, a: np.mean(np.where((y == 1) & (a == 0), 10, (y == 0) & (a == 1))),
            ),
        ],
    )
    def test_scores_are_those_of_the_predictions(self, name, score):
        for rows, fold in parts(self.result):
            of = (self.result.y[rows], self.result.proba[rows], self.result.predicted[rows])
            assert self.result.metrics[name][fold] == pytest.approx(score(*of), abs=1e-12), fold

    def test_calibration_is_a_logistic_regression_on_log_odds(self):
        for rows, fold in parts(self.result):
            p = self.result.proba[rows, 1]
            line = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000)
            line.fit(np.log(p / (1 - p))[:, None], self.result.y[rows])
            assert self.result.metrics["calibration_slope"][fold] == pytest.approx(line.coef_[0, 0], abs=1e-5)
            shift = self.result.metrics["calibration_intercept"][fold]
            moved = 1 / (1 + np.exp(-(np.log(p / (1 - p)) + shift)))
            assert moved.sum() == pytest.approx(self.result.y[rows].sum(), abs=1e-9)

    def test_alert_budget_is_divided_among_folds(self):
        for rows, fold in parts(self.result):
            # Forty alerts for 400 rows are ten for 100; ties count fractionally, so they are randomized here.
            scores, y = self.result.proba[rows, 1], self.result.y[rows]
            least = np.sort(scores)[-10]
            above, tied = scores > least, scores == least
            found = y[above].sum() + y[tied].mean() * (10 - above.sum())
            assert self.result.metrics["precision_at_alerts"][fold] == pytest.approx(found / 10)
            assert self.result.metrics["recall_at_alerts"][fold] == pytest.approx(found / y.sum())

    def test_costs_determine_the_predictions(self):
        assert (self.result.predicted == (self.result.proba[:, 1] >= 1 / 11)).mean() > 0.99

    def test_alert_budget_can_be_given_in_three_forms(self):
        several = [
            imbcore.evaluate(X, Y, "hddt", folds=4, alerts=alerts, **RESULT).metrics["recall_at_alerts"]
            for alerts in (40, {"alerts": 40, "per": 400}, {"alert_rate": 0.1})
        ]
        assert several[0].tolist() == several[1].tolist() == several[2].tolist()

    def test_results_omit_costs_and_budget_unless_given(self):
        names = imbcore.evaluate(X, Y, "hddt", folds=2, **RESULT).metrics
        assert not {"expected_cost", "precision_at_alerts", "recall_at_alerts"} & set(names)
        assert {"log_loss", "brier", "calibration_slope", "calibration_intercept"} <= set(names)

    def test_several_classes_are_supported(self):
        y = np.digitize(X[:, 0], [0, 1.2])
        costs = np.ones((3, 3)) - np.eye(3)
        table = X[:, :1] + np.random.default_rng(1).normal(scale=0.1, size=(N, 2))
        result = imbcore.evaluate(table, y, "hddt", folds=3, cost_matrix=costs, **RESULT)
        for rows, fold in parts(result):
            wrong = np.mean(result.y[rows] != result.predicted[rows])
            assert result.metrics["expected_cost"][fold] == pytest.approx(wrong)
            assert result.metrics["log_loss"][fold] == pytest.approx(log_loss(y[rows], result.proba[rows]))


class TestIntervals:
    result = imbcore.evaluate(X, Y, ["hddt", "cart"], folds=5, repeats=2, **RESULT)

    def test_intervals_are_those_of_nadeau_and_bengio(self):
        one = self.result["cart"]
        values = one.metrics["roc_auc"]
        half = scipy_stats.t.ppf(0.975, 9) * np.sqrt((1 / 10 + 1 / 4) * values.var(ddof=1))
        low, high = one.interval()["roc_auc"]
        assert one.test_to_train == pytest.approx(0.25)
        assert (low, high) == (pytest.approx(values.mean() - half), pytest.approx(values.mean() + half))

    def test_pairs_are_compared_on_the_same_folds(self):
        (pair,) = self.result.differences("roc_auc")
        a, b = (self.result[name].metrics["roc_auc"] for name in ("hddt", "cart"))
        difference, _, p = imbcore.stats.corrected_t_test(a, b, test_to_train=0.25)
        assert (pair.first, pair.second) == ("hddt", "cart")
        assert (pair.difference, pair.p) == (pytest.approx(difference), pytest.approx(p))
        assert pair.adjusted == pair.p
        assert pair.low < pair.difference < pair.high
        with pytest.raises(ParameterError, match="no metric 'auc'"):
            self.result.differences("auc")

    def test_frame_has_one_row_per_method_and_metric(self):
        frame = self.result.to_frame()
        assert list(frame) == ["method", "metric", "mean", "sd", "low", "high", "n_defined"]
        assert len(frame) == 2 * len(self.result["cart"].metrics)
        row = frame[(frame.method == "cart") & (frame.metric == "roc_auc")].iloc[0]
        assert row["mean"] == self.result["cart"].mean()["roc_auc"]
        assert (row["low"], row["high"]) == self.result["cart"].interval()["roc_auc"]
        assert self.result["cart"].to_frame().equals(frame[frame.method == "cart"].reset_index(drop=True))

    def test_frame_names_the_missing_package(self, monkeypatch):
        real = builtins.__import__

        def without_pandas(name, *args, **kwargs):
            if name == "pandas":
                raise ImportError(name)
            return real(name, *args, **kwargs)

        monkeypatch.setattr(builtins, "__import__", without_pandas)
        with pytest.raises(ImportError, match=r"to_frame\(\) needs pandas: pip install"):
            self.result.to_frame()

    def test_repr_shows_the_table(self):
        text, page = str(self.result), self.result._repr_html_()
        assert text.splitlines()[0] == f"{N} rows, positive class 1, 2 x 5 stratified folds (mean ± sd)"
        assert "hddt - cart" in text
        assert page.count("<tr>") == 1 + len(self.result["cart"].metrics)
        assert "<strong>" in page
        assert "95 % interval" in str(self.result["cart"])
        named = imbcore.evaluate(X, np.where(Y, "<b>", "c"), {"<i>": "cart"}, folds=2, **RESULT)._repr_html_()
        assert "<b>" not in named
        assert "&lt;i&gt;" in named

    def test_higher_level_widens_intervals(self):
        wide = imbcore.evaluate(X, Y, "cart", folds=5, repeats=2, level=0.99, **RESULT)
        (a, b), (c, d) = wide.interval()["f1"], self.result["cart"].interval()["f1"]
        assert a < c < d < b
        with pytest.raises(ParameterError, match="level must be a number in"):
            imbcore.evaluate(X, Y, "cart", level=1.0)


class TestSeveral:
    def test_methods_share_folds_and_equal_single_evaluations(self):
        several = imbcore.evaluate(X, Y, ["hddt", ("cart", {"max_depth": 3})], folds=3, **RESULT)
        assert list(several) == ["hddt", "cart"]
        assert (several["hddt"].fold == several["cart"].fold).all()
        alone = imbcore.evaluate(X, Y, "cart", folds=3, max_depth=3, **RESULT)
        assert alone.metrics["f1"].tolist() == several["cart"].metrics["f1"].tolist()

    def test_methods_may_have_names_and_options(self):
        found = imbcore.evaluate(
            X,
            Y,
            {
                "plain": ("cart", {"cost_matrix": None}),
                "costly": "cart",
                "low": ("cart", {"cost_matrix": None, "threshold": 0.1}),
            },
            folds=3,
            cost_matrix=COSTS,
            max_depth=3,
            **RESULT,
        )
        assert all("expected_cost" in result.metrics for result in found.values())
        assert (found["plain"].proba == found["costly"].proba).all()
        assert (found["plain"].predicted == 1).sum() < (found["costly"].predicted == 1).sum()
        assert (found["low"].predicted == (found["low"].proba[:, 1] >= 0.1)).all()

    def test_equal_names_are_numbered(self):
        several = imbcore.evaluate(X, Y, ["cart", ("cart", {"max_depth": 2})], folds=2, **RESULT)
        assert list(several) == ["cart", "cart 2"]

    def test_result_depends_only_on_the_seed(self):
        def run(threads, seed=3):
            methods = {"forest": ("random_forest", {"n_estimators": 5}), "line": LogisticRegression()}
            found = imbcore.evaluate(
                X, Y, methods, groups=GROUPS, folds=3, repeats=2, random_state=seed, n_threads=threads
            )
            return {name: {m: v.tolist() for m, v in of.metrics.items()} for name, of in found.items()}

        assert repr(run(1)) == repr(run(3))
        assert repr(run(1)) != repr(run(1, seed=4))

    @pytest.mark.parametrize(
        ("method", "message"),
        [
            ([], "got the empty"),
            ({}, "got the empty"),
            ([3], "method must be a name"),
            (LogisticRegression, "method must be a name"),
            (["hddt", "crt"], "unknown method.*crt.*cart"),
            ([("cart", {"random_state": 1})], "cart: random_state is shared by all methods"),
            ([("cart", {"max_dept": 1})], "max_dept.*max_depth"),
        ],
    )
    def test_invalid_methods_are_rejected(self, method, message):
        with pytest.raises(ParameterError, match=message):
            imbcore.evaluate(X, Y, method)


class TestClassifiers:
    def test_classifiers_are_fitted_fold_by_fold(self):
        line = make_pipeline(StandardScaler(), LogisticRegression())
        result = imbcore.evaluate(X, Y, line, folds=4, random_state=0)
        assert isinstance(result, imbcore.Evaluation)
        assert result.method == "Pipeline"
        for rows, fold in parts(result):
            rest = np.setdiff1d(np.arange(N), rows)
            own = clone(line).fit(X[rest], Y[rest])
            assert result.proba[rows] == pytest.approx(own.predict_proba(X[rows]))
            assert (result.predicted[rows] == own.predict(X[rows])).all()
            assert result.metrics["roc_auc"][fold] == pytest.approx(
                roc_auc_score(Y[rows], result.proba[rows, 1])
            )

    def test_classifiers_share_the_folds_of_methods(self):
        found = imbcore.evaluate(X, Y, ["cart", LogisticRegression()], folds=4, **RESULT)
        assert (found["cart"].fold == found["LogisticRegression"].fold).all()

    def test_our_estimators_are_accepted(self):
        frame = pd.DataFrame({"a": X[:, 0], "b": np.where(X[:, 1] > 0, "x", "y")})
        found = imbcore.evaluate(frame, Y, imbcore.HDDTClassifier(max_depth=3), folds=3, random_state=0)
        direct = imbcore.evaluate(frame, Y, "hddt", max_depth=3, folds=3, random_state=0)
        assert found.metrics["f1"].tolist() == direct.metrics["f1"].tolist()

    def test_decision_scores_rank_without_probabilities(self):
        result = imbcore.evaluate(X, Y, LinearSVC(), folds=3, alerts=30, random_state=0)
        assert result.proba is None
        assert result.mean()["roc_auc"] > 0.8
        assert result.mean()["precision_at_alerts"] > 0.3
        assert np.isnan(result.mean()["log_loss"])
        assert "over 0 of 3 folds" in str(result)

    def test_predict_alone_is_enough(self):
        result = imbcore.evaluate(X, Y, NoWeights(), folds=3, cost_matrix=COSTS, random_state=0)
        assert np.isnan(result.mean()["roc_auc"])
        assert result.mean()["expected_cost"] == pytest.approx(10 * Y.mean(), rel=0.05)

    def test_costs_and_thresholds_determine_their_predictions(self):
        line = LogisticRegression()
        methods = {"costly": line, "own": (line, {"cost_matrix": None})}
        found = imbcore.evaluate(X, Y, methods, folds=3, cost_matrix=COSTS, random_state=0)
        assert (found["costly"].predicted == (found["costly"].proba[:, 1] >= 1 / 11)).all()
        assert (found["own"].predicted == (found["own"].proba[:, 1] > 0.5)).all()
        assert found["costly"].mean()["expected_cost"] < found["own"].mean()["expected_cost"]
        low = imbcore.evaluate(X, Y, line, folds=3, threshold=0.2, random_state=0)
        assert (low.predicted == (low.proba[:, 1] >= 0.2)).all()

    def test_parameters_of_classifiers(self):
        weak, strong = (
            imbcore.evaluate(X, Y, (LogisticRegression(), {"C": c}), folds=3, random_state=0)
            for c in (1e-6, 1.0)
        )
        assert np.abs(weak.proba[:, 1] - Y.mean()).max() < 0.02 < np.abs(strong.proba[:, 1] - Y.mean()).max()

    def test_weights_are_used_in_fits_and_scores(self):
        twice = np.where(np.arange(N) % 2, 2.0, 1.0)
        rows = np.repeat(np.arange(N), twice.astype(int))
        weighed = imbcore.evaluate(
            X, Y, LogisticRegression(tol=1e-10), groups=np.arange(N), sample_weight=twice, folds=3, **RESULT
        )
        one = np.flatnonzero(weighed.fold == 0)
        rest = rows[~np.isin(rows, one)]
        own = LogisticRegression(tol=1e-10).fit(X[rest], Y[rest])
        assert weighed.proba[one] == pytest.approx(own.predict_proba(X[one]), abs=1e-5)
        brier = np.average((weighed.proba[one, 1] - Y[one]) ** 2, weights=twice[one])
        assert weighed.metrics["brier"][0] == pytest.approx(brier)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"sample_weight": np.ones(N)}, "NoWeights.fit does not support sample_weight; leave out"),
            ({"class_weight": "balanced"}, "NoWeights: class_weight applies only to methods by name"),
            ({"calibrate": "sigmoid"}, "wrap it in imbcore.decisions.CalibratedClassifier"),
            ({"threshold": "f1"}, "wrap it in imbcore.decisions.ThresholdClassifier"),
            ({"threshold": 2}, r"a number in \[0, 1\]"),
            ({"cost_matrix": COSTS, "threshold": 0.5}, "threshold must be None if cost_matrix is given"),
            ({"cost_matrix": COSTS, "cost_strategy": "reweight"}, "applies only to methods by name"),
            (
                {"max_depth": 3},
                r"\['max_depth'\] are parameters of methods by name and do not apply to NoWeights",
            ),
        ],
    )
    def test_options_of_methods_are_rejected(self, options, message):
        with pytest.raises(ParameterError, match=message):
            imbcore.evaluate(X, Y, NoWeights(), folds=3, **options)

    def test_learners_that_predict_in_several_ways_are_rejected(self):
        for learner in (TunedThreshold("cart"), Sweep({"small": "cart"})):
            with pytest.raises(ParameterError, match=r"gives several predictions per row; use imbcore.eval"):
                imbcore.evaluate(X, Y, learner, folds=3)

    def test_equal_classifiers_have_equal_results(self):
        forest = RandomForestClassifier(n_estimators=3)
        found = imbcore.evaluate(X, Y, {"one": forest, "other": clone(forest)}, folds=3, random_state=0)
        assert (found["one"].proba == found["other"].proba).all()

    def test_exceptions_name_the_classifier(self):
        with pytest.raises(DataError, match=r"LogisticRegression, training part of fold 0: .*C"):
            imbcore.evaluate(X, Y, LogisticRegression(C=-1.0), folds=3)

    def test_callback_is_called_and_may_stop_the_evaluation(self):
        calls = []

        def stop(*event):
            calls.append(event)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            imbcore.evaluate(X, Y, LogisticRegression(), folds=3, callback=stop)
        assert len(calls) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alerts": N}, f"an alert budget of {N} does not limit {N} rows; lower it"),
        ({"alerts": 0}, "alerts must be a number of alerts, at least 1"),
        ({"alerts": "many"}, "alerts must be"),
        ({"alerts": {"alert_rate": 1.5}}, "alerts must be"),
        ({"alerts": {"alerts": 10, "per": 5}}, "alerts must be"),
        ({"alerts": {"alerts": 10, "of": 50}}, "alerts must be"),
        ({"cost_matrix": [[0, 1, 2], [1, 0, 1], [1, 1, 0]]}, "3 classes"),
        ({"cost_matrix": [[0, 1]]}, "square"),
        ({"cost_matrix": {(1, 2): 3}}, "pairs"),
    ],
)
def test_invalid_requests_are_rejected(options, message):
    for method in ("cart", LogisticRegression()):
        with pytest.raises((DataError, ParameterError), match=message):
            imbcore.evaluate(X, Y, method, **options)


def test_fractions_of_rows_are_those_of_each_training_part():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] + rng.normal(size=300) > 1).astype(int)
    given = {"folds": 3, "random_state": 0}
    fraction = imbcore.evaluate(X, y, "cart", min_samples_leaf=0.1, **given)
    rows = imbcore.evaluate(X, y, "cart", min_samples_leaf=20, **given)
    np.testing.assert_array_equal(fraction.proba, rows.proba)
    boosted = imbcore.evaluate(X, y, "adaboost", estimator_params={"min_samples_leaf": 0.1}, **given)
    assert boosted.mean()["roc_auc"] > 0.7
    with pytest.raises(ParameterError, match="cart: parameter `min_samples_leaf` must be a whole number"):
        imbcore.evaluate(X, y, "cart", min_samples_leaf=1.5, **given)
