"""Tables in the form that the trees of a paper use."""

from __future__ import annotations

import numpy as np

from imbcore._validation.table import Table
from imbcore.evaluation._tables import numeric_and_indicator_columns

__all__ = ["dummy_coded"]


def dummy_coded(table: Table, *, fewer: bool = False) -> Table:
    """Code nominal columns as 0/1: one column for two levels, one per level for more.

    Parameters
    ----------
    fewer
        Whether columns with more than two levels omit the first level too.
    """
    columns = numeric_and_indicator_columns(table, drop_first=fewer)
    return Table({name: column for name, column in columns if not np.isnan(column).all()})
