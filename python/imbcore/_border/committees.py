"""The call that assembles a committee of members that Python teaches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imbcore._border import native
from imbcore._border.options import Options
from imbcore._border.parameters import params_text
from imbcore._border.training import Start, Training, named_columns
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
    start: Start,
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
    """Assemble a committee: its members, their rows, how they are heard, and how answers are given.

    ``start`` gives the members to begin with by the digests of what they were taught: True for none of them
    where a later committee is to begin with those of this one, and False where none is.
    """
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
        begun = start(parameters, training, options)
        lessons = None if begun is False else [] if begun is True else begun
        text = params_text(method, parameters)
        return native.committees.assemble(method, text, training, teacher, lessons, options)
