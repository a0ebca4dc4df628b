"""First pass over the rows: labels, weights and levels, added up batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.training import Facts, validate_sample_weights
from imbcore._validation.columns import Level
from imbcore._validation.schema import Feature, Schema
from imbcore.exceptions import DataError, ParameterError
from imbcore.streaming.memory import release_memory
from imbcore.streaming.readers.arrow import pyarrow
from imbcore.streaming.readers.source import Source
from imbcore.streaming.readers.vocabulary import LabelsAndLevels, find_nominal_features

# Facts of a class without rows.
NO_ROWS: Facts = (0, 0, 0.0, 0.0, None)


@dataclass(frozen=True, slots=True)
class ColumnRoles:
    """Roles of the columns of a table: target, weights, features, nominal features."""

    target: str
    weight: str | None
    features: list[str]
    # Of each nominal feature, whether the user declared it (numbers that are codes).
    nominal: dict[str, bool]
    # Columns whose type in the source is null, so that they have no value.
    untyped: frozenset[str] = frozenset()
    # Columns of groups and times that are read with the others.
    additional: tuple[str, ...] = ()

    @classmethod
    def from_source(cls, source: Source, options: Mapping[str, Any]) -> ColumnRoles:
        """Read the roles of the columns of a source."""
        if source.target is None:
            raise ParameterError("y must be the name of the column of the source that holds the labels")
        nominal = find_nominal_features(source.columns, source.features, options.get("categorical_features"))
        untyped = frozenset(column.name for column in source.columns if str(column.type) == "null")
        return cls(source.target, source.weight, source.features, nominal, untyped)

    @property
    def first(self) -> list[str]:
        """Columns of the first pass."""
        return [*self._non_features, *(name for name in self.features if name in self.nominal)]

    @property
    def all(self) -> list[str]:
        """Columns of later passes."""
        return [*self._non_features, *self.features]

    @property
    def _non_features(self) -> list[str]:
        weight = [] if self.weight is None else [self.weight]
        return list(dict.fromkeys([self.target, *weight, *self.additional]))

    def weights_of(self, table: Any) -> NDArray[np.float64] | None:
        """Read the weights of the rows of a table."""
        return None if self.weight is None else validate_sample_weights(table[self.weight], len(table))


@dataclass
class MetadataScan(LabelsAndLevels):
    """Rows and weights of each class, and levels of the nominal columns, in the rows so far."""

    facts: list[Facts] = field(default_factory=list)

    def add(self, table: Any, roles: ColumnRoles, method: str) -> NDArray[Any]:
        """Add the next rows, an Arrow table; labels are encoded in order of appearance."""
        if not len(table):
            return np.empty(0, dtype=np.uint8)
        with name_column_in_errors(roles.target):
            codes = self.add_labels(table[roles.target], method)
        self.facts += [NO_ROWS] * (len(self.places) - len(self.facts))
        with name_column_in_errors(roles.weight):
            weights = roles.weights_of(table)
            self.facts = native.models.update_class_stats(self.facts, codes.astype(np.uint32), weights)
        # Rows of weight 0 are left out, as for tables in memory: their levels do not count.
        weighted = (
            table if weights is None or weights.all() else table.filter(pyarrow("rows").array(weights > 0))
        )
        for index, name in enumerate(roles.features):
            if name in roles.nominal and len(weighted):
                self.add_levels(weighted[name], name, index)
        return codes

    def join(self, other: MetadataScan) -> None:
        """Add the rows of a scan behind these; their weights must be integers or absent."""
        before = sum(facts[0] for facts in self.facts)
        self.labels += other.labels
        for label, at in other.places.items():
            place = self.places.setdefault(label, len(self.places))
            if place == len(self.facts):
                self.facts.append(NO_ROWS)
            a, b = self.facts[place], other.facts[at]
            first = a[4] if a[4] is not None or b[4] is None else before + b[4]
            self.facts[place] = (a[0] + b[0], a[1] + b[1], a[2] + b[2], max(a[3], b[3]), first)
        for name, levels in other.levels.items():
            self.levels.setdefault(name, {}).update(levels)

    def summarize(self, roles: ColumnRoles, method: str, codes: Sequence[NDArray[Any]] = ()) -> SourceSummary:
        """Summarize all rows; ``codes`` are those of all batches, or empty if they are not needed."""
        classes = self.classes(roles.target, method)
        features = [Feature(name, self._feature_levels(name, roles)) for name in roles.features]
        code = {label: at for at, label in enumerate(classes.tolist())}
        rank = np.array([code[label] for label in self.places], dtype=np.min_scalar_type(len(code)))
        facts = [self.facts[self.places[label]] for label in classes.tolist()]
        row_codes = rank[np.concatenate(codes)] if codes else rank[:0]
        without_values = [
            at
            for at, name in enumerate(roles.features)
            if name in roles.untyped or (name in roles.nominal and not self.levels.get(name))
        ]
        schema = Schema(features, True, classes, without_values=without_values)
        return SourceSummary(roles, schema, facts, row_codes)

    def _feature_levels(self, name: str, roles: ColumnRoles) -> list[Level] | None:
        """Levels as of a table in memory; None of a numeric column, or of one without values."""
        if name not in roles.nominal:
            return None
        return self.sorted_levels(name) or ([] if roles.nominal[name] else None)


@dataclass(frozen=True, slots=True)
class SourceSummary:
    """Result of the first pass: columns, classes, and the class code of each row."""

    roles: ColumnRoles
    # Numeric columns without a value are not known yet.
    schema: Schema
    # For each class, in the order of the sorted labels.
    facts: list[Facts]
    # In as few bytes as possible; empty on a cluster.
    codes: NDArray[Any]

    @classmethod
    def from_source(cls, source: Source, method: str, options: Mapping[str, Any]) -> SourceSummary:
        """Read target, weights and nominal columns of a source.

        Raises
        ------
        DataError
            A row has no label; the message names file and row. Or a weight is invalid.
        """
        roles, scan = ColumnRoles.from_source(source, options), MetadataScan()
        codes: list[NDArray[Any]] = []
        read_batches(
            source, roles, roles.first, lambda _, table: codes.append(scan.add(table, roles, method))
        )
        return scan.summarize(roles, method, codes)

    @property
    def class_counts(self) -> NDArray[np.int64]:
        """Number of rows of each class."""
        return np.array([facts[0] for facts in self.facts], dtype=np.int64)

    @property
    def n_weighted_rows(self) -> int:
        """Number of rows with positive weight."""
        return sum(facts[1] for facts in self.facts)


def read_batches(
    source: Source, roles: ColumnRoles, columns: list[str], take: Callable[[int, Any], object]
) -> None:
    """Call ``take(first_row, table)`` for each batch; errors name the place in the source."""
    _read_and_locate_errors(source, roles, columns, take)
    # Later steps, such as growing a forest, need this memory; no batch is referenced any more.
    release_memory()


def _read_and_locate_errors(
    source: Source, roles: ColumnRoles, columns: list[str], take: Callable[[int, Any], object]
) -> None:
    # Closed at once, so that no reader thread outlives an error.
    with closing(source.batches(columns)) as batches:
        for start, table in batches:
            try:
                take(start, table)
            except DataError as error:
                raise DataError(
                    f"{_batch_position(source, roles, start, table)}: {error}", error.column
                ) from error


def _batch_position(source: Source, roles: ColumnRoles, start: int, table: Any) -> str:
    """Describe the place of a batch; the exact row if a label is missing there."""
    if roles.target in table.column_names:
        missing = np.flatnonzero(table[roles.target].is_null(nan_is_null=True).to_numpy())
        if missing.size:
            return source.place(start + int(missing[0]))
    return f"{source.place(start)} and on"


@contextmanager
def name_column_in_errors(column: str | None) -> Iterator[None]:
    """Prefix data errors with the name of a column."""
    try:
        yield
    except DataError as error:
        raise DataError(f"column {column!r}: {error}", error.column) from error
