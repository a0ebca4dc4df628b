"""Calls of box drawings beyond a fit: paths, proofs and the choice of settings."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from imbcore._border import native
from imbcore._border.options import resolve_seed, resolve_threads
from imbcore._border.parameters import params_text, translated
from imbcore._border.positive import training_code
from imbcore._border.training import named_columns, sample_weights
from imbcore._input.costs import cost_argument
from imbcore._input.frame import BorderFrame
from imbcore._input.labels import Target, class_weights
from imbcore._input.schema import Schema
from imbcore._input.values import whole_number

__all__ = ["box_selection", "exact_path", "exact_proof", "exact_verify", "incumbent"]


def exact_path(
    parameters: Mapping[str, Any],
    weights: Sequence[float],
    frame: BorderFrame,
    target: Target,
    schema: Schema,
    *,
    sample_weight: Any,
    class_weight: Any,
    costs: tuple[Any, Any, Any],
    positive: Any,
    random_state: Any,
    threads: tuple[Any, Any],
) -> list[native.Model]:
    """Fit Exact Boxes for every weight of a row of the other class."""
    row_weights = sample_weights(sample_weight, len(target.codes))
    with named_columns(schema.names):
        return native.exact_path(
            params_text("exact_boxes", translated("exact_boxes", parameters, schema)),
            list(weights),
            frame,
            target.codes,
            schema.to_json(),
            row_weights,
            class_weights(class_weight, schema.classes),
            cost_argument(*costs, schema.classes),
            training_code(positive, target.classes, target.codes, row_weights),
            resolve_seed(random_state),
            resolve_threads(*threads),
        )


def exact_proof(model: native.Model) -> dict[str, Any]:
    """Read what is proven of Exact Boxes."""
    proof: dict[str, Any] = json.loads(native.exact_proof(model))
    return proof


def exact_verify(
    model: native.Model,
    frame: BorderFrame,
    target: Target,
    schema: Schema,
    *,
    sample_weight: Any,
    class_weight: Any,
    costs: tuple[Any, Any, Any],
    seconds: float,
    threads: tuple[Any, Any],
) -> dict[str, Any]:
    """Value Exact Boxes and their certificates anew on the training rows."""
    with named_columns(schema.names):
        text = native.exact_verify(
            model,
            frame,
            target.codes,
            sample_weights(sample_weight, len(target.codes)),
            class_weights(class_weight, schema.classes),
            cost_argument(*costs, schema.classes),
            seconds,
            resolve_threads(*threads),
        )
    found: dict[str, Any] = json.loads(text)
    return found


def box_selection(
    parameters: Mapping[str, Any],
    train: tuple[BorderFrame, Target, Any],
    test: tuple[BorderFrame, Any, Any],
    schema: Schema,
    n_boxes: list[int],
    expansions: list[float],
    *,
    class_weight: Any,
    positive: int,
    scale: float,
    seed: int,
    n_threads: int,
) -> Any:
    """Score settings of Fast Boxes on held-out rows: frame, labels and weights of either part are given."""
    frame, target, weights = train
    test_frame, test_codes, test_weights = test
    with named_columns(schema.names):
        return native.box_selection(
            params_text("fast_boxes", parameters),
            frame,
            target.codes,
            len(target.classes),
            weights,
            class_weights(class_weight, schema.classes),
            positive,
            test_frame,
            test_codes,
            test_weights,
            [whole_number("n_boxes_grid", k, 1) for k in n_boxes],
            [float(expansion) for expansion in expansions],
            scale,
            seed,
            n_threads,
        )


def incumbent(stopped: BaseException) -> native.Model | None:
    """Find the model that a fit had when an exception stopped it, if it had one that is of use."""
    model: native.Model | None = getattr(stopped, "_imbcore_incumbent", None)
    return model
