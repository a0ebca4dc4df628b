"""Calls that divide rows, and measure methods on the parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.parameters import params_text
from imbcore._border.training import parcels
from imbcore._input.frame import BorderFrame
from imbcore._input.labels import Target
from imbcore._input.schema import Schema

__all__ = ["Plan", "Rows", "divided", "evaluated"]

Rows = tuple[BorderFrame, Target, Schema]
"""A table in border form."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How rows are divided and what is measured, as the native module reads it."""

    folds: int
    repeats: int
    groups: NDArray[np.uint32] | None
    time: NDArray[np.float64] | None
    gap_rows: int
    # In units of the times.
    gap_time: float | None
    # So many, in so many rows; None is all there are.
    alerts: tuple[float, float | None] | None


def divided(rows: Rows, plan: Plan, given: Mapping[str, Any]) -> native.models.Trial:
    """Divide the rows; ``given`` are the options of all methods, of which costs are what is measured."""
    frame, target, schema = rows
    # The division is no matter of time.
    with parcels("", frame, target, schema, {**given, "verbose": 0}) as (training, options):
        return native.models.trial(training, plan, options)


def evaluated(
    method: str,
    parameters: Mapping[str, Any],
    rows: Rows,
    trial: native.models.Trial,
    given: Mapping[str, Any],
) -> dict[str, Any]:
    """Cross-validate a method; scores and probabilities as the native module gives them."""
    frame, target, schema = rows
    with parcels(method, frame, target, schema, given) as (training, options):
        return native.models.evaluate(method, params_text(method, parameters), training, trial, options)
