"""A fit by counts whose rows lie in parts: what is counted of each part, how counts add up, and the model.

Each function is one of what it is given alone, so that a scheduler may call it anywhere, and again. Counts
are whole numbers: in whatever order parts are added up, the sums are the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.options import Options
from imbcore._border.training import Training, named_columns
from imbcore._drawn.census import Roles
from imbcore._drawn.gather import codes_in, columns_in, n_bytes, refuse_infinity, trained_at_home
from imbcore._input.columns import MISSING
from imbcore._input.frame import BorderColumn
from imbcore._input.schema import Schema
from imbcore._streamed.counted import widened

__all__ = ["CountedPlan", "Counts", "CountsOfAll", "States", "Tally"]

# Rows that are written out of counts at a time.
_AT_ONCE = 1 << 20
# Parameters that say what the states of columns are, by the beginnings of their names.
_OF_STATES = ("discretizer", "missing", "unseen")


@dataclass(frozen=True)
class Counts:
    """How many rows hold what was met: values of a column, or rows of codes, each once and in order."""

    met: NDArray[Any]
    rows: NDArray[np.uint32]

    def __sizeof__(self) -> int:
        """Count the bytes of the arrays, by which a scheduler knows what it costs to hold or move them."""
        return n_bytes((self.met, self.rows))

    @classmethod
    def of(cls, met: NDArray[Any]) -> Counts:
        """Count what every row holds."""
        met, rows = np.unique(met, return_counts=True)
        narrow = met.astype(np.float32) if met.dtype == np.float64 else met
        # Fewer bytes to move, where they hold the same.
        same = narrow is not met and np.array_equal(narrow.astype(np.float64), met, equal_nan=True)
        return cls(narrow if same else met, rows.astype(np.uint32))

    @classmethod
    def sum(cls, parts: Sequence[Counts]) -> Counts:
        """Add up counts of parts of the rows."""
        met, places = np.unique(np.concatenate([part.met for part in parts]), return_inverse=True)
        rows = np.bincount(places, np.concatenate([part.rows for part in parts]), len(met))
        return cls(met, rows.astype(np.uint32))

    def written_out(self) -> Iterator[NDArray[Any]]:
        """Give what every row holds, so many rows at a time that memory stays small."""
        ends = np.cumsum(self.rows, dtype=np.int64)
        n_rows = int(ends[-1]) if len(ends) else 0
        for start in range(0, n_rows, _AT_ONCE):
            rows = np.arange(start, min(start + _AT_ONCE, n_rows))
            yield self.met[np.searchsorted(ends, rows, side="right")]


# Of every column, what rows of each class hold; of rows of codes, which are one column.
Tally = list[list[Counts]]


@dataclass(frozen=True)
class States:
    """States of the columns that have more than one: as native text, and a value that stands for each."""

    text: str
    columns: list[int]
    # The last one is what is missing.
    values: list[NDArray[Any]]

    @property
    def kind(self) -> Any:
        """Type of the codes: a byte where that is enough."""
        return np.min_scalar_type(max(map(len, self.values)) - 1)

    def decoded(self, rows: NDArray[Any]) -> list[NDArray[Any]]:
        """Turn counted rows of codes into columns of values of the same states."""
        codes = rows.view(self.kind).reshape(len(rows), len(self.columns))
        return [values[codes[:, at]] for at, values in enumerate(self.values)]


@dataclass(frozen=True)
class CountsOfAll:
    """All that is known of the rows: the values of every column, their states, and the rows as codes."""

    values: Tally
    states: States
    rows: Tally

    def __sizeof__(self) -> int:
        """Count the bytes of the arrays."""
        return sum(
            one.__sizeof__() for tally in (self.values, self.rows) for column in tally for one in column
        )


@dataclass(frozen=True)
class CountedPlan:
    """A fit by counts: everything but the rows."""

    method: str
    parameters: str
    training: Training
    options: Options
    roles: Roles
    schema: Schema

    def fresh(self) -> native.models.Pieces:
        """Begin without a row."""
        training = trained_at_home(self.training)
        return native.models.Pieces(self.method, self.parameters, training, self.options)

    def tallied(self, piece: Any) -> Tally:
        """Count the values of every column of a part of the rows."""
        columns = self._columns(piece)
        refuse_infinity(self.schema.names, columns)
        classes = self._classes(piece)
        return [[Counts.of(column[own]) for own in classes] for column in columns]

    def _columns(self, piece: Any) -> list[NDArray[Any]]:
        nominal = [feature.levels is not None for feature in self.schema.features]
        if not len(piece):
            return [np.empty(0, np.uint32 if names else np.float32) for names in nominal]
        return columns_in(piece, self.schema, self.method)

    def _classes(self, piece: Any) -> list[NDArray[np.int64]]:
        """Places of the rows of each class."""
        codes = codes_in(piece[self.roles.target], self.schema.classes, self.method)
        return [np.flatnonzero(codes == code) for code in range(len(self.schema.classes))]

    def merged(self, parts: Sequence[Tally]) -> Tally:
        """Add up what was counted of some parts."""
        return [[Counts.sum(own) for own in zip(*of, strict=True)] for of in zip(*parts, strict=True)]

    def learnt(self, values: Tally) -> States:
        """Learn the states of all columns: what several rows hold has their number for a weight."""
        given = json.loads(self.parameters)
        own = json.dumps({name: given[name] for name in given if name.startswith(_OF_STATES)})
        found = [json.loads(self._learnt(at, tally, own)) for at, tally in enumerate(values)]
        rules = [one["columns"][0] for one in found]
        of = [_values_of(rule) for rule in rules]
        # A state of missing values is one more.
        several = [at for at, rule in enumerate(rules) if len(of[at]) - 1 + rule["gap_state"] > 1] or [0]
        text = json.dumps({**found[0], "columns": [rules[at] for at in several]})
        return States(text, several, [of[at] for at in several])

    def _learnt(self, at: int, tally: list[Counts], parameters: str) -> str:
        codes = np.arange(len(tally), dtype=np.uint32)
        classes = np.repeat(codes, [len(part.met) for part in tally]), len(tally)
        column = self._bordered(at, np.concatenate([part.met for part in tally]))
        weights = np.concatenate([part.rows for part in tally]).astype(np.float64)
        threads = self.options.n_threads
        with named_columns(self.schema.names[at : at + 1]):
            learn = native.discretization.discretizer_fit
            return learn(self.method, parameters, [column], classes, weights, threads)

    def _bordered(self, at: int, values: NDArray[Any]) -> BorderColumn:
        levels = self.schema.features[at].levels
        return values.astype(np.float64) if levels is None else (values, len(levels))

    def coded(self, piece: Any, states: States) -> Tally:
        """Count the rows of a part by the states that they hold."""
        columns = self._columns(piece)
        frame = [self._bordered(at, columns[at]) for at in states.columns]
        found = native.discretization.discretizer_encode(states.text, frame, self.options.n_threads)
        codes = np.empty((len(piece), len(frame)), states.kind)
        for at, (column, values) in enumerate(zip(found, states.values, strict=True)):
            codes[:, at] = np.where(np.isnan(column), len(values) - 1, column)
        # A row of codes is one value.
        rows = codes.view(np.dtype((np.void, codes.itemsize * len(frame)))).ravel()
        return [[Counts.of(rows[own]) for own in self._classes(piece)]]

    def grown(self, known: CountsOfAll, trees: tuple[int, int] | None) -> bytes:
        """Fit the model, as one machine does that reads rows with these values."""
        pieces, states = self.fresh(), known.states
        for at, tally in enumerate(known.values):
            with named_columns(self.schema.names):
                if pieces.common is not None:
                    for values, of in _rows(tally, pieces.common):
                        pieces.show([self._bordered(at, values)], of, self.options)
                for values, of in _rows(tally):
                    pieces.count([self._bordered(at, values)], of, self.options)
                pieces.learn(self.options)
        n_rows = sum(int(part.rows.sum()) for part in known.rows[0])
        for rows, of in _rows(known.rows[0]):
            part = zip(states.columns, states.decoded(rows), strict=True)
            frame = [self._bordered(at, values) for at, values in part]
            pieces.take(widened(frame, states.columns, self.schema), of, n_rows, self.options)
        training = trained_at_home(self.training)
        return pieces.fit(self.method, self.parameters, training, self.options).to_bytes()


def _values_of(rule: dict[str, Any]) -> NDArray[Any]:
    """Give a value for each state of a column, and last what is missing."""
    cuts = rule["values"].get("cuts")
    if cuts is None:
        return np.array([*range(len(rule["values"]["levels"])), MISSING], dtype=np.uint32)
    # A cut lies in the state below it.
    return np.array([*cuts, np.nextafter(cuts[-1], np.inf) if cuts else 0.0, np.nan])


def _rows(
    tally: list[Counts], without: int | None = None
) -> Iterator[tuple[NDArray[Any], NDArray[np.uint32]]]:
    """Write out the rows of one class after the other, or those of all but one."""
    for code, part in enumerate(tally):
        if code != without:
            for met in part.written_out():
                yield met, np.full(len(met), code, dtype=np.uint32)
