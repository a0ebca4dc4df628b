"""Values as users give them: labels to class codes, numbers and weights to arrays, counts to integers."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from imbcore._input.columns import decoded, missing_like
from imbcore._input.unicode import require_parameter, require_texts
from imbcore.exceptions import ColumnTypeError, DataError, ParameterError

Codes = NDArray[np.uint32]
Numbers = NDArray[np.float64]
_TEXT, _OBJECT = "US", "O"
# Types of which no value stands for nothing.
_LABELS = {str, int, bool}
# Of any number: the digits of the smallest one begin behind 323 zeros.
MOST_DIGITS = 400


def labels_of(y: ArrayLike, name: str) -> NDArray[Any]:
    """Read one label per row."""
    try:
        array = np.asarray(decoded(y))
    except ValueError as error:
        raise DataError(f"{name} must hold one label per row: {error}") from error
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.ndim != 1:
        raise DataError(f"{name} must hold one label per row, got an array of shape {array.shape}")
    if array.dtype.kind == "f" and not np.array_equal(array, np.trunc(array)):
        raise DataError(f"{name} holds fractions or NaN: continuous values are not supported as labels")
    if array.dtype.kind == "c":
        raise DataError(f"Complex data not supported: {name} must hold labels")
    if array.dtype.kind == _OBJECT:
        given = array.tolist()
        if set(map(type, given)) - _LABELS and any(map(missing_like, given)):
            raise DataError(f"{name} holds NaN or None; leave the rows without a label out")
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
        classes, codes = _numbered(joined)
    except (TypeError, ValueError) as error:
        raise DataError(f"labels cannot be put in order: {error}") from error
    if classes.dtype.kind not in "biufc":
        require_texts("labels hold", classes.tolist())
    ends = np.cumsum([len(a) for a in labels])[:-1]
    return classes, np.split(codes.astype(np.uint32), ends)


# Whole numbers that lie closer together are looked up in a table instead of sorted.
_TABLE = 1 << 16


def _numbered(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Sort the distinct labels and number every one by them."""
    if labels.size and labels.dtype.kind in "biu":
        low, high = labels.min(), labels.max()
        span = int(high) - int(low)
        if span < _TABLE:
            # Differences of small whole numbers may be too large for their own type.
            wide = np.dtype(np.int64 if labels.dtype.kind == "i" else np.uint64)
            places = (labels.astype(wide) - low.astype(wide)).astype(np.intp)
            seen = np.zeros(span + 1, dtype=bool)
            seen[places] = True
            found = np.flatnonzero(seen)
            code = np.zeros(len(seen), dtype=np.uint32)
            code[found] = np.arange(len(found), dtype=np.uint32)
            return (found.astype(wide) + low.astype(wide)).astype(labels.dtype), code[places]
    return np.unique(labels, return_inverse=True)


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
    if is_complex(values):
        raise DataError(f"Complex data not supported: {name} must hold real numbers")
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} must hold numbers: {error}") from error


def is_complex(values: Any) -> bool:
    """Whether NumPy would read ``values`` as real numbers by leaving their imaginary parts out."""
    return getattr(getattr(values, "dtype", None), "kind", None) == "c"


def whole_number(name: str, value: Any, least: int, most: int = 2**31 - 1) -> int:
    """Read a parameter that counts something."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise ParameterError(f"{name} must be an integer, got {value!r}")
    if not least <= value <= most:
        raise ParameterError(f"{name} must be an integer from {least} to {most}, got {value!r}")
    return int(value)


def real_number(name: str, value: Any) -> float:
    """Read a parameter that is a number; its domain is checked by the native module."""
    if is_complex(value):
        raise ParameterError(f"{name} must be a number, got {value!r}")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ParameterError(f"{name} must be a number, got {value!r}") from error


def positive_number(name: str, value: Any, most: float) -> float:
    """Read a parameter that is a number above 0."""
    found = real_number(name, value)
    if not 0.0 < found <= most:
        raise ParameterError(f"{name} must be a positive number of at most {most:g}, got {value!r}")
    return found


def flag(name: str, value: Any) -> bool:
    """Read a parameter that is true or false; 0 and 1 are too."""
    if isinstance(value, (bool, np.bool_, int, np.integer)) and value in (0, 1):
        return bool(value)
    raise ParameterError(f"{name} must be True or False, got {value!r}")


def text_of(name: str, value: Any) -> str:
    """Read a parameter that is text; which words there are, if not all, the native module says."""
    if not isinstance(value, str):
        raise ParameterError(f"{name} must be text, got {value!r}")
    require_parameter(name, value)
    return value


def path_of(name: str, value: Any) -> str:
    """Read a parameter that names a file or a folder; no text at all would be the folder one is in."""
    if not isinstance(value, (str, os.PathLike)) or not os.fspath(value):
        raise ParameterError(f"{name} must be a path, got {value!r}")
    return os.fspath(value)


def items_of(name: str, values: Any) -> list[Any]:
    """Read a parameter that lists things."""
    if isinstance(values, (str, bytes)):
        raise ParameterError(f"{name} must be a list, got {values!r}")
    try:
        return list(values)
    except TypeError as error:
        raise ParameterError(f"{name} must be a list, got {values!r}") from error


def require_label(name: str, label: Any) -> None:
    """Refuse several labels, or none, where one is asked for."""
    several = hasattr(label, "__len__") and not isinstance(label, (str, bytes))
    # An array without axes holds one.
    if several and getattr(label, "shape", None) != ():
        raise ParameterError(f"{name} must be one label, got {label!r}")


def require_callback(callback: Any) -> None:
    """Refuse what cannot be told how far a call is."""
    if callback is not None and not callable(callback):
        raise ParameterError(f"callback must be a function of three arguments, got {callback!r}")


def shown_of(max_depth: Any, decimals: Any) -> tuple[int | None, int]:
    """Read how many levels of a tree are written, None for all, and with how many digits."""
    return levels_of(max_depth), digits_of(decimals)


def levels_of(max_depth: Any) -> int | None:
    """Read how many levels of a tree are written."""
    return None if max_depth is None else whole_number("max_depth", max_depth, 0)


def digits_of(decimals: Any) -> int:
    """Read how many digits are written after a point."""
    return whole_number("decimals", decimals, 0, MOST_DIGITS)


def weights_of(sample_weight: ArrayLike | None) -> Numbers | None:
    """Read the row weights, where there are any."""
    return None if sample_weight is None else numbers_of(sample_weight, "sample_weight")


def sample_weights(weights: Any, n_rows: int) -> Any:
    """Sample weights as float64, one a row; their signs are checked by the native module."""
    if weights is None:
        return None
    if isinstance(weights, (int, float)):
        return np.full(n_rows, float(weights))
    array = to_float(weights, "sample_weight")
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


def code_of(classes: NDArray[Any], label: object) -> int | None:
    """Look up a label; None when no row has it."""
    return next((code for code, known in enumerate(classes.tolist()) if known == label), None)


def one_label(positive: object, pos_label: object) -> object:
    """Read the two names of one option."""
    require_label("positive", positive)
    require_label("pos_label", pos_label)
    if positive is None or pos_label is None or positive == pos_label:
        return pos_label if positive is None else positive
    raise ParameterError(
        f"positive={positive!r} and pos_label={pos_label!r} are one option; give one of them"
    )
