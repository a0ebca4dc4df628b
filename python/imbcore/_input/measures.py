"""What the metrics take: labels to class codes, scores and weights to arrays, positive labels to codes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from imbcore._border.positive import ruled_code
from imbcore.exceptions import DataError, DataWarning, ParameterError

Codes = NDArray[np.uint32]
Numbers = NDArray[np.float64]
_TEXT, _OBJECT = "US", "O"


def labels_of(y: ArrayLike, name: str) -> NDArray[Any]:
    """Read one label per row."""
    array = np.asarray(y)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.ndim != 1:
        raise DataError(f"{name} must hold one label per row, got an array of shape {array.shape}")
    if array.dtype.kind == "f" and not np.array_equal(array, np.trunc(array)):
        raise DataError(f"{name} holds fractions or NaN: continuous values are not supported as labels")
    return array


def encode(*labels: NDArray[Any]) -> tuple[NDArray[Any], list[Codes]]:
    """Sort the distinct labels of all arrays together and number each array by them."""
    # NumPy would turn a number beside text into text, and 1 would equal "1".
    kinds = {
        "text" if a.dtype.kind in _TEXT else "numbers" for a in labels if a.size and a.dtype.kind != _OBJECT
    }
    if len(kinds) > 1:
        raise DataError("labels mix text and numbers; y_true, y_pred and labels must be of one type")
    try:
        joined = np.concatenate(labels)
        classes, codes = np.unique(joined, return_inverse=True)
    except (TypeError, ValueError) as error:
        raise DataError(f"labels cannot be put in order: {error}") from error
    ends = np.cumsum([len(a) for a in labels])[:-1]
    return classes, np.split(codes.astype(np.uint32), ends)


def encode_pair(
    y_true: ArrayLike, y_pred: ArrayLike, labels: ArrayLike | None = None
) -> tuple[NDArray[Any], Codes, Codes, Codes]:
    """Give the classes, the codes of both sides, and the codes of ``labels`` (of all classes when None)."""
    truth, answers = labels_of(y_true, "y_true"), labels_of(y_pred, "y_pred")
    if len(truth) != len(answers):
        raise DataError(f"y_pred has {len(answers)} values, but y_true has {len(truth)}")
    require_rows(truth)
    if labels is None:
        classes, (truth_codes, answer_codes) = encode(truth, answers)
        return classes, truth_codes, answer_codes, np.arange(len(classes), dtype=np.uint32)
    wanted = labels_of(labels, "labels")
    if not wanted.size:
        raise ParameterError("labels must hold at least one label")
    classes, (truth_codes, answer_codes, chosen) = encode(truth, answers, wanted)
    return classes, truth_codes, answer_codes, chosen


def require_rows(truth: NDArray[Any]) -> None:
    """Refuse data without rows."""
    if not truth.size:
        raise DataError("y_true has 0 rows; at least 1 is needed")


def numbers_of(values: ArrayLike, name: str) -> Numbers:
    """Read one number per row."""
    array = to_float(values, name)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.ndim != 1:
        raise DataError(f"{name} must hold one number per row, got an array of shape {array.shape}")
    return array


def to_float(values: ArrayLike, name: str) -> Numbers:
    """Read numbers of any shape."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} must hold numbers: {error}") from error


def whole_number(name: str, value: Any, least: int, most: int = 2**31 - 1) -> int:
    """Read a parameter that counts something."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise ParameterError(f"{name} must be an integer, got {value!r}")
    if not least <= value <= most:
        raise ParameterError(f"{name} must be an integer from {least} to {most}, got {value!r}")
    return int(value)


def weights_of(sample_weight: ArrayLike | None) -> Numbers | None:
    """Read the row weights, where there are any."""
    return None if sample_weight is None else numbers_of(sample_weight, "sample_weight")


def code_of(classes: NDArray[Any], label: object) -> int | None:
    """Look up a label; None when no row has it."""
    return next((code for code, known in enumerate(classes.tolist()) if known == label), None)


def target(
    y_true: ArrayLike, positive: object, pos_label: object, sample_weight: Numbers | None
) -> tuple[Codes, int]:
    """Codes of the rows, and that of the positive label, which may be one that no row has."""
    truth = labels_of(y_true, "y_true")
    require_rows(truth)
    classes, (codes,) = encode(truth)
    return codes, positive_of(classes, codes, one_label(positive, pos_label), sample_weight)


def one_label(positive: object, pos_label: object) -> object:
    """Read the two names of one option."""
    if positive is None or pos_label is None or positive == pos_label:
        return pos_label if positive is None else positive
    raise ParameterError(
        f"positive={positive!r} and pos_label={pos_label!r} are one option; give one of them"
    )


def positive_of(classes: NDArray[Any], codes: Codes, label: object, sample_weight: Numbers | None) -> int:
    """Code of the positive label: of the one given, else by the rule from ``codes``, those of ``y_true``.

    It may be one beyond the classes, where the only label is the other one of a pair.
    """
    if label is None:
        if len(classes) > 2:
            raise ParameterError(
                f"y_true has {len(classes)} classes: pass positive= to say which one is meant"
            )
        return ruled_code(classes, codes, sample_weight)
    code = code_of(classes, label)
    if code is None and len(classes) > 1:
        raise ParameterError(
            f"positive={label!r} is not a valid label: it should be one of {classes.tolist()}"
        )
    return len(classes) if code is None else code


def is_one_column(scores: Numbers) -> bool:
    """Whether scores are those of one class."""
    return scores.ndim == 1 or scores.shape[1:] == (1,)


def matrix_target(
    y_true: ArrayLike, y_score: ArrayLike, labels: ArrayLike | None, name: str
) -> tuple[NDArray[Any], Codes, Numbers]:
    """Give the classes, the codes of the rows, and the scores with one column per class.

    Two classes may come with one column, that of the positive label; it stays one column.
    """
    truth = labels_of(y_true, "y_true")
    require_rows(truth)
    scores = to_float(y_score, name)
    if scores.ndim == 1:
        scores = scores.reshape(-1, 1)
    if scores.ndim != 2:
        raise DataError(f"{name} must have one or two dimensions, got {scores.ndim}")
    if len(scores) != len(truth):
        raise DataError(f"{name} has {len(scores)} rows, but y_true has {len(truth)}")
    if labels is None:
        classes, (codes,) = encode(truth)
    else:
        wanted = np.unique(labels_of(labels, "labels"))
        classes, (codes, known) = encode(truth, wanted)
        if len(classes) > len(known):
            raise DataError("y_true contains labels that are not in labels")
    columns = max(scores.shape[1], 2)
    if len(classes) != columns:
        raise DataError(
            f"{name} has {scores.shape[1]} columns for {len(classes)} classes; one per class is needed. "
            "Pass labels= when y_true lacks some of them"
        )
    return classes, codes, scores


def warn(message: str) -> None:
    """Tell the caller of the metric."""
    warnings.warn(message, DataWarning, stacklevel=3)
