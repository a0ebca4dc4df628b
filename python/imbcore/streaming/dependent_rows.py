"""Warning of dependent rows for sources of rows."""

from __future__ import annotations

from contextlib import closing
from typing import Any

from imbcore._validation.dependence_check import warn_of_dependent_rows
from imbcore._validation.frame import to_training_data
from imbcore.exceptions import DataError
from imbcore.streaming.readers.arrow import pyarrow
from imbcore.streaming.readers.source import Source

# Limits of the first rows that are checked, and of their cells, which limit memory and time.
_MOST_ROWS = 1 << 18
_MOST_CELLS = 1 << 24


def warn_of_dependent_source(X: Any, source: Source, nominal: Any, *, near_duplicates: bool) -> None:
    """Warn if the first rows of files, or of a table in memory, seem to belong together.

    Invalid rows are not reported: the pass over all rows does so, with their places.

    Parameters
    ----------
    X : any
        Argument of the user; functions and queries are not read once more for this check.
    source : Source
        The opened rows.
    nominal : sequence or None
        Nominal columns.
    near_duplicates : bool
        Whether to search for near-duplicates.
    """
    import narwhals.stable.v2 as nw

    if not source.files and not nw.dependencies.is_into_dataframe(X):
        return
    most = min(source.n_rows, _MOST_ROWS, max(_MOST_CELLS // len(source.columns), 1))
    try:
        with closing(source.with_callback(None).batches(rows=(0, most))) as batches:
            table = pyarrow("rows").concat_tables([batch for _, batch in batches])
        rows = to_training_data(
            table.select(source.features), table[source.target], nominal, None, "a table", constant=True
        )
    except DataError:
        return
    warn_of_dependent_rows(*rows, near_duplicates=near_duplicates)
