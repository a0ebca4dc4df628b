"""Losses of probabilities, and measures of class imbalance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from imbcore._bindings import native
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.values import (
    Codes,
    Numbers,
    encode_label_arrays,
    require_rows,
    resolve_positive_alias,
    to_label_array,
    to_number_array,
    to_weight_array,
    validate_flag,
)
from imbcore.exceptions import DataError
from imbcore.metrics._target import (
    encode_score_matrix,
    encode_with_positive_code,
    is_one_column,
    positive_code_of,
    scores_and_column_classes,
    warn,
)


def encode_proba_target(
    y_true: ArrayLike,
    positive: object,
    pos_label: object,
    weights: Numbers | None,
    labels: ArrayLike | None = None,
) -> tuple[Codes, int]:
    """Return the codes of the rows of two classes, and the code of the positive label."""
    name, given = ("y_true", y_true) if labels is None else ("labels", labels)
    classes, _ = encode_label_arrays(to_label_array(given, name))
    if len(classes) > 2:
        raise DataError(f"{name} has {len(classes)} classes; y_proba must have one column per class")
    return encode_with_positive_code(y_true, positive, pos_label, weights, labels)


@match_rows_by_index
def brier_score_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    positive: object = None,
    pos_label: object = None,
    labels: ArrayLike | None = None,
    scale_by_half: bool | str = "auto",
) -> float:
    """Mean squared error of probabilities.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels.
    y_proba : array-like of shape (n_rows,) or (n_rows, n_classes)
        Probabilities of the positive class, or of every class in sorted order.
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights.
    positive, pos_label : label, default=None
        Class to which a single column of probabilities refers; both names have the same meaning. None: label
        1 if the labels are 0 and 1 or -1 and 1, True if they are False and True; else the rarer class, in
        case of ties the greater label; see "The positive class" in the documentation.
    labels : array-like of shape (n_classes,), default=None
        All classes, sorted like the columns. Needed if some classes are not in ``y_true``.
    scale_by_half : bool or "auto", default="auto"
        Whether to divide the sum over the classes by 2, so that the score lies in [0, 1]; "auto": only for
        two classes.
    """
    proba, labels = scores_and_column_classes(y_true, y_proba, labels, "y_proba")
    weights = to_weight_array(sample_weight)
    by_number = isinstance(scale_by_half, str) and scale_by_half == "auto"
    by_half = None if by_number else validate_flag("scale_by_half", scale_by_half)
    if is_one_column(proba):
        codes, code = encode_proba_target(y_true, positive, pos_label, weights, labels)
        if by_half is not False:
            return native.metrics.brier(codes, code, to_number_array(proba, "y_proba"), weights)
        is_positive = (codes == code).astype(np.uint32)
        return native.metrics.brier_multiclass(is_positive, proba.reshape(-1, 1), weights, False)
    _, codes, proba = encode_score_matrix(y_true, proba, labels, "y_proba")
    halved = proba.shape[1] < 3 if by_half is None else by_half
    return native.metrics.brier_multiclass(codes, proba, weights, halved)


@match_rows_by_index
def brier_by_class(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[float, float]:
    """Brier scores of the negative rows and of the positive rows, separately.

    Parameters are those of :func:`brier_score_loss`; ``y_proba`` must be the probabilities of
    the positive class only. The score of a class without rows is NaN, with a warning.
    """
    proba, weights = to_number_array(y_proba, "y_proba"), to_weight_array(sample_weight)
    codes, code = encode_proba_target(y_true, positive, pos_label, weights)
    negative, positive_score = native.metrics.brier_by_class(codes, code, proba, weights)
    if np.isnan(negative) or np.isnan(positive_score):
        warn("y_true has rows of one class only: the score of the other class is undefined")
    return negative, positive_score


@match_rows_by_index
def log_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    positive: object = None,
    pos_label: object = None,
) -> float:
    """Mean (or sum) of the negative logarithm of the probability of the true class.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels.
    y_proba : array-like of shape (n_rows, n_classes), or (n_rows,) for two classes
        Probabilities of every class in sorted order, or of the positive class; clipped at machine epsilon.
    normalize : bool, default=True
        Whether to return the mean over the rows instead of the sum.
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights.
    labels : array-like of shape (n_classes,), default=None
        All classes, sorted like the columns. Needed if some classes are not in ``y_true``.
    positive, pos_label : label, default=None
        Positive class, as in :func:`brier_score_loss`.
    """
    classes, codes, proba = encode_score_matrix(y_true, y_proba, labels, "y_proba")
    weights = to_weight_array(sample_weight)
    if is_one_column(proba):
        code = positive_code_of(classes, codes, resolve_positive_alias(positive, pos_label), weights)
        codes = (codes == code).astype(np.uint32)
    return native.metrics.log_loss(codes, proba, weights, validate_flag("normalize", normalize))


def _imbalance_measure(measure: str, y: ArrayLike, sample_weight: ArrayLike | None) -> float:
    labels = to_label_array(y, "y")
    require_rows(labels)
    classes, (codes,) = encode_label_arrays(labels)
    return native.metrics.imbalance(measure, codes, len(classes), to_weight_array(sample_weight))


@match_rows_by_index
def imbalance_ratio(y: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Ratio of the numbers of rows of the largest and the smallest class."""
    return _imbalance_measure("imbalance_ratio", y, sample_weight)


@match_rows_by_index
def minority_fraction(y: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Fraction of rows in the smallest class."""
    return _imbalance_measure("minority_fraction", y, sample_weight)


@match_rows_by_index
def entropy_deficit(y: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Entropy of equally frequent classes, minus the entropy of the classes of ``y``, in nats.

    Examples
    --------
    >>> from imbcore import metrics
    >>> metrics.entropy_deficit([0, 0, 1, 1]), round(metrics.entropy_deficit([0] * 9 + [1]), 3)
    (0.0, 0.368)
    """
    return _imbalance_measure("entropy_deficit", y, sample_weight)


@match_rows_by_index
def coefficient_of_variation(y: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Divide the standard deviation of the class counts by their mean.

    The divisor of the variance is the number of classes.
    """
    return _imbalance_measure("coefficient_of_variation", y, sample_weight)


name_package_in_errors(globals())
