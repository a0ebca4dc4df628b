"""Groups and times of training rows in native form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.dependence import group_codes, holds_dates, time_gap_value, time_values
from imbcore.exceptions import ParameterError

# `groups`, `time` and `time_gap` as given by the user.
GivenDependence = tuple[Any, Any, Any]
INDEPENDENT: GivenDependence = (None, None, None)


@dataclass(frozen=True, slots=True)
class RowDependence:
    """Groups and times of rows, which the choices of a fit keep apart."""

    # Codes in the order of appearance, below the number of rows.
    groups: NDArray[np.uint32] | None = None
    time: NDArray[np.float64] | None = None
    gap_rows: int = 0
    # In the unit of the times; None if the gap is a number of rows.
    gap_time: float | None = None

    @classmethod
    def from_values(
        cls, given: GivenDependence, n_rows: int, date_format: str | None = None
    ) -> RowDependence:
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
            return cls(groups)
        return cls(
            groups,
            time_values(time, n_rows, date_format),
            *time_gap_value(time_gap, holds_dates(time)),
        )

    @property
    def is_none(self) -> bool:
        """Whether rows have neither groups nor times."""
        return self.groups is None and self.time is None

    def pick(self, rows: NDArray[Any] | None) -> RowDependence:
        """Select rows; None selects all."""
        if rows is None or self.is_none:
            return self
        groups = None if self.groups is None else group_codes(self.groups[rows], len(rows))
        time = None if self.time is None else self.time[rows]
        return RowDependence(groups, time, self.gap_rows, self.gap_time)


INDEPENDENT_ROWS = RowDependence()
