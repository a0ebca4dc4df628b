"""What a fit of a source of rows is asked for: all that the roads need beside the source."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np

from imbcore._border.options import Options
from imbcore._border.parameters import for_rows, params_text
from imbcore._border.training import Training, parcels
from imbcore._drawn.census import Counted
from imbcore._input.labels import Target
from imbcore.exceptions import UnsupportedError

__all__ = ["Asked"]

# Options that need rows which are not there.
_OF_ROWS = ("costs", "class_weight", "calibrate")


@dataclass(frozen=True, slots=True)
class Asked:
    """A fit to a source whose target was read.

    A road is a function of a source and this, and returns the native model: byte for byte the one that all
    rows in memory give, however they are cut into files and pieces. A road raises ``UnsupportedError`` where
    the method, a parameter or an option needs all rows in memory, and ``DataError`` and ``ParameterError`` as
    :func:`imbcore.fit` does, also where the data changed between two readings.
    """

    method: str
    # Parameters of the method.
    parameters: Mapping[str, Any]
    # Options of all methods.
    given: Mapping[str, Any]
    # What the first reading brought.
    counted: Counted

    @property
    def text(self) -> str:
        """The parameters as the native module reads them, shares of the rows as numbers."""
        return params_text(self.method, for_rows(self.method, self.parameters, self.counted.n_weighing))

    def check_options(self) -> None:
        """Refuse options of single rows, where a model is one of counts or of sums over all rows.

        Raises
        ------
        UnsupportedError
            The message names the option.
        """
        needs = [name for name in _OF_ROWS if self.given.get(name) is not None]
        if self.counted.roles.weight is not None or needs:
            what = needs[0] if self.counted.roles.weight is None else "sample_weight"
            raise UnsupportedError(f"{self.method} with {what} needs all rows in memory")

    def parcels(self) -> AbstractContextManager[tuple[Training, Options]]:
        """Let a row for every class stand for the rows of the class, where a fit asks about classes."""
        counted = self.counted
        codes = np.arange(len(counted.facts), dtype=np.uint32)
        weights = np.array([facts[2] for facts in counted.facts], dtype=np.float64)
        target = Target(codes, counted.schema.classes, False)
        given = {**self.given, "sample_weight": weights}
        return parcels(self.method, [(codes, len(codes))], target, counted.schema, given)
