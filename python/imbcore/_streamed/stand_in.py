"""One row for every class, which stands for all its rows where a fit asks about classes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from imbcore._border.options import Options
from imbcore._border.parameters import for_rows, params_text
from imbcore._border.training import Training, parcels
from imbcore._drawn.census import Counted
from imbcore._input.frame import BorderFrame
from imbcore._input.labels import Target
from imbcore._sources.source import Source
from imbcore.exceptions import UnsupportedError

__all__ = ["stand_in"]

# Options that need rows which are not there.
_OF_ROWS = ("costs", "class_weight", "calibrate")


@contextmanager
def stand_in(
    source: Source, method: str, parameters: Mapping[str, Any], given: Mapping[str, Any], counted: Counted
) -> Iterator[tuple[str, Training, Options]]:
    """Give the parameters of a method, rows that stand for those of a source, and the options of the run.

    Raises
    ------
    UnsupportedError
        An option speaks of single rows.
    """
    needs = [name for name in _OF_ROWS if given.get(name) is not None]
    if source.weight is not None or needs:
        what = "sample_weight" if source.weight is not None else needs[0]
        raise UnsupportedError(f"{method} with {what} needs all rows in memory")
    schema, masses = counted.schema, counted.masses
    codes = np.arange(len(masses), dtype=np.uint32)
    frame: BorderFrame = [(codes, len(codes))]
    target = Target(codes, schema.classes, False)
    text = params_text(method, for_rows(method, parameters, source.n_rows))
    weighed = {**given, "sample_weight": masses.astype(np.float64)}
    with parcels(method, frame, target, schema, weighed) as (training, options):
        yield text, training, options
