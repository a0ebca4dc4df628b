"""Models that are functions of counts, from pieces of the rows: Bayesian networks and naive Bayes.

The target is read first, then every other column by itself, of which the states are learnt exactly, then all
columns at once as codes of those states. How the rows are cut changes no count, and so no bit of the model.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.options import Callback
from imbcore._border.parameters import for_rows, params_text
from imbcore._border.training import parcels
from imbcore._drawn.census import Counted
from imbcore._input.frame import BorderFrame, predict_frame
from imbcore._input.labels import Target
from imbcore._input.schema import Schema
from imbcore._sources.source import Source
from imbcore.exceptions import UnsupportedError

__all__ = ["fit"]

# Rows are counted in 32 bits, one of which is a sign elsewhere.
_MOST_ROWS = 2**31

# Options that need rows which are not there.
_OF_ROWS = ("costs", "class_weight", "calibrate")


def fit(
    source: Source,
    method: str,
    parameters: Mapping[str, Any],
    given: Mapping[str, Any],
    counted: Counted,
) -> native.models.Model:
    """Fit a method that learns from counts.

    Parameters
    ----------
    source : Source
        Rows with a target.
    method : str
        Such as ``"naive_bayes"``.
    parameters, given : mappings
        Parameters of the method, and options of all methods.
    counted : Counted
        What the first reading brought.

    Returns
    -------
    native model
        Byte for byte that of all rows in memory.

    Raises
    ------
    UnsupportedError
        The method, a parameter or an option needs all rows in memory.
    """
    needs = [name for name in _OF_ROWS if given.get(name) is not None]
    if source.weight is not None or needs:
        what = "sample_weight" if source.weight is not None else needs[0]
        raise UnsupportedError(f"{method} with {what} needs all rows in memory")
    if source.n_rows >= _MOST_ROWS:
        raise UnsupportedError(f"{method} counts fewer than {_MOST_ROWS:,} rows, got {source.n_rows:,}")
    schema, masses = counted.schema, counted.masses
    # One row for every class stands for all of it.
    codes = np.arange(len(masses), dtype=np.uint32)
    weighed = {**given, "sample_weight": masses.astype(np.float64)}
    frame: BorderFrame = [(codes, len(codes))]
    target = Target(codes, schema.classes, False)
    text = params_text(method, for_rows(method, parameters, source.n_rows))
    with parcels(method, frame, target, schema, weighed) as (training, options):
        pieces = native.models.Pieces(method, text, training, options)
        reading = _Reading(source.quiet(), counted, method, given["callback"])
        for feature in schema.features:
            one = Schema([feature], True, schema.classes)
            with closing(reading.of(one)) as columns:
                for column, of in columns:
                    pieces.count(column[0], of)
            pieces.learn(options)
        with closing(reading.of(schema)) as parts:
            for part, of in parts:
                pieces.take(part, of, source.n_rows)
        return pieces.fit(method, text, training, options)


@dataclass
class _Reading:
    """The readings of the features: every value is read twice."""

    source: Source
    counted: Counted
    who: str
    tell: Callback | None
    done: int = 0

    def of(self, schema: Schema) -> Generator[tuple[Any, NDArray[np.uint32]]]:
        """Read the features of a schema in border form, beside the class codes of their rows."""
        total = 2 * self.source.n_rows * len(self.counted.schema.features)
        for start, piece in self.source.pieces(schema.names):
            frame = predict_frame(piece, schema, self.who, unseen="error")
            yield frame, self.counted.codes[start : start + len(piece)].astype(np.uint32)
            self.done += len(piece) * len(schema.features)
            if self.tell is not None:
                self.tell("values", self.done, total)
