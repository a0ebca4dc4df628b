"""Calibration: reliability table, calibration errors, and Brier score decomposition."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from imbcore._bindings import native
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.values import (
    Codes,
    Numbers,
    resolve_positive_alias,
    to_number_array,
    to_weight_array,
    validate_flag,
    validate_text,
    validate_whole_number,
)
from imbcore.exceptions import ParameterError
from imbcore.metrics._probability import encode_proba_target
from imbcore.metrics._target import (
    encode_score_matrix,
    is_one_column,
    positive_code_of,
    scores_and_column_classes,
)


class CalibrationTable(NamedTuple):
    """Calibration table without empty bins; each attribute is one column, as an array.

    Attributes
    ----------
    bin : ndarray of shape (n_bins,)
        Index of the bin.
    weight : ndarray of shape (n_bins,)
        Total weight of the rows of each bin.
    mean_probability, positive_fraction : ndarray of shape (n_bins,)
        Mean predicted probability, and observed fraction of positives.
    rows : ndarray of shape (n_bins,)
        Number of rows with positive weight in each bin.
    low, high : ndarray of shape (n_bins,)
        95 % confidence interval of ``positive_fraction`` (Wilson 1927). For weighted rows, it uses the
        effective sample size.
    """

    bin: NDArray[np.int64]
    weight: Numbers
    mean_probability: Numbers
    positive_fraction: Numbers
    rows: NDArray[np.int64]
    low: Numbers
    high: Numbers


class CalibrationErrors(NamedTuple):
    """Deviations of probabilities from observed frequencies.

    Attributes
    ----------
    expected, maximum : float
        Expected and maximum calibration error (ECE, MCE): weighted mean and maximum of ``|mean probability -
        positive fraction|`` over the bins.
    expected_corrected : float
        The expected error minus an estimate of its bias (Kumar, Liang and Ma 2019, section 5); may be
        negative. For calibrated probabilities, the estimate is only about 40 % of the bias.
    squared_corrected : float
        Weighted mean of the squared deviations minus an estimate of its bias (Bröcker 2012; Kumar, Liang and
        Ma 2019, section 4.2). If probabilities are calibrated in the bins, the expectation of this error is
        0, so negative values are frequent.
    """

    expected: float
    maximum: float
    expected_corrected: float
    squared_corrected: float


class BrierDecomposition(NamedTuple):
    """Brier score decomposition: ``reliability - resolution + uncertainty + within``.

    Attributes
    ----------
    brier : float
        The Brier score. For one column of probabilities per class, the sum over the classes.
    reliability : float
        Mean squared deviation of the predicted probabilities of the bins from their observed frequencies; 0
        is best (Murphy 1973).
    resolution : float
        Mean squared deviation of the observed frequencies of the bins from the overall frequency; larger is
        better.
    uncertainty : float
        Brier score of always predicting the overall frequency.
    within : float
        Part of the Brier score that comes from different predicted probabilities in one bin (Stephenson,
        Coelho and Jolliffe 2008).
    """

    brier: float
    reliability: float
    resolution: float
    uncertainty: float
    within: float


@match_rows_by_index
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
    """Compute mean probability and fraction of positives per bin, with counts and intervals.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels.
    y_proba : array-like of shape (n_rows,) or (n_rows, n_classes)
        Probabilities of the positive class, or of every class in sorted order. Of several columns, only the
        column of the class ``positive`` is used.
    positive, pos_label : label, default=None
        Positive class, as in :func:`brier_score_loss`; must be given for more than two classes.
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights.
    labels : array-like of shape (n_classes,), default=None
        All classes, sorted like the columns. Needed if some classes are not in ``y_true``.
    n_bins : int, default=10
        Number of bins, at least 1.
    strategy : {"uniform", "quantile", "distinct"}, default="uniform"
        "uniform": bins of equal width, closed on the left. "quantile": bins with equal numbers of rows.
        "distinct": one bin for each distinct probability. Rows with equal probability are always in one bin,
        so the order of the rows does not matter.

    Examples
    --------
    >>> from imbcore import metrics
    >>> table = metrics.calibration_table([0, 1, 1], [0.1, 0.3, 0.9], n_bins=2)
    >>> table.rows.tolist(), table.positive_fraction.tolist()
    ([2, 1], [0.5, 1.0])
    """
    about = _positive_probabilities(y_true, y_proba, labels, positive, pos_label, sample_weight)
    cells = native.metrics.calibration_table(
        *about, validate_whole_number("n_bins", n_bins, 1), validate_text("strategy", strategy)
    )
    bins, rows, weight, mean, fraction, low, high = cells.T.copy()
    return CalibrationTable(bins.astype(np.int64), weight, mean, fraction, rows.astype(np.int64), low, high)


def _positive_probabilities(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    labels: ArrayLike | None,
    positive: object,
    pos_label: object,
    sample_weight: ArrayLike | None,
) -> tuple[Codes, int, Numbers, Numbers | None]:
    """Return codes, the code of the positive class, its probabilities, and weights."""
    weights = to_weight_array(sample_weight)
    proba, labels = scores_and_column_classes(y_true, y_proba, labels, "y_proba")
    if is_one_column(proba):
        codes, code = encode_proba_target(y_true, positive, pos_label, weights, labels)
        return (
            codes,
            code,
            to_number_array(y_proba, "y_proba") if proba.ndim == 1 else proba[:, 0].copy(),
            weights,
        )
    classes, codes, proba = encode_score_matrix(y_true, proba, labels, "y_proba")
    code = positive_code_of(classes, codes, resolve_positive_alias(positive, pos_label), weights)
    if code >= proba.shape[1]:
        raise ParameterError(f"positive must be one of the classes {classes.tolist()}")
    return codes, code, proba[:, code].copy(), weights


@match_rows_by_index
def calibration_slope(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    """Slope of the logistic regression of the outcome on the predicted log-odds (Cox 1958).

    1 is ideal. Below 1, probabilities are too extreme, as for overfitted models; above 1, they are too
    moderate (Van Calster et al. 2016). Probabilities are clipped to a distance of 2.2e-16 from 0 and 1, as
    for the log loss.

    Parameters
    ----------
    y_true, y_proba, positive, pos_label, sample_weight, labels
        Labels, probabilities and options, as in :func:`calibration_table`.

    Returns
    -------
    float
        NaN if there is no unique finite slope: with only one class, if all probabilities are equal, or if the
        probabilities separate the classes perfectly.

    Examples
    --------
    >>> from imbcore import metrics
    >>> y, p = [0, 0, 0, 1, 0, 1, 1, 1], [0.02, 0.1, 0.3, 0.3, 0.7, 0.7, 0.9, 0.98]
    >>> round(metrics.calibration_slope(y, p), 3)
    0.961
    """
    about = _positive_probabilities(y_true, y_proba, labels, positive, pos_label, sample_weight)
    return native.metrics.calibration_line(*about)[0]


@match_rows_by_index
def calibration_intercept(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    """Mean offset of the log-odds of the probabilities: calibration-in-the-large (Cox 1958).

    It is the intercept of the logistic regression of the outcome with the log-odds as offset. 0 is ideal;
    above 0, positives are more frequent than predicted.

    Parameters
    ----------
    y_true, y_proba, positive, pos_label, sample_weight, labels
        Labels, probabilities and options, as in :func:`calibration_table`.

    Returns
    -------
    float
        NaN if there is only one class.

    Examples
    --------
    >>> from imbcore import metrics
    >>> round(metrics.calibration_intercept([0, 1, 0, 1], [0.2, 0.2, 0.2, 0.2]), 4)
    1.3863
    """
    about = _positive_probabilities(y_true, y_proba, labels, positive, pos_label, sample_weight)
    return native.metrics.calibration_line(*about)[1]


@match_rows_by_index
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
    """Compute calibration errors from :func:`calibration_table`, with the same parameters.

    For one column of probabilities, the errors refer to the positive class. For one column per class, each
    class is compared with the rest: the expected error is the mean over classes (classwise ECE: Kull et al.
    2019), and the maximum error is the largest over classes.

    Examples
    --------
    >>> from imbcore import metrics
    >>> round(metrics.calibration_errors([0, 1, 1], [0.1, 0.3, 0.9], n_bins=2).expected, 3)
    0.233
    """
    codes, proba, weights = _codes_columns_and_weights(
        y_true, y_proba, labels, positive, pos_label, sample_weight
    )
    bins = validate_whole_number("n_bins", n_bins, 1)
    found = native.metrics.calibration_errors(
        codes, proba, weights, bins, validate_text("strategy", strategy)
    )
    return CalibrationErrors(*found)


@match_rows_by_index
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
    """Decompose the Brier score into reliability, resolution and uncertainty.

    Other parameters are those of :func:`calibration_table`. If ``y_proba`` has one column per class, the
    results are sums over the classes.

    Parameters
    ----------
    corrected : bool, default=False
        Whether to correct the bias of reliability and resolution; the sum of the terms does not change (Ferro
        and Fricker 2012).

    Examples
    --------
    >>> from imbcore import metrics
    >>> parts = metrics.brier_decomposition([1, 0, 1, 1], [0.5, 0.5, 1.0, 1.0], strategy="distinct")
    >>> parts.brier, parts.reliability, parts.resolution, parts.uncertainty
    (0.125, 0.0, 0.0625, 0.1875)
    """
    codes, proba, weights = _codes_columns_and_weights(
        y_true, y_proba, labels, positive, pos_label, sample_weight
    )
    bins = validate_whole_number("n_bins", n_bins, 1)
    how = (validate_text("strategy", strategy), validate_flag("corrected", corrected))
    found = native.metrics.brier_parts(codes, proba, weights, bins, *how)
    return BrierDecomposition(*found)


def _codes_columns_and_weights(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    labels: ArrayLike | None,
    positive: object,
    pos_label: object,
    sample_weight: ArrayLike | None,
) -> tuple[Codes, Numbers, Numbers | None]:
    """Return codes, columns and weights; a single column belongs to code 1."""
    weights = to_weight_array(sample_weight)
    proba, labels = scores_and_column_classes(y_true, y_proba, labels, "y_proba")
    if is_one_column(proba):
        codes, code = encode_proba_target(y_true, positive, pos_label, weights, labels)
        return (codes == code).astype(np.uint32), proba.reshape(-1, 1), weights
    _, codes, proba = encode_score_matrix(y_true, proba, labels, "y_proba")
    return codes, proba, weights


name_package_in_errors(globals())
