"""Monotone constraints as users write them: by position or by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from imbcore.exceptions import ParameterError

__all__ = ["by_position"]

_NAME = "monotonic_cst"


def by_position(method: str, parameters: Mapping[str, Any], names: Sequence[str]) -> Mapping[str, Any]:
    """Turn constraints given by the names of features into a list in the order of the features.

    Parameters
    ----------
    method
        Who asks, for messages.
    parameters
        Parameters of the method; only constraints that are a mapping change.
    names
        Names of all features.

    Returns
    -------
    Mapping
        The parameters; features that are not named are free.

    Raises
    ------
    ParameterError
        A name is that of no feature.
    """
    given = parameters.get(_NAME)
    if not isinstance(given, Mapping):
        return parameters
    for name in given:
        if name not in names:
            raise ParameterError(
                f"{method}: parameter `{_NAME}` must name features of the data, got {name!r}; "
                f"their names are {', '.join(map(repr, names))}"
            )
    return {**parameters, _NAME: [given.get(name, 0) for name in names]}
