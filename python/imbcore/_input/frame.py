"""User input (arrays, data frames, tables of columns) to the border form, by a schema made at fit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._input import labels as _labels
from imbcore._input.columns import (
    MISSING,
    Column,
    Level,
    Nominal,
    from_array,
    from_series,
    is_sparse,
    length,
    numbers_as_levels,
    to_float64,
)
from imbcore._input.remarks import warn_user
from imbcore.exceptions import DataError, ModelFormatError, ParameterError

Matrix = NDArray[np.float64]
BorderColumn = NDArray[np.float64] | tuple[NDArray[np.uint32], int]
BorderFrame = Matrix | list[BorderColumn]


@dataclass(frozen=True, slots=True)
class Feature:
    """Name of a feature, and its levels when it is nominal."""

    name: str
    levels: list[Level] | None = None


@dataclass(frozen=True)
class Schema:
    """What a model remembers about its training data: features, classes and their types."""

    features: list[Feature]
    # Whether the names came from the user; otherwise they are x0, x1, ...
    named: bool
    classes: NDArray[Any]
    # Whether they were given beside data without names.
    named_beside: bool = False

    @cached_property
    def names(self) -> list[str]:
        """Feature names in column order."""
        return [feature.name for feature in self.features]

    @cached_property
    def all_numeric(self) -> bool:
        """Whether no feature is nominal."""
        return all(feature.levels is None for feature in self.features)

    def to_json(self) -> str:
        """Write the schema as the native module and the model file hold it."""
        features = [
            {"name": f.name, "kind": "numeric"}
            if f.levels is None
            else {"name": f.name, "kind": "nominal", "levels": f.levels}
            for f in self.features
        ]
        document = {
            "features": features,
            "named": self.named,
            **({"named_beside": True} if self.named_beside else {}),
            "classes": self.classes.tolist(),
            "class_dtype": _labels.dtype_name(self.classes),
        }
        return json.dumps(document, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Schema:
        """Read what :meth:`to_json` wrote; the text may come from a hostile file."""
        try:
            document = json.loads(text)
            features = [
                Feature(str(f["name"]), list(f["levels"]) if f["kind"] == "nominal" else None)
                for f in document["features"]
            ]
            classes = _labels.restore(document["classes"], document["class_dtype"])
            beside = bool(document.get("named_beside", False))
            return cls(features, bool(document["named"]), classes, beside)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            if isinstance(error, ModelFormatError):
                raise
            raise ModelFormatError(
                f"the model file describes its data in an unknown way: {error!r}"
            ) from error


@dataclass(frozen=True, slots=True)
class Table:
    """Columns in their own form: one matrix when all are numbers of one array, else a list."""

    body: Matrix | list[Column]
    names: list[str] | None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        if isinstance(self.body, list):
            return (length(self.body[0]) if self.body else 0), len(self.body)
        return self.body.shape[0], self.body.shape[1]

    def columns(self) -> list[Column]:
        """All columns one by one; a row-major matrix is copied once."""
        if isinstance(self.body, list):
            return [_settled(column) for column in self.body]
        return list(np.asfortranarray(self.body).T)


def _settled(column: Column) -> Column:
    """Read a column without any value as numbers: nothing tells what its values would have been."""
    if isinstance(column, Nominal) and not column.levels:
        return np.full(len(column.codes), np.nan)
    return column


def read(x: Any, who: str, order: Sequence[str] = ()) -> Table:
    """Read any supported table.

    The columns of rows that are dicts stand in ``order`` where they are the same, else as they first occur.
    """
    if isinstance(x, np.ndarray):
        return Table(_read_array(x, who), None)
    if is_sparse(x):
        raise DataError(
            f"Sparse input is not supported by {who}; convert it with X.toarray() if memory allows"
        )
    if hasattr(x, "_imbcore_columns_"):
        parts = x._imbcore_columns_()
        body = [Nominal(c.codes, list(c.levels)) if hasattr(c, "codes") else c for _, c in parts]
        return Table(_equally_long(body, [name for name, _ in parts]), [name for name, _ in parts])
    if isinstance(x, Mapping):
        one_row = bool(x) and all(np.ndim(value) == 0 for value in x.values())
        return _read_records([x], order) if one_row else _read_mapping(x)
    if isinstance(x, (list, tuple)):
        if x and all(isinstance(row, Mapping) for row in x):
            return _read_records(x, order)
    else:
        import narwhals.stable.v2 as nw

        if nw.dependencies.is_into_dataframe(x):
            return _read_frame(x)
        if hasattr(x, "__arrow_c_stream__") and not nw.dependencies.is_into_series(x):
            return _read_frame(_arrow_table(x))
        held = hasattr(x, "__array__") or hasattr(x, "__len__")
        if nw.dependencies.is_polars_lazyframe(x) or not held:
            raise DataError(f"X must be a table held in memory, got {type(x).__name__}; collect it first")
    return Table(_read_array(_as_array(x), who), None)


def _as_array(x: Any) -> NDArray[Any]:
    """Read lists and array-likes; text beside numbers does not turn the numbers into text."""
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
    return [from_array(array[:, index], f"x{index}") for index in range(array.shape[1])]


def _read_mapping(columns: Mapping[Any, Any]) -> Table:
    names = [str(name) for name in columns]
    body: list[Column] = []
    for index, (name, values) in enumerate(zip(names, columns.values(), strict=True)):
        if not isinstance(values, (np.ndarray, list, tuple)):
            import narwhals.stable.v2 as nw

            if nw.dependencies.is_into_series(values):
                body.append(from_series(nw.from_native(values, series_only=True), name, index))
                continue
        array = _as_array(values)
        if array.ndim != 1:
            raise DataError(f"column {name!r} must be one-dimensional, got shape {array.shape}", index)
        body.append(from_array(array, name))
    return Table(_equally_long(body, names), names)


def _read_records(rows: Sequence[Mapping[Any, Any]], order: Sequence[str]) -> Table:
    """Read rows that are dicts; a value that a row does not name is missing."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    if set(names) == set(order):
        names = list(order)
    return _read_mapping({name: [row.get(name) for row in rows] for name in names})


def _arrow_table(x: Any) -> Any:
    """Take over what offers its rows as a stream of Arrow batches, such as a relation of DuckDB."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise ImportError(
            f"reading a {type(x).__name__} as X needs pyarrow: pip install imbcore[parquet]"
        ) from error
    try:
        return pa.table(x)
    except (pa.ArrowException, TypeError) as error:
        raise DataError(f"X, a {type(x).__name__}, cannot be read as an Arrow table: {error}") from error


def _equally_long(body: list[Column], names: list[str]) -> list[Column]:
    for index, column in enumerate(body):
        if length(column) != length(body[0]):
            first = f"column {names[0]!r} has {length(body[0])}"
            raise DataError(f"column {names[index]!r} has {length(column)} rows, but {first}", index)
    return body


def _read_frame(x: Any) -> Table:
    import narwhals.stable.v2 as nw

    try:
        frame = nw.from_native(x, eager_only=True)
        labels = list(frame.columns)
    except nw.exceptions.DuplicateError as error:
        raise DataError(f"X has two columns of one name; rename them: {error}") from error
    names = _text_names(labels)
    if frame.implementation.is_pandas():
        matrix = _pandas_matrix(x, names)
        if matrix is not None:
            return Table(matrix, names)
    shown = names or [f"x{index}" for index in range(len(labels))]
    series = enumerate(frame.iter_columns())
    return Table([from_series(column, shown[index], index) for index, column in series], names)


def _text_names(labels: list[Any]) -> list[str] | None:
    """Column names when all are text, None when none is (the rule of scikit-learn)."""
    types = sorted({type(label).__qualname__ for label in labels})
    if len(types) > 1 and "str" in types:
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{types} as feature name / column name types. If you want feature names to be stored and "
            "validated, you must convert them all to strings, by using X.columns = X.columns.astype(str) "
            "for example. Otherwise you can remove feature / column names from your input data, or convert "
            "them all to a non-string data type."
        )
    return labels if types == ["str"] else None


def _pandas_matrix(x: Any, names: list[str] | None) -> Matrix | None:
    """Take a pandas frame of plain numbers in one step, without a copy where it is one float64 block."""
    dtypes = set(x.dtypes)
    if not dtypes or not all(isinstance(dtype, np.dtype) and dtype.kind in "fbiu" for dtype in dtypes):
        return None
    if len(dtypes) == 1:
        return to_float64(x.to_numpy(), names)
    if any(dtype.kind in "iu" and dtype.itemsize == 8 for dtype in dtypes):
        return None  # column by column, so that an inexact integer is found before it is rounded
    return to_float64(x.to_numpy(dtype=np.float64), names)


def check_size(shape: tuple[int, int], who: str) -> None:
    """Refuse tables without rows or columns."""
    for count, what in ((shape[0], "sample(s)"), (shape[1], "feature(s)")):
        if count == 0:
            raise DataError(
                f"Found array with 0 {what} (shape={shape}) while a minimum of 1 is required by {who}."
            )


def fit_frame(
    x: Any, categorical_features: Any, feature_names: Sequence[str] | None, who: str
) -> tuple[BorderFrame, Schema]:
    """Border frame of training data, and its schema, still without classes."""
    table = read(x, who)
    check_size(table.shape, who)
    names = _given_names(feature_names, table)

    def schema(features: list[Feature]) -> Schema:
        beside = names is not None and table.names is None
        return Schema(features, names is not None, np.array([], dtype=np.int64), beside)

    shown = names or [f"x{index}" for index in range(table.shape[1])]
    declared = _declared(categorical_features, names, table.shape[1])
    if not declared and not isinstance(table.body, list):
        return table.body, schema([Feature(name) for name in shown])
    frame: list[BorderColumn] = []
    features: list[Feature] = []
    for index, (name, column) in enumerate(zip(shown, table.columns(), strict=True)):
        if index in declared and not isinstance(column, Nominal):
            column = numbers_as_levels(column, name)
        if isinstance(column, Nominal):
            frame.append((column.codes, len(column.levels)))
            features.append(Feature(name, column.levels))
        else:
            frame.append(column)
            features.append(Feature(name))
    return frame, schema(features)


def n_frame_rows(frame: BorderFrame) -> int:
    """Count the rows of a border frame."""
    if not isinstance(frame, list):
        return len(frame)
    return len(frame[0][0] if isinstance(frame[0], tuple) else frame[0])


def _given_names(feature_names: Sequence[str] | None, table: Table) -> list[str] | None:
    if feature_names is None:
        return table.names
    names = [str(name) for name in feature_names]
    if len(names) != table.shape[1] or len(set(names)) != len(names):
        raise ParameterError(
            f"feature_names must hold one name for each of the {table.shape[1]} columns, all different, "
            f"got {len(names)} names, {len(set(names))} different"
        )
    return names


def _declared(categorical: Any, names: list[str] | None, n_features: int) -> set[int]:
    """Positions of the columns that the user declared nominal."""
    if categorical is None:
        return set()
    if isinstance(categorical, str) or not hasattr(categorical, "__iter__"):
        raise ParameterError(
            f"categorical_features must be a list of names or positions or a boolean mask, "
            f"got {categorical!r}"
        )
    items = [item.item() if isinstance(item, np.generic) else item for item in categorical]
    if items and all(isinstance(item, bool) for item in items):
        if len(items) != n_features:
            raise ParameterError(
                f"categorical_features is a mask of {len(items)} values, but X has {n_features} columns"
            )
        return {index for index, chosen in enumerate(items) if chosen}
    positions = set()
    for item in items:
        if isinstance(item, str) and names is not None and item in names:
            positions.add(names.index(item))
        elif isinstance(item, int) and not isinstance(item, bool) and -n_features <= item < n_features:
            positions.add(range(n_features)[item])
        else:
            known = f"the columns are {names}" if names else f"X has {n_features} columns without names"
            raise ParameterError(f"categorical_features: there is no column {item!r}; {known}")
    return positions


def predict_frame(x: Any, schema: Schema, who: str, *, unseen: str = "missing") -> BorderFrame:
    """Border frame for new data, checked against the schema of the fit.

    Levels that the schema does not know are missing values, with a warning; ``unseen="error"`` refuses them.
    """
    table = read(x, who, schema.names)
    _check_names(table.names, schema, who)
    if table.shape[1] != len(schema.features):
        raise DataError(
            f"X has {table.shape[1]} features, but {who} is expecting {len(schema.features)} features "
            "as input."
        )
    check_size(table.shape, who)
    if schema.all_numeric and not isinstance(table.body, list):
        return table.body
    return [
        _matched(column, feature, index, unseen)
        for index, (column, feature) in enumerate(zip(table.columns(), schema.features, strict=True))
    ]


def _matched(column: Column, feature: Feature, index: int, policy: str) -> BorderColumn:
    """Bring a column to the form its feature had at fit."""
    if feature.levels is None:
        if not isinstance(column, Nominal):
            return column
        raise DataError(
            f"column {feature.name!r} held numbers during fit, but holds text or categories now "
            f"(such as {_some(column.levels)}); convert it to numbers",
            index,
        )
    if not isinstance(column, Nominal):
        column = numbers_as_levels(column, feature.name)
    code = {level: at for at, level in enumerate(feature.levels)}
    rank = np.array([code.get(level, MISSING) for level in column.levels] + [MISSING], dtype=np.uint32)
    if len(column.levels) and not _same_kind(column.levels, feature.levels):
        raise DataError(
            f"column {feature.name!r} held values such as {_some(feature.levels)} during fit, but holds "
            f"values of another type now, such as {_some(column.levels)}",
            index,
        )
    if (rank[:-1] == MISSING).any():
        used = set(np.unique(column.codes).tolist())
        unseen = [level for at, level in enumerate(column.levels) if rank[at] == MISSING and at in used]
        if unseen and policy == "error":
            raise DataError(
                f"column {feature.name!r} holds {len(unseen)} value(s) not seen during fit, such as "
                f'{_some(unseen)}; with unseen="missing" they are treated as missing',
                index,
            )
        if unseen:
            warn_user(
                f"column {feature.name!r} holds {len(unseen)} value(s) not seen during fit, such as "
                f"{_some(unseen)}; they are treated as missing"
            )
    return rank[np.minimum(column.codes, np.uint32(len(column.levels)))], len(feature.levels)


def _same_kind(now: list[Level], then: list[Level]) -> bool:
    """Whether text meets text and numbers meet numbers."""
    return not then or any(isinstance(level, str) for level in now) == any(
        isinstance(level, str) for level in then
    )


def _some(levels: Sequence[Level]) -> str:
    return ", ".join(repr(level) for level in levels[:3])


def _check_names(names: list[str] | None, schema: Schema, who: str) -> None:
    """Compare names as scikit-learn does; names given beside data without names say nothing of other data."""
    if names is not None and schema.named:
        if names != schema.names:
            raise DataError(_names_message(names, schema.names))
    elif names is not None:
        warn_user(f"X has feature names, but {who} was fitted without feature names")
    elif schema.named and not schema.named_beside:
        warn_user(f"X does not have valid feature names, but {who} was fitted with feature names")


def _names_message(now: list[str], then: list[str]) -> str:
    message = "The feature names should match those that were passed during fit.\n"
    parts = (
        ("Feature names unseen at fit time:", sorted(set(now) - set(then))),
        ("Feature names seen at fit time, yet now missing:", sorted(set(then) - set(now))),
    )
    for title, names in parts:
        if names:
            message += title + "\n" + "".join(f"- {name}\n" for name in names[:5])
            message += "- ...\n" if len(names) > 5 else ""
    if set(now) == set(then):
        message += "Feature names must be in the same order as they were in fit.\n"
    return message
