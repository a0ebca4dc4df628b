"""Models that are functions of counts, from pieces of the rows: Bayesian networks and naive Bayes.

The target is read first, then every other column by itself, of which the states are learnt exactly, then all
columns at once as codes of those states. How the rows are cut changes no count, and so no bit of the model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.training import named_columns
from imbcore._drawn.asked import Asked
from imbcore._input.frame import BorderFrame, n_frame_rows, predict_frame
from imbcore._input.schema import Schema
from imbcore._sources.room import give_back
from imbcore._sources.source import Source
from imbcore.exceptions import DataError, UnsupportedError

__all__ = ["fit", "widened"]

# Features of a piece, and the class codes of its rows.
_Take = Callable[[Any, NDArray[np.uint32]], object]
# Rows are counted in 32 bits, one of which is a sign elsewhere.
_MOST_ROWS = 2**31


def fit(source: Source, asked: Asked) -> native.models.Model:
    """Fit a method that learns from counts."""
    if source.n_rows >= _MOST_ROWS:
        raise UnsupportedError(f"{asked.method} counts fewer than {_MOST_ROWS:,} rows, got {source.n_rows:,}")
    asked.check_options()
    method, text, schema = asked.method, asked.text, asked.counted.schema
    with asked.parcels() as (training, options):
        pieces = native.models.Pieces(method, text, training, options)
        reading = _Reading(source.quiet(), asked)
        for feature in schema.features:
            one = Schema([feature], True, schema.classes)
            reading.read(one, lambda column, of: pieces.count(column[0], of))
            pieces.learn(options)
        give_back()
        # A column that says nothing about the class is not read again.
        telling = pieces.telling or [0]
        read = Schema([schema.features[at] for at in telling], True, schema.classes)

        def take(part: BorderFrame, of: NDArray[np.uint32]) -> None:
            pieces.take(widened(part, telling, schema), of, source.n_rows)

        reading.read(read, take, len(schema.features))
        give_back()
        return pieces.fit(method, text, training, options)


def widened(part: BorderFrame, telling: Sequence[int], schema: Schema) -> BorderFrame:
    """Put columns at their places among all features; nobody looks at the others, which hold nothing."""
    numbers, codes = np.zeros(n_frame_rows(part)), np.zeros(n_frame_rows(part), dtype=np.uint32)
    frame: BorderFrame = [
        numbers if feature.levels is None else (codes, len(feature.levels)) for feature in schema.features
    ]
    for at, column in zip(telling, part, strict=True):
        frame[at] = column
    return frame


@dataclass
class _Reading:
    """The readings of the features: all values once, and those of columns that tell something twice."""

    source: Source
    asked: Asked
    done: int = 0

    def read(self, schema: Schema, take: _Take, worth: int = 1) -> None:
        """Hand over the features of a schema and the class codes; a row is worth so many in progress."""
        counted, tell = self.asked.counted, self.asked.given["callback"]
        codes, names = counted.codes, counted.schema.names
        total = 2 * self.source.n_rows * len(names)
        with closing(self.source.pieces(schema.names)) as pieces:
            for start, piece in pieces:
                frame = predict_frame(piece, schema, self.asked.method, unseen="error")
                try:
                    with named_columns(names):
                        take(frame, codes[start : start + len(piece)].astype(np.uint32))
                except DataError as error:
                    raise DataError(f"{self.source.place(start)} and on: {error}", error.column) from error
                self.done += len(piece) * worth
                if tell is not None:
                    tell("values", self.done, total)
