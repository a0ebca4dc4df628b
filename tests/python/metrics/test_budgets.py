"""Scores of people who decide, against scikit-learn and against their definitions."""

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, roc_auc_score

from imbcore import metrics
from imbcore.exceptions import DataError, DataWarning, ParameterError


@pytest.fixture(params=range(4))
def rows(request):
    rng = np.random.default_rng(request.param)
    y = rng.random(300) < 0.2
    # Few values, so that scores tie.
    p = np.clip(np.round(0.2 + 0.3 * y + rng.normal(0, 0.2, 300), 2), 0, 1)
    return y.astype(int), p


@pytest.mark.parametrize("limit", [0.01, 0.1, 0.37, 0.999])
def test_partial_area_is_scikit_learns(rows, limit):
    y, p = rows
    assert metrics.partial_auc_score(y, p, max_fpr=limit) == pytest.approx(
        roc_auc_score(y, p, max_fpr=limit), abs=1e-12
    )


def test_parts_make_the_whole(rows):
    y, p = rows
    whole = metrics.roc_auc_score(y, p)
    assert metrics.partial_auc_score(y, p, max_fpr=1, standardized=False) == pytest.approx(whole, abs=1e-12)
    assert metrics.partial_auc_score(y, p, min_recall=0, standardized=False) == pytest.approx(
        whole, abs=1e-12
    )
    # From a recall on is up to a false positive rate, seen from the other class.
    turned = roc_auc_score(1 - y, -p, max_fpr=0.25)
    assert metrics.partial_auc_score(y, p, min_recall=0.75) == pytest.approx(turned, abs=1e-12)


@pytest.mark.parametrize("k", [1, 7, 50, 299])
def test_ties_are_their_expectation(rows, k):
    y, p = rows
    rng = np.random.default_rng(1)
    found = [y[np.lexsort((rng.random(300), -p))[:k]].sum() for _ in range(4000)]
    expected, error = np.mean(found), np.std(found) / np.sqrt(4000) + 1e-9
    assert abs(metrics.precision_at_k(y, p, k) * k - expected) < 5 * error
    assert metrics.recall_at_k(y, p, k) == pytest.approx(metrics.precision_at_k(y, p, k) * k / y.sum())


def test_gains_add_up(rows):
    y, p = rows
    table = metrics.gain_table(y, p, 7)
    assert table.rows.sum() == pytest.approx(300)
    assert table.positives.sum() == pytest.approx(y.sum())
    np.testing.assert_allclose(table.gain, np.cumsum(table.positives) / y.sum())
    np.testing.assert_allclose(table.lift, table.positives / table.rows / y.mean())
    assert (np.diff(table.threshold) <= 0).all()


def test_cost_curve_is_the_best_threshold_at_every_cost(rows):
    y, p = rows
    curve = metrics.cost_curve(y, p)
    grid = np.linspace(0, 1, 57)
    fpr, tpr, _ = metrics.roc_curve(y, p, drop_intermediate=False)
    best = [min((1 - t) * c + f * (1 - c) for f, t in zip(fpr, tpr, strict=True)) for c in grid]
    np.testing.assert_allclose(np.interp(grid, *curve), best, atol=1e-12)


def test_brier_curve_has_the_area_of_the_brier_score(rows):
    y, p = rows
    _, loss = metrics.brier_curve(y, p, costs=(np.arange(20_000) + 0.5) / 20_000)
    assert loss.mean() == pytest.approx(brier_score_loss(y, p), abs=1e-4)
    assert len(metrics.brier_curve(y, p)[0]) == 101


def test_decision_curve_is_counted(rows):
    y, p = rows
    curve = metrics.decision_curve(y, p)
    for at, found, treat_all in zip(*curve, strict=True):
        alarm = p >= at
        price = at / (1 - at)
        assert found == pytest.approx((y[alarm].sum() - price * (1 - y[alarm]).sum()) / 300)
        assert treat_all == pytest.approx(y.mean() - price * (1 - y).mean())


def test_h_measure_orders_and_ends(rows):
    y, p = rows
    assert 0 < metrics.h_measure_score(y, p) < 1
    assert metrics.h_measure_score(y, y) == pytest.approx(1)
    assert metrics.h_measure_score(y, np.zeros(300)) == pytest.approx(0)
    assert metrics.h_measure_score(y, np.exp(p)) == pytest.approx(metrics.h_measure_score(y, p))


def test_weights_count_as_rows(rows):
    y, p = rows
    weight = np.random.default_rng(2).integers(1, 4, 300)
    twice, score = np.repeat(y, weight), np.repeat(p, weight)
    for found in (metrics.h_measure_score, lambda *a, **k: metrics.partial_auc_score(*a, max_fpr=0.2, **k)):
        assert found(y, p, sample_weight=weight) == pytest.approx(found(twice, score))
    assert metrics.precision_at_k(y, p, 30, sample_weight=weight) == pytest.approx(
        metrics.precision_at_k(twice, score, 30)
    )


def test_what_cannot_be_is_said():
    with pytest.raises(ParameterError, match="exactly one of"):
        metrics.partial_auc_score([0, 1], [0.1, 0.2])
    with pytest.raises(ParameterError, match="max_fpr"):
        metrics.partial_auc_score([0, 1], [0.1, 0.2], max_fpr=0)
    with pytest.raises(ParameterError, match="at most the 2 rows"):
        metrics.precision_at_k([0, 1], [0.1, 0.2], 3)
    with pytest.raises(DataError, match="both classes"):
        metrics.cost_curve([1, 1], [0.1, 0.2], positive=1)
    with pytest.warns(DataWarning, match="one class"):
        assert np.isnan(metrics.h_measure_score([1, 1], [0.1, 0.2], positive=1))
