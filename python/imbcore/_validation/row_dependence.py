"""Groups and times of training rows in native form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.alert_budget import check_budget_period
from imbcore._validation.dependence import (
    distinct_groups,
    group_array,
    group_codes,
    holds_dates,
    parse_time_gap,
    times_to_numbers,
)
from imbcore.exceptions import ParameterError

# `groups`, `time` and `time_gap` as given by the user.
GivenDependence = tuple[Any, Any, Any]
INDEPENDENT: GivenDependence = (None, None, None)


@dataclass(frozen=True, slots=True)
class RowGroupsAndTimes:
    """Groups and times of rows, which the choices of a fit keep apart."""

    # Codes in the order of appearance, below the number of rows.
    groups: NDArray[np.uint32] | None = None
    time: NDArray[np.float64] | None = None
    gap_rows: int = 0
    # In the unit of the times; None if the gap is a number of rows.
    gap_time: float | None = None
    # Whether the times are dates, in seconds since 1970-01-05 UTC.
    dated: bool = False
    # Codes of the groups that an alert budget counts once per period; None for those of `groups`.
    alert_groups: NDArray[np.uint32] | None = None
    # Groups as given by the user, if these are known.
    group_values: NDArray[Any] | None = None

    @classmethod
    def from_values(
        cls, given: GivenDependence, n_rows: int, date_format: str | None = None
    ) -> RowGroupsAndTimes:
        """Validate the values of ``groups``, ``time`` and ``time_gap``.

        Groups of one row each are no groups.
        """
        values, time, time_gap = given
        groups = None if values is None else group_codes(values, n_rows)
        if groups is not None and n_rows > 0 and int(groups.max()) + 1 == n_rows:
            groups = None
        if time is None:
            if time_gap is not None:
                raise ParameterError(
                    f"time_gap must be None unless time is given, got {time_gap!r}; give time, too"
                )
            return cls(**_group_fields(groups, values))
        dated = holds_dates(time)
        gap_rows, gap_time = parse_time_gap(time_gap, dated)
        return cls(
            **_group_fields(groups, values),
            time=times_to_numbers(time, n_rows, date_format),
            gap_rows=gap_rows,
            gap_time=gap_time,
            dated=dated,
        )

    def with_alert_budget_groups(self, threshold: Any, by: Any, n_rows: int) -> RowGroupsAndTimes:
        """Check the period of an alert budget, and add its groups ``by``."""
        check_budget_period(threshold, None if self.time is None else self.dated)
        if by is None:
            return self
        return replace(self, alert_groups=group_codes(by, n_rows, "threshold['by']"))

    @property
    def is_none(self) -> bool:
        """Whether rows have neither groups nor times."""
        return self.groups is None and self.time is None

    def alert_rows(
        self, rows: NDArray[Any]
    ) -> tuple[NDArray[np.float64], NDArray[np.uint32] | None, NDArray[np.uint32]] | None:
        """Return times and groups by which alerts of predicted rows are counted; None without times."""
        if self.time is None:
            return None
        groups = self.groups if self.alert_groups is None else self.alert_groups
        return self.time, groups, np.asarray(rows).astype(np.uint32)

    def pick(self, rows: NDArray[Any] | None) -> RowGroupsAndTimes:
        """Select rows; None selects all."""
        if rows is None or self.is_none:
            return self
        groups, alert_groups = (
            None if codes is None else group_codes(codes[rows], len(rows))
            for codes in (self.groups, self.alert_groups)
        )
        time = None if self.time is None else self.time[rows]
        values = None if self.group_values is None else self.group_values[rows]
        return replace(self, groups=groups, time=time, alert_groups=alert_groups, group_values=values)

    def distinct_groups(self) -> frozenset[Any] | None:
        """Return the values of the groups without missing ones; None if they are not known."""
        return None if self.group_values is None else distinct_groups(self.group_values)


def _group_fields(codes: NDArray[np.uint32] | None, values: Any) -> dict[str, Any]:
    return {} if codes is None else {"groups": codes, "group_values": group_array(values)}


INDEPENDENT_ROWS = RowGroupsAndTimes()
