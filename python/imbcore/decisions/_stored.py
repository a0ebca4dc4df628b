"""File format of decision wrappers: the layout of model files, without code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.frozen import FrozenEstimator

from imbcore._bindings import native
from imbcore._bindings.fitted import fitted_model
from imbcore._validation.costs import threshold_rule_to_text
from imbcore._validation.labelled import order_matrix_by_class, series_to_dict
from imbcore.exceptions import ModelFormatError, UnsupportedError

# Parameters that do not affect predictions; a generator or splitter is dropped.
_OF_THE_FIT = ("cv", "random_state")
# Numeric types of arrays in files.
_NUMBERS = ("bool", "uint32", "int64", "float64")


def serialize_wrapper(wrapper: Any, parameters: Mapping[str, Any], kept: Mapping[str, Any]) -> bytes:
    """Serialize a fitted wrapper.

    Parameters
    ----------
    wrapper : WrapperClassifier
        Wrapper whose ``estimators_``, or else ``estimator_``, are imbcore models, or wrappers of them.
    parameters : dict
        Constructor parameters except the estimator.
    kept : dict
        State needed for predictions, by attribute name.

    Raises
    ------
    UnsupportedError
        The estimator is of another library, or a parameter is code.
    """
    numbers: list[bytes] = []
    plain, who = {}, type(wrapper).__name__
    for name, value in parameters.items():
        try:
            plain[name] = _to_json_and_arrays(_remove_types(value, wrapper.classes_, name), numbers)
        except UnsupportedError:
            if name not in _OF_THE_FIT:
                what = type(value).__name__
                raise UnsupportedError(
                    f"a model file contains no code, and {name}= is a {what}: pickle the {who}"
                ) from None
    members = vars(wrapper).get("estimators_", [wrapper.estimator_])
    parts = [_model_bytes(member, who) for member in members]
    state = {name: _to_json_and_arrays(value, numbers) for name, value in kept.items()}
    text = json.dumps({"models": len(parts), "parameters": plain, "state": state})
    return native.models.wrap(who, [text.encode(), *parts, *numbers])


def deserialize_wrapper(parts: list[bytes]) -> tuple[list[bytes], dict[str, Any], dict[str, Any]]:
    """Deserialize model files, parameters and state."""
    try:
        header = json.loads(parts[0])
        n_models = int(header["models"])
        numbers = parts[1 + n_models :]
        parameters, state = (
            {str(name): _from_json_and_arrays(value, numbers) for name, value in header[what].items()}
            for what in ("parameters", "state")
        )
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise ModelFormatError(f"the model file is damaged: {error}") from error
    return parts[1 : 1 + n_models], parameters, state


def _model_bytes(member: Any, who: str) -> bytes:
    if isinstance(member, FrozenEstimator):
        member = member.estimator
    if hasattr(member, "_file"):
        return member._file()
    if type(member).__module__.split(".")[0] != "imbcore":
        raise UnsupportedError(
            f"a model file contains no code, so only imbcore models, and the estimator of this {who} is a "
            f"{type(member).__name__}: pickle the {who}, or write it with skops"
        )
    return fitted_model(member, f"{who}.save", "to_bytes").to_bytes()


def _remove_types(value: Any, classes: NDArray[Any], name: str) -> Any:
    """Convert series, labeled frames, and time spans of a threshold rule to plain values."""
    if name == "threshold" and isinstance(value, Mapping):
        return json.loads(threshold_rule_to_text(value, classes))
    if hasattr(value, "columns"):
        return order_matrix_by_class(value, classes.tolist(), name)
    return series_to_dict(value)


def _to_json_and_arrays(value: Any, numbers: list[bytes]) -> Any:
    """Convert a value to JSON types; arrays are appended to ``numbers``."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        if value.dtype.name not in _NUMBERS:
            value = value.astype(np.float64 if value.dtype.kind == "f" else np.int64)
        numbers.append(np.ascontiguousarray(value).tobytes())
        return {"array": [value.dtype.name, list(value.shape), len(numbers) - 1]}
    if isinstance(value, Mapping):
        return {
            "pairs": [
                [_to_json_and_arrays(key, numbers), _to_json_and_arrays(own, numbers)]
                for key, own in value.items()
            ]
        }
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [_to_json_and_arrays(own, numbers) for own in value]}
    raise UnsupportedError(f"a model file contains no code, and so no {type(value).__name__}")


def _from_json_and_arrays(plain: Any, numbers: list[bytes]) -> Any:
    if not isinstance(plain, dict):
        return plain
    ((kind, held),) = plain.items()
    if kind == "array":
        name, shape, place = held
        if name not in _NUMBERS:
            raise ValueError(f"it contains numbers of type {name!r}")
        return np.frombuffer(numbers[place], dtype=name).reshape(shape).copy()
    if kind == "pairs":
        return {_from_json_and_arrays(key, numbers): _from_json_and_arrays(own, numbers) for key, own in held}
    if kind not in ("list", "tuple"):
        raise ValueError(f"it contains a {kind!r}")
    found = [_from_json_and_arrays(own, numbers) for own in held]
    return found if kind == "list" else tuple(found)
