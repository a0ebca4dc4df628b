"""The second reading: of every piece the rows that some tree sees, and nothing else."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border.training import Training
from imbcore._drawn.census import Roles
from imbcore._input.frame import BorderFrame, predict_frame
from imbcore._input.labels import encode
from imbcore._input.schema import Schema
from imbcore._sources.arrow import pyarrow
from imbcore.exceptions import DataError

__all__ = [
    "Gathered",
    "Rows",
    "at_home",
    "codes_in",
    "columns_in",
    "drawn_in",
    "n_bytes",
    "refuse_infinity",
    "trained_at_home",
]

Drawn = Sequence[NDArray[np.uint32]]


def n_bytes(what: Any) -> int:
    """Count the bytes of arrays, also in tuples and lists."""
    if isinstance(what, (tuple, list)):
        return sum(map(n_bytes, what))
    return what.nbytes if isinstance(what, np.ndarray) else sys.getsizeof(what)


def at_home(what: Any) -> Any:
    """Give arrays that came over a network the places in memory that the native module reads."""
    if isinstance(what, (tuple, list)):
        return type(what)(map(at_home, what))
    return np.require(what, requirements=["C", "ALIGNED"]) if isinstance(what, np.ndarray) else what


def trained_at_home(given: Training) -> Training:
    """Do so with what is said of rows."""
    frame, codes, weights, costs = at_home((given.frame, given.codes, given.sample_weight, given.costs))
    return replace(given, frame=frame, codes=codes, sample_weight=weights, costs=costs)


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows that were read: a column of numbers, or of codes, for every feature; class codes; weights."""

    columns: list[NDArray[Any]]
    codes: NDArray[np.uint32]
    weights: NDArray[np.float64] | None

    def __sizeof__(self) -> int:
        """Count the bytes of the arrays, by which a scheduler knows what it costs to hold or move them."""
        return n_bytes((self.columns, self.codes, self.weights))

    def aligned(self) -> Rows:
        """Give arrays that came over a network the places in memory that the native module reads."""
        return Rows(*at_home((self.columns, self.codes, self.weights)))

    @classmethod
    def room(cls, schema: Schema, n_rows: int, *, weighted: bool) -> Rows:
        """Set memory aside, of which nothing is taken before it is written to."""
        columns = [
            np.empty(n_rows, np.float64 if feature.levels is None else np.uint32)
            for feature in schema.features
        ]
        return cls(columns, np.empty(n_rows, np.uint32), np.empty(n_rows) if weighted else None)

    @classmethod
    def joined(cls, parts: Sequence[Rows], schema: Schema) -> Rows:
        """Join parts that lie behind each other."""
        weighted = any(part.weights is not None for part in parts)
        rows, at = cls.room(schema, sum(len(part.codes) for part in parts), weighted=weighted), 0
        for part in parts:
            at = rows.put(at, part)
        return rows

    def put(self, at: int, part: Rows) -> int:
        """Write rows from a place on; return the place behind them."""
        place = slice(at, at + len(part.codes))
        for column, own in zip(self.columns, part.columns, strict=True):
            column[place] = own
        self.codes[place] = part.codes
        if self.weights is not None:
            self.weights[place] = part.weights
        return place.stop

    def frame(self, schema: Schema) -> BorderFrame:
        """Give the features the form of the border."""
        pairs = zip(schema.features, self.columns, strict=True)
        return [
            column if feature.levels is None else (column, len(feature.levels)) for feature, column in pairs
        ]

    def first(self, n_rows: int) -> Rows:
        """Give the first rows."""
        weights = None if self.weights is None else self.weights[:n_rows]
        return Rows([column[:n_rows] for column in self.columns], self.codes[:n_rows], weights)


def drawn_in(
    codes: NDArray[np.uint32], weights: NDArray[np.float64] | None, before: list[int], drawn: Drawn
) -> NDArray[np.bool_]:
    """Find the drawn rows of a piece.

    Parameters
    ----------
    codes, weights : arrays of shape (n_rows,)
        Class codes and weights of the piece's rows.
    before : list of int
        Rows with weight of each class in the pieces before, to which those of this piece are added.
    drawn : sequence of arrays
        For each class, which of its rows with weight are drawn, ascending.

    Returns
    -------
    array of bool, shape (n_rows,)
        Whether each row of the piece is drawn.
    """
    weighs = np.True_ if weights is None else weights > 0
    found = np.zeros(len(codes), dtype=np.bool_)
    for code, ranks in enumerate(drawn):
        own = np.flatnonzero((codes == code) & weighs)
        ends = np.array([before[code], before[code] + len(own)], dtype=ranks.dtype)
        low, high = np.searchsorted(ranks, ends)
        found[own[ranks[low:high].astype(np.int64) - before[code]]] = True
        before[code] += len(own)
    return found


def _lies_plain(column: Any) -> bool:
    """Whether NumPy may read an Arrow column where it lies: numbers, none missing, that float64 holds."""
    is_, type_ = pyarrow("rows").types, column.type
    exact = is_.is_floating(type_) or (is_.is_integer(type_) and type_.bit_width < 64)
    return bool(exact and column.null_count == 0)


def _picked(table: Any, drawn: NDArray[np.bool_]) -> list[NDArray[Any]]:
    """Pick the drawn rows of columns that lie plain, in a third of the time that Arrow takes."""
    parts, first = [], 0
    for batch in table.to_batches():
        places = np.flatnonzero(drawn[first : first + batch.num_rows])
        parts.append([np.from_dlpack(column)[places] for column in batch.columns])
        first += batch.num_rows
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


def codes_in(labels: Any, classes: NDArray[Any], who: str) -> NDArray[np.uint32]:
    """Give the labels of a piece of the rows the codes of the classes of all rows.

    Raises
    ------
    DataError
        A label is none of these.
    """
    if not len(labels):
        return np.empty(0, dtype=np.uint32)
    target = encode(labels, who)
    code = {label: at for at, label in enumerate(classes.tolist())}
    met = [code.get(label) for label in target.classes.tolist()]
    if None in met:
        raise DataError("the target holds a label that it did not hold a reading ago; did the data change?")
    return np.array(met, dtype=np.uint32)[target.codes]


def columns_in(features: Any, schema: Schema, who: str) -> list[NDArray[Any]]:
    """Give the features of a piece of the rows as arrays; of names the codes of the levels of all rows."""
    frame = predict_frame(features.select(schema.names), schema, who, unseen="error")
    return [column[0] if isinstance(column, tuple) else np.asarray(column) for column in frame]


def refuse_infinity(names: Sequence[str], columns: Sequence[NDArray[Any]]) -> None:
    """Refuse columns that hold infinity.

    Raises
    ------
    DataError
        The message names the column.
    """
    for name, column in zip(names, columns, strict=True):
        if column.dtype.kind == "f" and np.isinf(column).any():
            raise DataError(
                f"column {name!r}: holds infinity; replace it by a large number, or by NaN if it means "
                "missing"
            )


@dataclass
class Gathered:
    """Rows of the pieces so far, in the order of the table."""

    roles: Roles
    schema: Schema
    drawn: Drawn
    who: str
    # Rows with weight of each class in the pieces so far.
    before: list[int] = field(init=False)
    _room: Rows | None = field(default=None, init=False)
    _n_kept: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        """Begin before the first row."""
        self.before = [0] * len(self.schema.classes)

    def add(self, piece: Any) -> None:
        """Keep the drawn rows of the next piece, an Arrow table with the columns ``roles.all``."""
        if not len(piece):
            return
        codes = codes_in(piece[self.roles.target], self.schema.classes, self.who)
        weights = self.roles.weights_of(piece)
        drawn = drawn_in(codes, weights, self.before, self.drawn)
        if not drawn.any():
            return
        columns = self._kept(piece.select(self.roles.features), drawn)
        # Here it is known where the rows lie.
        refuse_infinity(self.schema.names, columns)
        part = Rows(columns, codes[drawn], None if weights is None else weights[drawn])
        if self._room is None:
            self._room = self._of_size(sum(map(len, self.drawn)))
        self._n_kept = self._room.put(self._n_kept, part)

    def _kept(self, table: Any, drawn: NDArray[np.bool_]) -> list[NDArray[Any]]:
        numeric = all(feature.levels is None for feature in self.schema.features)
        if numeric and all(map(_lies_plain, table.columns)):
            return _picked(table, drawn)
        # By a mask, which Arrow follows some times faster than a list of places.
        kept = table.filter(pyarrow("rows").array(drawn))
        return columns_in(kept, self.schema, self.who)

    def _of_size(self, n_rows: int) -> Rows:
        return Rows.room(self.schema, n_rows, weighted=self.roles.weight is not None)

    def rows(self) -> Rows:
        """All rows that were kept."""
        return self._of_size(0) if self._room is None else self._room.first(self._n_kept)
