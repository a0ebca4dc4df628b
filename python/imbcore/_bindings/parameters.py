"""Conversion of method parameters to JSON; names that refer to data are resolved in Rust."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from imbcore._bindings import native
from imbcore._validation.arguments import closest_name, suggest_alternative
from imbcore._validation.labelled import pandas_index_of, row_labels, series_to_dict
from imbcore._validation.options import OPTIONS
from imbcore._validation.unicode import reject_non_unicode_parameter
from imbcore._validation.value_text import value_text
from imbcore.exceptions import ParameterError


def parameters_to_json(method: str, parameters: Mapping[str, Any]) -> str:
    """Convert parameters of a method to JSON; the native module checks their ranges."""
    reject_non_unicode_parameter("method", method)
    reject_unknown_parameters(method, parameters)
    return json.dumps(to_json_values(method, parameters))


def to_json_values(method: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Convert parameters, or other values about a fit, to values of JSON with native names."""
    return _to_native_names({name: _to_json_value(value, method, name) for name, value in values.items()})


def reject_unknown_parameters(
    method: str, parameters: Mapping[str, Any], arguments: Collection[str] = ()
) -> None:
    """Reject unknown parameters of a method and of its base method.

    The native module rejects unknown methods.

    Parameters
    ----------
    method : str
        Name of the method.
    parameters : mapping
        Its parameters.
    arguments : collection of str
        Arguments of the function that the user calls, which are suggested, too.

    Raises
    ------
    ParameterError
        A name is unknown.
    """
    known = _parameter_names(method)
    if known is None:
        return
    every = [*known.parameters, *known.options, *known.nested, *arguments]
    for name in _flat_parameter_names(parameters, known):
        reject_non_unicode_parameter(f"{method}: the name of a parameter", name)
        if name not in every:
            if hint := suggest_alternative(name, arguments):
                raise ParameterError(f"unknown parameter of {method}: `{name}`{hint}")
            own = closest_name(name, known.qualified)
            meant = known.qualified.get(name) or closest_name(name, every) or known.qualified.get(own or "")
            listed = dict.fromkeys((*known.parameters, *(arguments or known.options)))
            names = ", ".join(f"`{one}`" for one in listed)
            hint = f"did you mean `{meant}`?" if meant else f"known names: {names}"
            raise ParameterError(f"unknown parameter of {method}: `{name}`; {hint}")
    inner = parameters.get("estimator_params")
    base = parameters.get("estimator", known.base)
    if isinstance(inner, Mapping) and isinstance(base, str):
        reject_unknown_parameters(base, inner)


def _flat_parameter_names(parameters: Mapping[str, Any], known: _KnownParameterNames) -> Iterator[str]:
    """Yield the names of parameters; those of nested parameters as ``search__time_limit``."""
    for name, value in parameters.items():
        yield name.replace(".", "__", 1)
        if name in known.nesting and isinstance(value, Mapping):
            yield from (f"{name}__{own}" for own in value if own != "name")


@dataclass(frozen=True)
class _KnownParameterNames:
    """Names of the parameters of a method.

    Parameters
    ----------
    parameters, options : tuple of str
        Parameters of the method, and options of all methods.
    nesting : frozenset of str
        Parameters with parameters of their own, such as ``search``.
    nested : tuple of str
        Parameters of these, such as ``search__time_limit``.
    qualified : mapping
        Full names by the last part.
    base : str or None
        Default base method.
    """

    parameters: tuple[str, ...]
    options: tuple[str, ...]
    nesting: frozenset[str]
    nested: tuple[str, ...]
    qualified: Mapping[str, str]
    base: str | None


@cache
def _parameter_names(method: str) -> _KnownParameterNames | None:
    """Return the names of the parameters of a method; None for an unknown method."""
    entry = next((one for one in json.loads(native.models.methods()) if one["name"] == method), None)
    if entry is None:
        return None
    specs = {spec["name"]: spec for spec in entry["params"]}
    nesting = {name: spec["choices"] for name, spec in specs.items() if spec["choices"]}
    pairs = {
        f"{name}__{own['name']}": own["name"]
        for name, ways in nesting.items()
        for way in ways
        for own in way["params"]
    }
    return _KnownParameterNames(
        tuple(specs),
        tuple(option.name for option in OPTIONS),
        frozenset(nesting),
        tuple(pairs),
        {own: full for full, own in reversed(pairs.items())},
        specs["estimator"]["default"] if "estimator" in specs else None,
    )


# Parameters that are numbers or fractions of rows, with their minimum number.
_IN_ROWS = {"min_samples_split": 2, "min_samples_leaf": 1}


def fractions_to_row_counts(method: str, parameters: Mapping[str, Any], n_rows: int) -> dict[str, Any]:
    """Convert fractions of rows to numbers, rounded up like scikit-learn; also in base methods."""
    shares = {
        name: parameters[name] for name in _IN_ROWS if isinstance(parameters.get(name), (float, np.floating))
    }
    for name, share in shares.items():
        if not 0.0 < share <= 1.0:
            raise ParameterError(
                f"{method}: parameter `{name}` must be a whole number of at least {_IN_ROWS[name]}, or a "
                f"fraction of the rows, a float in (0, 1], got {value_text(share)}"
            )
    numbers: dict[str, Any] = {
        name: max(_IN_ROWS[name], math.ceil(share * n_rows)) for name, share in shares.items()
    }
    inside = parameters.get("estimator_params")
    if isinstance(inside, Mapping):
        numbers["estimator_params"] = fractions_to_row_counts(method, inside, n_rows)
    return {**parameters, **numbers}


def _to_native_names(parameters: dict[str, Any]) -> dict[str, Any]:
    """Replace scikit-learn names by those of imbcore, also in the parameters of a base method."""
    if parameters.get("criterion") in ("log_loss", {"name": "log_loss"}):
        parameters["criterion"] = "entropy"
    if isinstance(parameters.get("estimator_params"), dict):
        _to_native_names(parameters["estimator_params"])
    return parameters


# Deeper nesting is a mistake, and would exhaust the stack of JSON parsers.
_MOST_NESTED = 32


def _to_json_value(value: Any, method: str, name: str, depth: int = 0) -> Any:
    if depth > _MOST_NESTED:
        outermost = name.partition("[")[0]
        raise ParameterError(f"{method}: parameter `{outermost}` is nested more than {_MOST_NESTED} deep")
    if isinstance(value, str):
        reject_non_unicode_parameter(f"{method}: parameter `{name}`", value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, float) and value == math.inf:
        # JSON has no infinity; the native module accepts this text for parameters that may be infinite.
        return "inf"
    if isinstance(value, type):
        raise ParameterError(
            f"{method}: parameter `{name}` must be an object, got the class {value.__name__}; create an "
            f"instance: {value.__name__}()"
        )
    if hasattr(value, "as_parameters"):
        return _to_json_value(value.as_parameters(), method, name, depth + 1)
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return _to_json_value(value.item(), method, name, depth + 1)
    if pandas_index_of(value) is not None and np.ndim(value) == 1:
        value = value.tolist() if row_labels(value) is None else series_to_dict(value)
    if isinstance(value, Mapping):
        items = {_key_to_text(key): item for key, item in value.items()}
        for key in items:
            reject_non_unicode_parameter(f"{method}: a key of parameter `{name}`", key)
        return {
            key: _to_json_value(item, method, f"{name}[{key!r}]", depth + 1) for key, item in items.items()
        }
    if isinstance(value, (list, tuple, set, frozenset, np.ndarray)):
        return [_to_json_value(item, method, name, depth + 1) for item in value]
    raise ParameterError(
        f"{method}: parameter `{name}` must be None or made of booleans, finite numbers and text, "
        f"got {value_text(value)}"
    )


def _key_to_text(key: Any) -> str:
    """Convert a key of a dict to text, as JSON requires; the key may be a class label."""
    label = key.item() if isinstance(key, np.generic) else key
    return json.dumps(label) if isinstance(label, (bool, int, float)) else str(label)
