"""Models of sums over blocks of rows, which are read as often as a method asks for them: Fast Boxes.

Rows of the positive class are kept; of the others sums are, block after block in the order of the rows, as of
a table in memory. How the rows are cut changes no bit of the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any

import numpy as np

from imbcore._border import native
from imbcore._drawn.census import Counted
from imbcore._input.frame import BorderFrame, predict_frame
from imbcore._sources.source import Source
from imbcore._streamed.stand_in import stand_in

__all__ = ["fit"]

# Rows of a piece are a multiple of this, for sums are of so many rows.
_BLOCK = 1 << 14


def fit(
    source: Source,
    method: str,
    parameters: Mapping[str, Any],
    given: Mapping[str, Any],
    counted: Counted,
) -> native.models.Model:
    """Fit a method that reads the rows again and again.

    Parameters
    ----------
    source : Source
        Rows with a target.
    method : str
        Such as ``"fast_boxes"``.
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
    DataError
        As :func:`imbcore.fit`; the data changed between two readings.
    """
    blocks = source.quiet().by(max(1, source.chunk_rows // _BLOCK) * _BLOCK)

    def read() -> Iterator[BorderFrame]:
        with closing(blocks.pieces(blocks.features)) as pieces:
            for _, piece in pieces:
                yield predict_frame(piece, counted.schema, method, unseen="error")

    with stand_in(source, method, parameters, given, counted) as (text, training, options):
        codes = counted.codes.astype(np.uint32)
        return native.models.fit_rows(method, text, training, codes, read, options)
