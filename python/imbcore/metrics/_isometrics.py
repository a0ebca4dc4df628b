"""Metrics and split criteria as surfaces over the ROC square."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from imbcore._bindings import native
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.unicode import reject_non_unicode_parameter
from imbcore._validation.values import Numbers, to_number_array, validate_real_number, validate_whole_number
from imbcore.exceptions import ParameterError


class Isometrics(NamedTuple):
    """Result of :func:`isometrics`.

    Parameters
    ----------
    fpr, tpr : ndarray of shape (points,)
        Rates of the grid points, from 0 to 1.
    values : ndarray of shape (points, points)
        ``values[i, j]`` belongs to ``tpr[i]`` and ``fpr[j]``; NaN if the metric is undefined.
    """

    fpr: Numbers
    tpr: Numbers
    values: Numbers


def isometrics(quantity: str | Mapping[str, Any], skew: float = 1.0, *, points: int = 101) -> Isometrics:
    """Value of a metric or split criterion on a grid over the ROC square, at one class skew.

    The contour lines of the grid are isometrics (Flach 2003): all classifiers, or splits, on a line have the
    same value. If the lines move with the skew, the quantity depends on the class proportions.

    Parameters
    ----------
    quantity : str or dict
        "accuracy", "balanced_accuracy", "precision", "recall", "specificity", "npv", "f1", "f2", "g_mean",
        "mcc", "wracc" (weighted relative accuracy), ``{"name": "f_beta", "beta": 0.5}``, or a criterion of
        the trees: a name such as "gini", or ``{"name": "alpha", "alpha": 0.5}``. Gini and DKM are scaled as
        in Flach 2003, so that a perfect split of equal classes is worth 1; "hellinger" is the distance, not
        its square.
    skew : float, default=1.0
        Negatives per positive, positive and finite.
    points : int, default=101
        Grid points along each axis, at least 2.

    Returns
    -------
    Isometrics

    Raises
    ------
    ParameterError
        The quantity is unknown, or a number is outside its valid range.

    Examples
    --------
    The DKM criterion ranks splits independently of the skew; only its scale changes.

    >>> from imbcore import metrics
    >>> rare, even = metrics.isometrics("dkm", 99.0), metrics.isometrics("dkm", 1.0)
    >>> round(float((rare.values[1:, 0] / even.values[1:, 0]).std()), 12)
    0.0
    """
    text = _quantity_to_json(quantity)
    axis = np.linspace(0.0, 1.0, validate_whole_number("points", points, 2, 10_000))
    fpr, tpr = np.meshgrid(axis, axis)
    values = native.metrics.roc_surface(text, validate_real_number("skew", skew), fpr.ravel(), tpr.ravel())
    return Isometrics(axis, axis.copy(), values.reshape(fpr.shape))


def skew_sensitivity(
    quantity: str | Mapping[str, Any], skews: ArrayLike = (1.0, 2.0, 5.0, 10.0, 100.0), *, points: int = 401
) -> Numbers:
    """Measure how much a metric or a split criterion depends on the class skew.

    The result for skew c is the mean of ``|q_c / max q_c - q_1 / max q_1|`` over the ROC square, where
    ``q_c`` is the quantity at skew c and ``max q_c`` is its largest value. The result is 0 if the skew only
    rescales the quantity, as for the Hellinger distance.

    Parameters
    ----------
    quantity : str or dict
        Metric or split criterion, as in :func:`isometrics`.
    skews : array-like of shape (n_skews,), default=(1, 2, 5, 10, 100)
        Negatives per positive, positive and finite.
    points : int, default=401
        Grid points along each axis, at least 2.

    Returns
    -------
    ndarray of shape (n_skews,)

    Raises
    ------
    ParameterError
        The quantity is unknown, or a number is outside its valid range.

    Examples
    --------
    >>> from imbcore import metrics
    >>> [metrics.skew_sensitivity(name, [100.0]).round(3).item() for name in ("gini", "dkm", "hellinger")]
    [0.159, 0.0, 0.0]
    """
    n = validate_whole_number("points", points, 2, 10_000)
    return native.metrics.skew_sensitivity(_quantity_to_json(quantity), to_number_array(skews, "skews"), n)


def _quantity_to_json(quantity: str | Mapping[str, Any]) -> str:
    try:
        text = json.dumps(
            dict(quantity) if isinstance(quantity, Mapping) else quantity, allow_nan=False, ensure_ascii=False
        )
    except (TypeError, ValueError, RecursionError) as error:
        raise ParameterError(f"quantity must be a name or a dict of numbers and names: {error}") from error
    reject_non_unicode_parameter("quantity", text)
    return text


name_package_in_errors(globals())
