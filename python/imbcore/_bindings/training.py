"""Native calls that train: conversion of rows, weights, costs and options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.duration_estimate import estimate_duration
from imbcore._bindings.options import Options
from imbcore._bindings.parameters import fractions_to_row_counts, parameters_to_json
from imbcore._bindings.positive import labels_to_json, training_positive_code
from imbcore._bindings.progress import print_if_verbose, progress_callback
from imbcore._bindings.user_objects import as_parameters
from imbcore._validation.costs import COST_OPTIONS, CostArgument, CostOptions, cost_options_to_native
from imbcore._validation.digits import bytes_text
from imbcore._validation.frame import NativeFrame
from imbcore._validation.labels import Target, class_weight_to_codes
from imbcore._validation.row_dependence import INDEPENDENT_ROWS, RowGroupsAndTimes
from imbcore._validation.schema import Schema
from imbcore._validation.user_warnings import warn_user
from imbcore._validation.values import validate_sample_weights as validate_sample_weights
from imbcore.exceptions import DataError

# Positions of rows in a table, and the number of rows of the table.
Places = tuple[NDArray[np.uint32], int]
# Per class: rows, rows of positive weight, sum of weights, largest weight, first row of that weight.
Facts = tuple[int, int, float, float, int | None]


@dataclass(frozen=True, slots=True)
class NativeWeightsAndCosts:
    """Classes, weights and costs of rows in the form of the native module."""

    codes: NDArray[np.uint32]
    labels: str
    sample_weight: NDArray[np.float64] | None
    class_weight: str | list[float] | None
    costs: CostArgument

    @classmethod
    def from_options(
        cls,
        target: Target,
        sample_weight: Any,
        class_weight: Any,
        costs: CostOptions,
        columns: tuple[Sequence[str], int] | None = None,
    ) -> NativeWeightsAndCosts:
        """Validate user input; ``columns``: column names of the table, and the positive class code."""
        return cls(
            target.codes,
            labels_to_json(target.classes),
            validate_sample_weights(sample_weight, len(target.codes)),
            class_weight_to_codes(class_weight, target.classes),
            cost_options_to_native(costs, target.classes, columns),
        )


@dataclass(frozen=True, slots=True)
class BinnedTable:
    """Binned table: one byte per row for numeric columns and nominal ones of up to 255 levels.

    ``columns`` has the smallest and the largest value of every bin of a numeric column, and the level codes
    of all rows and the number of levels of a nominal column.
    """

    codes: NDArray[np.uint8]
    columns: list[tuple[NDArray[np.float64], NDArray[np.float64]] | tuple[NDArray[np.uint32], int]]


@dataclass(frozen=True, slots=True)
class NativeTrainingData:
    """Training rows with their schema, weights and costs in the form of the native module."""

    frame: NativeFrame | BinnedTable
    codes: NDArray[np.uint32]
    schema: str
    sample_weight: NDArray[np.float64] | None
    class_weight: str | list[float] | None
    costs: CostArgument
    positive: int
    # Class statistics of the full table, if only some of its rows are present.
    facts: list[Facts] | None = None
    # Positions of these rows in the original table, and its length; None if they are the whole table.
    places: Places | None = None
    # Groups and times of the rows.
    dependence: RowGroupsAndTimes = INDEPENDENT_ROWS

    @classmethod
    def from_options(
        cls,
        frame: NativeFrame,
        target: Target,
        schema: Schema,
        *,
        sample_weight: Any,
        class_weight: Any,
        costs: CostOptions,
        positive: Any,
        dependence: RowGroupsAndTimes | None = None,
    ) -> NativeTrainingData:
        """Validate the input given by the user."""
        weights = validate_sample_weights(sample_weight, len(target.codes))
        code = training_positive_code(positive, target.classes, target.codes, weights)
        return cls(
            frame,
            target.codes,
            schema.to_json(),
            weights,
            class_weight_to_codes(class_weight, schema.classes),
            cost_options_to_native(costs, schema.classes, (schema.names, code)),
            code,
            dependence=dependence or INDEPENDENT_ROWS,
        )

    def class_masses(self, n_classes: int) -> NDArray[np.float64]:
        """Sum the weights of the rows by class, with those of classes and costs."""
        codes = self.codes.astype(np.intp)
        masses = np.bincount(codes, self.sample_weight, minlength=n_classes).astype(np.float64)
        matrix, strategy, _, _ = self.costs
        if strategy == "reweight" and n_classes > 1 and matrix is not None:
            masses = masses * _class_weights_from_costs(matrix, masses)
        if self.class_weight == "balanced":
            return (masses > 0).astype(np.float64)
        return masses if self.class_weight is None else masses * np.asarray(self.class_weight)


def _class_weights_from_costs(matrix: Any, masses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Class weights equivalent to a cost matrix; the native module rejects costs of rows."""
    if isinstance(matrix, str):
        present = np.where(masses > 0, masses, np.inf)
        return 1.0 / present if matrix == "balanced" else (masses.sum() - masses) / present
    if isinstance(matrix, list) or np.ndim(matrix) != 2:
        return np.ones(len(masses))
    return np.asarray(matrix, dtype=np.float64).sum(axis=1)


# Parameters that limit the duration of a fit.
LIMITS = ("budget", "time_limit")
# Returns the existing members of a warm start, or whether a later fit may continue this one.
Start = Callable[[Mapping[str, Any], NativeTrainingData, Options], Any]


@contextmanager
def name_native_columns_in_errors(names: Sequence[str]) -> Iterator[None]:
    """Replace the position of a column by its name in errors of the native module."""
    try:
        yield
    except DataError as error:
        column = error.column
        if column is None or not 0 <= column < len(names) or f"column {names[column]!r}: " in str(error):
            raise
        text = str(error).removeprefix(f"column {column}: ")
        raise DataError(f"column {names[column]!r}: {text}", column) from None


@contextmanager
def training_arguments(
    method: str, frame: NativeFrame, target: Target, schema: Schema, given: Mapping[str, Any]
) -> Iterator[tuple[NativeTrainingData, Options]]:
    """Prepare the training arguments and options for the duration of a native call."""
    with (
        name_native_columns_in_errors(schema.names),
        progress_callback(method, given["verbose"], given.get("callback")) as callback,
    ):
        training = NativeTrainingData.from_options(
            frame,
            target,
            schema,
            sample_weight=given["sample_weight"],
            class_weight=given["class_weight"],
            costs=tuple(given[name] for name in COST_OPTIONS),
            positive=given["positive"],
            dependence=given.get("dependence"),
        )
        seed_and_threads = (given["random_state"], given["n_threads"], given["n_jobs"])
        yield training, Options.from_options(*seed_and_threads, callback, given.get("fold"))


def fit(
    method: str,
    parameters: Mapping[str, Any],
    frame: NativeFrame,
    target: Target,
    schema: Schema,
    *,
    constant: bool,
    unit: float | None = None,
    start: Start | None = None,
    places: Places | None = None,
    **given: Any,
) -> native.models.Model:
    """Fit a method; every fit uses this function.

    ``constant`` allows rows of one class only; ``unit`` is the result of :func:`unit_weight` for a larger
    set of rows; ``start`` returns existing members of a warm start; ``places`` are the positions of the rows
    in the user's table and its length, if it has more rows; ``given`` are the options shared by all methods.
    """
    with training_arguments(method, frame, target, schema, given) as (training, options):
        training = replace(training, places=places)
        parameters, options = to_native_parameters(method, parameters, target, (training, options))
        begun = start is not None and start(parameters, training, options)
        context, text = (constant, unit, begun), parameters_to_json(method, parameters)
        if given["verbose"]:
            _report_memory(method, text, (training, options), target)
            limited = any(parameters.get(name) is not None for name in LIMITS)
            # Objects of the user, such as a clusterer, may have a state.
            if not begun and not limited and options.clusterer is None:
                quiet = replace(options, callback=None)
                duration = estimate_duration(
                    training, lambda sample: native.models.fit(method, text, sample, context, quiet)
                )
                print_if_verbose(method, duration is not None, f"will take {duration}")
        try:
            model = native.models.fit(method, text, training, context, options)
        except KeyboardInterrupt as stopped:
            found = incumbent_model(stopped)
            if not isinstance(found, native.models.SelectedModel):
                raise
            warn_user(
                "the fit was interrupted, so the model has only the members that were complete; leaderboard_ "
                "lists the others"
            )
            return found
    print_model_size(method, given["verbose"], model)
    return model


def _report_memory(
    method: str, text: str, arguments: tuple[NativeTrainingData, Options], target: Target
) -> None:
    """Write the size of the table and the estimated memory of a fit."""
    n_rows, n_classes = len(target.codes), len(target.classes)
    needed = native.models.estimate_fit_memory(method, text, *arguments)
    memory = f"needs at least {bytes_text(needed)} of memory" if needed else "memory not known in advance"
    print_if_verbose(method, True, f"{n_rows:,} rows, {n_classes} classes, {memory}")


def print_model_size(method: str, verbose: object, model: native.models.Model) -> None:
    """Write the size of a fitted model with ``verbose``."""
    if verbose:
        print_if_verbose(method, verbose, f"the model has {bytes_text(len(model.to_bytes()))} as a file")


def to_native_parameters(
    method: str, parameters: Mapping[str, Any], target: Target, arguments: tuple[NativeTrainingData, Options]
) -> tuple[dict[str, Any], Options]:
    """Replace fractions of rows, and user-defined objects, by values for the native module."""
    training, options = arguments
    parameters = fractions_to_row_counts(method, parameters, len(target.codes))
    n_classes = len(target.classes)
    parameters, clusterer = as_parameters(
        method, parameters, target.classes, lambda: training.class_masses(n_classes)
    )
    return parameters, replace(options, clusterer=clusterer)


def compute_weight_unit(
    target: Target,
    columns: tuple[Sequence[str], int],
    *,
    sample_weight: Any,
    class_weight: Any,
    costs: CostOptions,
) -> float:
    """Compute the weight unit by which weights are divided, before rows are split into folds.

    ``columns`` are the column names and the positive class code.
    """
    return native.models.unit_weight(
        NativeWeightsAndCosts.from_options(target, sample_weight, class_weight, costs, columns)
    )


def stratified_folds(codes: Any, n_folds: int) -> Any:
    """Return the test fold of each row, stratified; it depends only on the labels."""
    return native.protocols.stratified_folds(codes, n_folds, 0, 0, "deal")


def incumbent_model(stopped: BaseException) -> native.models.Model | None:
    """Return the best model of a fit that an exception stopped, if there is one."""
    return getattr(stopped, "_imbcore_incumbent", None)
