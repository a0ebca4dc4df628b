"""The first reading: labels, weights and names of a table, added up piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.training import Facts, sample_weights
from imbcore._input.columns import Level
from imbcore._input.schema import Feature, Schema
from imbcore._sources.arrow import pyarrow
from imbcore._sources.met import Met, nominal_columns
from imbcore._sources.room import give_back
from imbcore._sources.source import Source
from imbcore.exceptions import DataError, ParameterError

__all__ = ["Census", "Counted", "Roles", "about", "read_pieces"]

_NOBODY: Facts = (0, 0, 0.0, 0.0, None)


@dataclass(frozen=True, slots=True)
class Roles:
    """What the columns of a table are: target, weights, features, and which of these are nominal."""

    target: str
    weight: str | None
    features: list[str]
    # Whether a nominal column was declared to be one: numbers that are codes.
    nominal: dict[str, bool]
    # Columns whose type in the source is that of no value at all.
    untyped: frozenset[str] = frozenset()

    @classmethod
    def of(cls, source: Source, given: Mapping[str, Any]) -> Roles:
        """Say what the columns of a source are."""
        if source.target is None:
            raise ParameterError("y must be the name of the column of the source that holds the labels")
        nominal = nominal_columns(source.columns, source.features, given.get("categorical_features"))
        untyped = frozenset(column.name for column in source.columns if str(column.type) == "null")
        return cls(source.target, source.weight, source.features, nominal, untyped)

    @property
    def first(self) -> list[str]:
        """Columns of the first reading."""
        return [*self._beside, *(name for name in self.features if name in self.nominal)]

    @property
    def all(self) -> list[str]:
        """Columns of the second reading."""
        return [*self._beside, *self.features]

    @property
    def _beside(self) -> list[str]:
        return [self.target] if self.weight is None else [self.target, self.weight]

    def weights_of(self, piece: Any) -> NDArray[np.float64] | None:
        """Read the weights of a piece."""
        return None if self.weight is None else sample_weights(piece[self.weight], len(piece))

    def weighing(self, piece: Any) -> tuple[Any, NDArray[np.float64] | None]:
        """Take the rows with weight of a piece, and their weights."""
        weights = self.weights_of(piece)
        if weights is None or weights.all():
            return piece, weights
        kept = weights > 0
        return piece.filter(pyarrow("rows").array(kept)), weights[kept]


@dataclass
class Census(Met):
    """Rows and weights of every class, and levels of the nominal columns, of the pieces so far."""

    facts: list[Facts] = field(default_factory=list)

    def add(self, piece: Any, roles: Roles, who: str) -> NDArray[Any]:
        """Add the next rows, an Arrow table with ``roles.first``; code their labels by when each was met."""
        if not len(piece):
            return np.empty(0, dtype=np.uint8)
        with about(roles.target):
            codes = self.add_labels(piece[roles.target], who)
        self.facts += [_NOBODY] * (len(self.places) - len(self.facts))
        with about(roles.weight):
            weights = roles.weights_of(piece)
            self.facts = native.models.add_facts(self.facts, codes.astype(np.uint32), weights)
        # A table in memory is read without the rows of weight 0, so their levels are none.
        weighing, _ = roles.weighing(piece)
        for index, name in enumerate(roles.features):
            if name in roles.nominal and len(weighing):
                self.add_levels(weighing[name], name, index)
        return codes

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

    def counted(self, roles: Roles, who: str, codes: Sequence[NDArray[Any]] = ()) -> Counted:
        """Sum up; ``codes`` are those of all pieces, where they are to be kept."""
        classes = self.classes(roles.target, who)
        features = [Feature(name, self._levels_of(name, roles)) for name in roles.features]
        code = {label: at for at, label in enumerate(classes.tolist())}
        rank = np.array([code[label] for label in self.places], dtype=np.min_scalar_type(len(code)))
        facts = [self.facts[self.places[label]] for label in classes.tolist()]
        of_rows = rank[np.concatenate(codes)] if codes else rank[:0]
        without_values = [
            at
            for at, name in enumerate(roles.features)
            if name in roles.untyped or (name in roles.nominal and not self.levels.get(name))
        ]
        schema = Schema(features, True, classes, without_values=without_values)
        return Counted(roles, schema, facts, of_rows)

    def _levels_of(self, name: str, roles: Roles) -> list[Level] | None:
        """Levels as a table in memory has them; None of a column of numbers, or of nothing."""
        if name not in roles.nominal:
            return None
        return self.sorted_levels(name) or ([] if roles.nominal[name] else None)


@dataclass(frozen=True, slots=True)
class Counted:
    """A source after its first reading: its columns and classes, and the class code of every row."""

    roles: Roles
    schema: Schema
    # Of every class, in the order of the sorted labels.
    facts: list[Facts]
    # In few bytes a row; none where nobody keeps them.
    codes: NDArray[Any]

    @classmethod
    def of(cls, source: Source, who: str, given: Mapping[str, Any]) -> Counted:
        """Read target, weights and nominal columns of a source.

        Raises
        ------
        DataError
            A row has no label; the message names file and row. Or a weight is none.
        """
        roles, census = Roles.of(source, given), Census()
        codes: list[NDArray[Any]] = []
        read_pieces(source, roles, roles.first, lambda piece: codes.append(census.add(piece, roles, who)))
        return census.counted(roles, who, codes)

    @property
    def masses(self) -> NDArray[np.int64]:
        """Rows of every class."""
        return np.array([facts[0] for facts in self.facts], dtype=np.int64)

    @property
    def n_weighing(self) -> int:
        """Number of rows with weight."""
        return sum(facts[1] for facts in self.facts)


def read_pieces(source: Source, roles: Roles, columns: list[str], take: Callable[[Any], object]) -> None:
    """Hand over all pieces of some columns of a source; errors say where in it they arose."""
    _hand_over(source, roles, columns, take)
    # What follows, such as the growth of a forest, takes as much again. Nobody holds a piece here.
    give_back()


def _hand_over(source: Source, roles: Roles, columns: list[str], take: Callable[[Any], object]) -> None:
    # Closed at once, so that no reader stays behind an error.
    with closing(source.pieces(columns)) as pieces:
        for start, piece in pieces:
            try:
                take(piece)
            except DataError as error:
                raise DataError(f"{_place(source, roles, start, piece)}: {error}", error.column) from error


def _place(source: Source, roles: Roles, start: int, piece: Any) -> str:
    """Say where a piece lies, to the row if a label is missing there."""
    missing = np.flatnonzero(piece[roles.target].is_null(nan_is_null=True).to_numpy())
    return source.place(start + int(missing[0])) if missing.size else f"{source.place(start)} and on"


@contextmanager
def about(column: str | None) -> Iterator[None]:
    """Name the column that an error speaks of."""
    try:
        yield
    except DataError as error:
        raise DataError(f"column {column!r}: {error}", error.column) from error
