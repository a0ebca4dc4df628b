"""Native calls that create splits and evaluate methods on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.parameters import parameters_to_json
from imbcore._bindings.training import training_arguments
from imbcore._validation.frame import NativeFrame
from imbcore._validation.labels import Target
from imbcore._validation.schema import Feature, Schema

Rows = tuple[NativeFrame, Target, Schema]
"""A table in native form."""


@dataclass(frozen=True, slots=True)
class NativeEvaluationPlan:
    """Splits and measurements of an evaluation in the form of the native module."""

    folds: int
    repeats: int
    groups: NDArray[np.uint32] | None
    time: NDArray[np.float64] | None
    gap_rows: int
    # In the unit of the times.
    gap_time: float | None
    # Alert budget, and the number of rows it refers to; None means all rows.
    alerts: tuple[float, float | None] | None


def placeholder_rows(codes: NDArray[np.uint32], classes: NDArray[Any]) -> Rows:
    """Return minimal rows with the given classes, sufficient for splitting."""
    schema = Schema([Feature("rows", ["all"])], True, classes)
    return [(np.zeros(len(codes), dtype=np.uint32), 1)], Target(codes, classes, False), schema


def create_splits(
    rows: Rows, plan: NativeEvaluationPlan, given: Mapping[str, Any]
) -> native.models.NativeEvaluation:
    """Create the splits; ``given`` are the options shared by all methods, including costs."""
    frame, target, schema = rows
    # Splitting is fast and needs no progress line.
    with training_arguments("", frame, target, schema, {**given, "verbose": 0}) as (training, options):
        return native.models.create_evaluation(training, plan, options)


def check_method_parameters(
    method: str, parameters: Mapping[str, Any], rows: Rows, given: Mapping[str, Any]
) -> None:
    """Validate the parameters of a method and its options without a fit.

    The estimate of the memory of a fit resolves all parameters; its result is not used.
    """
    frame, target, schema = rows
    with training_arguments(method, frame, target, schema, {**given, "verbose": 0}) as (training, options):
        native.models.estimate_fit_memory(method, parameters_to_json(method, parameters), training, options)


def cross_validate(
    method: str,
    name: str,
    parameters: Mapping[str, Any],
    rows: Rows,
    trial: native.models.NativeEvaluation,
    given: Mapping[str, Any],
) -> dict[str, Any]:
    """Cross-validate a method; returns scores and probabilities of the native module."""
    frame, target, schema = rows
    with training_arguments(method, frame, target, schema, given) as (training, options):
        return native.models.evaluate(
            method, name, parameters_to_json(method, parameters), training, trial, options
        )
