"""A forest from a source: what its trees see is drawn, read, and grown from."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.options import Options
from imbcore._border.training import Training
from imbcore._drawn.asked import Asked
from imbcore._drawn.census import read_pieces
from imbcore._drawn.gather import Gathered, Rows
from imbcore._input.schema import Schema
from imbcore._sources.source import Source
from imbcore.exceptions import UnsupportedError

__all__ = ["Plan", "fit", "n_trees", "planned"]


def n_trees(method: str, parameters: str) -> int | None:
    """Count the trees of a forest by its parameters; None of other methods, committees among them."""
    given = json.loads(parameters).get("n_estimators")
    methods = json.loads(native.models.methods())
    own: list[Any] = next((known["params"] for known in methods if known["name"] == method), [])
    defaults = {parameter["name"]: parameter["default"] for parameter in own}
    if "estimator" in defaults or "n_estimators" not in defaults:
        return None
    return int(defaults["n_estimators"] if given is None else given)


@dataclass(frozen=True)
class Plan:
    """A forest to be fitted: everything but the rows, and which rows those are."""

    method: str
    parameters: str
    training: Training
    options: Options
    schema: Schema
    drawn: list[NDArray[np.uint32]]

    def training_of(self, rows: Rows) -> Training:
        """Join the rows with what is said of them."""
        frame = rows.frame(self.schema)
        return replace(self.training, frame=frame, codes=rows.codes, sample_weight=rows.weights)


def planned(asked: Asked) -> AbstractContextManager[Plan]:
    """Draw the rows of a forest; the plan's options act while the context lasts."""
    if asked.given.get("costs") is not None:
        raise UnsupportedError(
            "costs of single rows cannot be learnt from rows that are read by pieces; give cost_matrix, one "
            "for all rows"
        )
    return _Planned(asked)


class _Planned(AbstractContextManager[Plan]):
    def __init__(self, asked: Asked) -> None:
        self.method, self.parameters = asked.method, asked.text
        self.schema, self.facts = asked.counted.schema, asked.counted.facts
        # A row for every class stands for the rows of the class.
        self.inside = asked.parcels()

    def __enter__(self) -> Plan:
        training, options = self.inside.__enter__()
        training = replace(training, facts=self.facts)
        try:
            drawn = native.models.draw(self.method, self.parameters, training, options)
        except BaseException as error:
            if not self.inside.__exit__(type(error), error, error.__traceback__):
                raise
        return Plan(self.method, self.parameters, training, options, self.schema, drawn)

    def __exit__(self, *error: Any) -> bool | None:
        return self.inside.__exit__(*error)


def fit(source: Source, asked: Asked) -> native.models.Model:
    """Fit a forest: the rows that its trees see are read now.

    A forest whose trees see at most a quarter of the rows each, such as ``"balanced_random_forest"``.
    """
    counted = asked.counted
    with planned(asked) as plan:
        gathered = Gathered(counted.roles, counted.schema, plan.drawn, asked.method)
        read_pieces(source, counted.roles, counted.roles.all, gathered.add)
        training = plan.training_of(gathered.rows())
        door = (False, None, False)
        return native.models.fit(asked.method, plan.parameters, training, door, plan.options)
