"""Curves of several classes, skew sensitivity, entropy deficit, and the order of labels."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics as sk
from sklearn.preprocessing import label_binarize

from imbcore import metrics
from imbcore._validation.values import encode_label_arrays
from imbcore.exceptions import DataError, ParameterError

NAMES = np.array(["a", "b", "c"])


def problem(seed):
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(3), rng.integers(0, 3, 60)])
    scores = np.round(rng.dirichlet(np.ones(3), len(codes)), 1 + seed % 2)
    return NAMES[codes], scores, rng.random(len(codes))


@pytest.mark.parametrize("seed", range(4))
def test_curves_agree_with_scikit_learn(seed):
    y, scores, weight = problem(seed)
    own = label_binarize(y, classes=NAMES)
    for weights in (None, weight):
        roc = metrics.roc_curves(y, scores, sample_weight=weights, drop_intermediate=False)
        pr = metrics.precision_recall_curves(y, scores, sample_weight=weights)
        assert list(roc) == ["a", "b", "c", "micro", "macro"]
        assert list(pr) == ["a", "b", "c", "micro"]
        repeated = None if weights is None else np.repeat(weights, 3)
        for code, name in enumerate([*NAMES, "micro"]):
            truth, score, w = (
                (own[:, code], scores[:, code], weights)
                if name in NAMES
                else (own.ravel(), scores.ravel(), repeated)
            )
            expected = sk.roc_curve(truth, score, sample_weight=w, drop_intermediate=False)
            for found, other in zip(roc[name], expected, strict=True):
                assert_allclose(found, other, rtol=0, atol=1e-12)
            expected = sk.precision_recall_curve(truth, score, sample_weight=w)
            for found, other in zip(pr[name], expected, strict=True):
                assert_allclose(found, other, rtol=0, atol=1e-12)
        fpr, tpr, thresholds = roc["macro"]
        assert np.isnan(thresholds).all()
        assert (np.diff(fpr) >= 0).all()
        assert (np.diff(tpr) >= -1e-15).all()
        areas = [
            metrics.roc_auc_score(y == name, scores[:, code], sample_weight=weights)
            for code, name in enumerate(NAMES)
        ]
        assert sk.auc(fpr, tpr) == pytest.approx(np.mean(areas), abs=1e-12)


def test_invalid_arguments_of_class_curves_are_named():
    with pytest.raises(DataError, match="roc_curve"):
        metrics.roc_curves([0, 1, 1], [0.1, 0.2, 0.3])
    with pytest.raises(ParameterError, match="micro"):
        metrics.roc_curves(["micro", "b", "b"], [[0.1, 0.9]] * 3)
    with pytest.raises(DataError, match="columns"):
        metrics.roc_curves([0, 1, 1], [[0.1, 0.2, 0.7]] * 3)


def test_skew_sensitivity_is_the_distance_of_scaled_surfaces():
    for quantity in ("gini", "precision", {"name": "f_beta", "beta": 0.5}):
        at = [metrics.isometrics(quantity, skew, points=31).values for skew in (1.0, 10.0)]
        even, skewed = (values / np.nanmax(values) for values in at)
        expected = np.nanmean(np.abs(skewed - even))
        assert_allclose(metrics.skew_sensitivity(quantity, [1.0, 10.0], points=31), [0, expected], atol=1e-12)
    assert metrics.skew_sensitivity("hellinger").max() < 1e-12


def test_f_beta_isometrics_are_scores_of_counts():
    surface = metrics.isometrics({"name": "f_beta", "beta": 2.0}, 3.0, points=5)
    y_true = [1] * 4 + [0] * 12
    for row, tpr in enumerate(surface.tpr):
        for column, fpr in enumerate(surface.fpr):
            found, raised = int(4 * tpr), int(12 * fpr)
            y_pred = [1] * found + [0] * (4 - found) + [1] * raised + [0] * (12 - raised)
            expected = metrics.fbeta_score(y_true, y_pred, beta=2.0, zero_division=0)
            assert surface.values[row, column] == pytest.approx(expected)
    with pytest.raises(ParameterError, match="beta"):
        metrics.isometrics({"name": "f_beta"})


def test_entropy_deficit():
    stats = pytest.importorskip("scipy.stats")
    y = [0] * 50 + [1] * 30 + [2] * 5
    assert metrics.entropy_deficit(y) == pytest.approx(np.log(3) - stats.entropy([50, 30, 5]), abs=1e-14)
    assert metrics.entropy_deficit([0, 1, 2]) == 0


@pytest.mark.parametrize(
    "labels",
    [
        np.array([True, False, True]),
        np.array([True, True]),
        np.array([3, -2, 3, 7], dtype=np.int8),
        np.array([-128, 127, 0], dtype=np.int8),
        np.array([2**63 - 1, 2**63 - 3], dtype=np.int64),
        np.array([2**64 - 1, 2**64 - 4, 2**64 - 1], dtype=np.uint64),
        np.array([0, 10**9]),
        np.array([-(2**63), 2**63 - 1], dtype=np.int64),
        np.array([], dtype=np.int64),
        np.array([2.0, 1.0, 2.0]),
        np.array(["b", "a", "b"]),
    ],
)
def test_labels_are_numbered_as_numpy_sorts_them(labels):
    classes, (codes,) = encode_label_arrays(labels)
    expected, inverse = np.unique(labels, return_inverse=True)
    assert classes.dtype == expected.dtype
    assert np.array_equal(classes, expected)
    assert codes.dtype == np.uint32
    assert np.array_equal(codes, inverse)
