"""A single column of user input: float64 numbers (NaN = missing) or level codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore.exceptions import ColumnTypeError, DataError

MISSING = 0xFFFF_FFFF
# Above this magnitude adjacent integers are equal in float64.
EXACT = 2**53

Level = int | float | str | bool


@dataclass(frozen=True, slots=True)
class Nominal:
    """Unordered values: ``levels[code]`` of every row, with code ``MISSING`` for missing values."""

    codes: NDArray[np.uint32]
    levels: list[Level]


Column = NDArray[np.float64] | Nominal


def n_column_rows(column: Column) -> int:
    """Return the number of rows of a column."""
    return len(column.codes if isinstance(column, Nominal) else column)


def is_sparse(data: Any) -> bool:
    """Check whether ``data`` is a SciPy sparse matrix or array, without importing SciPy."""
    return hasattr(data, "nnz") and hasattr(data, "toarray")


def decode_arrow_dictionary(values: Any) -> Any:
    """Convert an Arrow dictionary array to its values; NumPy does not convert all of them."""
    value_type = getattr(getattr(values, "type", None), "value_type", None)
    is_dictionary = value_type is not None and hasattr(values.type, "index_type")
    return values.cast(value_type) if is_dictionary else values


def is_missing_value(value: Any) -> bool:
    """Check whether a single value is missing: None, NaN, NaT, pandas' NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating, Decimal)) and bool(value != value)


def column_from_array(values: NDArray[Any], name: str) -> Column:
    """Convert a 1-D array of any type."""
    kind = values.dtype.kind
    if kind in "fbiu":
        return to_float64(values, [name])
    if kind in "UT":
        return _nominal_from_text(values.tolist())
    if kind == "O":
        return _column_from_objects(values.tolist(), name)
    raise _unusable_type_error(values.dtype, name)


def to_float64(array: NDArray[Any], names: Sequence[str] | None) -> NDArray[np.float64]:
    """Convert to aligned native float64 in C or Fortran order, copying only if needed."""
    plain: NDArray[Any] = np.asarray(array)
    if isinstance(array, np.ma.MaskedArray):
        plain = np.ma.filled(np.ma.asarray(array, dtype=np.float64), np.nan)
    if plain.dtype.kind in "iu" and plain.dtype.itemsize == 8 and plain.size:
        _reject_inexact_integers(plain, names)
    flags = plain.flags
    if plain.dtype == np.float64 and plain.dtype.isnative and flags.aligned and flags.forc:
        return plain
    order = "F" if flags.f_contiguous else "C"
    return np.array(plain, dtype=np.float64, order=order)  # type: ignore[call-overload]


def _reject_inexact_integers(array: NDArray[Any], names: Sequence[str] | None) -> None:
    if int(array.max()) <= EXACT and int(array.min()) >= -EXACT:
        return
    table = array.reshape(len(array), -1)
    for index in range(table.shape[1]):
        column = table[:, index]
        beyond = exceeds_exact_integers(column)
        if beyond.any():
            row = int(np.flatnonzero(beyond)[0])
            raise inexact_integer_error(names[index] if names else f"x{index}", int(column[row]), index, row)


def inexact_integer_error(
    name: str, value: object, index: int | None = None, row: int | None = None
) -> DataError:
    """Build the error for integers that float64 does not represent exactly."""
    place = "" if row is None else f" (row {row}, counted from 0)"
    return DataError(
        f"column {name!r} has the integer {value}, beyond 2**53, where float64 does not "
        f"hold every integer{place}; leave the column out, or read it as categorical: convert it to text "
        f"(files: categorical_features=[{name!r}], --nominal {name})",
        index,
    )


def exceeds_exact_integers(array: NDArray[Any]) -> NDArray[np.bool_]:
    """Check whether each integer is beyond 2**53 in magnitude."""
    return (array > EXACT) | (array < -EXACT)


def _unusable_type_error(dtype: object, name: str) -> DataError:
    kind = getattr(dtype, "kind", "")
    if kind == "c":
        return DataError(f"Complex data not supported: column {name!r} has dtype {dtype}")
    advice = {
        "M": "convert dates to numbers first, for example days since a fixed day",
        "m": "convert durations to numbers first, for example seconds",
        "S": "decode bytes to text first",
    }.get(kind, "give numbers, booleans, text or categories")
    return ColumnTypeError(f"column {name!r} has dtype {dtype}, which cannot be a feature; {advice}")


def _column_from_objects(values: list[Any], name: str) -> Column:
    """Convert objects: to numbers if all present values are numbers, to levels if all are text."""
    types = set(map(type, values))
    text = any(issubclass(kind, str) for kind in types)
    numeric = (bool, np.bool_, int, float, np.integer, np.floating, Decimal, Fraction)
    for kind in types:
        if issubclass(kind, (complex, np.complexfloating)):
            raise DataError(f"Complex data not supported: column {name!r} has complex numbers")
        if not issubclass(kind, (str, *numeric)) and kind.__name__ not in ("NoneType", "NAType", "NaTType"):
            raise ColumnTypeError(
                f"column {name!r}: argument must be a string or a number, not {kind.__name__!r}; "
                "give numbers, booleans, text or categories"
            )
    if not text:
        return _numbers_from_objects(values, types, name)
    for value in values:
        if not isinstance(value, str) and not is_missing_value(value):
            raise DataError(
                f"column {name!r} mixes text and numbers (such as {value!r}); "
                "convert it to numbers, or to text to use it as a category"
            )
    return _nominal_from_text(values)


def _numbers_from_objects(values: list[Any], types: set[type], name: str) -> NDArray[np.float64]:
    if any(issubclass(kind, (int, np.integer)) for kind in types):
        for row, value in enumerate(values):
            if isinstance(value, (int, np.integer)) and not -EXACT <= int(value) <= EXACT:
                raise inexact_integer_error(name, value, row=row)
    if any(kind.__name__ in ("NAType", "NaTType") for kind in types):
        values = [None if is_missing_value(value) else value for value in values]
    return np.array(values, dtype=np.float64)


def _nominal_from_text(values: list[Any]) -> Nominal:
    levels = sorted({value for value in values if isinstance(value, str)})
    code = {level: index for index, level in enumerate(levels)}
    codes = np.fromiter(
        (code[value] if isinstance(value, str) else MISSING for value in values), np.uint32, count=len(values)
    )
    return Nominal(codes, [str(level) for level in levels])


def column_from_series(series: Any, name: str, index: int) -> Column:
    """Convert a narwhals series (pandas, polars, pyarrow, ...), without a detour through pandas."""
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if isinstance(dtype, (nw.Float32, nw.Float64)) and series.implementation.is_pyarrow():
        return _arrow_floats(series.to_native())
    if isinstance(dtype, nw.Float64):
        return to_float64(series.to_numpy(), [name])
    if dtype.is_integer() and not isinstance(
        dtype, (nw.Int8, nw.Int16, nw.Int32, nw.UInt8, nw.UInt16, nw.UInt32)
    ):
        for value in (series.max(), series.min()):
            if not is_missing_value(value) and abs(int(value)) > EXACT:
                raise inexact_integer_error(name, int(value), index, series.to_list().index(int(value)))
    if dtype.is_numeric() or isinstance(dtype, nw.Boolean):
        return to_float64(series.cast(nw.Float64).to_numpy(), [name])
    if isinstance(dtype, (nw.Categorical, nw.Enum)):
        return _nominal_from_categories(series)
    if isinstance(dtype, nw.String):
        return _nominal_from_strings(series)
    if series.null_count() == len(series):
        return np.full(len(series), np.nan)
    if isinstance(dtype, (nw.Object, nw.Unknown)):
        return column_from_array(series.to_numpy(), name)
    if dtype.is_temporal():
        advice = "convert dates and times to numbers first, for example days since a fixed day"
    elif dtype.is_nested():
        advice = "expand nested values into separate columns first"
    else:
        advice = "give numbers, booleans, text or categories"
    raise ColumnTypeError(f"column {name!r} has type {dtype}, which cannot be a feature; {advice}", index)


def _arrow_floats(column: Any) -> NDArray[np.float64]:
    """Convert chunk by chunk, without joining them first; a single float64 chunk is not copied."""
    pieces = [chunk.to_numpy(zero_copy_only=False) for chunk in column.chunks if len(chunk)]
    if len(pieces) == 1:
        return to_float64(pieces[0], None)
    return np.concatenate(pieces, dtype=np.float64) if pieces else np.empty(0)


def _nominal_from_strings(series: Any) -> Nominal:
    native, implementation = series.to_native(), series.implementation
    if implementation.is_polars():
        return _nominal_from_polars(native)
    if implementation.is_pyarrow():
        return _nominal_from_arrow(native)
    codes, distinct = native.factorize()
    return _sort_levels(codes, distinct.tolist())


def _nominal_from_categories(series: Any) -> Nominal:
    native, implementation = series.to_native(), series.implementation
    if implementation.is_polars():
        return _nominal_from_polars(native)
    if implementation.is_pyarrow():
        return _nominal_from_arrow(native)
    if not hasattr(native, "cat"):  # pandas over Arrow dictionaries
        return _nominal_from_arrow(native.array.__arrow_array__())
    return nominal_from_categorical(native.array)


def nominal_from_categorical(values: Any) -> Nominal:
    """Convert a pandas categorical array."""
    categories = values.categories
    if getattr(categories.dtype, "storage", None) == "pyarrow":
        # Five times faster than converting to objects with pandas.
        return Nominal(_codes_to_uint32(values.codes), categories.array.__arrow_array__().to_pylist())
    levels = [_to_supported_level(category) for category in categories.to_numpy(dtype=object).tolist()]
    return Nominal(_codes_to_uint32(values.codes), levels)


def _nominal_from_polars(series: Any) -> Nominal:
    """Levels of enums as declared; those of text and categoricals sorted."""
    import polars as pl

    if isinstance(series.dtype, pl.Enum):
        levels = series.dtype.categories.to_list()
    else:
        series = series.cast(pl.String)
        levels = series.drop_nulls().unique().sort().to_list()
    codes = series.cast(pl.Enum(levels)).to_physical().cast(pl.UInt32).fill_null(MISSING)
    return Nominal(codes.to_numpy(), levels)


def _nominal_from_arrow(column: Any) -> Nominal:
    """Levels of ordered dictionaries as declared, of all others sorted.

    Chunks may have different dictionaries, with codes of any integer type. A missing value in a dictionary is
    a missing value of the column, not a level.
    """
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    places: dict[Level, int] = {}
    parts = [np.empty(0, dtype=np.int64)]
    dictionary, rank = None, np.empty(0, dtype=np.int64)
    for chunk in column.chunks if isinstance(column, pa.ChunkedArray) else [column]:
        if dictionary is None or not chunk.dictionary.equals(dictionary):
            dictionary = chunk.dictionary
            rank = np.array(
                [_index_of_level(value, places) for value in dictionary.to_pylist()] + [-1], np.int64
            )
        codes = chunk.indices.cast(pa.int64()).fill_null(len(rank) - 1)
        parts.append(rank[codes.to_numpy(zero_copy_only=False)])
    codes = np.concatenate(parts)
    if column.type.ordered:
        return Nominal(_codes_to_uint32(codes), list(places))
    return _sort_levels(codes, list(places))


def _index_of_level(value: Any, places: dict[Level, int]) -> int:
    """Return the index of a level, in the order of first occurrence; -1 for a missing value."""
    return -1 if is_missing_value(value) else places.setdefault(_to_supported_level(value), len(places))


def _to_supported_level(value: Any) -> Level:
    """Convert a category to a type that a model file supports."""
    if type(value) is str:
        return value
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, bool) or (isinstance(plain, int) and abs(plain) <= EXACT):
        return plain
    if isinstance(plain, float) and abs(plain) < float("inf"):
        return plain
    return str(plain)


def _codes_to_uint32(codes: NDArray[Any]) -> NDArray[np.uint32]:
    """Convert codes with -1 for missing to uint32; the two's complement of -1 is MISSING."""
    return codes.astype(np.uint32)


def _sort_levels(codes: NDArray[Any], distinct: list[Any]) -> Nominal:
    """Renumber codes (-1 = missing) by the sorted order of their labels."""
    labels = [_to_supported_level(value) for value in distinct]
    numbers = all(isinstance(label, (int, float)) for label in labels)
    order = sorted(range(len(labels)), key=lambda at: labels[at] if numbers else (str(labels[at])))
    rank = np.full(len(labels) + 1, MISSING, dtype=np.uint32)
    rank[order] = np.arange(len(labels), dtype=np.uint32)
    return Nominal(rank[np.asarray(codes)], [labels[at] for at in order])


def numbers_as_levels(values: NDArray[np.float64], name: str) -> Nominal:
    """Convert a numeric column to a nominal one with its sorted distinct values as levels."""
    missing = np.isnan(values)
    distinct, inverse = np.unique(values[~missing], return_inverse=True)
    codes = np.full(len(values), MISSING, dtype=np.uint32)
    codes[~missing] = inverse
    levels = [int(value) if value.is_integer() else value for value in distinct.tolist()]
    if not np.isfinite(distinct).all():
        raise DataError(f"column {name!r} has an infinite value; replace it or mark it as missing")
    return Nominal(codes, levels)
