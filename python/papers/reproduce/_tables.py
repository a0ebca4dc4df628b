"""Tables in the form that the trees of a paper use."""

from __future__ import annotations

from typing import Any

import numpy as np

from imbcore._input.columns import MISSING, Nominal
from imbcore._input.table import Table

__all__ = ["dummy_coded"]


def dummy_coded(table: Table, *, fewer: bool = False) -> Table:
    """Code nominal columns as 0/1: one column for two levels, one per level for more.

    Parameters
    ----------
    fewer
        Whether columns with more than two levels omit the first level too.
    """
    columns: dict[str, Any] = {}
    for name, column in table.columns.items():
        if not isinstance(column, Nominal):
            columns[name] = column
            continue
        missing = column.codes == MISSING
        first = 0 if len(column.levels) > 2 and not fewer else 1
        for code in range(first, len(column.levels)):
            columns[f"{name}={column.levels[code]}"] = np.where(missing, np.nan, column.codes == code)
    return Table({name: column for name, column in columns.items() if not np.isnan(column).all()})
