"""A fit to a source of rows, as the user requested it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np

from imbcore._bindings.options import Options
from imbcore._bindings.parameters import fractions_to_row_counts, parameters_to_json
from imbcore._bindings.training import NativeTrainingData, training_arguments
from imbcore._validation.labels import Target
from imbcore._validation.row_dependence import INDEPENDENT_ROWS, RowGroupsAndTimes
from imbcore.exceptions import UnsupportedError
from imbcore.streaming.metadata import SourceSummary

# Options that need single rows.
_ROW_OPTIONS = ("costs", "class_weight", "calibrate")


@dataclass(frozen=True, slots=True)
class FitRequest:
    """Method, parameters, options, and the result of the first pass.

    Each module for a kind of method (``counted``, ``sampled``, ``binned``, ``summed``) has a function
    ``fit(executor, request)`` that returns the native model: byte for byte the model of the same rows in
    memory. It raises ``UnsupportedError`` if the method, a parameter or an option needs all rows in memory,
    and ``DataError`` and ``ParameterError`` as :func:`imbcore.fit` does, also if the data changed between two
    passes.
    """

    method: str
    # Parameters of the method.
    parameters: Mapping[str, Any]
    # Options of all methods.
    options: Mapping[str, Any]
    summary: SourceSummary
    # Groups and times of the rows of positive weight.
    dependence: RowGroupsAndTimes = INDEPENDENT_ROWS

    def refuse_groups_and_times(self) -> None:
        """Refuse groups and times, for fits that do not have the groups and times of their rows.

        Raises
        ------
        UnsupportedError
            There are groups or times.
        """
        if not self.dependence.is_none:
            raise UnsupportedError(f"{self.method} with groups or time needs all rows in memory")

    @property
    def parameters_as_json(self) -> str:
        """Parameters as the native module reads them, with fractions of the rows as numbers of rows."""
        return parameters_to_json(
            self.method, fractions_to_row_counts(self.method, self.parameters, self.summary.n_weighted_rows)
        )

    def refuse_row_options(self) -> None:
        """Refuse options of single rows, for methods that learn from counts or sums.

        Raises
        ------
        UnsupportedError
            The message names the option.
        """
        given = [name for name in _ROW_OPTIONS if self.options.get(name) is not None]
        if self.summary.roles.weight is not None or given:
            option = given[0] if self.summary.roles.weight is None else "sample_weight"
            raise UnsupportedError(f"{self.method} with {option} needs all rows in memory")

    def training_arguments(self) -> AbstractContextManager[tuple[NativeTrainingData, Options]]:
        """Prepare training arguments with one weighted row for each class in place of the rows."""
        facts, schema = self.summary.facts, self.summary.schema
        codes = np.arange(len(facts), dtype=np.uint32)
        weights = np.array([of_class[2] for of_class in facts], dtype=np.float64)
        target = Target(codes, schema.classes, False)
        options = {**self.options, "sample_weight": weights}
        return training_arguments(self.method, [(codes, len(codes))], target, schema, options)
