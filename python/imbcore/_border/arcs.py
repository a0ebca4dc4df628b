"""Arcs and tiers of Bayesian networks as users write them: by position or by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from imbcore.exceptions import ParameterError

__all__ = ["arcs_by_position"]

_ARCS = ("start_arcs", "required", "forbidden")
_CLASS = "class"


def arcs_by_position(method: str, parameters: Mapping[str, Any], names: Sequence[str]) -> Mapping[str, Any]:
    """Turn arcs and tiers given by names into positions; the class stands behind the last column.

    Parameters
    ----------
    method
        Who asks, for messages.
    parameters
        Parameters of the method; only arcs and tiers change.
    names
        Names of all columns.

    Returns
    -------
    Mapping
        The parameters.

    Raises
    ------
    ParameterError
        A name is that of no column, or what is given is no list of pairs.
    """
    changed: dict[str, Any] = {}
    for name in _ARCS:
        arcs = parameters.get(name)
        if arcs is not None:
            changed[name] = [_arc(method, name, arc, names) for arc in _listed(method, name, arcs)]
    tiers = parameters.get("tiers")
    if isinstance(tiers, Mapping):
        found = [0] * (len(names) + 1)
        for column, tier in tiers.items():
            found[_place(method, "tiers", column, names)] = tier
        changed["tiers"] = found
    return {**parameters, **changed} if changed else parameters


def _listed(method: str, name: str, arcs: Any) -> list[Any]:
    try:
        return list(arcs)
    except TypeError:
        raise ParameterError(f"{method}: parameter `{name}` must be a list of arcs, got {arcs!r}") from None


def _arc(method: str, name: str, arc: Any, names: Sequence[str]) -> list[int]:
    if isinstance(arc, str) or not isinstance(arc, Sequence) or len(arc) != 2:
        raise ParameterError(f"{method}: arcs of parameter `{name}` must be pairs (from, to), got {arc!r}")
    return [_place(method, name, end, names) for end in arc]


def _place(method: str, name: str, column: Any, names: Sequence[str]) -> int:
    """Position of a column, or of the class."""
    if isinstance(column, str):
        if column in names:
            return names.index(column)
        if column == _CLASS:
            return len(names)
    elif isinstance(column, int) and not isinstance(column, bool) and 0 <= column <= len(names):
        return column
    raise ParameterError(
        f"{method}: parameter `{name}` must name columns of the data or {_CLASS!r}, or give positions from 0 "
        f"to {len(names)}, got {column!r}; the columns are {', '.join(map(repr, names))}"
    )
