"""Metrics of predicted labels over all classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from imbcore._bindings import native
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.values import (
    encode_label_arrays,
    encode_true_and_predicted,
    to_label_array,
    to_number_array,
    to_weight_array,
    validate_flag,
    validate_real_number,
    validate_text,
)
from imbcore.exceptions import DataError
from imbcore.metrics._target import warn


def native_confusion(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None, labels: ArrayLike | None = None
) -> native.metrics.Confusion:
    """Compute the native confusion matrix."""
    classes, truth, answers, chosen = encode_true_and_predicted(y_true, y_pred, labels)
    whole = native.metrics.Confusion(truth, answers, len(classes), to_weight_array(sample_weight))
    return whole if labels is None else whole.select(chosen)


@match_rows_by_index
def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: str | None = None,
) -> NDArray[Any]:
    """Compute the weight of the rows for each pair of true and predicted class.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True and predicted labels.
    labels : array-like, default=None
        Classes to keep, in this order; rows with other labels are left out. None: all, sorted.
    sample_weight : array-like of shape (n_rows,), default=None
        Non-negative, finite row weights.
    normalize : {"true", "pred", "all"}, default=None
        Denominator of the entries: the rows of the true class, of the predicted class, or all.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Integers if neither ``sample_weight`` nor ``normalize`` is given, else floats.

    Raises
    ------
    DataError
        For unequal lengths or invalid weights, or if no label of ``labels`` is in ``y_true``.
    ParameterError
        For an unknown ``normalize``.
    """
    classes, truth, answers, chosen = encode_true_and_predicted(y_true, y_pred, labels)
    if not np.isin(chosen, truth).any():
        raise DataError("At least one label specified must be in y_true")
    entries = native.metrics.Confusion(truth, answers, len(classes), to_weight_array(sample_weight)).select(
        chosen
    )
    matrix = entries.matrix(None if normalize is None else validate_text("normalize", normalize))
    return matrix.astype(np.int64) if sample_weight is None and normalize is None else matrix


@match_rows_by_index
def accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, normalize: bool = True, sample_weight: ArrayLike | None = None
) -> float:
    """Fraction of correct predictions, or their total weight if ``normalize`` is False."""
    confusion = native_confusion(y_true, y_pred, sample_weight)
    return confusion.accuracy() if validate_flag("normalize", normalize) else confusion.correct()


@match_rows_by_index
def error(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Fraction of wrong predictions."""
    return native_confusion(y_true, y_pred, sample_weight).error()


def _predicts_unseen_classes(y_true: ArrayLike, y_pred: ArrayLike) -> bool:
    return bool(np.setdiff1d(to_label_array(y_pred, "y_pred"), to_label_array(y_true, "y_true")).size)


@match_rows_by_index
def balanced_accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Arithmetic mean of the recalls (a-mean) of the classes in ``y_true``."""
    confusion = native_confusion(y_true, y_pred, sample_weight)
    if _predicts_unseen_classes(y_true, y_pred):
        warn("y_pred contains classes not in y_true; they are left out of the mean of recalls")
    return confusion.balanced_accuracy()


@match_rows_by_index
def geometric_mean_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    correction: float = 0.0,
) -> float:
    """Geometric mean of the recalls (g-mean) of the classes in ``y_true``.

    For K classes: K-th root of the product of the recalls. For two classes: square root of sensitivity times
    specificity.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True and predicted labels.
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights.
    correction : float, default=0.0
        Replaces a recall of 0.

    References
    ----------
    Kubat and Matwin, "Addressing the curse of imbalanced training sets", 1997.
    """
    confusion = native_confusion(y_true, y_pred, sample_weight)
    if _predicts_unseen_classes(y_true, y_pred):
        warn("y_pred contains classes not in y_true; they are left out of the mean of recalls")
    return confusion.g_mean(validate_real_number("correction", correction))


@match_rows_by_index
def power_mean_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    p: float = 1.0,
    prevalence: bool = False,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Power mean of the recalls with exponent ``p``.

    For ``p`` = 1, 0 and -1, the result is the arithmetic, geometric and harmonic mean; for minus and plus
    infinity, the smallest and the largest recall. If ``prevalence`` is True, classes are weighted by their
    numbers of rows; the result for ``p`` = 1 is then the accuracy.
    """
    by_rows = validate_flag("prevalence", prevalence)
    return native_confusion(y_true, y_pred, sample_weight).power_mean(validate_real_number("p", p), by_rows)


def power_mean(values: ArrayLike, p: float, *, weights: ArrayLike | None = None) -> float:
    """Power mean with exponent ``p`` of values in [0, 1]."""
    return native.metrics.power_mean(
        to_number_array(values, "values"), validate_real_number("p", p), to_weight_array(weights)
    )


@match_rows_by_index
def matthews_corrcoef(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Matthews correlation of true and predicted labels; 0 if either has only one class."""
    return native_confusion(y_true, y_pred, sample_weight).mcc()


@match_rows_by_index
def cohen_kappa_score(
    y1: ArrayLike,
    y2: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = 0.0,
) -> float:
    """Cohen's kappa: agreement beyond chance.

    ``replace_undefined_by`` is the result if the agreement expected by chance is 1, so that kappa is
    undefined; scikit-learn's default is NaN.
    """
    return native_confusion(y1, y2, sample_weight, labels).kappa(
        validate_real_number("replace_undefined_by", replace_undefined_by)
    )


def is_trivial(y_pred: ArrayLike) -> bool:
    """Check whether all predictions are the same class."""
    classes, (codes,) = encode_label_arrays(to_label_array(y_pred, "y_pred"))
    return native.metrics.Confusion(codes, codes, len(classes), None).is_trivial()


name_package_in_errors(globals())
