"""Labels and levels collected batch by batch, as those of a table in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.columns import EXACT, Column, Level, Nominal, column_from_series, numbers_as_levels
from imbcore._validation.frame import declared_nominal_positions
from imbcore._validation.labels import encode_target_labels
from imbcore.exceptions import DataError

# A column with more different values holds keys, and would need the memory that batches save.
MOST_LEVELS = 1 << 20


def arrow_to_column(values: Any, name: str, index: int, *, nominal: bool) -> Column:
    """Convert an Arrow column as a column in memory."""
    import narwhals.stable.v2 as nw

    column = column_from_series(nw.from_native(values, series_only=True), name, index)
    if nominal and not isinstance(column, Nominal):
        return numbers_as_levels(column, name)
    return column


@dataclass
class LabelsAndLevels:
    """Labels in order of appearance, and the levels of the nominal columns."""

    places: dict[Any, int] = field(default_factory=dict)
    labels: list[NDArray[Any]] = field(default_factory=list)
    levels: dict[str, dict[Level, None]] = field(default_factory=dict)

    def add_labels(self, values: Any, method: str) -> NDArray[Any]:
        """Encode the labels of the next rows in order of appearance, in as few bytes as possible."""
        target = encode_target_labels(values, method)
        found = target.classes.tolist()
        for label in found:
            if isinstance(label, int) and abs(label) > EXACT:
                raise DataError(
                    f"a label is the integer {label}, beyond 2**53, where float64 does not hold every "
                    "integer; write labels as text or as smaller numbers"
                )
        if any(label not in self.places for label in found):
            self.labels.append(target.classes)
            for label in found:
                self.places.setdefault(label, len(self.places))
        place = np.array([self.places[label] for label in found])
        return place.astype(np.min_scalar_type(len(self.places)))[target.codes]

    def add_levels(self, values: Any, name: str, index: int) -> None:
        """Add the levels of the next rows of a nominal column.

        Raises
        ------
        DataError
            There are too many: the column holds keys.
        """
        column = arrow_to_column(values, name, index, nominal=True)
        assert isinstance(column, Nominal)
        known = self.levels.setdefault(name, {})
        known.update(dict.fromkeys(column.levels))
        if len(known) > MOST_LEVELS:
            raise DataError(
                f"column {name!r} has more than {MOST_LEVELS:,} different values; leave it out, because "
                "keys do not inform about other rows"
            )

    def classes(self, target: str, method: str) -> NDArray[Any]:
        """Sort the labels of all rows.

        Raises
        ------
        DataError
            There is only one class, or labels have different types in different batches.
        """
        if len({labels.dtype.kind in "OUT" for labels in self.labels}) > 1:
            raise DataError(
                f"column {target!r} holds text in some rows and numbers in others; give it one type"
            )
        classes = encode_target_labels(np.concatenate(self.labels), method).classes
        if len(classes) < 2:
            raise DataError(
                f"y holds 1 class only ({classes.tolist()[0]!r}); {method} needs at least 2 classes"
            )
        return classes

    def sorted_levels(self, name: str) -> list[Level]:
        """Levels of a nominal column, in the order of a table in memory."""
        found = list(self.levels.get(name, {}))
        if all(isinstance(level, (int, float)) for level in found):
            return sorted(found)
        return sorted(found, key=str)


def find_nominal_features(columns: Iterable[Any], features: Sequence[str], declared: Any) -> dict[str, bool]:
    """Find nominal features, and whether the user declared them by name, position or mask.

    Raises
    ------
    ParameterError
        A declared name or position is not among the features.
    """
    chosen = [features[at] for at in sorted(declared_nominal_positions(declared, features, len(features)))]
    known = set(features)
    text = [column.name for column in columns if column.kind == "text" and column.name in known]
    return dict.fromkeys(text, False) | dict.fromkeys(chosen, True)
