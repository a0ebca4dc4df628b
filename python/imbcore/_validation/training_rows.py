"""Selection of training rows: rows of positive weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.alert_budget import alert_budget_groups
from imbcore._validation.costs import COST_OPTIONS
from imbcore._validation.dependence import split_off_columns
from imbcore._validation.dependence_check import warn_of_group_column
from imbcore._validation.frame import NativeFrame, to_training_data, to_training_frame
from imbcore._validation.labels import Target
from imbcore._validation.read import materialize_arrow_stream
from imbcore._validation.row_costs import evaluate_cost_function
from imbcore._validation.row_dependence import (
    INDEPENDENT,
    INDEPENDENT_ROWS,
    GivenDependence,
    RowGroupsAndTimes,
)
from imbcore._validation.rows import select_table_rows
from imbcore._validation.schema import Schema
from imbcore._validation.values import validate_sample_weights

_BY = "threshold['by']"


@dataclass(frozen=True, slots=True)
class PositiveWeightRows:
    """Row weights, and the positions of the rows of positive weight.

    Equal weights up to 1 are treated as no weights: all rows count equally, and the number of rows is kept.
    Invalid weights are passed on to the native module, which rejects them.
    """

    # None if every row has weight 1.
    weights: NDArray[np.float64] | None
    # None if every row of the table has positive weight.
    kept: NDArray[np.int64] | None
    n_rows: int
    # Groups and times of the rows of positive weight.
    dependence: RowGroupsAndTimes = INDEPENDENT_ROWS

    @classmethod
    def from_weights(cls, sample_weight: Any, n_rows: int) -> PositiveWeightRows:
        """Validate the weights of a table with this number of rows."""
        weights = validate_sample_weights(sample_weight, n_rows)
        if weights is None or not n_rows or not np.isfinite(weights).all() or weights.min() < 0:
            return cls(weights, None, n_rows)
        kept = np.flatnonzero(weights)
        if not len(kept):
            return cls(weights, None, n_rows)
        own = weights if len(kept) == n_rows else weights[kept]
        smallest, largest = own.min(), own.max()
        # Smaller numbers have no finite reciprocal.
        alike = smallest == largest and np.finfo(np.float64).tiny <= largest <= 1.0
        return cls(None if alike else own, None if len(kept) == n_rows else kept, n_rows)

    def with_dependence(
        self,
        given: GivenDependence,
        date_format: str | None = None,
        budget: tuple[Any, Any] = (None, None),
    ) -> PositiveWeightRows:
        """Add groups, times and gap, validated for all rows of the table.

        ``budget`` is the threshold rule, and the values of the groups that it counts.
        """
        dependence = RowGroupsAndTimes.from_values(given, self.n_rows, date_format)
        dependence = dependence.with_alert_budget_groups(*budget, self.n_rows)
        return replace(self, dependence=dependence.pick(self.kept))

    @property
    def places(self) -> tuple[NDArray[np.uint32], int] | None:
        """Positions of the rows of positive weight and the length of the table, in native form."""
        return None if self.kept is None else (self.kept.astype(np.uint32), self.n_rows)

    def numbers(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Convert positions among the kept rows to positions in the table."""
        return rows if self.kept is None else self.kept[rows]

    def pick(self, table: Any) -> Any:
        """Select the kept rows of a table of any container."""
        return table if self.kept is None else select_table_rows(table, self.kept, fresh_index=False)

    def target(self, target: Target) -> Target:
        """Select the labels of the kept rows; the classes are those of all rows."""
        return target if self.kept is None else replace(target, codes=target.codes[self.kept])

    def costs(self, costs: Any) -> Any:
        """Select the matrices of the kept rows from an array with one per row."""
        if self.kept is None or callable(costs) or isinstance(costs, (str, Mapping)):
            return costs
        try:
            array = np.asarray(costs)
        except ValueError:
            # Rows of different lengths, which are rejected later.
            return costs
        return array[self.kept] if array.ndim == 3 and len(array) == self.n_rows else costs

    def cost_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Select the matrices of the kept rows in the options about costs."""
        return {name: self.costs(given[name]) for name in COST_OPTIONS[:2]}

    def expand_to_all_rows(self, values: NDArray[Any], rest: Any) -> NDArray[Any]:
        """Expand values of the kept rows to all rows; ``rest`` are the values of the others."""
        if self.kept is None:
            return values
        every = np.array(np.broadcast_to(rest, (self.n_rows, *values.shape[1:])), dtype=values.dtype)
        every[self.kept] = values
        return every


@dataclass(frozen=True, slots=True)
class TrainingRows:
    """The rows of positive weight: in the user's container and in native form."""

    X: Any
    frame: NativeFrame
    target: Target
    schema: Schema
    weighted: PositiveWeightRows
    # Labels of all rows.
    whole: Target

    @property
    def dependence(self) -> RowGroupsAndTimes:
        """Groups and times."""
        return self.weighted.dependence

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """Row weights."""
        return self.weighted.weights

    @property
    def parts(self) -> tuple[NativeFrame, Target, Schema]:
        """The rows in native form."""
        return self.frame, self.target, self.schema

    def costs(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Select the cost options that have an entry per row; a cost function is called."""
        of_rows = self.weighted.cost_options(given)
        return of_rows | {"costs": evaluate_cost_function(of_rows["costs"], self.X)}


def split_off_groups_and_times(
    X: Any, dependence: GivenDependence, threshold: Any = None, by: Any = None
) -> tuple[Any, GivenDependence, Any]:
    """Remove the columns of groups and times from a table.

    ``by`` are values of the groups of the alert budget in ``threshold`` if its column is not in the table.

    Returns
    -------
    tuple
        The table; values of groups and times, and the gap; values of the groups of an alert budget.
    """
    groups, time, time_gap = dependence
    by = alert_budget_groups(threshold) if by is None else by
    X, values = split_off_columns(X, **{"groups": groups, "time": time, _BY: by})
    return X, (values["groups"], values["time"], time_gap), values[_BY]


def prepare_training_rows(
    X: Any,
    y: Any,
    sample_weight: Any,
    categorical_features: Any,
    feature_names: Sequence[str] | None,
    who: str,
    *,
    constant: bool,
    dependence: GivenDependence = INDEPENDENT,
    date_format: str | None = None,
    threshold: Any = None,
    by: Any = None,
) -> TrainingRows:
    """Prepare training data; rows of weight 0 are removed before the table is converted.

    Their labels still count as classes. ``constant`` allows a single class. ``dependence`` holds groups,
    times and gap; the names of columns with groups and times are then not features, nor is the column that
    an alert budget in ``threshold`` counts by; ``by`` are its values if it is not in the table.
    """
    X, related, by = split_off_groups_and_times(materialize_arrow_stream(X), dependence, threshold, by)
    frame, whole, schema = to_training_data(X, y, categorical_features, feature_names, who, constant=constant)
    weighted = PositiveWeightRows.from_weights(sample_weight, len(whole.codes))
    weighted = weighted.with_dependence(related, date_format, (threshold, by))
    if weighted.kept is not None:
        X = weighted.pick(X)
        frame, of_kept = to_training_frame(X, categorical_features, feature_names, who)
        schema = replace(of_kept, classes=whole.classes)
    warn_of_group_column(frame, schema, weighted.dependence.groups)
    return TrainingRows(X, frame, weighted.target(whole), schema, weighted, whole)
