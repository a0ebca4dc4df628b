"""Native calls with members fitted in Python: ensembles, and MetaCost relabeling."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from imbcore._bindings import native
from imbcore._bindings.options import Options
from imbcore._bindings.parameters import parameters_to_json
from imbcore._bindings.training import NativeTrainingData, Start, to_native_parameters, training_arguments
from imbcore._validation.frame import NativeFrame
from imbcore._validation.labels import Target
from imbcore._validation.row_costs import reject_row_costs
from imbcore._validation.schema import Schema

Parameters = Mapping[str, Any]
Rows = tuple[NativeFrame, Target, Schema]


def relabel_to_cheapest_class(
    parameters: Parameters, rows: Rows, base_learner: Any, **given: Any
) -> dict[str, Any]:
    """Relabel rows to the class of minimum cost; returns labels, fit rows and decision."""
    with _training_arguments("metacost", rows, given) as (training, options):
        text = parameters_to_json("metacost", parameters)
        return native.ensembles.relabel(text, training, base_learner, options)


def fit_python_ensemble(
    method: str, parameters: Parameters, rows: Rows, base_learner: Any, start: Start, **given: Any
) -> dict[str, Any]:
    """Fit an ensemble of Python members: members, their rows, voting scheme and decision.

    ``start`` returns existing members with the digests of their training data; True if there are none but the
    digests should be kept for a later warm start, and False without warm starts. ``given`` are the options
    shared by all methods.
    """
    with _training_arguments(method, rows, given) as (training, options):
        parameters, options = to_native_parameters(method, parameters, rows[1], (training, options))
        begun = start(parameters, training, options)
        cached = None if begun is False else [] if begun is True else begun
        text = parameters_to_json(method, parameters)
        return native.ensembles.fit_external_ensemble(method, text, training, base_learner, cached, options)


def _training_arguments(
    method: str, rows: Rows, given: Mapping[str, Any]
) -> AbstractContextManager[tuple[NativeTrainingData, Options]]:
    reject_row_costs(given["costs"])
    return training_arguments(method, *rows, given)
