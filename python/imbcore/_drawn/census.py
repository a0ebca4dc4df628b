"""The first reading: labels, weights and names of a table, added up piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.training import Facts, sample_weights
from imbcore._input.columns import Column, Level, Nominal, from_series, numbers_as_levels
from imbcore._input.labels import encode
from imbcore.exceptions import DataError

__all__ = ["Census", "Roles", "column_of"]

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


def column_of(table: Any, name: str, index: int, *, nominal: bool) -> Column:
    """Read a column of an Arrow table as a table in memory is read."""
    import narwhals.stable.v2 as nw

    column = from_series(nw.from_native(table[name], series_only=True), name, index)
    if nominal and not isinstance(column, Nominal):
        return numbers_as_levels(column, name)
    return column


@dataclass
class Census:
    """Rows and weights of every class, and levels of the nominal columns, of the pieces so far."""

    places: dict[Any, int] = field(default_factory=dict)
    labels: list[NDArray[Any]] = field(default_factory=list)
    facts: list[Facts] = field(default_factory=list)
    levels: dict[str, dict[Level, None]] = field(default_factory=dict)

    def add(self, piece: Any, roles: Roles, who: str) -> None:
        """Add the next rows, an Arrow table with the columns ``roles.first``."""
        codes, weights = self.coded(piece, roles, who)
        self.facts = native.models.add_facts(self.facts, codes, weights)
        self.add_levels(piece, roles)

    def add_levels(self, piece: Any, roles: Roles) -> None:
        """Add the levels of the nominal columns of the next rows."""
        for index, name in enumerate(roles.features):
            if name in roles.nominal:
                column = column_of(piece, name, index, nominal=True)
                assert isinstance(column, Nominal)
                self.levels.setdefault(name, {}).update(dict.fromkeys(column.levels))

    def coded(
        self, piece: Any, roles: Roles, who: str
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64] | None]:
        """Code the labels of a piece by when each was first met, and read its weights."""
        if not len(piece):
            return np.empty(0, dtype=np.uint32), None
        target = encode(piece[roles.target], who)
        met = target.classes.tolist()
        if any(label not in self.places for label in met):
            self.labels.append(target.classes)
            for label in met:
                if self.places.setdefault(label, len(self.places)) == len(self.facts):
                    self.facts.append(_NOBODY)
        place = np.array([self.places[label] for label in met], dtype=np.uint32)
        weights = None if roles.weight is None else sample_weights(piece[roles.weight], len(piece))
        return place[target.codes], weights

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

    def classes(self, who: str) -> tuple[NDArray[Any], list[Facts]]:
        """Sorted labels, and the facts of each.

        Raises
        ------
        DataError
            The labels of the pieces are of unlike types.
        """
        kinds = {labels.dtype.kind in "OUT" for labels in self.labels}
        if len(kinds) > 1:
            raise DataError("the target holds text in some pieces and numbers in others; give it one type")
        target = encode(np.concatenate(self.labels), who)
        return target.classes, [self.facts[self.places[label]] for label in target.classes.tolist()]

    def sorted_levels(self, name: str) -> list[Level]:
        """Levels of a nominal column in the order that they have in a table in memory."""
        found = list(self.levels.get(name, {}))
        if all(isinstance(level, (int, float)) for level in found):
            return sorted(found)
        return sorted(found, key=str)


def nominal_features(columns: Iterable[Any], features: Sequence[str], declared: Any) -> frozenset[str]:
    """Names of the features that are text, or that the user declared nominal by name or position."""
    kinds = {column.name: column.kind for column in columns}
    text = {name for name in features if kinds[name] == "text"}
    chosen = {features[item] if isinstance(item, int) else item for item in declared or ()}
    unknown = sorted(str(name) for name in chosen if name not in features)
    if unknown:
        raise DataError(
            f"categorical_features: there is no column {unknown[0]!r}; the features are {features}"
        )
    return frozenset(text | chosen)
