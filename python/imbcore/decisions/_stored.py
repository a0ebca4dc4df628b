"""What stands around models in files of the same layout: no code, and nothing that runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.frozen import FrozenEstimator

from imbcore._border import native
from imbcore._border.fitted import fitted_model
from imbcore.exceptions import ModelFormatError, UnsupportedError

__all__ = ["read_state", "write_state"]

# Parameters that no answer hangs on; a generator or a splitter is left out.
_OF_THE_FIT = ("cv", "random_state")
# Types of numbers in files, by their names there.
_NUMBERS = ("bool", "uint32", "int64", "float64")


def write_state(wrapper: Any, parameters: Mapping[str, Any], kept: Mapping[str, Any]) -> bytes:
    """Give the content of the file of a fitted wrapper.

    Parameters
    ----------
    wrapper : AroundClassifier
        Whose ``estimators_``, or else ``estimator_``, are models of imbcore, or wrappers around such.
    parameters : dict
        Those of its constructor but the estimator.
    kept : dict
        What its answers hang on, by the names of attributes.

    Raises
    ------
    UnsupportedError
        The estimator is of another library, or a parameter is code.
    """
    numbers: list[bytes] = []
    plain, who = {}, type(wrapper).__name__
    for name, value in parameters.items():
        try:
            plain[name] = _plain(value, numbers)
        except UnsupportedError:
            if name not in _OF_THE_FIT:
                what = type(value).__name__
                raise UnsupportedError(
                    f"a model file holds no code, and {name}= is a {what}: pickle the {who}"
                ) from None
    members = vars(wrapper).get("estimators_", [wrapper.estimator_])
    parts = [_model_bytes(member, who) for member in members]
    state = {name: _plain(value, numbers) for name, value in kept.items()}
    text = json.dumps({"models": len(parts), "parameters": plain, "state": state})
    return native.models.wrap(who, [text.encode(), *parts, *numbers])


def read_state(parts: list[bytes]) -> tuple[list[bytes], dict[str, Any], dict[str, Any]]:
    """Read files of models, parameters and state back."""
    try:
        told = json.loads(parts[0])
        n_models = int(told["models"])
        numbers = parts[1 + n_models :]
        parameters, state = (
            {str(name): _value(value, numbers) for name, value in told[what].items()}
            for what in ("parameters", "state")
        )
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise ModelFormatError(f"the model file is damaged: {error}") from error
    return parts[1 : 1 + n_models], parameters, state


def _model_bytes(member: Any, who: str) -> bytes:
    """Give the file of a member."""
    if isinstance(member, FrozenEstimator):
        member = member.estimator
    if hasattr(member, "_file"):
        content: bytes = member._file()
        return content
    if type(member).__module__.split(".")[0] != "imbcore":
        raise UnsupportedError(
            f"a model file holds no code, so only models of imbcore, and the estimator of this {who} is a "
            f"{type(member).__name__}: pickle the {who}, or write it with skops"
        )
    of_model: bytes = fitted_model(member, f"{who}.save", "to_bytes").to_bytes()
    return of_model


def _plain(value: Any, numbers: list[bytes]) -> Any:
    """Write a value as JSON does, with numbers of arrays beside it."""
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
        return {"pairs": [[_plain(key, numbers), _plain(own, numbers)] for key, own in value.items()]}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [_plain(own, numbers) for own in value]}
    raise UnsupportedError(f"a model file holds no code, and so no {type(value).__name__}")


def _value(plain: Any, numbers: list[bytes]) -> Any:
    if not isinstance(plain, dict):
        return plain
    ((kind, held),) = plain.items()
    if kind == "array":
        name, shape, place = held
        if name not in _NUMBERS:
            raise ValueError(f"it has numbers of the type {name!r}")
        return np.frombuffer(numbers[place], dtype=name).reshape(shape).copy()
    if kind == "pairs":
        return {_value(key, numbers): _value(own, numbers) for key, own in held}
    if kind not in ("list", "tuple"):
        raise ValueError(f"it has a {kind!r}")
    found = [_value(own, numbers) for own in held]
    return found if kind == "list" else tuple(found)
