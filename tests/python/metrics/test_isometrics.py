"""Metrics over ROC space, their plot, and the four Gaussians."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from imbcore import datasets, metrics, plotting
from imbcore.exceptions import ParameterError

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture
def ax():
    from matplotlib import pyplot

    return pyplot.figure().add_subplot()


def test_grid_has_the_documented_layout():
    found = metrics.isometrics("recall", 3.0, points=5)
    assert found.values.shape == (5, 5)
    assert_allclose(found.values, np.broadcast_to(found.tpr[:, None], (5, 5)))
    assert_allclose(metrics.isometrics("specificity", points=5).values[2], 1 - found.fpr)


def test_precision_without_positive_predictions_is_undefined():
    values = metrics.isometrics("precision", points=3).values
    assert np.isnan(values[0, 0])
    assert not np.isnan(values[1:]).any()


def test_criterion_with_parameters():
    half = metrics.isometrics({"name": "alpha", "alpha": 2.0}, 9.0, points=11).values
    assert_allclose(half, metrics.isometrics("chi2", 9.0, points=11).values / 2, atol=1e-14)


@pytest.mark.parametrize(
    ("quantity", "options"),
    [
        ("ginny", {}),
        ({"name": "alpha", "alpha": 3.0}, {}),
        ({"name": "alpha", "alfa": 1.0}, {}),
        ({"name": object()}, {}),
        (7, {}),
        ("gini", {"skew": 0.0}),
        ("gini", {"points": 1}),
        ("gini", {"points": True}),
    ],
)
def test_invalid_arguments_are_named(quantity, options):
    with pytest.raises(ParameterError):
        metrics.isometrics(quantity, **options)


def test_plot_draws_the_isometrics(ax):
    assert plotting.plot_isometrics("gini", (1.0, 50.0), levels=3, points=21, ax=ax) is ax
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["1 to 1", "50 to 1"]
    assert plotting.plot_isometrics({"name": "alpha", "alpha": 0.5}, points=21).get_title() == "alpha"
    plotting.plot_isometrics("precision", points=21, ax=ax)
    with pytest.raises(ParameterError, match="levels"):
        plotting.plot_isometrics("gini", levels=0, ax=ax)


def test_four_gaussians_have_the_stated_sizes():
    X, y = datasets.make_four_gaussians((300, 20, 10, 400), side=8.0, random_state=3)
    assert np.bincount(y).tolist() == [300, 20, 10, 400]
    assert y.dtype == np.int64
    # Four standard deviations from the middle: the quadrant determines the class.
    assert ((X[:, 0] > 0) == np.isin(y, [1, 3])).mean() > 0.99
    assert ((X[:, 1] > 0) == (y < 2)).mean() > 0.99
    again, _ = datasets.make_four_gaussians((300, 20, 10, 400), side=8.0, random_state=3)
    assert X.tobytes() == again.tobytes()
    other, _ = datasets.make_four_gaussians((300, 20, 10, 400), side=8.0, random_state=4)
    assert not np.array_equal(X, other)


@pytest.mark.parametrize("n_samples", [(1, 2, 3), (1, 2, 3, -4), (1, 2, 3, 4.5), (1, 2, 3, 2**31)])
def test_invalid_sizes_are_rejected(n_samples):
    with pytest.raises(ParameterError, match="n_samples"):
        datasets.make_four_gaussians(n_samples)


def test_invalid_squares_are_rejected():
    with pytest.raises(ParameterError, match="side"):
        datasets.make_four_gaussians(side=-1.0)
