"""Probabilities against frequencies: the calibration table, its errors, and the Brier score in parts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from imbcore._border import native
from imbcore._input.labelled import rows_by_index
from imbcore._input.values import (
    Codes,
    Numbers,
    flag,
    numbers_of,
    one_label,
    text_of,
    weights_of,
    whole_number,
)
from imbcore.exceptions import ParameterError
from imbcore.metrics._probability import proba_target
from imbcore.metrics._target import is_one_column, labelled_scores, matrix_target, positive_of

__all__ = [
    "BrierDecomposition",
    "CalibrationErrors",
    "CalibrationTable",
    "brier_decomposition",
    "calibration_errors",
    "calibration_intercept",
    "calibration_slope",
    "calibration_table",
]


class CalibrationTable(NamedTuple):
    """Bins of probability, those without rows left out: an array a column.

    Attributes
    ----------
    bin : ndarray of shape (n_bins,)
        Position of the bin.
    weight : ndarray of shape (n_bins,)
        Weight of its rows.
    mean_probability, positive_fraction : ndarray of shape (n_bins,)
        What was said, and what came.
    rows : ndarray of shape (n_bins,)
        How many rows it has.
    low, high : ndarray of shape (n_bins,)
        Interval of 95 % of the fraction (Wilson 1927); for weighted rows of as many as weigh the same.
    """

    bin: NDArray[np.int64]
    weight: Numbers
    mean_probability: Numbers
    positive_fraction: Numbers
    rows: NDArray[np.int64]
    low: Numbers
    high: Numbers


class CalibrationErrors(NamedTuple):
    """How far probabilities are from frequencies.

    Attributes
    ----------
    expected, maximum : float
        Weighted mean, and largest, of ``|mean probability - positive fraction|`` over the bins (ECE, MCE).
    expected_corrected : float
        The mean less what chance adds to it (Kumar, Liang and Ma 2019, section 5). Where probabilities are
        calibrated this takes out half of it. May be below 0.
    squared_corrected : float
        Weighted mean of the squares less what chance adds (Bröcker 2012; Kumar, Liang and Ma 2019, section
        4.2): on average 0 where probabilities are calibrated in the bins, so often below.
    """

    expected: float
    maximum: float
    expected_corrected: float
    squared_corrected: float


class BrierDecomposition(NamedTuple):
    """The Brier score in parts: ``reliability - resolution + uncertainty + within``.

    Attributes
    ----------
    brier : float
        The score; of several classes the sum over them.
    reliability : float
        How far probabilities are from frequencies; 0 is best (Murphy 1973).
    resolution : float
        How far the frequencies of the bins are from that of all rows; more is better.
    uncertainty : float
        What knowing that frequency alone costs.
    within : float
        What probabilities that differ inside a bin add (Stephenson, Coelho and Jolliffe 2008).
    """

    brier: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float


@rows_by_index
def calibration_table(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    n_bins: int = 10,
    strategy: str = "uniform",
) -> CalibrationTable:
    """Mean probability against fraction of positives, bin by bin, with counts and intervals.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels.
    y_proba : array-like of shape (n_rows,) or (n_rows, n_classes)
        Probabilities of the positive class, or of every class in sorted order: the positive one's are taken.
    positive, pos_label : label, default=None
        As in :func:`brier_score_loss`; of several classes one is to be given.
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights.
    labels : array-like of shape (n_classes,), default=None
        Classes of the columns. Needed when ``y_true`` lacks some.
    n_bins : int, default=10
        Number of bins, at least 1.
    strategy : {"uniform", "quantile", "distinct"}, default="uniform"
        Bins of equal width, closed on the left; of equally many rows; or one for each probability. Rows
        of equal probability are always in one bin, so that no order of the rows matters.

    Examples
    --------
    >>> from imbcore import metrics
    >>> table = metrics.calibration_table([0, 1, 1], [0.1, 0.3, 0.9], n_bins=2)
    >>> table.rows.tolist(), table.positive_fraction.tolist()
    ([2, 1], [0.5, 1.0])
    """
    about = _of_positive(y_true, y_proba, labels, (positive, pos_label), sample_weight)
    cells = native.metrics.calibration_table(
        *about, whole_number("n_bins", n_bins, 1), text_of("strategy", strategy)
    )
    bins, rows, weight, mean, fraction, low, high = cells.T.copy()
    return CalibrationTable(bins.astype(np.int64), weight, mean, fraction, rows.astype(np.int64), low, high)


def _of_positive(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    labels: ArrayLike | None,
    positive: tuple[object, object],
    sample_weight: ArrayLike | None,
) -> tuple[Codes, int, Numbers, Numbers | None]:
    """Codes, that of the positive class, its probabilities, and weights."""
    weights = weights_of(sample_weight)
    proba, labels = labelled_scores(y_true, y_proba, labels, "y_proba")
    if is_one_column(proba):
        codes, code = proba_target(y_true, *positive, weights)
        return codes, code, numbers_of(y_proba, "y_proba") if proba.ndim == 1 else proba[:, 0].copy(), weights
    classes, codes, proba = matrix_target(y_true, proba, labels, "y_proba")
    code = positive_of(classes, codes, one_label(*positive), weights)
    if code >= proba.shape[1]:
        raise ParameterError(f"positive is none of the classes {classes.tolist()}")
    return codes, code, proba[:, code].copy(), weights


@rows_by_index
def calibration_slope(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    """Slope of the logistic regression of the outcome on the log-odds of the probabilities (Cox 1958).

    1 is right; below 1 probabilities are too extreme, as those of a model that overfits, above 1 too moderate
    (Van Calster et al. 2016). Probabilities are kept 2.2e-16 away from 0 and 1, as for the log loss.

    Parameters
    ----------
    y_true, y_proba, positive, pos_label, sample_weight, labels
        As in :func:`calibration_table`.

    Returns
    -------
    float
        NaN where no finite slope fits best: with one class, and where the probabilities tell the classes
        apart without error.

    Examples
    --------
    >>> from imbcore import metrics
    >>> y, p = [0, 0, 0, 1, 0, 1, 1, 1], [0.02, 0.1, 0.3, 0.3, 0.7, 0.7, 0.9, 0.98]
    >>> round(metrics.calibration_slope(y, p), 3)
    0.961
    """
    about = _of_positive(y_true, y_proba, labels, (positive, pos_label), sample_weight)
    return native.metrics.calibration_line(*about)[0]


@rows_by_index
def calibration_intercept(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    """Constant that the log-odds of the probabilities lack on average: calibration in the large (Cox 1958).

    That of the logistic regression of the outcome with the log-odds as they are: 0 is right, above 0 the
    positives are more frequent than was said.

    Parameters
    ----------
    y_true, y_proba, positive, pos_label, sample_weight, labels
        As in :func:`calibration_table`.

    Returns
    -------
    float
        NaN with one class.

    Examples
    --------
    >>> from imbcore import metrics
    >>> round(metrics.calibration_intercept([0, 1, 0, 1], [0.2, 0.2, 0.2, 0.2]), 4)
    1.3863
    """
    about = _of_positive(y_true, y_proba, labels, (positive, pos_label), sample_weight)
    return native.metrics.calibration_line(*about)[1]


@rows_by_index
def calibration_errors(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    n_bins: int = 10,
    strategy: str = "uniform",
) -> CalibrationErrors:
    """Read calibration errors off :func:`calibration_table`; its parameters are these.

    Of one column of probabilities they are about the positive class; of a column a class, the mean of every
    class against the rest (classwise ECE: Kull et al. 2019), and the largest maximum.

    Examples
    --------
    >>> from imbcore import metrics
    >>> round(metrics.calibration_errors([0, 1, 1], [0.1, 0.3, 0.9], n_bins=2).expected, 3)
    0.233
    """
    codes, proba, weights = _columns(y_true, y_proba, labels, (positive, pos_label), sample_weight)
    bins = whole_number("n_bins", n_bins, 1)
    found = native.metrics.calibration_errors(codes, proba, weights, bins, text_of("strategy", strategy))
    return CalibrationErrors(*found)


@rows_by_index
def brier_decomposition(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    n_bins: int = 10,
    strategy: str = "uniform",
    corrected: bool = False,
) -> BrierDecomposition:
    """Part the Brier score into reliability, resolution and uncertainty.

    Other parameters are those of :func:`calibration_table`. A column a class gives the sums over the classes.

    Parameters
    ----------
    corrected : bool, default=False
        Take out what chance adds to reliability and resolution; the sum stays (Ferro and Fricker 2012).

    Examples
    --------
    >>> from imbcore import metrics
    >>> parts = metrics.brier_decomposition([1, 0, 1, 1], [0.5, 0.5, 1.0, 1.0], strategy="distinct")
    >>> parts.brier, parts.reliability, parts.resolution, parts.uncertainty
    (0.125, 0.0, 0.0625, 0.1875)
    """
    codes, proba, weights = _columns(y_true, y_proba, labels, (positive, pos_label), sample_weight)
    bins = whole_number("n_bins", n_bins, 1)
    how = (text_of("strategy", strategy), flag("corrected", corrected))
    found = native.metrics.brier_parts(codes, proba, weights, bins, *how)
    return BrierDecomposition(*found)


def _columns(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    labels: ArrayLike | None,
    label: tuple[object, object],
    sample_weight: ArrayLike | None,
) -> tuple[Codes, Numbers, Numbers | None]:
    """Codes, columns and weights; one column is that of code 1."""
    weights = weights_of(sample_weight)
    proba, labels = labelled_scores(y_true, y_proba, labels, "y_proba")
    if is_one_column(proba):
        codes, code = proba_target(y_true, *label, weights)
        return (codes == code).astype(np.uint32), proba.reshape(-1, 1), weights
    _, codes, proba = matrix_target(y_true, proba, labels, "y_proba")
    return codes, proba, weights
