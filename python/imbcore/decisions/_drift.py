"""Comparison of the columns of new rows with those of training rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.columns import MISSING, Column, Nominal
from imbcore._validation.dependence import group_codes, split_off_columns
from imbcore._validation.read import RawTable, read_raw_table, reject_empty_table
from imbcore._validation.value_text import value_text
from imbcore.exceptions import DataError, ParameterError

# Levels with fewer expected rows are counted together, because the chi-square test needs about this number.
_FEWEST_EXPECTED = 5


def find_drift(X: Any, X_new: Any, *, level: float = 0.01, groups: Any = None) -> list[dict[str, Any]]:
    """Test which columns of new rows are distributed differently from those of training rows.

    Numeric columns are compared by the two-sample Kolmogorov-Smirnov test, nominal columns by the chi-square
    test of the counts of their levels (levels with fewer than 5 expected rows are counted together). Columns
    with missing values have a second test, which compares the proportions of missing values. Labels are not
    necessary. The tests assume independent rows: with several rows of a customer, give ``groups``.

    Parameters
    ----------
    X : table of shape (n_rows, n_features)
        Training rows.
    X_new : table of shape (n_new, n_features)
        New rows with the columns of ``X``. Further columns are ignored if both tables have column names.
    level : float, default=0.01
        Maximum probability of at least one false report if no column has changed (Bonferroni), above 0 and
        below 1.
    groups : str or pair of sequences, default=None
        Groups of dependent rows, such as customers: the name of a column of both tables, which is then not
        compared, or the values for ``X`` and for ``X_new``. One random row of each group is compared, the
        same in every call. A row with a missing value is a group of its own.

    Returns
    -------
    list of dict
        All tests, also those without drift, in the order of the columns of ``X``: ``feature``; ``what``,
        "values", "levels" or "missing"; ``distance`` in [0, 1], which is the Kolmogorov-Smirnov distance, the
        total variation distance of the levels, or the difference of the proportions of missing values;
        ``p_value``; ``drifted``: whether ``p_value`` is below ``level`` divided by the number of tests;
        ``n_rows`` and ``n_new``: numbers of rows of both tables, or of their groups if ``groups`` is given.

    Raises
    ------
    ParameterError
        ``level`` is not above 0 and below 1, or ``groups`` has another form.
    DataError
        A table is empty, or a column of ``X`` is missing in ``X_new`` or has another type there; or the
        number of groups differs from the number of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from imbcore.decisions import find_drift
    >>> rng = np.random.default_rng(0)
    >>> old = {"amount": rng.lognormal(size=1000), "hour": rng.integers(0, 24, 1000)}
    >>> new = {"amount": 1.5 * rng.lognormal(size=500), "hour": rng.integers(0, 24, 500)}
    >>> [test["feature"] for test in find_drift(old, new) if test["drifted"]]
    ['amount']
    """
    if not isinstance(level, float) or not 0 < level < 1:  # type: ignore[redundant-expr]
        raise ParameterError(f"level must be a number above 0 and below 1, got {value_text(level)}")
    of_old, of_new = _groups_of_tables(groups)
    old, new = _one_row_per_group(X, of_old, "groups"), _one_row_per_group(X_new, of_new, "groups of X_new")
    tests: list[dict[str, Any]] = []
    for name, one, other in _matched_columns(old, new):
        tests += [{"feature": name, **found} for found in _compare(name, one, other)]
    for test in tests:
        test["drifted"] = test["p_value"] < level / len(tests)
        test |= {"n_rows": old.shape[0], "n_new": new.shape[0]}
    return tests


def _groups_of_tables(groups: Any) -> tuple[Any, Any]:
    if groups is None or isinstance(groups, str):
        return groups, groups
    if not isinstance(groups, (tuple, list)) or len(groups) != 2:
        raise ParameterError(
            f"groups must be the name of a column or a pair of sequences, got {value_text(groups)}"
        )
    return groups[0], groups[1]


def _one_row_per_group(X: Any, groups: Any, name: str) -> RawTable:
    """Read one random row of each group of a table; all rows without groups."""
    X, given = split_off_columns(X, **{name: groups})
    table = read_raw_table(X, "find_drift")
    reject_empty_table(table.shape, "find_drift")
    if groups is None:
        return table
    codes = group_codes(given[name], table.shape[0], name)
    order = np.random.default_rng(0).permutation(len(codes))
    rows = np.sort(order[np.unique(codes[order], return_index=True)[1]])
    if isinstance(table.body, list):
        return replace(table, body=[_take(column, rows) for column in table.body])
    return replace(table, body=table.body[rows])


def _take(column: Column, rows: NDArray[np.int64]) -> Column:
    return Nominal(column.codes[rows], column.levels) if isinstance(column, Nominal) else column[rows]


def _matched_columns(old: RawTable, new: RawTable) -> list[tuple[str, Column, Column]]:
    """Pair the columns of two tables, by name if both have names."""
    columns, others = _columns(old), _columns(new)
    if old.names is None or new.names is None:
        if len(columns) != len(others):
            raise DataError(f"X has {len(columns)} columns, but X_new has {len(others)}")
        names = old.names or new.names or [f"x{number}" for number in range(len(columns))]
        return list(zip(names, columns, others, strict=True))
    at = {name: place for place, name in enumerate(new.names)}
    if absent := [name for name in old.names if name not in at]:
        raise DataError(f"X_new has no column {absent[0]!r}, which X has")
    return [(name, column, others[at[name]]) for name, column in zip(old.names, columns, strict=True)]


def _columns(table: RawTable) -> list[Column]:
    body = table.body
    if isinstance(body, list):
        return body
    return [np.asarray(body[:, place], dtype=np.float64) for place in range(table.shape[1])]


def _compare(name: str, old: Column, new: Column) -> list[dict[str, Any]]:
    """Compare the values of a column, and its proportions of missing values."""
    from scipy.stats import ks_2samp

    if isinstance(old, Nominal) != isinstance(new, Nominal):
        kinds = ["categories" if isinstance(column, Nominal) else "numbers" for column in (old, new)]
        raise DataError(f"column {name!r} has {kinds[0]} in X, but {kinds[1]} in X_new")
    known = [_is_known(column) for column in (old, new)]
    found = []
    if all(rows.any() for rows in known):
        if isinstance(old, Nominal) and isinstance(new, Nominal):
            found.append({"what": "levels", **_compare_counts(_level_counts(old, new))})
        else:
            test = ks_2samp(
                *(np.asarray(column)[rows] for column, rows in zip((old, new), known, strict=True))
            )
            found.append({"what": "values", "distance": float(test.statistic), "p_value": float(test.pvalue)})
    if not all(rows.all() for rows in known):
        counts = np.array([[rows.sum(), (~rows).sum()] for rows in known], dtype=np.float64)
        found.append({"what": "missing", **_compare_counts(counts)})
    return found


def _is_known(column: Column) -> NDArray[np.bool_]:
    """Return which rows have a value."""
    if isinstance(column, Nominal):
        return np.asarray(column.codes != MISSING)
    return ~np.isnan(column)


def _level_counts(old: Nominal, new: Nominal) -> NDArray[np.float64]:
    """Count the rows of each level in both columns; the levels are matched by their text."""
    place: dict[str, int] = {}
    for level in (*old.levels, *new.levels):
        place.setdefault(str(level), len(place))
    counts = np.zeros((2, len(place)))
    for row, column in enumerate((old, new)):
        own = np.bincount(column.codes[_is_known(column)], minlength=len(column.levels))
        for level, count in zip(column.levels, own.tolist(), strict=True):
            counts[row, place[str(level)]] += count
    return counts


def _compare_counts(counts: NDArray[np.float64]) -> dict[str, float]:
    """Compare two rows of counts by the chi-square test; the distance is the total variation."""
    from scipy.stats import chi2_contingency

    shares = counts / counts.sum(axis=1, keepdims=True)
    distance = min(float(np.abs(shares[0] - shares[1]).sum() / 2), 1.0)
    expected = counts.sum(axis=0) * counts.sum(axis=1).min() / counts.sum()
    rare = expected < _FEWEST_EXPECTED
    merged = np.column_stack([counts[:, ~rare], counts[:, rare].sum(axis=1)])
    merged = merged[:, merged.sum(axis=0) > 0]
    p_value = float(chi2_contingency(merged).pvalue) if merged.shape[1] > 1 else 1.0
    return {"distance": distance, "p_value": p_value}


name_package_in_errors(globals())
