"""Class labels: encoding and decoding of y, and class weights by label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.columns import decode_arrow_dictionary, is_missing_value, is_sparse
from imbcore._validation.damage import validate_arrow
from imbcore._validation.labelled import series_to_dict
from imbcore._validation.unicode import reject_invalid_unicode
from imbcore._validation.value_text import value_text
from imbcore.exceptions import ColumnTypeError, DataError, ModelFormatError, ParameterError

Label = int | float | str | bool
_CONTINUOUS = (
    "Unknown label type: continuous. Maybe you are trying to fit a classifier, which expects discrete "
    "classes on a regression target with continuous values."
)
_INT64_MIN, _INT64_MAX, _UINT64_MAX = -(2**63), 2**63 - 1, 2**64 - 1


@dataclass(frozen=True, slots=True)
class Target:
    """Class codes of every row, and the sorted labels of the codes."""

    codes: NDArray[np.uint32]
    classes: NDArray[Any]
    # Whether y was given as a table with one column instead of a vector.
    was_column: bool


def encode_target_labels(y: Any, who: str) -> Target:
    """Encode every row of ``y`` by its sorted distinct labels."""
    array = _to_array(y, who)
    was_column = array.ndim == 2 and array.shape[1] == 1
    if was_column:
        array = array.ravel()
    if array.ndim != 1:
        raise DataError(
            f"y should be a 1d array, got an array of shape {array.shape} instead. "
            "Multilabel and multioutput targets are not supported. Fit one classifier for each column of y, "
            "as sklearn.multioutput.MultiOutputClassifier does."
        )
    classes, codes = _distinct_labels_and_codes(array)
    return Target(codes, classes, was_column)


def _to_array(y: Any, who: str) -> NDArray[Any]:
    if y is None:
        raise DataError(f"{who} requires y to be passed, but the target y is None.")
    if is_sparse(y):
        raise ColumnTypeError(
            "sparse multilabel-indicator for y is not supported. y should be a 1d array with one label per "
            "row, got a sparse matrix"
        )
    if isinstance(y, (str, bytes)):
        raise DataError(f"y should be a 1d array of labels, got {type(y).__name__}")
    if type(y).__module__.startswith("pyarrow.") and hasattr(y, "validate"):
        validate_arrow(y, "y, an Arrow array")
    if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
        raise DataError("y has masked (missing) values; drop those rows")
    try:
        y = decode_arrow_dictionary(y)
        array = np.asarray(y)
        # NumPy would convert [1, "a"] to text; an object array preserves both types.
        if array.dtype.kind == "U" and isinstance(y, (list, tuple)):
            array = np.asarray(y, dtype=object)
            if all(isinstance(label, str) for label in array.flat):
                array = np.asarray(y)
    except (ValueError, TypeError) as error:
        raise DataError(f"y cannot be read as a 1d array of labels: {error}") from error
    return array


def _distinct_labels_and_codes(array: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    kind = array.dtype.kind
    if kind in "biu":
        return _distinct_integers(array)
    if kind == "f":
        return _distinct_floats(array)
    if kind in "UTO":
        return _distinct_objects(array)
    if kind == "c":
        raise DataError("Complex data not supported: y must contain class labels")
    if kind == "S":
        raise ColumnTypeError(
            "Support for labels represented as bytes is not supported. Convert them to text or integers."
        )
    raise DataError(f"Unknown label type: y has dtype {array.dtype}; give text, integers or booleans")


def _distinct_integers(array: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    native = array.dtype.newbyteorder("=")
    if len(array) == 0:
        return array.astype(native), array.astype(np.uint32)
    low, high = int(array.min()), int(array.max())
    if high - low <= 1:
        # Both values are present, so no lookup is needed.
        return np.array(sorted({low, high}), dtype=native), (array != low).astype(np.uint32)
    if high <= _INT64_MAX and high - low < max(1024, 2 * len(array)):
        # Few values close together: use a lookup table instead of sorting.
        offset = array.astype(np.int64) - low
        present = np.zeros(high - low + 1, dtype=bool)
        present[offset] = True
        found = np.flatnonzero(present)
        rank = np.zeros(len(present), dtype=np.uint32)
        rank[found] = np.arange(len(found), dtype=np.uint32)
        return (found + low).astype(native), rank[offset]
    classes, codes = np.unique(array, return_inverse=True)
    return classes.astype(native), codes.astype(np.uint32)


def _distinct_floats(array: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    if np.isnan(array).any():
        raise DataError("Input y contains NaN. Drop the rows without a label.")
    if np.isinf(array).any():
        raise DataError(f"Input y contains infinity or a value too large for {array.dtype!r}.")
    with np.errstate(invalid="ignore"):
        whole = array.astype(np.int64)
    if not np.array_equal(whole, array):
        raise DataError(_CONTINUOUS)
    classes, codes = _distinct_integers(whole)
    exact = np.float64 if array.dtype.itemsize > 8 else array.dtype.newbyteorder("=")
    return classes.astype(exact), codes


def _distinct_objects(array: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    values: list[Any] = array.tolist()
    try:
        distinct = dict.fromkeys(values)
    except TypeError as error:
        raise DataError(f"Unknown label type: y has values that are not valid labels ({error})") from error
    labels = sorted(_to_python_labels(distinct))
    reject_invalid_unicode("y has the label", labels)
    code = {label: index for index, label in enumerate(labels)}
    codes = np.fromiter((code[value] for value in values), dtype=np.uint32, count=len(values))
    if array.dtype.kind == "O":
        classes = np.empty(len(labels), dtype=object)
        classes[:] = labels
        return classes, codes
    return np.array(labels, dtype=array.dtype if array.dtype.kind == "T" else np.str_), codes


def _to_python_labels(distinct: Mapping[Any, None]) -> list[Any]:
    """Convert distinct labels to plain Python values of one sortable type."""
    kinds: dict[str, Any] = {}
    plain: list[Any] = []
    for label in distinct:
        if is_missing_value(label):
            raise DataError("Input y contains NaN or None. Drop the rows without a label.")
        value = label.item() if isinstance(label, np.generic) else label
        if isinstance(value, bool):
            kinds["booleans"] = value
        elif isinstance(value, (int, float)):
            kinds["numbers"] = value
            _check_label_number(value)
        elif isinstance(value, str):
            kinds["text"] = value
            value = str(value)
        else:
            raise DataError(
                f"Unknown label type: y has {type(value).__name__} values; give text, integers or booleans"
            )
        plain.append(value)
    if len(kinds) > 1:
        examples = " and ".join(f"{kind} ({value!r})" for kind, value in kinds.items())
        raise DataError(
            f"Unknown label type: y mixes {examples}, which cannot be sorted together; use one type"
        )
    return plain


def _check_label_number(value: float) -> None:
    if isinstance(value, float) and not value.is_integer():  # type: ignore[redundant-expr]
        raise DataError(_CONTINUOUS)
    if not _INT64_MIN <= value <= _UINT64_MAX:
        raise DataError(f"Unknown label type: y has {value!r}, which does not fit 64 bits; use text labels")


def label_type_name(classes: NDArray[Any]) -> str:
    """Return the name of the label type in model files."""
    if classes.dtype.kind == "T":
        return "string"
    return classes.dtype.str if classes.dtype.kind == "U" else classes.dtype.name


def restore_labels(labels: Any, name: Any) -> NDArray[Any]:
    """Restore the array of labels from a model file."""
    if not isinstance(labels, list) or not all(isinstance(label, (int, float, str)) for label in labels):
        raise ModelFormatError("the model file has no list of class labels")
    try:
        if name == "object":
            classes = np.empty(len(labels), dtype=object)
            classes[:] = labels
            return classes
        if name == "string":
            return np.array(labels, dtype=np.dtypes.StringDType())
        if isinstance(name, str) and name[1:2] == "U":
            # Derive the width from the labels: the one in a malicious file could be gigabytes.
            return np.array(labels, dtype=np.str_)
        dtype = np.dtype(name)
        bounds = np.iinfo(dtype) if dtype.kind in "iu" else None
        fits = bounds is None or all(bounds.min <= label <= bounds.max for label in labels)
        if dtype.kind in "biuf" and fits:
            classes = np.array(labels, dtype=dtype)
            if classes.tolist() == labels:
                return classes
    except (TypeError, ValueError, OverflowError, AttributeError) as error:
        raise ModelFormatError(f"the model file has class labels of a wrong type: {error}") from error
    raise ModelFormatError(f"the model file has class labels that do not match their type {name!r}")


def class_weight_to_codes(class_weight: Any, classes: NDArray[Any]) -> str | list[float] | None:
    """Convert ``class_weight`` from labels to codes; "balanced" and None are unchanged."""
    if class_weight is None or (isinstance(class_weight, str) and class_weight == "balanced"):
        return class_weight
    if isinstance(class_weight, str) and class_weight == "balanced_subsample":
        raise ParameterError(
            'class_weight="balanced_subsample", which weights every bag by its own class counts, is not '
            'supported; use "balanced", which uses all rows, BalancedRandomForestClassifier, or '
            'BaggingClassifier(CARTClassifier(class_weight="balanced", max_features="sqrt"))'
        )
    class_weight = series_to_dict(class_weight)
    if not isinstance(class_weight, Mapping):
        raise ParameterError(
            f"class_weight must be a dict from label to weight, 'balanced' or None, "
            f"got {value_text(class_weight)}"
        )
    labels = classes.tolist()
    absent = [label for label in labels if label not in class_weight]
    # With a single class the other labels are unknown; its model is constant.
    if len(labels) - len(absent) != len(class_weight) and (absent or len(labels) > 1):
        if absent:
            raise ParameterError(
                f"The classes, {absent}, are not in class_weight; its keys are {list(class_weight)}"
            )
        unknown = [label for label in class_weight if label not in labels]
        raise ParameterError(
            f"class_weight has the keys {unknown}, which are not labels of y; the labels are {labels}"
        )
    weights = []
    for label in labels:
        weight = class_weight.get(label, 1.0)
        if isinstance(weight, (bool, str)) or not hasattr(weight, "__float__") or isnan(float(weight)):
            raise ParameterError(
                f"class_weight of class {label!r} must be a number, got {value_text(weight)}"
            )
        weights.append(float(weight))
    return weights
