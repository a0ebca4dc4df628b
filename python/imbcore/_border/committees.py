"""The call that assembles a committee of members that Python teaches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imbcore._border import native
from imbcore._border.options import Options
from imbcore._border.parameters import params_text
from imbcore._border.training import Training, named_columns
from imbcore._input.frame import BorderFrame
from imbcore._input.labels import Target
from imbcore._input.row_costs import foreign_costs
from imbcore._input.schema import Schema

__all__ = ["assemble"]


def assemble(
    method: str,
    parameters: Mapping[str, Any],
    rows: tuple[BorderFrame, Target, Schema],
    teacher: Any,
    *,
    sample_weight: Any,
    class_weight: Any,
    cost_matrix: Any,
    costs: Any,
    cost_strategy: Any,
    threshold: Any,
    calibrate: Any,
    positive: Any,
    random_state: Any,
    n_threads: Any,
    n_jobs: Any,
) -> dict[str, Any]:
    """Assemble a committee: its members, their rows, how they are heard, and how answers are given."""
    foreign_costs(costs)
    frame, target, schema = rows
    with named_columns(schema.names):
        training = Training.of(
            frame,
            target,
            schema,
            sample_weight=sample_weight,
            class_weight=class_weight,
            costs=(cost_matrix, None, cost_strategy, threshold, calibrate),
            positive=positive,
        )
        options = Options.of(random_state, n_threads, n_jobs)
        takes_weights = teacher.takes_weights
        text = params_text(method, parameters)
        return native.committees.assemble(method, text, training, teacher, takes_weights, options)
