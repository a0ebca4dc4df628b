"""Models that are functions of counts, from pieces of the rows: Bayesian networks and naive Bayes.

The target is read first. Where one class is common, the rows of the others come next, and then all rows, of
which the common ones are counted between those; else every column by itself, of which all values are counted.
Either way the states are learnt exactly. Then all columns come at once as codes of those states. How the rows
are cut changes no count, and so no bit of the model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.options import Options
from imbcore._border.training import named_columns
from imbcore._drawn.asked import Asked
from imbcore._input.frame import BorderFrame, n_frame_rows, predict_frame
from imbcore._input.schema import Schema
from imbcore._sources.room import give_back
from imbcore._sources.source import Source
from imbcore.exceptions import DataError, UnsupportedError

__all__ = ["fit", "widened"]

# Features of a piece, the class codes of its rows, and the options of the fit.
_Take = Callable[[Any, NDArray[np.uint32], Options], object]
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
        reading = _Reading(source.quiet(), asked, pieces, options)
        if pieces.common is None:
            for feature in schema.features:
                reading.read(Schema([feature], True, schema.classes), pieces.count)
                pieces.learn(options)
        else:
            reading.read(schema, pieces.show, without=pieces.common)
            reading.read(schema, pieces.count)
            pieces.learn(options)
        give_back()
        # A column that says nothing about the class is not read again.
        telling = pieces.telling or [0]
        read = Schema([schema.features[at] for at in telling], True, schema.classes)

        def take(part: BorderFrame, of: NDArray[np.uint32], options: Options) -> None:
            pieces.take(widened(part, telling, schema), of, source.n_rows, options)

        reading.read(read, take, worth=len(schema.features))
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
    """The readings of the features: of rows that are shown, of all, and of columns that tell something."""

    source: Source
    asked: Asked
    pieces: native.models.Pieces
    options: Options
    done: int = 0

    def read(self, schema: Schema, take: _Take, *, without: int | None = None, worth: int = 0) -> None:
        """Hand over the features of a schema and the class codes, or those of all classes but one.

        A row is worth so many in progress; as many as it has features where that is 0.
        """
        counted, tell = self.asked.counted, self.asked.given["callback"]
        names, worth = schema.names, worth or len(schema.names)
        n_readings = 2 if self.pieces.common is None else 3
        total = n_readings * self.source.n_rows * len(counted.schema.names)
        with closing(self.source.pieces(names)) as pieces:
            for start, piece in pieces:
                codes = counted.codes[start : start + len(piece)].astype(np.uint32)
                part, of = piece, codes
                if without is not None:
                    part, of = piece.filter(codes != without), codes[codes != without]
                try:
                    if len(part):
                        frame = predict_frame(part, schema, self.asked.method, unseen="error")
                        with named_columns(names):
                            take(frame, of, self.options)
                except DataError as error:
                    raise DataError(f"{self.source.place(start)} and on: {error}", error.column) from error
                self.done += len(piece) * worth
                if tell is not None:
                    tell("values", self.done, total)
