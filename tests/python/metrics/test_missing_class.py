"""Metrics of rows of one class.

A number that is undefined without one of the classes is NaN with a warning.
"""

import warnings

import numpy as np
import pytest

from imbcore import metrics

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
