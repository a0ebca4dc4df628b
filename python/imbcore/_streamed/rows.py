"""Models of sums over blocks of rows, which are read as often as a method asks for them: Fast Boxes.

Rows of the positive class are kept; of the others sums are, block after block in the order of the rows, as of
a table in memory. How the rows are cut changes no bit of the model.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import numpy as np

from imbcore._border import native
from imbcore._drawn.asked import Asked
from imbcore._input.frame import BorderFrame, predict_frame
from imbcore._sources.source import Source

__all__ = ["BLOCK", "fit"]

# Sums are of so many rows, so that the rows of a piece are a multiple of it.
BLOCK = 1 << 14


def fit(source: Source, asked: Asked) -> native.models.Model:
    """Fit a method that reads the rows again and again."""
    method, schema = asked.method, asked.counted.schema
    blocks = source.quiet().by(max(1, source.chunk_rows // BLOCK) * BLOCK)

    def read() -> Iterator[BorderFrame]:
        with closing(blocks.pieces(blocks.features)) as pieces:
            for _, piece in pieces:
                yield predict_frame(piece, schema, method, unseen="error")

    asked.check_options()
    with asked.parcels() as (training, options):
        codes = asked.counted.codes.astype(np.uint32)
        return native.models.fit_rows(method, asked.text, training, codes, read, options)
