"""Inputs of metrics: class codes, positive class, and scores in the order of the classes."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from imbcore._bindings.positive import default_positive_code
from imbcore._validation.labelled import column_labels, matrix_classes, order_columns_by_class
from imbcore._validation.user_warnings import warn_user
from imbcore._validation.value_text import value_text
from imbcore._validation.values import (
    Codes,
    Numbers,
    code_of_label,
    encode_label_arrays,
    require_rows,
    resolve_positive_alias,
    to_float_array,
    to_label_array,
)
from imbcore.exceptions import DataError, ParameterError


def encode_with_positive_code(
    y_true: ArrayLike,
    positive: object,
    pos_label: object,
    sample_weight: Numbers | None,
    labels: ArrayLike | None = None,
) -> tuple[Codes, int]:
    """Return the codes of the rows, and the code of the positive label, which may have no rows."""
    truth = to_label_array(y_true, "y_true")
    require_rows(truth)
    classes, codes = _encode_truth(truth, labels)
    return codes, positive_code_of(classes, codes, resolve_positive_alias(positive, pos_label), sample_weight)


def positive_code_of(
    classes: NDArray[Any], codes: Codes, label: object, sample_weight: Numbers | None
) -> int:
    """Return the code of the positive label, by default by the rule for ``y_true``.

    It may be one beyond the classes, if the only label present is the negative one of a known pair.
    """
    if label is None:
        if len(classes) > 2:
            raise ParameterError(f"y_true has {len(classes)} classes: set positive= to the one to score")
        return default_positive_code(classes, codes, sample_weight)
    code = code_of_label(classes, label)
    if code is None and len(classes) > 1:
        raise ParameterError(
            f"positive={value_text(label)} is not a valid label; it must be one of {classes.tolist()}"
        )
    return len(classes) if code is None else code


def is_one_column(scores: Numbers) -> bool:
    """Check whether the scores are of one class."""
    return scores.ndim == 1 or scores.shape[1:] == (1,)


def scores_and_column_classes(y_true: Any, scores: Any, labels: Any, name: str) -> tuple[Numbers, Any]:
    """Return scores and the classes of their columns; named columns are sorted like the classes."""
    names = column_labels(scores)
    if names is None or len(names) < 2:
        values = to_float_array(scores, name)
        if labels is not None and not is_one_column(values):
            _reject_unsorted_labels(to_label_array(labels, "labels"))
        return values, labels
    if labels is None:
        classes = (
            matrix_classes(scores, encode_label_arrays(to_label_array(y_true, "y_true"))[0].tolist()) or names
        )
    else:
        classes = encode_label_arrays(to_label_array(labels, "labels"))[0].tolist()
    return to_float_array(order_columns_by_class(scores, classes, name), name), classes


def _encode_truth(truth: NDArray[Any], labels: ArrayLike | None) -> tuple[NDArray[Any], Codes]:
    """Return the classes, which are ``labels`` if given, and the codes of the rows."""
    if labels is None:
        classes, (codes,) = encode_label_arrays(truth)
        return classes, codes
    wanted, _ = encode_label_arrays(to_label_array(labels, "labels"))
    classes, (codes, known) = encode_label_arrays(truth, wanted)
    if len(classes) > len(known):
        raise DataError("y_true contains labels that are not in labels")
    return classes, codes


def _reject_unsorted_labels(labels: NDArray[Any]) -> None:
    """Reject labels in another order than the columns of scores must have."""
    classes, (codes,) = encode_label_arrays(labels)
    if len(codes) > len(classes) or (codes[1:] < codes[:-1]).any():
        raise DataError(
            f"labels must be different and sorted, like the columns of the scores, got {labels.tolist()}; "
            f"give {classes.tolist()}, and the columns in this order"
        )


def encode_score_matrix(
    y_true: ArrayLike, y_score: ArrayLike, labels: ArrayLike | None, name: str
) -> tuple[NDArray[Any], Codes, Numbers]:
    """Return the classes, the codes of the rows, and the scores with one column per class.

    Two classes may have a single column for the positive label; it stays one column.
    """
    truth = to_label_array(y_true, "y_true")
    require_rows(truth)
    scores, labels = scores_and_column_classes(y_true, y_score, labels, name)
    if scores.ndim == 1:
        scores = scores.reshape(-1, 1)
    if scores.ndim != 2:
        raise DataError(f"{name} must have one or two dimensions, got {scores.ndim}")
    if len(scores) != len(truth):
        raise DataError(f"{name} has {len(scores)} rows, but y_true has {len(truth)}")
    classes, codes = _encode_truth(truth, labels)
    columns = max(scores.shape[1], 2)
    if len(classes) != columns:
        raise DataError(
            f"{name} has {scores.shape[1]} columns for {len(classes)} classes; one per class is needed. "
            "Pass labels= if y_true lacks some of them"
        )
    return classes, codes, scores


def warn(message: str) -> None:
    """Emit a warning at the caller of the metric."""
    warn_user(message)
