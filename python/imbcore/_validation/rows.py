"""Row operations on any container: selecting rows, and appending synthetic ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.columns import is_sparse
from imbcore._validation.frame import NativeFrame
from imbcore._validation.read import text_column_names
from imbcore._validation.user_warnings import warn_user
from imbcore.exceptions import DataError

Rows = NDArray[np.int64]
SyntheticValues = NDArray[np.float64] | Rows
"""New values of a column for synthetic rows, or, as integers, the rows whose values are copied."""


def shape_and_names(x: Any) -> tuple[int, int, list[str] | None]:
    """Return rows, columns and column names of a container without reading values."""
    if hasattr(x, "_imbcore_columns_"):
        x = dict(x._imbcore_columns_())
    if is_sparse(x):
        return int(x.shape[0]), int(x.shape[1]), None
    if isinstance(x, Mapping):
        names = [str(name) for name in x]
        return max((len(_codes_or_column(column)) for column in x.values()), default=0), len(names), names
    held = None if isinstance(x, (list, np.ndarray)) else _wrap_with_narwhals(x)
    if held is not None and hasattr(held, "columns"):
        return held.shape[0], held.shape[1], text_column_names(list(held.columns))
    shape = np.shape(x)
    if len(shape) != 2:
        raise DataError(
            f"Expected 2D array, got an array of shape {shape}; X must be a table of rows and columns"
        )
    return shape[0], shape[1], None


def _codes_or_column(column: Any) -> Any:
    return column.codes if hasattr(column, "codes") else column


def select_table_rows(x: Any, rows: Rows, *, fresh_index: bool) -> Any:
    """Select rows, preserving the container type; ``fresh_index`` resets the index of pandas."""
    # A sparse matrix in DOK format is a mapping, too.
    if is_sparse(x):
        return x.tocsr()[rows].asformat(x.format)
    if isinstance(x, Mapping):
        return {name: select_table_rows(column, rows, fresh_index=fresh_index) for name, column in x.items()}
    if isinstance(x, list):
        return [x[row] for row in rows.tolist()]
    if isinstance(x, np.ndarray):
        return x[rows]
    if hasattr(x, "_imbcore_columns_"):
        return x.take(rows)
    held = _wrap_with_narwhals(x)
    if held is None:
        return np.asarray(x)[rows]
    return _to_native_container(held[rows], fresh_index)


def append_synthetic_rows(x: Any, sources: Rows, made: list[SyntheticValues] | NDArray[np.float64]) -> Any:
    """Append rows to ``x``: copies of those at ``sources``, all columns replaced by ``made``.

    ``made`` is a list of columns or, if all are numeric, an array of shape (n_columns, n_made).
    """
    if isinstance(x, Mapping):
        return {
            name: _append_to_array(np.asarray(column), values)
            for (name, column), values in zip(x.items(), made, strict=True)
        }
    if hasattr(x, "_imbcore_columns_"):
        parts = zip(x._imbcore_columns_(), made, strict=True)
        return type(x)({name: _append_values(column, values) for (name, column), values in parts})
    held = None if isinstance(x, (list, np.ndarray)) or is_sparse(x) else _wrap_with_narwhals(x)
    if held is not None:
        return _append_frame_rows(held, sources, made)
    array = x.toarray() if is_sparse(x) else np.asarray(x)
    n_rows, of_integers = len(array), array.dtype.kind in "iu"
    whole = np.empty((n_rows + len(sources), array.shape[1]), dtype=array.dtype)
    whole[:n_rows] = array
    if isinstance(made, np.ndarray):
        whole[n_rows:] = _truncate_for_integers(made, of_integers).T
    else:
        for at, values in enumerate(made):
            is_pick = values.dtype.kind == "i"
            whole[n_rows:, at] = array[values, at] if is_pick else _truncate_for_integers(values, of_integers)
    if is_sparse(x):
        return type(x)(whole)
    return whole.tolist() if isinstance(x, list) else whole


def append_matrix_rows(
    matrix: NDArray[np.float64], n_made: int, write: Callable[[NDArray[np.float64]], None]
) -> NDArray[np.float64]:
    """Append rows to a matrix, whose values ``write`` fills in."""
    n_rows, width = matrix.shape
    whole = np.empty((n_rows + n_made, width))
    whole[:n_rows] = matrix
    write(whole[n_rows:])
    return whole


def synthetic_columns(
    frame: NativeFrame | None, sources: Rows, numbers: NDArray[np.float64], codes: Mapping[int, Any]
) -> list[SyntheticValues] | NDArray[np.float64]:
    """Arrange new values by column: numbers, or indices of rows with the sampled levels."""
    if not isinstance(frame, list):
        return numbers.T
    remaining = iter(numbers.T)
    made: list[SyntheticValues] = []
    for at, column in enumerate(frame):
        if not isinstance(column, tuple):
            made.append(next(remaining))
            continue
        levels, first = np.unique(column[0], return_index=True)
        drawn = codes.get(at)
        made.append(sources if drawn is None else first[np.searchsorted(levels, drawn)])
    return made


def _append_values(column: Any, values: SyntheticValues) -> Any:
    if hasattr(column, "codes"):
        return type(column)(_append_to_array(column.codes, values), column.levels)
    return _append_to_array(column, values)


def _append_to_array(column: NDArray[Any], values: SyntheticValues) -> NDArray[Any]:
    if values.dtype.kind == "i":
        return np.concatenate([column, column[values]])
    return np.concatenate(
        [column, _truncate_for_integers(values, column.dtype.kind in "iu").astype(column.dtype)]
    )


def _truncate_for_integers(numbers: SyntheticValues, whole: bool) -> SyntheticValues:
    """Truncate fractions for integer columns, with a warning."""
    if not whole or np.array_equal(cut := np.trunc(numbers), numbers):
        return numbers
    warn_user("added rows in integer columns are truncated to integers; give floats to keep fractions")
    return cut


def _wrap_with_narwhals(x: Any) -> Any:
    """Wrap a frame or series with narwhals; None for anything else."""
    import narwhals.stable.v2 as nw

    seen = nw.from_native(x, eager_only=True, allow_series=True, pass_through=True)
    return None if seen is x else seen


def _to_native_container(held: Any, fresh_index: bool) -> Any:
    import narwhals.stable.v2 as nw

    return nw.to_native(nw.maybe_reset_index(held) if fresh_index else held)


def _append_frame_rows(held: Any, sources: Rows, made: list[SyntheticValues] | NDArray[np.float64]) -> Any:
    import narwhals.stable.v2 as nw

    tail = held[sources]
    pandas_like = held.implementation.is_pandas_like()
    native = tail.to_native().copy() if pandas_like else None
    for at, (column, values) in enumerate(zip(held.iter_columns(), made, strict=True)):
        if values.dtype.kind == "i":
            new = column[values].to_native()
        else:
            new = _to_series_like(column, _truncate_for_integers(values, column.dtype.is_integer()))
        if native is not None:
            native.isetitem(at, new.array)
        else:
            tail = tail.with_columns(nw.from_native(new, series_only=True).alias(column.name))
    behind = nw.from_native(native, eager_only=True) if native is not None else tail
    return _to_native_container(nw.concat([held, behind], how="vertical"), fresh_index=True)


def _to_series_like(column: Any, numbers: SyntheticValues) -> Any:
    """Convert numbers to a series of the library and type of a column."""
    import narwhals.stable.v2 as nw

    native = column.to_native()
    if column.implementation.is_pandas_like():
        return type(native)(numbers).astype(native.dtype)
    series = nw.new_series(column.name, numbers, backend=column.implementation)
    return series.cast(column.dtype).to_native()
