"""The first reading of a source: its labels, and the levels of its columns of names, piece by piece."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._input.columns import Level
from imbcore._input.schema import Feature, Schema
from imbcore._sources.met import Met, nominal_columns
from imbcore._sources.source import Source
from imbcore.exceptions import DataError, ParameterError

__all__ = ["Census", "census_of"]


@dataclass
class Census(Met):
    """Labels of the rows so far, and the levels of every nominal column."""

    target: str = ""
    # Whether a nominal column was declared to be one: numbers that are codes.
    nominal: dict[str, bool] = field(default_factory=dict)
    codes: list[NDArray[Any]] = field(default_factory=list)

    def add(self, piece: Any, who: str) -> None:
        """Add the next rows, an Arrow table with the target and all nominal columns."""
        self.codes.append(self.add_labels(piece[self.target], who))
        for index, name in enumerate(self.nominal):
            self.add_levels(piece[name], name, index)

    def schema(self, features: list[str], who: str) -> Schema:
        """Describe the rows as a model remembers them."""
        classes = self.classes(self.target, who)
        return Schema([Feature(name, self._levels_of(name)) for name in features], True, classes)

    def _levels_of(self, name: str) -> list[Level] | None:
        """Levels as a table in memory has them; None of a column of numbers, or of nothing."""
        if name not in self.nominal:
            return None
        return self.sorted_levels(name) or ([] if self.nominal[name] else None)

    def class_codes(self, schema: Schema) -> NDArray[Any]:
        """Class code of every row, in as few bytes as there are classes."""
        code = {label: at for at, label in enumerate(schema.classes.tolist())}
        rank = np.array([code[label] for label in self.places], dtype=np.min_scalar_type(len(code)))
        codes: NDArray[Any] = rank[np.concatenate(self.codes)]
        return codes


def census_of(source: Source, who: str, given: Mapping[str, Any]) -> Census:
    """Read the target and the nominal columns of a source.

    Raises
    ------
    DataError
        A row has no label; the message names file and row.
    """
    if source.target is None:
        raise ParameterError("y must be the name of the column of the source that holds the labels")
    nominal = nominal_columns(source.columns, source.features, given["categorical_features"])
    census = Census(target=source.target, nominal=nominal)
    with closing(source.pieces([source.target, *census.nominal])) as pieces:
        for start, piece in pieces:
            try:
                census.add(piece, who)
            except DataError as error:
                raise DataError(f"{_place(source, start, piece)}: {error}", error.column) from error
    return census


def _place(source: Source, start: int, piece: Any) -> str:
    """Say where a piece lies, to the row if a label is missing there."""
    missing = np.flatnonzero(piece[source.target].is_null(nan_is_null=True).to_numpy())
    if not missing.size:
        return f"{source.place(start)} and on"
    return f"{source.place(start + int(missing[0]))}: column {source.target!r}"
