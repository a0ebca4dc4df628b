"""Metrics of rows of one class.

A number that is undefined without one of the classes is NaN with a warning.
"""

import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from imbcore import metrics
from imbcore.exceptions import DataError

SCORES = [0.2, 0.7, 0.4, 0.9]
# Labels and weights: one class is missing, or all its rows have weight 0.
WITHOUT = {
    "negatives": [([1, 1, 1, 1], None), ([1, 0, 1, 0], [1, 0, 1, 0]), ([1], None)],
    "positives": [([0, 0, 0, 0], None), ([1, 0, 1, 0], [0, 1, 0, 1]), ([0], None)],
}
PARTS = [
    {"max_fpr": 0.2},
    {"max_fpr": 1.0},
    {"min_recall": 0.5},
    {"min_recall": 0.0},
    {"max_fpr": 0.2, "standardized": False},
    {"min_recall": 0.5, "standardized": False},
]
UNDEFINED = {
    "negatives": [
        metrics.auh_score,
        metrics.h_measure_score,
        metrics.hand_till_score,
        metrics.roc_auc_score,
        metrics.wauroc_score,
    ],
    "positives": [
        metrics.auh_score,
        metrics.h_measure_score,
        metrics.hand_till_score,
        metrics.roc_auc_score,
        metrics.wauroc_score,
        lambda *args, **kwargs: metrics.recall_at_k(*args, 1, **kwargs),
        lambda *args, **kwargs: metrics.gain_table(*args, n_bins=3, **kwargs).gain[-1],
        lambda *args, **kwargs: metrics.gain_table(*args, n_bins=3, **kwargs).lift[0],
    ],
}


@pytest.mark.parametrize("missing", WITHOUT)
def test_metrics_that_need_the_class_are_nan_with_a_warning(missing):
    areas = [
        lambda *args, _part=part, **kwargs: metrics.partial_auc_score(*args, **_part, **kwargs)
        for part in PARTS
    ]
    for y, weight in WITHOUT[missing]:
        for score in UNDEFINED[missing] + areas:
            with pytest.warns(UserWarning, match="class"):
                found = score(y, SCORES[: len(y)], positive=1, sample_weight=weight)
            assert np.isnan(found)


@pytest.mark.parametrize("missing", WITHOUT)
def test_scores_by_class_are_nan_with_a_warning(missing):
    for y, weight in WITHOUT[missing]:
        with pytest.warns(UserWarning, match="class"):
            found = metrics.brier_by_class(y, SCORES[: len(y)], positive=1, sample_weight=weight)
        assert np.isnan(found).tolist() == [missing == "negatives", missing == "positives"]


def test_both_classes_raise_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for score in UNDEFINED["positives"]:
            assert np.isfinite(score([0, 1, 0, 1], SCORES, positive=1))
        for part in PARTS:
            assert np.isfinite(metrics.partial_auc_score([0, 1, 0, 1], SCORES, **part))
        assert np.isfinite(metrics.brier_by_class([0, 1, 0, 1], SCORES)).all()


def test_labels_define_the_positive_class_of_one_column():
    truth, proba, labels = ["no", "no"], [0.1, 0.3], ["no", "yes"]
    assert metrics.brier_score_loss(truth, proba, labels=labels) == pytest.approx(0.05)
    assert metrics.calibration_table(truth, proba, labels=labels).positive_fraction.max() == 0
    assert metrics.calibration_errors(truth, proba, labels=labels).maximum == pytest.approx(0.3)
    with pytest.raises(DataError, match="not in labels"):
        metrics.brier_score_loss(["no", "maybe"], proba, labels=labels)


@pytest.mark.parametrize("labels", [["b", "a"], ["a", "a"]])
def test_labels_of_columns_in_another_order_are_rejected(labels):
    with pytest.raises(DataError, match="labels must be different and sorted"):
        metrics.log_loss(["a", "b"], [[0.9, 0.1], [0.2, 0.8]], labels=labels)


def test_scorers_score_folds_that_lack_a_class():
    X = np.array([[0.0], [0.1], [1.0], [1.1], [2.0], [2.1]])
    y = np.repeat(["a", "b", "c"], 2)
    model = LogisticRegression().fit(X, y)
    truth, proba, costs = y[:4], model.predict_proba(X[:4]), [[0, 1, 1], [1, 0, 1], [9, 9, 0]]
    for name, function in (("log_loss", metrics.log_loss), ("brier", metrics.brier_score_loss)):
        wanted = -function(truth, proba, labels=["a", "b", "c"])
        assert metrics.scorer(name, positive="c")(model, X[:4], truth) == pytest.approx(wanted)
    ranks = model.decision_function(X[:4])
    wanted = metrics.roc_auc_score(truth, ranks, labels=["a", "b", "c"], multi_class="ovr")
    assert metrics.scorer("roc_auc", positive="c", multi_class="ovr")(model, X[:4], truth) == wanted
    wanted = metrics.cost_score(truth, model.predict(X[:4]), costs, labels=["a", "b", "c"])
    assert metrics.scorer("cost", cost_matrix=costs)(model, X[:4], truth) == -wanted
    two = LogisticRegression().fit(X[:4], [0, 0, 1, 1])
    assert metrics.scorer("log_loss")(two, X[:2], [0, 0]) < 0


def test_average_precision_refuses_a_column_for_each_of_two_classes():
    """The mean over both classes would be mostly that of the common class, whatever is positive."""
    truth, proba = [0, 0, 1], [[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]]
    with pytest.raises(DataError, match="scores of the positive class"):
        metrics.average_precision_score(truth, proba, positive=1)
