"""Validation: labels to class codes, numbers and weights to arrays, counts to integers."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from imbcore._validation.columns import decode_arrow_dictionary, is_missing_value
from imbcore._validation.unicode import reject_invalid_unicode, reject_non_unicode_parameter
from imbcore._validation.value_text import value_text
from imbcore.exceptions import ColumnTypeError, DataError, ParameterError

Codes = NDArray[np.uint32]
Numbers = NDArray[np.float64]
_TEXT, _OBJECT = "US", "O"
# Types without missing values.
_LABELS = {str, int, bool}
# Enough for any number: the smallest has 323 zeros before its digits.
MOST_DIGITS = 400


def to_label_array(y: ArrayLike, name: str) -> NDArray[Any]:
    """Return an array with one label per row."""
    _reject_masked_values(y, name)
    try:
        array = np.asarray(decode_arrow_dictionary(y))
    except ValueError as error:
        raise DataError(f"{name} must have one label per row: {error}") from error
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.ndim != 1:
        raise DataError(f"{name} must have one label per row, got an array of shape {array.shape}")
    if array.dtype.kind == "f" and not np.array_equal(array, np.trunc(array)):
        raise DataError(f"{name} has fractions or NaN: continuous values are not supported as labels")
    if array.dtype.kind == "c":
        raise DataError(f"Complex data not supported: {name} must contain labels")
    if array.dtype.kind == _OBJECT:
        given = array.tolist()
        if set(map(type, given)) - _LABELS and any(map(is_missing_value, given)):
            raise DataError(f"{name} contains NaN or None; leave out the rows without a label")
    return array


def encode_label_arrays(*labels: NDArray[Any]) -> tuple[NDArray[Any], list[Codes]]:
    """Encode all arrays by the sorted distinct labels of all of them."""
    # NumPy would convert numbers next to text to text, so that 1 would equal "1".
    kinds = {
        "text" if a.dtype.kind in _TEXT else "numbers" for a in labels if a.size and a.dtype.kind != _OBJECT
    }
    if len(kinds) > 1:
        raise _mixed_labels_error(labels)
    try:
        joined = np.concatenate(labels)
        classes, codes = _distinct_and_codes(joined)
    except (TypeError, ValueError) as error:
        if {str, bool} <= {type(value) for a in labels for value in a.tolist()}:
            raise _mixed_labels_error(labels) from error
        raise DataError(f"labels cannot be sorted: {error}") from error
    if classes.dtype.kind not in "biufc":
        reject_invalid_unicode("labels contain", classes.tolist())
    ends = np.cumsum([len(a) for a in labels])[:-1]
    return classes, np.split(codes.astype(np.uint32), ends)


def _mixed_labels_error(labels: Sequence[NDArray[Any]]) -> DataError:
    """Return the error for text next to other labels."""
    if any(bool in map(type, a.tolist()) for a in labels):
        return DataError(
            "labels mix text and booleans; give labels such as np.where(alerts, 'fraud', 'ok') for the "
            "booleans, or compare the text with the positive label, such as y_true == 'fraud'"
        )
    return DataError("labels mix text and numbers; y_true, y_pred and labels must be of one type")


# Integers within a range of this size use a lookup table instead of sorting.
_TABLE = 1 << 16


def _distinct_and_codes(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the sorted distinct labels, and the code of each label."""
    if labels.size and labels.dtype.kind in "biu":
        low, high = labels.min(), labels.max()
        span = int(high) - int(low)
        if span < _TABLE:
            # Differences of small integer types may overflow their type.
            wide = np.dtype(np.int64 if labels.dtype.kind == "i" else np.uint64)
            places = (labels.astype(wide) - low.astype(wide)).astype(np.intp)
            seen = np.zeros(span + 1, dtype=bool)
            seen[places] = True
            found = np.flatnonzero(seen)
            code = np.zeros(len(seen), dtype=np.uint32)
            code[found] = np.arange(len(found), dtype=np.uint32)
            return (found.astype(wide) + low.astype(wide)).astype(labels.dtype), code[places]
    return np.unique(labels, return_inverse=True)


def encode_true_and_predicted(
    y_true: ArrayLike, y_pred: ArrayLike, labels: ArrayLike | None = None
) -> tuple[NDArray[Any], Codes, Codes, Codes]:
    """Return the classes, the codes of both sides, and those of ``labels`` (None: all classes)."""
    truth, answers = to_label_array(y_true, "y_true"), to_label_array(y_pred, "y_pred")
    if len(truth) != len(answers):
        raise DataError(f"y_pred has {len(answers)} values, but y_true has {len(truth)}")
    require_rows(truth)
    if labels is None:
        classes, (truth_codes, answer_codes) = encode_label_arrays(truth, answers)
        return classes, truth_codes, answer_codes, np.arange(len(classes), dtype=np.uint32)
    wanted = to_label_array(labels, "labels")
    if not wanted.size:
        raise ParameterError("labels must contain at least one label")
    classes, (truth_codes, answer_codes, chosen) = encode_label_arrays(truth, answers, wanted)
    return classes, truth_codes, answer_codes, chosen


def require_rows(truth: NDArray[Any]) -> None:
    """Reject data without rows."""
    if not truth.size:
        raise DataError("y_true has 0 rows; at least 1 is needed")


def to_number_array(values: ArrayLike, name: str) -> Numbers:
    """Return an array with one number per row."""
    array = to_float_array(values, name)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.ndim != 1:
        raise DataError(f"{name} must have one number per row, got an array of shape {array.shape}")
    return array


def to_float_array(values: ArrayLike, name: str) -> Numbers:
    """Convert numbers of any shape."""
    if is_complex(values):
        raise DataError(f"Complex data not supported: {name} must contain real numbers")
    _reject_masked_values(values, name)
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} must contain numbers: {error}") from error


def _reject_masked_values(values: Any, name: str) -> None:
    """Reject masked values, for which NumPy would return the values behind the mask."""
    if np.ma.is_masked(values):
        raise DataError(f"{name} has masked (missing) values; leave out these rows")


def is_complex(values: Any) -> bool:
    """Check for complex numbers, whose imaginary parts NumPy would drop."""
    return getattr(getattr(values, "dtype", None), "kind", None) == "c"


def validate_whole_number(name: str, value: Any, least: int, most: int = 2**31 - 1) -> int:
    """Validate an integer parameter."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise ParameterError(f"{name} must be an integer, got {value_text(value)}")
    if not least <= value <= most:
        raise ParameterError(f"{name} must be an integer from {least} to {most}, got {value_text(value)}")
    return int(value)


def validate_real_number(name: str, value: Any) -> float:
    """Validate a real parameter; the native module checks its range."""
    if is_complex(value):
        raise ParameterError(f"{name} must be a number, got {value_text(value)}")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ParameterError(f"{name} must be a number, got {value_text(value)}") from error


def validate_positive_number(name: str, value: Any, most: float) -> float:
    """Validate a positive parameter."""
    found = validate_real_number(name, value)
    if not 0.0 < found <= most:
        raise ParameterError(f"{name} must be a positive number of at most {most:g}, got {value_text(value)}")
    return found


def validate_flag(name: str, value: Any) -> bool:
    """Validate a boolean parameter; 0 and 1 are accepted, too."""
    if isinstance(value, (bool, np.bool_, int, np.integer)) and value in (0, 1):
        return bool(value)
    raise ParameterError(f"{name} must be True or False, got {value_text(value)}")


def validate_text(name: str, value: Any) -> str:
    """Validate a text parameter; the native module checks its value."""
    if not isinstance(value, str):
        raise ParameterError(f"{name} must be text, got {value_text(value)}")
    reject_non_unicode_parameter(name, value)
    return value


def validate_text_choice(name: str, value: Any, known: Collection[str]) -> str:
    """Validate a text parameter with a list of values."""
    if validate_text(name, value) not in known:
        raise unknown_name_error(name, value, known)
    return str(value)


def unknown_name_error(kind: str, name: Any, known: Collection[str]) -> ParameterError:
    """Return the error for a name that is not in a list, with the closest names or else all."""
    near = get_close_matches(str(name), known)
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"available are {sorted(known)}"
    return ParameterError(f"unknown {kind} {name!r}; {hint}")


def validate_path(name: str, value: Any) -> str:
    """Validate a path parameter; empty text, which would mean the current folder, is rejected."""
    if not isinstance(value, (str, os.PathLike)) or not os.fspath(value):
        raise ParameterError(f"{name} must be a path, got {value_text(value)}")
    return os.fspath(value)


def validate_list(name: str, values: Any) -> list[Any]:
    """Validate a list parameter."""
    if isinstance(values, (str, bytes)):
        raise ParameterError(f"{name} must be a list, got {value_text(values)}")
    try:
        return list(values)
    except TypeError as error:
        raise ParameterError(f"{name} must be a list, got {value_text(values)}") from error


def require_single_label(name: str, label: Any) -> None:
    """Reject several labels, or none, for a parameter that takes one."""
    several = hasattr(label, "__len__") and not isinstance(label, (str, bytes))
    # A 0-d array holds one label.
    if several and getattr(label, "shape", None) != ():
        raise ParameterError(f"{name} must be one label, got {value_text(label)}")


def require_callback(callback: Any) -> None:
    """Reject a callback that is not callable."""
    if callback is not None and not callable(callback):
        raise ParameterError(f"callback must be a function of three arguments, got {value_text(callback)}")


def validate_display_options(max_depth: Any, decimals: Any) -> tuple[int | None, int]:
    """Validate the displayed tree depth (None for all) and number of digits."""
    return validate_max_depth(max_depth), validate_decimals(decimals)


def validate_max_depth(max_depth: Any) -> int | None:
    """Validate the displayed tree depth."""
    return None if max_depth is None else validate_whole_number("max_depth", max_depth, 0)


def validate_decimals(decimals: Any) -> int:
    """Validate the number of digits after the decimal point."""
    return validate_whole_number("decimals", decimals, 0, MOST_DIGITS)


def to_weight_array(sample_weight: ArrayLike | None) -> Numbers | None:
    """Convert the row weights, if there are any."""
    return None if sample_weight is None else to_number_array(sample_weight, "sample_weight")


def validate_sample_weights(weights: Any, n_rows: int) -> Any:
    """Convert sample weights to float64, one per row; the native module checks their signs."""
    if weights is None:
        return None
    if isinstance(weights, (int, float, np.number)):
        return np.full(n_rows, float(weights))
    array = to_float_array(weights, "sample_weight")
    if array.ndim == 0:
        raise ColumnTypeError(
            "Input should have at least 1 dimension i.e. satisfy `len(x.shape) > 0`, "
            f"got scalar `{array!r}` instead."
        )
    if array.ndim != 1:
        raise DataError(
            f"Sample weights must be 1D array or scalar, got {array.ndim}D array of shape {array.shape}"
        )
    if len(array) != n_rows:
        raise DataError(f"sample_weight.shape == {array.shape}, expected {(n_rows,)}!")
    return np.require(array, requirements=["C", "ALIGNED"])


def code_of_label(classes: NDArray[Any], label: object) -> int | None:
    """Look up a label; None if no row has it."""
    return next((code for code, known in enumerate(classes.tolist()) if known == label), None)


def resolve_positive_alias(positive: object, pos_label: object) -> object:
    """Combine the two names of one option."""
    require_single_label("positive", positive)
    require_single_label("pos_label", pos_label)
    if positive is None or pos_label is None or positive == pos_label:
        return pos_label if positive is None else positive
    raise ParameterError(
        f"positive={value_text(positive)} and pos_label={value_text(pos_label)} are the same option; give "
        "one of them"
    )
