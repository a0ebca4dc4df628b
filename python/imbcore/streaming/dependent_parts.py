"""Groups and times of rows in the partitions of a Dask DataFrame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.dependence import (
    group_codes,
    holds_dates,
    seconds_to_dates,
    times_to_numbers,
    values_of_group_codes,
)
from imbcore._validation.row_dependence import INDEPENDENT_ROWS, RowGroupsAndTimes
from imbcore._validation.training_rows import PositiveWeightRows
from imbcore.exceptions import DataError, ParameterError


@dataclass(frozen=True)
class PartitionGroupsAndTimes:
    """Groups, times and weights of the rows of a partition."""

    n_rows: int
    # Codes in the order of appearance in the partition, and the value of each; None if it is missing.
    codes: NDArray[np.uint32] | None
    values: list[Any]
    time: NDArray[np.float64] | None
    dated: bool
    weights: NDArray[np.float64] | None


@dataclass(frozen=True)
class GroupAndTimeColumns:
    """Columns that hold groups and times, the gap, and the format of dates as text."""

    groups: str | None = None
    time: str | None = None
    time_gap: Any = None
    date_format: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(dict.fromkeys(name for name in (self.groups, self.time) if name is not None))

    def scan(self, part: Any, weights: NDArray[np.float64] | None) -> PartitionGroupsAndTimes | None:
        """Read groups and times of a partition; None without such columns or without rows."""
        if not self.names or not len(part):
            return None
        n_rows = len(part)
        codes, values, time, dated = None, [], None, False
        if self.groups is not None:
            codes = group_codes(part[self.groups], n_rows)
            values = values_of_group_codes(part[self.groups], codes)
        if self.time is not None:
            time = times_to_numbers(part[self.time], n_rows, self.date_format)
            dated = holds_dates(part[self.time])
        return PartitionGroupsAndTimes(n_rows, codes, values, time, dated, weights)

    def merge(self, parts: Sequence[PartitionGroupsAndTimes]) -> RowGroupsAndTimes:
        """Join the rows of consecutive partitions, and select those of positive weight.

        Raises
        ------
        DataError
            Times are dates in some partitions and numbers in others.
        ParameterError
            The gap is invalid.
        """
        if not self.names and self.time_gap is None:
            return INDEPENDENT_ROWS
        n_rows = sum(part.n_rows for part in parts)
        weights = [part.weights for part in parts if part.weights is not None]
        weighted = PositiveWeightRows.from_weights(np.concatenate(weights) if weights else None, n_rows)
        given = (self._number_groups(parts), self._join_times(parts), self.time_gap)
        # Values of groups are not kept with a model of batches.
        return replace(weighted.with_dependence(given).dependence, group_values=None)

    def _number_groups(self, parts: Sequence[PartitionGroupsAndTimes]) -> NDArray[np.int64] | None:
        """Assign numbers to the groups of all partitions; a missing group is a group of its own."""
        if self.groups is None:
            return None
        known: dict[Any, int] = {}
        n_groups, joined = 0, []
        for part in parts:
            numbers = np.empty(len(part.values), dtype=np.int64)
            for code, value in enumerate(part.values):
                numbers[code] = n_groups if value is None else known.setdefault(value, n_groups)
                n_groups += bool(numbers[code] == n_groups)
            joined.append(numbers[part.codes])
        return np.concatenate(joined)

    def _join_times(self, parts: Sequence[PartitionGroupsAndTimes]) -> NDArray[Any] | None:
        if self.time is None:
            return None
        if len({part.dated for part in parts}) > 1:
            raise DataError("time holds dates in some partitions and numbers in others; use one type")
        times = np.concatenate([part.time for part in parts if part.time is not None])
        return seconds_to_dates(times) if parts[0].dated else times


def add_group_and_time_columns(data: Any, groups: Any, time: Any) -> tuple[Any, dict[str, str | None]]:
    """Add groups and times that are Dask Series or arrays to a Dask DataFrame as columns.

    Parameters
    ----------
    data : dask.dataframe.DataFrame
    groups, time : str, dask.dataframe.Series, dask.array.Array or None
        Names of columns, or values with the partitions of ``data``.

    Returns
    -------
    tuple
        The data frame, and the names of the columns of groups and times.

    Raises
    ------
    ParameterError
        A value has another type or other partitions.
    """
    names: dict[str, str | None] = {}
    for argument, given in (("groups", groups), ("time", time)):
        if given is None or isinstance(given, str):
            names[argument] = given
            continue
        name = argument
        while name in data.columns:
            name += "_"
        data, names[argument] = _add_column(data, argument, given, name), name
    return data, names


def _add_column(data: Any, argument: str, given: Any, name: str) -> Any:
    import dask.array
    import dask.dataframe

    values, by_index = given, True
    if isinstance(given, dask.array.Array) and given.ndim == 1:
        values, by_index = dask.dataframe.from_dask_array(given), False
    if not isinstance(values, dask.dataframe.Series):
        raise ParameterError(
            f"{argument} must be the name of a column, or a Dask Series or 1-D Dask array with the "
            f"partitions of data, got {type(given).__name__}; add it to data as a column"
        )
    if values.npartitions != data.npartitions:
        raise ParameterError(
            f"{argument} has {values.npartitions} partitions, but data has {data.npartitions}; add it to "
            "data as a column"
        )
    meta = data._meta.assign(**{name: values._meta.array})
    return data.map_partitions(
        _add_partition_column, values, argument, name, by_index, meta=meta, align_dataframes=False
    )


def _add_partition_column(part: Any, values: Any, argument: str, name: str, by_index: bool) -> Any:
    """Add a column to a partition; rows are matched by position, and their index must be equal."""
    if len(part) != len(values):
        raise DataError(f"{argument} has {len(values)} values in a partition of {len(part)} rows")
    if by_index and not part.index.equals(values.index):
        raise DataError(f"{argument} has another index than data; add it to data as a column")
    return part.assign(**{name: values.array})
