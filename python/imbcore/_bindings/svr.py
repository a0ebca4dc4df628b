"""Native calls of SVR-Trees beyond a fit: penalty paths and their validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from imbcore._bindings import native
from imbcore._bindings.options import Options
from imbcore._bindings.parameters import parameters_to_json
from imbcore._bindings.progress import progress_callback
from imbcore._bindings.training import NativeTrainingData, name_native_columns_in_errors
from imbcore._validation.frame import NativeFrame
from imbcore._validation.labels import Target
from imbcore._validation.schema import Schema


def fit_svr_tree_path(
    parameters: Mapping[str, Any],
    penalties: Sequence[float],
    frame: NativeFrame,
    target: Target,
    schema: Schema,
    *,
    threads: tuple[Any, Any],
    verbose: Any,
    **given: Any,
) -> list[native.models.Model]:
    """Fit an SVR-Tree for every penalty; columns are sorted once."""
    with name_native_columns_in_errors(schema.names), progress_callback("svr_tree", verbose) as callback:
        training = NativeTrainingData.from_options(frame, target, schema, **given)
        return native.trees.svr_path(
            parameters_to_json("svr_tree", parameters),
            list(penalties),
            training,
            Options.from_options(0, *threads, callback),
        )


def predict_svr_tree_folds(
    parameters: Mapping[str, Any],
    penalties: Sequence[float],
    splits: Sequence[tuple[Any, Any]],
    frame: NativeFrame,
    target: Target,
    schema: Schema,
    *,
    threads: tuple[Any, Any],
    verbose: Any,
    **given: Any,
) -> list[tuple[Any, Any]]:
    """Predict test folds with the trees of their training sets: codes and probabilities."""
    rows = [(np.asarray(train, dtype=np.uint32), np.asarray(test, dtype=np.uint32)) for train, test in splits]
    with name_native_columns_in_errors(schema.names), progress_callback("svr_tree", verbose) as callback:
        training = NativeTrainingData.from_options(frame, target, schema, **given)
        params = parameters_to_json("svr_tree", parameters)
        options = Options.from_options(0, *threads, callback)
        return native.trees.svr_validate(params, list(penalties), rows, training, options)
