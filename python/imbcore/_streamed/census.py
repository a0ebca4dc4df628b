"""The first reading of a source: its labels, and the levels of its columns of names, piece by piece."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._input.columns import Level, Nominal, from_series, numbers_as_levels
from imbcore._input.labels import encode
from imbcore._input.schema import Feature, Schema
from imbcore._sources.source import Source
from imbcore.exceptions import DataError, ParameterError

__all__ = ["Census", "census_of"]

# More different values than this are keys, and would fill the memory that pieces save.
_MOST_LEVELS = 1 << 20


@dataclass
class Census:
    """Labels of the rows so far, and the levels of every nominal column."""

    target: str
    # Whether a nominal column was declared to be one: numbers that are codes.
    nominal: dict[str, bool]
    places: dict[Any, int] = field(default_factory=dict)
    labels: list[NDArray[Any]] = field(default_factory=list)
    levels: dict[str, dict[Level, None]] = field(default_factory=dict)
    codes: list[NDArray[Any]] = field(default_factory=list)

    def add(self, piece: Any, who: str) -> None:
        """Add the next rows, an Arrow table with the target and all nominal columns."""
        target = encode(piece[self.target], who)
        met = target.classes.tolist()
        if any(label not in self.places for label in met):
            self.labels.append(target.classes)
            for label in met:
                self.places.setdefault(label, len(self.places))
        # By when each label was first met; of few labels one byte a row.
        place = np.array([self.places[label] for label in met])
        self.codes.append(place.astype(np.min_scalar_type(len(self.places)))[target.codes])
        for name in self.nominal:
            self._add_levels(piece[name], name)

    def _add_levels(self, values: Any, name: str) -> None:
        import narwhals.stable.v2 as nw

        column = from_series(nw.from_native(values, series_only=True), name, 0)
        if not isinstance(column, Nominal):
            column = numbers_as_levels(column, name)
        known = self.levels.setdefault(name, {})
        known.update(dict.fromkeys(column.levels))
        if len(known) > _MOST_LEVELS:
            raise DataError(
                f"column {name!r} has more than {_MOST_LEVELS:,} different values; leave it out, as keys say "
                "nothing about other rows"
            )

    def schema(self, features: list[str], who: str) -> Schema:
        """Describe the rows as a model remembers them.

        Raises
        ------
        DataError
            There is one class only, or the labels of the pieces are of unlike types.
        """
        if len({labels.dtype.kind in "OUT" for labels in self.labels}) > 1:
            raise DataError(f"column {self.target!r} holds text in some pieces and numbers in others")
        classes = encode(np.concatenate(self.labels), who).classes
        if len(classes) < 2:
            raise DataError(f"y holds 1 class only ({classes.tolist()[0]!r}); {who} needs at least 2 classes")
        return Schema([Feature(name, self._levels_of(name)) for name in features], True, classes)

    def _levels_of(self, name: str) -> list[Level] | None:
        """Levels in the order that they have in a table in memory; None of a column of numbers."""
        if name not in self.nominal:
            return None
        found = list(self.levels.get(name, {}))
        if not found and not self.nominal[name]:
            return None
        if all(isinstance(level, (int, float)) for level in found):
            return sorted(found)
        return sorted(found, key=str)

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
    census = Census(source.target, _nominal(source, given["categorical_features"]))
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


def _nominal(source: Source, declared: Any) -> dict[str, bool]:
    """Columns of names, and those that the user declared nominal by name or position."""
    features = source.features
    chosen = [
        features[item] if isinstance(item, int) and item < len(features) else item for item in declared or ()
    ]
    unknown = [name for name in chosen if name not in features]
    if unknown:
        raise ParameterError(
            f"categorical_features: there is no column {unknown[0]!r}; the columns are {features}"
        )
    text = [column.name for column in source.columns if column.kind == "text" and column.name in features]
    return dict.fromkeys(text, False) | dict.fromkeys(chosen, True)
