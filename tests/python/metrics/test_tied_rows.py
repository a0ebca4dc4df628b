"""Statistics over sorted scores do not depend on the row order.

A permutation of the rows, in particular of rows with equal scores, changes no metric, table, curve,
calibrator, threshold, test or figure: not at all if sums are of integers, otherwise by at most 1e-12.
"""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from imbcore import metrics, stats
from imbcore._bindings import native
from imbcore._explore.figures import threshold_page_data
from imbcore.decisions import CalibratedClassifier, ThresholdClassifier

SCORED = {
    "auh": metrics.auh_score,
    "average_precision": metrics.average_precision_score,
    "best_threshold": metrics.best_threshold,
    "brier": metrics.brier_score_loss,
    "brier_by_class": metrics.brier_by_class,
    "brier_curve": metrics.brier_curve,
    "cost_curve": metrics.cost_curve,
    "decision_curve": metrics.decision_curve,
    "gain_table": metrics.gain_table,
    "gain_table_7": lambda *args, **kwargs: metrics.gain_table(*args, n_bins=7, **kwargs),
    "h_measure": metrics.h_measure_score,
    "hand_till": metrics.hand_till_score,
    "intercept": metrics.calibration_intercept,
    "log_loss": metrics.log_loss,
    "partial_auc": lambda *args, **kwargs: metrics.partial_auc_score(*args, max_fpr=0.3, **kwargs),
    "partial_auc_recall": lambda *args, **kwargs: metrics.partial_auc_score(*args, min_recall=0.6, **kwargs),
    "pr_auc": metrics.pr_auc_score,
    "pr_curve": metrics.precision_recall_curve,
    "precision_at": lambda y, p, **kwargs: metrics.precision_at_k(y, p, 3.5, **kwargs),
    "recall_at": lambda y, p, **kwargs: metrics.recall_at_k(y, p, 3.5, **kwargs),
    "roc_auc": metrics.roc_auc_score,
    "roc_curve": metrics.roc_curve,
    "slope": metrics.calibration_slope,
    "threshold_for": lambda *args, **kwargs: metrics.threshold_for(*args, "f1", **kwargs),
    "wauroc": metrics.wauroc_score,
}


def binned(name, **options):
    """A calibration function with the given bins."""
    of = getattr(metrics, name)
    return lambda *args, **kwargs: of(*args, **options, **kwargs)


SCORED |= {
    f"{name}_{strategy}_{n_bins}": binned(name, strategy=strategy, n_bins=n_bins)
    for name in ("calibration_table", "calibration_errors", "brier_decomposition")
    for strategy in ("uniform", "quantile", "distinct")
    for n_bins in (3, 10)
}


def flat(found):
    """Numbers of any result, in order."""
    if isinstance(found, dict):
        return [number for value in found.values() for number in flat(value)]
    if isinstance(found, (list, tuple)):
        return [number for value in found for number in flat(value)]
    if found is None or isinstance(found, (str, bool)):
        return []
    return np.asarray(found, dtype=float).ravel().tolist()


def tables():
    """Labels, scores with many ties, integer weights, and two permutations."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(6, 60))
        score = rng.integers(0, rng.integers(2, 9), n) / 8
        y = (rng.random(n) < 0.2 + 0.5 * score).astype(int)
        y[:2] = [0, 1]
        weight = rng.integers(0, 4, n).astype(float)
        weight[:2] = 1.0
        tied = np.arange(n)
        for value in np.unique(score):
            rows = np.flatnonzero(score == value)
            tied[rows] = rng.permutation(rows)
        yield y, score, weight, (tied, rng.permutation(n))


def assert_same(one, other):
    np.testing.assert_allclose(flat(one), flat(other), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", SCORED)
def test_metrics_do_not_depend_on_row_order(name):
    for y, score, weight, orders in tables():
        for weights in (None, weight):
            found = SCORED[name](y, score, sample_weight=weights)
            for order in orders:
                again = None if weights is None else weights[order]
                assert_same(found, SCORED[name](y[order], score[order], sample_weight=again))


@pytest.mark.parametrize("strategy", ["uniform", "quantile", "distinct"])
def test_equal_probabilities_are_in_one_bin(strategy):
    for y, score, weight, _ in tables():
        table = metrics.calibration_table(y, score, strategy=strategy, n_bins=5, sample_weight=weight)
        kept = weight > 0
        assert table.rows.sum() == kept.sum()
        # A bin contains all rows with some probabilities: bins end between distinct values.
        ends = np.cumsum(table.rows)
        counts = np.cumsum([np.count_nonzero(kept & (score == value)) for value in np.unique(score)])
        assert set(ends) <= set(counts)


def test_reported_case_does_not_depend_on_row_order():
    rng = np.random.default_rng(0)
    p = np.repeat([0.1, 0.5], 50)
    y = np.r_[np.ones(5), np.zeros(45), np.ones(25), np.zeros(25)]
    for order in (np.arange(100), np.arange(100)[::-1], rng.permutation(100)):
        errors = metrics.calibration_errors(y[order], p[order], strategy="quantile")
        assert errors.expected == pytest.approx(0, abs=1e-15)
        assert metrics.brier_decomposition(y[order], p[order], strategy="quantile").reliability < 1e-30


def test_rows_of_weight_0_change_no_bins():
    for y, score, weight, _ in tables():
        kept = weight > 0
        for strategy in ("uniform", "quantile", "distinct"):
            all_rows = metrics.calibration_table(y, score, strategy=strategy, sample_weight=weight)
            few = metrics.calibration_table(
                y[kept], score[kept], strategy=strategy, sample_weight=weight[kept], positive=1
            )
            if strategy == "distinct":
                assert all_rows.rows.tolist() == few.rows.tolist()
            else:
                assert_same(all_rows, few)


def test_curves_of_the_explore_page_do_not_depend_on_row_order():
    for y, score, _, orders in tables():
        truth = y == 1
        found = threshold_page_data(truth, score, score > 0.5)
        for order in orders:
            again = threshold_page_data(truth[order], score[order], score[order] > 0.5)
            assert again["points"] == found["points"]
            assert again["histogram"] == found["histogram"]
            assert_same(found, again)
        for most in (2, 3, 5):
            sweep = native.metrics.Sweep(y.astype(np.uint32), 1, score, None)
            cells = sweep.thinned(most, [], 1.0)
            for order in orders:
                other = native.metrics.Sweep(y[order].astype(np.uint32), 1, score[order], None)
                assert_same(cells, other.thinned(most, [], 1.0))


class FixedScores(ClassifierMixin, BaseEstimator):
    """Predicts the first column, regardless of the training data."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.stack([1 - X[:, 0], X[:, 0]], axis=1)

    def predict(self, X):
        return self.classes_[(X[:, 0] >= 0.5).astype(int)]


@pytest.mark.parametrize("method", ["sigmoid", "isotonic", "beta", "venn_abers"])
@pytest.mark.filterwarnings("ignore:calibration by")
def test_calibrators_do_not_depend_on_row_order(method):
    grid = np.linspace(0, 1, 17)[:, None]
    for y, score, weight, orders in tables():
        if min(np.bincount(y[weight > 0], minlength=2)) < 4:
            continue
        for weights in (None, weight):

            def fitted(order, weights=weights, y=y, score=score):
                model = CalibratedClassifier(FixedScores(), method, cv=2)
                own = None if weights is None else weights[order]
                model.fit(score[order, None], y[order], sample_weight=own)
                return model.predict_proba(grid)

            found = fitted(np.arange(len(y)))
            for order in orders:
                # Curves fitted iteratively end within their tolerance.
                tolerance = 1e-12 if method in ("isotonic", "venn_abers") else 1e-9
                np.testing.assert_allclose(found, fitted(order), atol=tolerance)


def test_thresholds_do_not_depend_on_row_order():
    for y, score, _, orders in tables():
        if min(np.bincount(y)) < 4:
            continue

        def chosen(order, y=y, score=score):
            return (
                ThresholdClassifier(FixedScores(), "f1", cv=2, positive=1)
                .fit(score[order, None], y[order])
                .threshold_
            )

        found = chosen(np.arange(len(y)))
        for order in orders:
            assert chosen(order) == found


def result_numbers(found):
    """Fields of a result that are not about single rows."""
    return [name for name in found._fields if np.ndim(getattr(found, name)) < 2]


def test_paired_tests_do_not_depend_on_row_order():
    for seed in range(8):
        rng = np.random.default_rng(seed)
        x, y = rng.integers(0, 5, (2, 12)) / 4
        order = rng.permutation(12)
        for test in (
            stats.wilcoxon_test,
            stats.sign_test,
            stats.hodges_lehmann,
            stats.hodges_lehmann_interval,
            lambda x, y: stats.wilcoxon_test(x, y, zeros="split"),
            lambda x, y: stats.corrected_t_test(x, y, test_to_train=0.1),
            lambda x, y: stats.bayesian_t_test(x, y, test_to_train=0.1),
        ):
            try:
                found = test(x, y)
            except ValueError:
                continue
            assert_same(tuple(found) if isinstance(found, tuple) else found, test(x[order], y[order]))
        values = rng.integers(0, 4, (10, 4)).astype(float)
        one, other = stats.friedman_test(values), stats.friedman_test(values[rng.permutation(10)])
        assert_same(
            [getattr(one, name) for name in result_numbers(one)],
            [getattr(other, name) for name in result_numbers(one)],
        )
        p = rng.integers(1, 5, 9) / 40
        order = rng.permutation(9)
        for method in ("holm", "hochberg", "bh"):
            try:
                adjusted = stats.adjust_p_values(p, method)
            except ValueError:
                continue
            assert_same(adjusted[order], stats.adjust_p_values(p[order], method))


def test_conformal_p_values_do_not_depend_on_row_order():
    for y, score, _, orders in tables():
        codes, groups = y.astype(np.uint32), np.zeros(len(y), np.uint32)
        found = conformal(codes, groups, score)
        for order in orders:
            assert_same(found, conformal(codes[order], groups[order], score[order]))


def conformal(codes, groups, scores):
    grid = np.tile(np.linspace(0, 1, 9)[:, None], (1, 2))
    return native.decisions.Conformal(codes, groups, scores, 2).p_values(grid, None)
