"""Tables of a run: rows in any container, class codes, and an identifying fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings.positive import training_positive_code
from imbcore._validation.columns import MISSING, Nominal
from imbcore._validation.frame import to_training_data
from imbcore._validation.rows import select_table_rows
from imbcore._validation.table import Table
from imbcore.datasets import Dataset
from imbcore.exceptions import DataError, ParameterError

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class EvaluationTable:
    """A table with its labels, and everything that is determined once for all methods.

    Parameters
    ----------
    name : str
    X : table of shape (n_rows, n_features)
        Table as given by the user.
    y : ndarray of shape (n_rows,)
        Labels.
    codes : ndarray of shape (n_rows,)
        Position of the label of every row in ``classes``.
    classes : ndarray of shape (n_classes,)
        Sorted labels.
    positive : int
        Code of the positive class.
    fingerprint : str
        Equal for equal values, labels and positive class.
    """

    name: str
    X: Any
    y: NDArray[Any]
    codes: NDArray[np.uint32]
    classes: NDArray[Any]
    positive: int
    fingerprint: str

    def rows(self, rows: Rows) -> tuple[Any, NDArray[Any]]:
        """Select rows: features in a container of the same type, and labels."""
        return select_table_rows(self.X, rows, fresh_index=True), self.y[rows]


def validate_tables(tables: Mapping[str, Any]) -> list[EvaluationTable]:
    """Validate the tables given by the user.

    Raises
    ------
    ParameterError
        There is no table, or one is not a pair, a triple or a Dataset; or its positive label is unknown.
    DataError
        A table is invalid.
    """
    if not hasattr(tables, "items") or len(tables) == 0:
        raise ParameterError("tables must be a mapping from names to (X, y), with at least one table")
    return [_validate_table(str(name), given) for name, given in tables.items()]


def _validate_table(name: str, given: Any) -> EvaluationTable:
    if isinstance(given, Dataset):
        given = (given.X, given.y)
    if not isinstance(given, tuple) or len(given) not in (2, 3):
        raise ParameterError(
            f"table {name!r} must be (X, y), (X, y, positive) or a Dataset, got {type(given).__name__}"
        )
    X, y, *positive = given
    try:
        frame, target, _ = to_training_data(X, y, None, None, "a comparison", constant=False)
    except DataError as error:
        raise DataError(f"table {name!r}: {error}") from error
    label = positive[0] if positive else None
    code = training_positive_code(label, target.classes, target.codes, None)
    labels = target.classes[target.codes]
    digest = hashlib.sha256(repr((target.classes.tolist(), code)).encode())
    for array in (target.codes, *_frame_arrays(frame)):
        digest.update(repr(array.shape).encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return EvaluationTable(name, X, labels, target.codes, target.classes, code, digest.hexdigest()[:16])


def _frame_arrays(frame: Any) -> list[NDArray[Any]]:
    if not isinstance(frame, list):
        return [np.asarray(frame)]
    return [column[0] if isinstance(column, tuple) else column for column in frame]


def table_to_matrix(X: Any) -> Any:
    """Convert an imbcore Table to a matrix for other libraries; other containers are unchanged.

    A nominal column with two levels becomes one column of 0 and 1, one with more levels a column per level;
    missing levels are NaN in all of them.
    """
    if not isinstance(X, Table):
        return X
    columns = [column for _, column in numeric_and_indicator_columns(X)]
    return np.column_stack(columns) if columns else np.empty((len(X), 0))


def numeric_and_indicator_columns(
    table: Table, *, drop_first: bool = False
) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Yield name and values of every column, nominal ones as in :func:`table_to_matrix`.

    Parameters
    ----------
    drop_first
        Whether columns with more than two levels have none for the first level either.
    """
    for name, column in table.columns.items():
        if not isinstance(column, Nominal):
            yield name, column
            continue
        missing = column.codes == MISSING
        first = 0 if len(column.levels) > 2 and not drop_first else 1
        for code in range(first, len(column.levels)):
            yield f"{name}={column.levels[code]}", np.where(missing, np.nan, column.codes == code)
