"""Native calls of box models beyond a fit: weight paths and selection of settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from imbcore._bindings import native
from imbcore._bindings.options import Options
from imbcore._bindings.parameters import parameters_to_json
from imbcore._bindings.progress import progress_callback
from imbcore._bindings.training import NativeTrainingData, name_native_columns_in_errors, to_native_parameters
from imbcore._validation.frame import NativeFrame
from imbcore._validation.labels import Target, class_weight_to_codes
from imbcore._validation.schema import Schema
from imbcore._validation.values import validate_whole_number


def fit_exact_boxes_path(
    parameters: Mapping[str, Any],
    weights: Sequence[float],
    frame: NativeFrame,
    target: Target,
    schema: Schema,
    *,
    random_state: Any,
    threads: tuple[Any, Any],
    verbose: Any,
    **given: Any,
) -> list[native.models.BoxModel]:
    """Fit Exact Boxes for every weight of the other class."""
    params = parameters_to_json("exact_boxes", parameters)
    with name_native_columns_in_errors(schema.names), progress_callback("exact_boxes", verbose) as callback:
        training = NativeTrainingData.from_options(frame, target, schema, **given)
        options = Options.from_options(random_state, *threads, callback)
        return native.boxes.exact_path(params, list(weights), training, options)


def score_fast_boxes_settings(
    parameters: Mapping[str, Any],
    train: tuple[NativeFrame, Target, Any],
    test: tuple[NativeFrame, Any, Any],
    schema: Schema,
    n_boxes: list[int],
    expansions: list[float],
    *,
    class_weight: Any,
    positive: int,
    unit: float,
    seed: int,
    n_threads: int,
) -> Any:
    """Score settings of Fast Boxes on held-out rows; each part is (frame, labels, weights)."""
    frame, target, weights = train
    grid = (
        [validate_whole_number("n_boxes_grid", k, 1) for k in n_boxes],
        [float(expansion) for expansion in expansions],
    )
    with name_native_columns_in_errors(schema.names):
        training = NativeTrainingData(
            frame,
            target.codes,
            schema.to_json(),
            weights,
            class_weight_to_codes(class_weight, schema.classes),
            (None, "decision", None, None),
            positive,
        )
        options = Options(seed, n_threads)
        parameters, options = to_native_parameters("fast_boxes", parameters, target, (training, options))
        params = parameters_to_json("fast_boxes", parameters)
        return native.boxes.box_selection(params, training, test, grid, unit, options)
