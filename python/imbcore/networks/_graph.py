"""Arcs between named variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_list
from imbcore.exceptions import ParameterError

Arc = tuple[str, str]


@dataclass(frozen=True)
class PartialGraph:
    """Completed partially directed graph, common to all graphs of an equivalence class.

    Attributes
    ----------
    directed
        Arcs ``(parent, child)`` present in all of them.
    undirected
        Edges whose direction differs between them.
    """

    directed: list[Arc]
    undirected: list[Arc]


def variable_position(name: Any, names: Sequence[str], what: str) -> int:
    """Return the position of a variable."""
    try:
        return names.index(name)
    except ValueError:
        import difflib

        near = difflib.get_close_matches(str(name), names, n=3) or list(names[:10])
        hint = " or ".join(map(repr, near))
        raise ParameterError(f"{what}: there is no variable {name!r}; did you mean {hint}?") from None


def arcs_to_positions(arcs: Iterable[Any], names: Sequence[str], what: str) -> list[tuple[int, int]]:
    """Convert arcs of names to arcs of positions."""
    place = {name: at for at, name in enumerate(names)}
    numbered = []
    for arc in validate_list(what, arcs):
        if isinstance(arc, str) or not isinstance(arc, Sequence) or len(arc) != 2:
            raise ParameterError(f"{what} must hold pairs of a parent and a child, got {value_text(arc)}")
        ends = [place[end] if end in place else variable_position(end, names, what) for end in arc]
        numbered.append((ends[0], ends[1]))
    return numbered


def tiers_by_variable(tiers: Any, names: Sequence[str]) -> list[int]:
    """Return the tier of every variable, from a dict or lists of variables, first tier first."""
    if isinstance(tiers, Mapping):
        found = dict(tiers)
    else:
        found = {}
        for tier, members in enumerate(validate_list("tiers", tiers)):
            for name in map(str, validate_list("tiers", members)):
                if name in found:
                    raise ParameterError(f"tiers: variable {name!r} is listed twice")
                found[name] = tier
    for name in found:
        variable_position(name, names, "tiers")
    lacking = [name for name in names if name not in found]
    if lacking:
        raise ParameterError(f"tiers: variable {lacking[0]!r} is in no tier")
    return [found[name] for name in names]
