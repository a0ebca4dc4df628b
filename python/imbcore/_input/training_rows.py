"""The rows of a user's table that train: those with weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._input.costs import COST_OPTIONS
from imbcore._input.frame import BorderFrame, fit_frame, training_data
from imbcore._input.labels import Target
from imbcore._input.read import in_memory
from imbcore._input.row_costs import asked
from imbcore._input.rows import pick
from imbcore._input.schema import Schema
from imbcore._input.values import sample_weights

__all__ = ["TrainingRows", "Weighted", "training_rows"]


@dataclass(frozen=True, slots=True)
class Weighted:
    """Weights of the rows that have any, and the numbers of these rows.

    Equal weights up to 1 are no weights: they say that every row counts alike, and not how many rows there
    are. Weights that no table can have are left to the native module, which refuses them.
    """

    # None if every row has weight 1.
    weights: NDArray[np.float64] | None
    # None if every row of the table has weight.
    kept: NDArray[np.int64] | None
    n_rows: int

    @classmethod
    def of(cls, sample_weight: Any, n_rows: int) -> Weighted:
        """Read the weights of a table of so many rows."""
        weights = sample_weights(sample_weight, n_rows)
        if weights is None or not n_rows or not np.isfinite(weights).all() or weights.min() < 0:
            return cls(weights, None, n_rows)
        kept = np.flatnonzero(weights)
        if not len(kept):
            return cls(weights, None, n_rows)
        own = weights if len(kept) == n_rows else weights[kept]
        smallest, largest = own.min(), own.max()
        # Smaller numbers have no reciprocal.
        alike = smallest == largest and np.finfo(np.float64).tiny <= largest <= 1.0
        return cls(None if alike else own, None if len(kept) == n_rows else kept, n_rows)

    @property
    def places(self) -> tuple[NDArray[np.uint32], int] | None:
        """Numbers of the rows with weight and the length of the table, as the native module reads them."""
        return None if self.kept is None else (self.kept.astype(np.uint32), self.n_rows)

    def numbers(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Give the numbers in the table of some of the rows with weight."""
        return rows if self.kept is None else self.kept[rows]

    def pick(self, table: Any) -> Any:
        """Take the rows with weight of a table of any container."""
        return table if self.kept is None else pick(table, self.kept, fresh_index=False)

    def target(self, target: Target) -> Target:
        """Take the labels of the rows with weight; the classes stay those of all rows."""
        return target if self.kept is None else replace(target, codes=target.codes[self.kept])

    def costs(self, costs: Any) -> Any:
        """Take the matrices of the rows with weight from an array with one for each row."""
        if self.kept is None or callable(costs) or isinstance(costs, (str, Mapping)) or np.ndim(costs) != 3:
            return costs
        array = np.asarray(costs)
        return array[self.kept] if len(array) == self.n_rows else array

    def spread(self, values: NDArray[Any], rest: Any) -> NDArray[Any]:
        """Put an entry of each row with weight in its place among all; ``rest`` are those of the others."""
        if self.kept is None:
            return values
        every = np.array(np.broadcast_to(rest, (self.n_rows, *values.shape[1:])), dtype=values.dtype)
        every[self.kept] = values
        return every


@dataclass(frozen=True, slots=True)
class TrainingRows:
    """The rows of a table with weight: in the user's container and in border form."""

    X: Any
    frame: BorderFrame
    target: Target
    schema: Schema
    weighted: Weighted
    # Labels of all rows.
    whole: Target

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """Weights of the rows."""
        return self.weighted.weights

    @property
    def parts(self) -> tuple[BorderFrame, Target, Schema]:
        """The rows in border form."""
        return self.frame, self.target, self.schema

    def costs(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Read the options about costs that have an entry for each row; a function of costs is called."""
        of_rows = {name: self.weighted.costs(given[name]) for name in COST_OPTIONS[:2]}
        return of_rows | {"costs": asked(of_rows["costs"], self.X)}


def training_rows(
    X: Any,
    y: Any,
    sample_weight: Any,
    categorical_features: Any,
    feature_names: Sequence[str] | None,
    who: str,
    *,
    constant: bool,
) -> TrainingRows:
    """Read training data; a row of weight 0 is no row, so the table is read as if it were not there.

    Only its label counts: it stays one of the classes. ``constant`` takes labels of one class.
    """
    X = in_memory(X)
    frame, whole, schema = training_data(X, y, categorical_features, feature_names, who, constant=constant)
    weighted = Weighted.of(sample_weight, len(whole.codes))
    if weighted.kept is not None:
        X = weighted.pick(X)
        frame, of_kept = fit_frame(X, categorical_features, feature_names, who)
        schema = replace(of_kept, classes=whole.classes)
    return TrainingRows(X, frame, weighted.target(whole), schema, weighted, whole)
