"""Metrics of predicted labels by class: of one class, or averaged."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from imbcore._bindings import native
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.value_text import value_text
from imbcore._validation.values import (
    Numbers,
    encode_true_and_predicted,
    resolve_positive_alias,
    to_weight_array,
    validate_real_number,
    validate_text,
)
from imbcore.exceptions import ParameterError
from imbcore.metrics._target import positive_code_of


def _class_score(
    score: str,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    labels: ArrayLike | None,
    positive: object,
    pos_label: object,
    average: str | None,
    sample_weight: ArrayLike | None,
    zero_division: float,
    beta: float = 1.0,
) -> float | Numbers:
    label = resolve_positive_alias(positive, pos_label)
    if average is not None and validate_text("average", average) not in (
        "binary",
        "macro",
        "weighted",
        "micro",
    ):
        raise ParameterError(
            f"average must be None, 'binary', 'macro', 'weighted' or 'micro', got {value_text(average)}"
        )
    binary = average == "binary"
    classes, truth, answers, chosen = encode_true_and_predicted(y_true, y_pred, labels)
    n_classes = len(classes)
    weights = to_weight_array(sample_weight)
    if binary:
        if n_classes > 2 and label is None:
            raise ParameterError(
                "Target is multiclass but average='binary'. Please choose another average setting, "
                "one of [None, 'micro', 'macro', 'weighted'], or give the class as positive=."
            )
        code = positive_code_of(classes, truth, label, weights)
        # If there is only one label, it may be the negative one: the positive class exists but has no rows.
        n_classes = max(n_classes, code + 1)
        average, chosen = "macro", np.array([code], dtype=np.uint32)
    confusion = native.metrics.Confusion(truth, answers, n_classes, weights)
    if average is None:
        return confusion.class_scores(
            score, validate_real_number("beta", beta), validate_real_number("zero_division", zero_division)
        )[chosen]
    return confusion.over_classes(
        score,
        average,
        chosen,
        validate_real_number("beta", beta),
        validate_real_number("zero_division", zero_division),
    )


@match_rows_by_index
def precision_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    positive: object = None,
    pos_label: object = None,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float = 0.0,
) -> float | Numbers:
    """Fraction of the predictions of a class that are correct: tp / (tp + fp).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True and predicted labels.
    labels : array-like, default=None
        Classes to report or average over. None: all classes in ``y_true`` and ``y_pred``, sorted.
        With ``average="binary"``: classes that are valid as ``positive``, even if they are not in the data.
    positive, pos_label : label, default=None
        Positive class for ``average="binary"``; both names have the same meaning. None: label 1 if the labels
        are 0 and 1 or -1 and 1, True if they are False and True; else the rarer class of ``y_true``, in case
        of ties the greater label; see "The positive class" in the documentation.
    average : {"binary", "macro", "weighted", "micro"} or None, default="binary"
        "binary": value of the positive class, for two classes or if ``positive`` is given. "macro": mean over
        classes. "weighted": mean over classes, weighted by their numbers of rows. "micro": from counts summed
        over classes. None: one value per class.
    sample_weight : array-like of shape (n_rows,), default=None
        Non-negative, finite row weights.
    zero_division : {0, 1, nan}, default=0
        Value if the denominator is 0. NaN leaves the class out of a mean.

    Returns
    -------
    float or ndarray of shape (n_labels,)

    Raises
    ------
    ParameterError
        For more than two classes with ``average="binary"`` and no ``positive``, or an unknown ``positive``.
    DataError
        For unequal lengths, invalid weights, or labels that cannot be sorted.
    """
    return _class_score(
        "precision", y_true, y_pred, labels, positive, pos_label, average, sample_weight, zero_division
    )


@match_rows_by_index
def recall_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    positive: object = None,
    pos_label: object = None,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float = 0.0,
) -> float | Numbers:
    """Fraction of the rows of a class that are predicted as this class: tp / (tp + fn).

    Parameters, result and errors are those of :func:`precision_score`.
    """
    return _class_score(
        "recall", y_true, y_pred, labels, positive, pos_label, average, sample_weight, zero_division
    )


@match_rows_by_index
def f1_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    positive: object = None,
    pos_label: object = None,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float = 0.0,
) -> float | Numbers:
    """Harmonic mean of precision and recall.

    Parameters, result and errors are those of :func:`precision_score`.
    """
    return _class_score(
        "f1", y_true, y_pred, labels, positive, pos_label, average, sample_weight, zero_division
    )


@match_rows_by_index
def fbeta_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float,
    labels: ArrayLike | None = None,
    positive: object = None,
    pos_label: object = None,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float = 0.0,
) -> float | Numbers:
    """Weighted harmonic mean of precision and recall; ``beta`` above 1 favors recall.

    ``beta`` is at least 0 and may be infinite; other parameters as in :func:`precision_score`.
    """
    return _class_score(
        "f", y_true, y_pred, labels, positive, pos_label, average, sample_weight, zero_division, beta
    )


@match_rows_by_index
def specificity_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    positive: object = None,
    pos_label: object = None,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float = 0.0,
) -> float | Numbers:
    """Fraction of the rows outside a class that are not predicted as this class: tn / (tn + fp).

    Parameters, result and errors are those of :func:`precision_score`.
    """
    return _class_score(
        "specificity", y_true, y_pred, labels, positive, pos_label, average, sample_weight, zero_division
    )


@match_rows_by_index
def negative_predictive_value(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    positive: object = None,
    pos_label: object = None,
    average: str | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float = 0.0,
) -> float | Numbers:
    """Fraction of the rows not predicted as a class that are of other classes: tn / (tn + fn).

    Parameters, result and errors are those of :func:`precision_score`.
    """
    return _class_score(
        "npv", y_true, y_pred, labels, positive, pos_label, average, sample_weight, zero_division
    )


name_package_in_errors(globals())
