"""Calls of SVR-Trees beyond a fit: paths of penalties and their validation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from imbcore._border import native
from imbcore._border.options import resolve_threads
from imbcore._border.parameters import params_text, translated
from imbcore._border.positive import training_code
from imbcore._border.training import named_columns, sample_weights
from imbcore._input.costs import cost_argument
from imbcore._input.frame import BorderFrame
from imbcore._input.labels import Target, class_weights
from imbcore._input.schema import Schema

__all__ = ["svr_growth", "svr_path", "svr_validate"]


def _svr_arguments(
    parameters: Mapping[str, Any],
    frame: BorderFrame,
    target: Target,
    schema: Schema,
    *,
    sample_weight: Any,
    class_weight: Any,
    costs: tuple[Any, Any, Any],
    positive: Any,
    threads: tuple[Any, Any],
) -> tuple[tuple[Any, ...], str]:
    """Arguments that a path and its validation share, in their order, and the parameters before them."""
    weights = sample_weights(sample_weight, len(target.codes))
    arguments = (
        frame,
        target.codes,
        schema.to_json(),
        weights,
        class_weights(class_weight, schema.classes),
        cost_argument(*costs, schema.classes),
        training_code(positive, target.classes, target.codes, weights),
        resolve_threads(*threads),
    )
    return arguments, params_text("svr_tree", translated("svr_tree", parameters, schema))


def svr_path(
    parameters: Mapping[str, Any], penalties: Sequence[float], *data: Any, **options: Any
) -> list[native.Model]:
    """Fit an SVR-Tree for every penalty; the data are sorted once."""
    arguments, params = _svr_arguments(parameters, *data, **options)
    with named_columns(data[2].names):
        return native.svr_path(params, list(penalties), *arguments)


def svr_validate(
    parameters: Mapping[str, Any],
    penalties: Sequence[float],
    splits: Sequence[tuple[Any, Any]],
    *data: Any,
    **options: Any,
) -> list[tuple[Any, Any]]:
    """Answer every test part by the trees of its training part: codes and probabilities by penalty."""
    arguments, params = _svr_arguments(parameters, *data, **options)
    rows = [(np.asarray(train, dtype=np.uint32), np.asarray(test, dtype=np.uint32)) for train, test in splits]
    with named_columns(data[2].names):
        return native.svr_validate(params, list(penalties), rows, *arguments)


def svr_growth(model: native.Model) -> dict[str, Any]:
    """Read the settings of an SVR-Tree and its state after every look at a node, as lists."""
    growth: dict[str, Any] = json.loads(native.svr_growth(model))
    return growth
