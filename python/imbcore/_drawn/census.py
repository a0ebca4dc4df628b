"""The first reading: labels, weights and names of a table, added up piece by piece."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.training import Facts, sample_weights
from imbcore._sources.met import Met

__all__ = ["Census", "Roles"]

_NOBODY: Facts = (0, 0, 0.0, 0.0, None)


@dataclass(frozen=True, slots=True)
class Roles:
    """What the columns of a table are: target, weights, features, and which of these are nominal."""

    target: str
    weight: str | None
    features: list[str]
    nominal: frozenset[str]

    @property
    def first(self) -> list[str]:
        """Columns of the first reading."""
        weight = [] if self.weight is None else [self.weight]
        return [self.target, *weight, *(name for name in self.features if name in self.nominal)]

    @property
    def all(self) -> list[str]:
        """Columns of the second reading."""
        weight = [] if self.weight is None else [self.weight]
        return [self.target, *weight, *self.features]


@dataclass
class Census(Met):
    """Rows and weights of every class, and levels of the nominal columns, of the pieces so far."""

    facts: list[Facts] = field(default_factory=list)

    def add(self, piece: Any, roles: Roles, who: str) -> None:
        """Add the next rows, an Arrow table with the columns ``roles.first``."""
        codes, weights = self.coded(piece, roles, who)
        self.facts = native.models.add_facts(self.facts, codes, weights)
        for index, name in enumerate(roles.features):
            if name in roles.nominal:
                self.add_levels(piece[name], name, index)

    def coded(
        self, piece: Any, roles: Roles, who: str
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64] | None]:
        """Code the labels of a piece by when each was first met, and read its weights."""
        if not len(piece):
            return np.empty(0, dtype=np.uint32), None
        codes = self.add_labels(piece[roles.target], who).astype(np.uint32)
        self.facts += [_NOBODY] * (len(self.places) - len(self.facts))
        weights = None if roles.weight is None else sample_weights(piece[roles.weight], len(piece))
        return codes, weights

    def join(self, other: Census) -> None:
        """Add what was counted of the rows behind these; their weights must be whole numbers, or none."""
        before = sum(facts[0] for facts in self.facts)
        self.labels += other.labels
        for label, at in other.places.items():
            place = self.places.setdefault(label, len(self.places))
            if place == len(self.facts):
                self.facts.append(_NOBODY)
            a, b = self.facts[place], other.facts[at]
            first = a[4] if a[4] is not None or b[4] is None else before + b[4]
            self.facts[place] = (a[0] + b[0], a[1] + b[1], a[2] + b[2], max(a[3], b[3]), first)
        for name, levels in other.levels.items():
            self.levels.setdefault(name, {}).update(levels)

    def facts_of(self, classes: NDArray[Any]) -> list[Facts]:
        """Return the facts of every class, in the order of the sorted labels."""
        return [self.facts[self.places[label]] for label in classes.tolist()]
