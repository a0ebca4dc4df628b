"""Estimate of the duration of a long fit, from fits of samples of its rows."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.frame import NativeFrame
from imbcore.exceptions import ImbcoreError

# Smaller tables are fitted too quickly for an estimate to help.
FEWEST_CELLS = 1_000_000
# Every 64th and every 16th row of each class; both fits take less than a tenth of the time of the whole fit.
STEPS = (64, 16)
# A class needs this number of rows in the smaller sample.
FEWEST_PER_CLASS = 2
# The time of a fit grows at least in proportion to the rows, and at most with their square.
EXPONENTS = (1.0, 2.0)


def estimate_duration(training: Any, fit: Callable[[Any], object]) -> str | None:
    """Estimate the duration of a fit from two samples; None for small tables and rare classes.

    The estimate extrapolates the times of both samples by a power of the number of rows.
    """
    n_rows, n_columns = len(training.codes), _n_columns(training.frame)
    counts = np.bincount(training.codes)
    if (
        n_rows * n_columns < FEWEST_CELLS
        or counts[counts > 0].min() < FEWEST_PER_CLASS * STEPS[0]
        or _has_costs_of_rows(training)
        or training.facts is not None
        or training.places is not None
    ):
        return None
    sizes, seconds = [], []
    for step in STEPS:
        rows = _every_nth_row_of_each_class(training.codes, step)
        sample = _select_training_rows(training, rows)
        begun = time.perf_counter()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                fit(sample)
        except (ImbcoreError, MemoryError):
            # The fit of the whole table reports its own errors.
            return None
        sizes.append(len(rows))
        seconds.append(time.perf_counter() - begun)
    growth = math.log(seconds[1] / seconds[0]) / math.log(sizes[1] / sizes[0])
    exponent = min(max(growth, EXPONENTS[0]), EXPONENTS[1])
    expected = seconds[1] * (n_rows / sizes[1]) ** exponent
    return (
        f"about {_duration_text(expected)}, estimated from trial fits of {sizes[0]:,} and {sizes[1]:,} rows"
    )


def _duration_text(seconds: float) -> str:
    """Write seconds with two digits, above two minutes as minutes."""
    number, unit = (seconds / 60, "minutes") if seconds > 120 else (seconds, "s")
    return f"{float(f'{number:.2g}'):,g} {unit}"


def _has_costs_of_rows(training: Any) -> bool:
    costs = training.costs[0]
    return isinstance(costs, list) or (isinstance(costs, np.ndarray) and costs.ndim != 2)


def _n_columns(frame: object) -> int:
    if isinstance(frame, list):
        return len(frame)
    return frame.shape[1] if isinstance(frame, np.ndarray) else 0


def _every_nth_row_of_each_class(codes: NDArray[np.uint32], step: int) -> NDArray[np.intp]:
    """Return every ``step``-th row of each class, in the order of the table."""
    kept = [np.flatnonzero(codes == code)[::step] for code in np.unique(codes)]
    return np.sort(np.concatenate(kept))


def _select_training_rows(training: Any, rows: NDArray[np.intp]) -> Any:
    frame = training.frame
    picked: NativeFrame
    if isinstance(frame, list):
        picked = [
            (column[0][rows], column[1]) if isinstance(column, tuple) else column[rows] for column in frame
        ]
    else:
        assert isinstance(frame, np.ndarray)
        picked = frame[rows]
    weights = training.sample_weight
    return replace(
        training,
        frame=picked,
        codes=training.codes[rows],
        sample_weight=None if weights is None else weights[rows],
        dependence=training.dependence.pick(rows),
    )
