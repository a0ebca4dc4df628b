"""The second reading: of every piece the rows that some tree sees, and nothing else."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._drawn.census import Roles
from imbcore._input.frame import BorderFrame, predict_frame
from imbcore._input.labels import encode
from imbcore._input.schema import Schema
from imbcore.exceptions import DataError

__all__ = ["Gathered", "Rows", "n_bytes", "places_in"]

Drawn = Sequence[NDArray[np.uint32]]


def n_bytes(what: Any) -> int:
    """Count the bytes of arrays, also in tuples and lists."""
    if isinstance(what, (tuple, list)):
        return sum(map(n_bytes, what))
    return what.nbytes if isinstance(what, np.ndarray) else sys.getsizeof(what)


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

        def at_home(array: NDArray[Any]) -> NDArray[Any]:
            return np.require(array, requirements=["C", "ALIGNED"])

        weights = None if self.weights is None else at_home(self.weights)
        return Rows([at_home(column) for column in self.columns], at_home(self.codes), weights)


def places_in(
    codes: NDArray[np.uint32], weights: NDArray[np.float64] | None, before: list[int], drawn: Drawn
) -> NDArray[np.int64]:
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
    array of int64
        Places of the drawn rows in the piece, ascending.
    """
    weighs = np.True_ if weights is None else weights > 0
    found = []
    for code, ranks in enumerate(drawn):
        own = np.flatnonzero((codes == code) & weighs)
        low, high = np.searchsorted(ranks, [before[code], before[code] + len(own)])
        found.append(own[ranks[low:high].astype(np.int64) - before[code]])
        before[code] += len(own)
    return np.sort(np.concatenate(found))


@dataclass
class Gathered:
    """Rows of the pieces so far, in the order of the table."""

    roles: Roles
    schema: Schema
    drawn: Drawn
    who: str
    # Rows with weight of each class in the pieces so far.
    before: list[int] = field(init=False)
    _parts: list[Rows] = field(default_factory=list)
    _code: dict[Any, int] = field(init=False)

    def __post_init__(self) -> None:
        """Begin before the first row."""
        labels = self.schema.classes.tolist()
        self.before = [0] * len(labels)
        self._code = {label: code for code, label in enumerate(labels)}

    def add(self, piece: Any) -> None:
        """Keep the drawn rows of the next piece, an Arrow table with the columns ``roles.all``."""
        if not len(piece):
            return
        codes, weights = self._coded(piece[self.roles.target]), self.roles.weights_of(piece)
        places = places_in(codes, weights, self.before, self.drawn)
        if not len(places):
            return
        kept = piece.take(places).select(self.roles.features)
        frame = predict_frame(kept, self.schema, self.who, unseen="error")
        columns = [column[0] if isinstance(column, tuple) else column for column in frame]
        # Here it is known where the rows lie.
        for name, column in zip(self.schema.names, columns, strict=True):
            if column.dtype.kind == "f" and np.isinf(column).any():
                raise DataError(
                    f"column {name!r}: holds infinity; replace it by a large number, or by NaN if it means "
                    "missing"
                )
        self._parts.append(Rows(columns, codes[places], None if weights is None else weights[places]))

    def _coded(self, labels: Any) -> NDArray[np.uint32]:
        target = encode(labels, self.who)
        met = [self._code.get(label) for label in target.classes.tolist()]
        if None in met:
            raise DataError(
                "the target holds a label that it did not hold a reading ago; did the data change?"
            )
        return np.array(met, dtype=np.uint32)[target.codes]

    @property
    def n_parts(self) -> int:
        """Number of pieces of which rows were kept."""
        return len(self._parts)

    def append(self, rows: Rows | None) -> None:
        """Take over rows that somebody else kept of the next piece."""
        if rows is not None:
            self._parts.append(rows)

    def rows(self) -> Rows:
        """All rows; the parts are given back column by column, so that little is held twice."""
        columns: list[NDArray[Any]] = []
        for index in range(len(self.schema.features)):
            columns.append(np.concatenate([part.columns[index] for part in self._parts]))
            for part in self._parts:
                part.columns[index] = columns[-1][:0]
        codes = np.concatenate([part.codes for part in self._parts])
        weights = [part.weights for part in self._parts if part.weights is not None]
        self._parts.clear()
        return Rows(columns, codes, np.concatenate(weights) if weights else None)

    def frame(self, rows: Rows) -> BorderFrame:
        """Give rows the form of the border."""
        pairs = zip(self.schema.features, rows.columns, strict=True)
        return [
            column if feature.levels is None else (column, len(feature.levels)) for feature, column in pairs
        ]
