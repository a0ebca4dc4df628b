"""Warning of test sets with few positive rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.user_warnings import warn_user
from imbcore._validation.value_text import value_text

__all__ = ["count_positives", "warn_of_few_positives"]

_FEWEST = 3
_MOST_NAMED = 5

Place = tuple[int, int]


def count_positives(
    tests: Iterable[tuple[Place, NDArray[np.int64]]], is_positive: NDArray[np.bool_]
) -> dict[Place, int]:
    """Count the positive rows of every test set, by repetition and fold."""
    return {place: int(is_positive[rows].sum()) for place, rows in tests}


def warn_of_few_positives(counts: Mapping[Place, int], positive: Any, table: str = "") -> None:
    """Warn of test sets with one or two positive rows, if others have at least two more.

    The numbers of stratified folds differ by at most one, so these are folds of groups, in time, or given by
    the user. Test sets without positive rows do not count in means.

    Parameters
    ----------
    counts : mapping
        Number of positive rows by repetition and fold.
    positive : label
    table : str, default=""
        Name of the table, if there are several.
    """
    largest = max(counts.values(), default=0)
    few = {place: n for place, n in counts.items() if 0 < n < _FEWEST and n + 2 <= largest}
    if not few:
        return
    several = len({repeat for repeat, _ in counts}) > 1
    named = [
        f"{f'repetition {repeat}, ' * several}fold {fold} ({n})"
        for (repeat, fold), n in list(few.items())[:_MOST_NAMED]
    ]
    more = f" and {len(few) - _MOST_NAMED} more" if len(few) > _MOST_NAMED else ""
    start = f"table {table!r}: " if table else ""
    warn_user(
        f"{start}{len(few)} of {len(counts)} test sets have fewer than {_FEWEST} rows of the positive class "
        f"{value_text(positive)}: {'; '.join(named)}{more}. Their average precision and recall depend on "
        "single rows, and count as much in the means as those of test sets with up to "
        f"{largest:,} such rows; use fewer or larger test sets"
    )
