"""Conversion of any table (arrays, data frames, dicts of columns, rows) to columns."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.columns import (
    Column,
    Nominal,
    column_from_array,
    column_from_series,
    is_sparse,
    n_column_rows,
    nominal_from_categorical,
    to_float64,
)
from imbcore._validation.damage import validate_arrow
from imbcore._validation.labelled import align_rows, pandas_index_of
from imbcore._validation.optional import import_failure
from imbcore._validation.value_text import value_text
from imbcore.exceptions import ColumnTypeError, DataError

Matrix = NDArray[np.float64]

# Maximum size in bytes of an implicit dense copy of a sparse matrix.
_MOST_DENSE = 10**9


@dataclass(frozen=True, slots=True)
class RawTable:
    """Columns of a table: one matrix if all are numbers of one array, else a list."""

    body: Matrix | list[Column]
    names: list[str] | None
    # Column labels of a data frame that are not text, converted to text.
    labels: list[str] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns."""
        if isinstance(self.body, list):
            return (n_column_rows(self.body[0]) if self.body else 0), len(self.body)
        return self.body.shape[0], self.body.shape[1]

    def columns(self) -> list[Column]:
        """Return all columns one by one; a row-major matrix is copied once."""
        if isinstance(self.body, list):
            return [_all_missing_to_numbers(column) for column in self.body]
        return list(np.asfortranarray(self.body).T)


def _all_missing_to_numbers(column: Column) -> Column:
    """Convert a column with only missing values to numbers, because its type is unknown."""
    if isinstance(column, Nominal) and not column.levels:
        return np.full(len(column.codes), np.nan)
    return column


def read_raw_table(x: Any, who: str, order: Sequence[str] = ()) -> RawTable:
    """Convert any supported table.

    The columns of rows given as dicts have the order ``order`` if the names match, else that of appearance.
    """
    if isinstance(x, np.ndarray):
        return RawTable(_read_array(x, who), None)
    if is_sparse(x):
        return RawTable(_read_array(_sparse_to_dense(x, who), who), None)
    if isinstance(x, list) and x and isinstance(x[0], (str, os.PathLike)) and os.path.exists(x[0]):
        x = x[0]
    if isinstance(x, (str, os.PathLike)):
        raise DataError(
            f"X is the path {os.fspath(x)!r}, but this function needs the table itself: "
            "model.predict_to_file(path, X) writes predictions while rows are read, model.score_metrics(X, "
            "y='column') scores them, and imbcore.fit(X, y='column') fits"
        )
    if hasattr(x, "_imbcore_columns_"):
        parts = x._imbcore_columns_()
        body = [
            Nominal(np.ascontiguousarray(c.codes), list(c.levels))
            if hasattr(c, "codes")
            else column_from_array(_as_array(c), name)
            for name, c in parts
        ]
        return RawTable(
            _require_equal_lengths(body, [name for name, _ in parts]), [name for name, _ in parts]
        )
    if isinstance(x, Mapping):
        cells = [_is_scalar_cell(value) for value in x.values()]
        if any(cells) and not all(cells):
            _refuse_mixed_dict(dict(zip(map(str, x), cells, strict=True)))
        return _read_records([x], order) if any(cells) else _read_mapping(x)
    if isinstance(x, (list, tuple)):
        if x and all(isinstance(row, Mapping) for row in x):
            return _read_records(x, order)
    else:
        import narwhals.stable.v2 as nw

        if nw.dependencies.is_pandas_dataframe(x):
            return _read_pandas(x)
        if nw.dependencies.is_dask_dataframe(x):
            # Converting it to an array would load it completely, without its column names.
            raise DataError(
                "X is a Dask DataFrame, whose rows are elsewhere: X.map_partitions(model.predict_proba) "
                "predicts on its workers, model.predict_to_file(path, X) writes predictions while rows are "
                "read, and imbcore.dask.fit(X, y='column') fits; X.compute() loads the rows"
            )
        x = materialize_arrow_stream(x)
        if nw.dependencies.is_pyarrow_table(x):
            return _read_frame(validate_arrow(x, "X, an Arrow table"))
        if nw.dependencies.is_into_dataframe(x):
            return _read_frame(x)
        held = hasattr(x, "__array__") or hasattr(x, "__len__")
        lazy = any(hasattr(x, name) for name in ("collect", "compute", "to_arrow_table"))
        if nw.dependencies.is_polars_lazyframe(x) or (lazy and not held):
            raise DataError(f"X must be a table held in memory, got {type(x).__name__}; collect it first")
        if not held:
            raise DataError(f"X must be a table of rows and columns, got {value_text(x)}")
    return RawTable(_read_array(_as_array(x), who), None)


def _is_scalar_cell(value: Any) -> bool:
    """Check whether a value of a dict is a scalar, without converting columns."""
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__len__"):
        return True
    return getattr(value, "shape", None) == ()


def _refuse_mixed_dict(cells: Mapping[str, bool]) -> None:
    """Raise the error for a dict that is neither one row nor columns."""
    lists = [name for name, cell in cells.items() if not cell]
    single = next(name for name, cell in cells.items() if cell)
    raise DataError(
        f"column {lists[0]!r} has several values, but column {single!r} a single one; give one value per "
        "column (one row), or one list per column",
        list(cells).index(lists[0]),
    )


def materialize_arrow_stream(x: Any) -> Any:
    """Read an object that exports an Arrow stream, which can be read only once.

    Everything else is returned unchanged.
    """
    if not hasattr(x, "__arrow_c_stream__"):
        return x
    import narwhals.stable.v2 as nw

    held = nw.dependencies.is_into_dataframe(x) or nw.dependencies.is_into_series(x)
    return x if held or nw.dependencies.is_dask_dataframe(x) else _import_arrow_stream(x)


def _sparse_to_dense(x: Any, who: str) -> NDArray[Any]:
    """Copy a sparse matrix to a dense one, because columns are read whole; error if too large."""
    size = 8 * math.prod(x.shape)
    if size > _MOST_DENSE:
        rows = _MOST_DENSE * x.shape[0] // size
        raise DataError(
            f"X is sparse, and {who} needs dense columns: a copy of shape {x.shape} would have "
            f"{size / 1e9:,.1f} GB, more than the limit of {_MOST_DENSE // 10**9} GB. Select columns, such "
            f"as with SelectKBest, or combine them, such as with TruncatedSVD; use at most {rows:,} rows at "
            "a time; or give X.toarray() if memory allows"
        )
    return x.toarray()


def _as_array(x: Any) -> NDArray[Any]:
    """Convert lists and array-likes; text does not convert neighboring numbers to text."""
    try:
        array = np.asarray(x)
        if array.dtype.kind == "U" and isinstance(x, (list, tuple)):
            array = np.asarray(x, dtype=object)
    except (ValueError, TypeError) as error:
        raise DataError(f"X cannot be read as a table of rows of equal length: {error}") from error
    return array


def _read_array(array: NDArray[Any], who: str) -> Matrix | list[Column]:
    if array.dtype.kind == "c":
        raise DataError(f"Complex data not supported: X has dtype {array.dtype}")
    if array.ndim < 2:
        shape = "scalar" if array.ndim == 0 else "1D"
        raise DataError(
            f"Expected 2D array, got {shape} array instead:\narray={array}.\n"
            "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
            "or array.reshape(1, -1) if it contains a single sample."
        )
    if array.ndim > 2:
        raise DataError(f"Found array with dim {array.ndim}, while dim <= 2 is required by {who}.")
    if array.dtype.kind in "fbiu":
        return to_float64(array, None)
    if isinstance(array, np.ma.MaskedArray):
        array = np.ma.filled(np.ma.asarray(array, dtype=object), None)
    return [column_from_array(array[:, index], f"x{index}") for index in range(array.shape[1])]


def _read_mapping(columns: Mapping[Any, Any]) -> RawTable:
    names = [str(name) for name in columns]
    body: list[Column] = []
    rows = pandas_index_of(columns)
    for index, (name, values) in enumerate(zip(names, columns.values(), strict=True)):
        if rows is not None:
            values = align_rows(values, rows, name, "the first column of X")
        if not isinstance(values, (np.ndarray, list, tuple)):
            import narwhals.stable.v2 as nw

            if nw.dependencies.is_into_series(values):
                body.append(column_from_series(nw.from_native(values, series_only=True), name, index))
                continue
        array = _as_array(values)
        if array.ndim != 1:
            raise DataError(f"column {name!r} must be one-dimensional, got shape {array.shape}", index)
        body.append(column_from_array(array, name))
    return RawTable(_require_equal_lengths(body, names), names)


def _read_records(rows: Sequence[Mapping[Any, Any]], order: Sequence[str]) -> RawTable:
    """Convert rows given as dicts; an absent key is a missing value."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    if set(names) == set(order):
        names = list(order)
    return _read_mapping({name: [row.get(name) for row in rows] for name in names})


def _import_arrow_stream(x: Any) -> Any:
    """Import an object that exports an Arrow stream, such as a DuckDB relation."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise import_failure(
            error, f"reading a {type(x).__name__} as X needs pyarrow: pip install 'imbcore[parquet]'"
        ) from error
    try:
        return validate_arrow(pa.table(x), f"X, a {type(x).__name__}")
    except (pa.ArrowException, TypeError) as error:
        raise DataError(f"X, a {type(x).__name__}, cannot be read as an Arrow table: {error}") from error


def _require_equal_lengths(body: list[Column], names: list[str]) -> list[Column]:
    for index, column in enumerate(body):
        if n_column_rows(column) != n_column_rows(body[0]):
            first = f"column {names[0]!r} has {n_column_rows(body[0])}"
            raise DataError(f"column {names[index]!r} has {n_column_rows(column)} rows, but {first}", index)
    return body


def _read_frame(x: Any) -> RawTable:
    import narwhals.stable.v2 as nw

    try:
        frame = nw.from_native(x, eager_only=True)
        labels = list(frame.columns)
    except nw.exceptions.DuplicateError as error:
        raise DataError(f"X has duplicate column names; rename them: {error}") from error
    names = text_column_names(labels)
    shown = names or [f"x{index}" for index in range(len(labels))]
    series = enumerate(frame.iter_columns())
    return RawTable([column_from_series(column, shown[index], index) for index, column in series], names)


def _read_pandas(x: Any) -> RawTable:
    """Convert a pandas frame directly: a wrapper would dominate the time for small tables."""
    labels = x.columns.tolist()
    if not x.columns.is_unique:
        twice = x.columns[x.columns.duplicated()].tolist()[0]
        raise DataError(f"X has duplicate column names; rename them: {twice!r}")
    names = text_column_names(labels)
    matrix = _pandas_matrix(x, names)
    shown = names or [f"x{index}" for index in range(len(labels))]
    body = _pandas_columns(x, shown) if matrix is None else matrix
    return RawTable(body, names, None if names else [str(label) for label in labels])


def _pandas_columns(x: Any, names: list[str]) -> list[Column]:
    """Convert columns one by one; categories and float64 numbers directly."""
    import narwhals.stable.v2 as nw

    def read(series: Any, index: int) -> Column:
        if isinstance(series.array, categorical):
            return nominal_from_categorical(series.array)
        if series.dtype == np.float64:
            return to_float64(series.to_numpy(), [names[index]])
        return column_from_series(nw.from_native(series, series_only=True), names[index], index)

    categorical = nw.dependencies.get_pandas().Categorical
    # Access by number, because looking up each name takes longer than reading the column.
    numbered = x.copy(deep=False)
    numbered.columns = range(len(names))
    return [read(series, index) for index, series in numbered.items()]


def text_column_names(labels: list[Any]) -> list[str] | None:
    """Return the column names if all are text, None if none is (the rule of scikit-learn)."""
    types = sorted({type(label).__qualname__ for label in labels})
    if len(types) > 1 and "str" in types:
        raise ColumnTypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{types} as feature name / column name types. If you want feature names to be stored and "
            "validated, you must convert them all to strings, by using X.columns = X.columns.astype(str) "
            "for example. Otherwise you can remove feature / column names from your input data, or convert "
            "them all to a non-string data type."
        )
    return labels if types == ["str"] else None


def _pandas_matrix(x: Any, names: list[str] | None) -> Matrix | None:
    """Convert a pandas frame of numbers in one step; a single float64 block is not copied."""
    # Check dtypes one by one, because comparing categoricals with each other is slow.
    if not all(isinstance(d, np.dtype) and d.kind in "fbiu" for d in x.dtypes):
        return None
    dtypes = set(x.dtypes)
    if len(dtypes) <= 1:
        return to_float64(x.to_numpy(), names)
    if any(dtype.kind in "iu" and dtype.itemsize == 8 for dtype in dtypes):
        return None  # column by column, so that an inexact integer is found before it is rounded
    return to_float64(x.to_numpy(dtype=np.float64), names)


def reject_empty_table(shape: tuple[int, int], who: str) -> None:
    """Reject tables without rows or columns."""
    for count, what in ((shape[0], "sample(s)"), (shape[1], "feature(s)")):
        if count == 0:
            raise DataError(
                f"Found array with 0 {what} (shape={shape}) while a minimum of 1 is required by {who}."
            )
