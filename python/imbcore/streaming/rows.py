"""Rows as arrays that the native module reads, and conversions of Arrow tables into them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings.training import NativeTrainingData
from imbcore._validation.frame import NativeColumn, NativeFrame, to_prediction_frame
from imbcore._validation.labels import encode_target_labels
from imbcore._validation.row_dependence import RowGroupsAndTimes
from imbcore._validation.schema import Feature, Schema
from imbcore.exceptions import DataError


class StateWithSize:
    """Base class of states that report their size.

    Dask estimates from ``__sizeof__`` the cost of storing and moving them.
    """

    def __sizeof__(self) -> int:
        """Count the bytes of the arrays."""
        return _n_bytes(list(vars(self).values()))


def _n_bytes(value: Any) -> int:
    """Count the bytes of arrays, also in tuples and lists; other objects report their own size."""
    if isinstance(value, (tuple, list)):
        return sum(map(_n_bytes, value))
    return value.nbytes if isinstance(value, np.ndarray) else sys.getsizeof(value)


def make_contiguous(value: Any) -> Any:
    """Give arrays, also in tuples and lists, the memory layout that the native module reads.

    Arrays that came over a network may be unaligned.
    """
    if isinstance(value, (tuple, list)):
        return type(value)(map(make_contiguous, value))
    return np.require(value, requirements=["C", "ALIGNED"]) if isinstance(value, np.ndarray) else value


def make_training_contiguous(training: NativeTrainingData) -> NativeTrainingData:
    """Give the training arrays the memory layout that the native module reads."""
    arrays = training.frame, training.codes, training.sample_weight, training.costs
    frame, codes, weights, costs = make_contiguous(arrays)
    return replace(training, frame=frame, codes=codes, sample_weight=weights, costs=costs)


def make_dependence_contiguous(dependence: RowGroupsAndTimes) -> RowGroupsAndTimes:
    """Give groups and times the memory layout that the native module reads."""
    groups, time = make_contiguous((dependence.groups, dependence.time))
    return replace(dependence, groups=groups, time=time)


def to_native_frame(table: Any, schema: Schema, method: str) -> NativeFrame:
    """Convert the features of an Arrow table."""
    return to_prediction_frame(table.select(schema.names), schema, method, unseen="error")


def to_native_column(feature: Feature, values: NDArray[Any]) -> NativeColumn:
    """Convert values of a numeric feature, or level codes of a nominal one."""
    return values.astype(np.float64) if feature.levels is None else (values, len(feature.levels))


def feature_arrays(table: Any, schema: Schema, method: str) -> list[NDArray[Any]]:
    """Convert the features of an Arrow table into arrays; nominal ones into level codes."""
    frame = to_native_frame(table, schema, method)
    return [column[0] if isinstance(column, tuple) else np.asarray(column) for column in frame]


def encode_labels(labels: Any, classes: NDArray[Any], method: str) -> NDArray[np.uint32]:
    """Encode labels by their positions among the classes of all rows.

    Raises
    ------
    DataError
        A label is not among the classes.
    """
    if not len(labels):
        return np.empty(0, dtype=np.uint32)
    target = encode_target_labels(labels, method)
    code = {label: at for at, label in enumerate(classes.tolist())}
    codes = [code.get(label) for label in target.classes.tolist()]
    if None in codes:
        raise DataError(
            "the target holds a label that it did not hold in the previous pass; check whether the data "
            "changed"
        )
    return np.array(codes, dtype=np.uint32)[target.codes]


def refuse_infinity(names: Sequence[str], columns: Sequence[NDArray[Any]]) -> None:
    """Refuse columns that hold infinity.

    Raises
    ------
    DataError
        The message names the column.
    """
    for name, column in zip(names, columns, strict=True):
        if column.dtype.kind == "f" and np.isinf(column).any():
            raise DataError(
                f"column {name!r}: contains infinity; replace it by a large number, or by NaN if it means "
                "missing"
            )


@dataclass(frozen=True)
class RowArrays(StateWithSize):
    """Rows in memory: an array for each feature, class codes, and weights.

    The array of a feature has numbers or level codes.
    """

    columns: list[NDArray[Any]]
    codes: NDArray[np.uint32]
    weights: NDArray[np.float64] | None

    def make_contiguous(self) -> RowArrays:
        """Give the arrays the memory layout that the native module reads."""
        return RowArrays(*make_contiguous((self.columns, self.codes, self.weights)))

    @classmethod
    def allocate(cls, schema: Schema, n_rows: int, *, weighted: bool) -> RowArrays:
        """Allocate arrays; the system provides their memory when they are written to."""
        columns = [
            np.empty(n_rows, np.float64 if feature.levels is None else np.uint32)
            for feature in schema.features
        ]
        return cls(columns, np.empty(n_rows, np.uint32), np.empty(n_rows) if weighted else None)

    @classmethod
    def concatenate(cls, parts: Sequence[RowArrays], schema: Schema) -> RowArrays:
        """Concatenate consecutive rows."""
        weighted = any(part.weights is not None for part in parts)
        rows = cls.allocate(schema, sum(len(part.codes) for part in parts), weighted=weighted)
        start = 0
        for part in parts:
            start = rows.write(start, part)
        return rows

    def write(self, start: int, part: RowArrays) -> int:
        """Write rows from position ``start`` on; return the position behind them."""
        place = slice(start, start + len(part.codes))
        for column, values in zip(self.columns, part.columns, strict=True):
            column[place] = values
        self.codes[place] = part.codes
        if self.weights is not None:
            self.weights[place] = part.weights
        return place.stop

    def frame(self, schema: Schema) -> NativeFrame:
        """Convert the features for the native module."""
        pairs = zip(schema.features, self.columns, strict=True)
        return [
            column if feature.levels is None else (column, len(feature.levels)) for feature, column in pairs
        ]

    def head(self, n_rows: int) -> RowArrays:
        """Select the first rows."""
        weights = None if self.weights is None else self.weights[:n_rows]
        return RowArrays([column[:n_rows] for column in self.columns], self.codes[:n_rows], weights)
