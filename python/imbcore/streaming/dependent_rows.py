"""Warning of dependent rows for tables in memory whose labels are a column."""

from __future__ import annotations

from typing import Any

import numpy as np

from imbcore._validation.dependence_check import warn_of_dependent_rows
from imbcore._validation.frame import training_data
from imbcore.streaming.readers.source import Source

# First rows that are checked, which limits memory and time.
_MOST_ROWS = 1 << 18


def warn_of_dependent_table(X: Any, source: Source, nominal: Any, *, near_duplicates: bool) -> None:
    """Warn if rows of a table in memory seem to belong together.

    Parameters
    ----------
    X : any
        Argument of the user; files and streams are not read for this check.
    source : Source
        The opened rows.
    nominal : sequence or None
        Nominal columns.
    near_duplicates : bool
        Whether to search for near-duplicates.
    """
    import narwhals.stable.v2 as nw

    if not nw.dependencies.is_into_dataframe(X):
        return
    table = source.take(np.arange(min(source.n_rows, _MOST_ROWS)))
    rows = training_data(
        table.select(source.features), table[source.target], nominal, None, "a table", constant=True
    )
    warn_of_dependent_rows(*rows, near_duplicates=near_duplicates)
