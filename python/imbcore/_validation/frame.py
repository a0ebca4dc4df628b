"""Conversion of arrays, data frames and columns to native form, by the schema of the fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.columns import (
    MISSING,
    Column,
    Level,
    Nominal,
    numbers_as_levels,
)
from imbcore._validation.labelled import match_rows_by_index, order_values_by_class
from imbcore._validation.labels import Target, encode_target_labels
from imbcore._validation.read import Matrix, RawTable, read_raw_table, reject_empty_table
from imbcore._validation.schema import Feature, Schema
from imbcore._validation.unicode import reject_invalid_unicode
from imbcore._validation.user_warnings import warn_user
from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_list
from imbcore.exceptions import DataError, ParameterError

NativeColumn = NDArray[np.float64] | tuple[NDArray[np.uint32], int]
NativeFrame = Matrix | list[NativeColumn]

# In fewer rows, a column may be missing by chance.
_FEWEST_ROWS_OF_LOST_COLUMN = 20


def to_training_frame(
    x: Any, categorical_features: Any, feature_names: Sequence[str] | None, who: str
) -> tuple[NativeFrame, Schema]:
    """Convert training data to native form; also returns the schema, without classes."""
    table = read_raw_table(x, who)
    reject_empty_table(table.shape, who)
    names = _resolve_feature_names(feature_names, table)

    def schema(features: list[Feature]) -> Schema:
        additional = names is not None and table.names is None
        labels = (
            []
            if names is not None or table.labels == _default_column_labels(table.shape[1])
            else table.labels or []
        )
        return Schema(
            features,
            names is not None,
            np.array([], dtype=np.int64),
            additional,
            labels,
            _columns_without_values(table),
        )

    shown = names or [f"x{index}" for index in range(table.shape[1])]
    reject_invalid_unicode("X has a column named", shown)
    declared = declared_nominal_positions(categorical_features, names, table.shape[1])
    if not declared and not isinstance(table.body, list):
        return table.body, schema([Feature(name) for name in shown])
    frame: list[NativeColumn] = []
    features: list[Feature] = []
    for index, (name, column) in enumerate(zip(shown, table.columns(), strict=True)):
        if index in declared and not isinstance(column, Nominal):
            column = numbers_as_levels(column, name)
        if isinstance(column, Nominal):
            reject_invalid_unicode(f"column {name!r} has the level", column.levels)
            frame.append((column.codes, len(column.levels)))
            features.append(Feature(name, column.levels))
        else:
            frame.append(column)
            features.append(Feature(name))
    return frame, schema(features)


def _default_column_labels(n_columns: int) -> list[str]:
    """Return the labels that pandas assigns to unnamed columns."""
    return [str(position) for position in range(n_columns)]


def _columns_without_values(table: RawTable) -> list[int]:
    if not isinstance(table.body, list):
        # Check the first row first; few columns are missing there.
        candidates = np.flatnonzero(np.isnan(table.body[0])).tolist()
        return [at for at in candidates if np.isnan(table.body[:, at]).all()]
    return [at for at, column in enumerate(table.body) if not _has_values(column)]


def _has_values(column: Column) -> bool:
    if isinstance(column, Nominal):
        return bool(column.levels) and bool((column.codes != MISSING).any())
    return not np.isnan(column[0]) or not np.isnan(column).all()


def n_frame_rows(frame: NativeFrame) -> int:
    """Return the number of rows of a native frame."""
    if not isinstance(frame, list):
        return len(frame)
    return len(frame[0][0] if isinstance(frame[0], tuple) else frame[0])


def _resolve_feature_names(feature_names: Sequence[str] | None, table: RawTable) -> list[str] | None:
    if feature_names is None:
        return table.names
    names = [str(name) for name in validate_list("feature_names", feature_names)]
    if len(names) != table.shape[1] or len(set(names)) != len(names):
        raise ParameterError(
            f"feature_names must have one name for each of the {table.shape[1]} columns, all different, "
            f"got {len(names)} names, {len(set(names))} different"
        )
    return names


def declared_nominal_positions(categorical: Any, names: Sequence[str] | None, n_features: int) -> set[int]:
    """Return the positions of the columns that the user declared nominal."""
    if categorical is None:
        return set()
    no_list = isinstance(categorical, str) or not hasattr(categorical, "__iter__")
    if no_list or getattr(categorical, "shape", None) == ():
        raise ParameterError(
            f"categorical_features must be a list of names or positions or a boolean mask, "
            f"got {value_text(categorical)}"
        )
    items = [item.item() if isinstance(item, np.generic) else item for item in categorical]
    if items and all(isinstance(item, bool) for item in items):
        # A mask may be a series indexed by column names.
        labels: list[Any] = list(names or range(n_features))
        items = list(order_values_by_class(categorical, labels, "categorical_features", "columns"))
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
            known = f"the columns are {list(names)}" if names else f"X has {n_features} columns without names"
            raise ParameterError(f"categorical_features: there is no column {item!r}; {known}")
    return positions


def to_prediction_frame(x: Any, schema: Schema, who: str, *, unseen: str = "missing") -> NativeFrame:
    """Convert new data to native form, checked against the schema of the fit.

    Levels unknown to the schema become missing values, with a warning; ``unseen="error"`` raises. If it does
    not raise, columns with values in the fit, but without any now, also cause a warning.
    """
    table = read_raw_table(x, who, schema.names)
    _check_names(table, schema, who)
    if table.shape[1] != len(schema.features):
        raise DataError(
            f"X has {table.shape[1]} features, but {who} is expecting {len(schema.features)} features "
            "as input."
        )
    reject_empty_table(table.shape, who)
    if unseen == "missing" and table.shape[0] >= _FEWEST_ROWS_OF_LOST_COLUMN:
        _warn_about_lost_columns(table, schema)
    if schema.all_numeric and not isinstance(table.body, list):
        return table.body
    return [
        _to_fitted_form(column, feature, index, unseen, index in schema.without_values)
        for index, (column, feature) in enumerate(zip(table.columns(), schema.features, strict=True))
    ]


def _warn_about_lost_columns(table: RawTable, schema: Schema) -> None:
    """Warn if all values of a column are missing, but not in the training rows."""
    for place in _columns_without_values(table):
        if place not in schema.without_values:
            name = schema.features[place].name
            warn_user(
                f"column {name!r} is missing in all {table.shape[0]:,} rows, but not in the training rows; "
                "check the source of the column",
                topic=f"column {name!r} is missing in all rows",
            )


def _to_fitted_form(
    column: Column, feature: Feature, index: int, policy: str, without_values: bool
) -> NativeColumn:
    """Convert a column to the form of its feature in the fit.

    A column with only missing values, in the fit or now, has no type to compare: all its values are missing.
    """
    if isinstance(column, Nominal) and not _has_values(column):
        column = np.full(len(column.codes), np.nan)
    if feature.levels is None:
        if not isinstance(column, Nominal):
            return column
        if without_values:
            present = int((column.codes != MISSING).sum())
            _report_unseen_levels(_occurring_levels(column), feature, index, policy, present)
            return np.full(len(column.codes), np.nan)
        raise DataError(
            f"column {feature.name!r} was numeric during fit, but contains text or categories now "
            f"(such as {_first_levels_text(column.levels)}); convert it to numbers",
            index,
        )
    if not isinstance(column, Nominal):
        column = numbers_as_levels(column, feature.name)
    code = {level: at for at, level in enumerate(feature.levels)}
    rank = np.array([code.get(level, MISSING) for level in column.levels] + [MISSING], dtype=np.uint32)
    if len(column.levels) and not without_values and not _have_same_level_type(column.levels, feature.levels):
        raise DataError(
            f"column {feature.name!r} had values such as {_first_levels_text(feature.levels)} during fit, "
            f"but has values of another type now, such as {_first_levels_text(column.levels)}",
            index,
        )
    if (rank[:-1] == MISSING).any():
        unseen = [level for level in _occurring_levels(column) if level not in code]
        places = column.codes[column.codes != MISSING]
        _report_unseen_levels(unseen, feature, index, policy, int(np.sum(rank[places] == MISSING)))
    return rank[np.minimum(column.codes, np.uint32(len(column.levels)))], len(feature.levels)


def _occurring_levels(column: Nominal) -> list[Level]:
    """Return the levels that occur in a row."""
    used = set(np.unique(column.codes).tolist())
    return [level for at, level in enumerate(column.levels) if at in used]


def _report_unseen_levels(
    unseen: Sequence[Level], feature: Feature, index: int, policy: str, n_rows: int
) -> None:
    """Warn of levels in these rows that were not seen in the fit, or raise an error."""
    if not unseen:
        return
    found = f"column {feature.name!r} has {len(unseen)} value(s) not seen during fit, such as "
    found += _first_levels_text(unseen)
    if policy == "error":
        raise DataError(f'{found}; with handle_unknown="missing" they are treated as missing', index)
    plain = {str(level).strip().casefold(): level for level in feature.levels or ()}
    meant = [plain[key] for level in unseen if (key := str(level).strip().casefold()) in plain]
    hint = f"; did you mean {_first_levels_text(meant)}?" if meant else ""
    text = f"{found}; they are treated as missing in {n_rows:,} row{'s' * (n_rows != 1)}{hint}"
    # Every call has other values and other numbers of rows.
    warn_user(text, topic=f"values of column {feature.name!r} not seen during fit")


def _have_same_level_type(now: list[Level], then: list[Level]) -> bool:
    """Check whether both are text or both are numeric."""
    return not then or any(isinstance(level, str) for level in now) == any(
        isinstance(level, str) for level in then
    )


def _first_levels_text(levels: Sequence[Level]) -> str:
    return ", ".join(repr(level) for level in levels[:3])


def _check_names(table: RawTable, schema: Schema, who: str) -> None:
    """Compare names like scikit-learn; names given separately for unnamed data are not checked."""
    names = table.names
    if names is None and not schema.named and table.labels is not None:
        _check_column_labels(table.labels, schema)
    elif names is not None and schema.named:
        if names != schema.names:
            raise DataError(_names_mismatch_message(names, schema.names))
    elif names is not None:
        warn_user(f"X has feature names, but {who} was fitted without feature names")
    elif schema.named and not schema.named_beside:
        warn_user(f"X does not have valid feature names, but {who} was fitted with feature names")


def _check_column_labels(now: list[str], schema: Schema) -> None:
    """Compare column labels other than text, such as whole numbers.

    The labels 0, 1, ... in this order, and columns without labels, are treated as unnamed and read by
    position, unless the other side has the same labels in another order.
    """
    positions = _default_column_labels(len(schema.features))
    then = schema.column_labels or positions
    if now == then:
        return
    both_named = then != positions and now != _default_column_labels(len(now))
    if both_named or sorted(now) == sorted(then):
        raise DataError(_names_mismatch_message(now, then))


def _names_mismatch_message(now: list[str], then: list[str]) -> str:
    message = "The feature names should match those that were passed during fit.\n"
    parts = (
        ("Feature names unseen at fit time:", sorted(set(now) - set(then))),
        ("Feature names seen at fit time, yet now missing:", sorted(set(then) - set(now))),
    )
    for title, names in parts:
        if names:
            message += title + "\n" + "".join(f"- {name}\n" for name in names[:5])
            message += "- ...\n" if len(names) > 5 else ""
    if set(then) - set(now):
        message += "To predict without the missing columns, fit a model without them.\n"
    if set(now) == set(then):
        message += "Feature names must be in the same order as they were in fit.\n"
    return message


@match_rows_by_index
def to_training_data(
    X: Any,
    y: Any,
    categorical_features: Any,
    feature_names: Sequence[str] | None,
    who: str,
    *,
    constant: bool,
) -> tuple[NativeFrame, Target, Schema]:
    """Convert training data to native form; ``constant`` allows a single class."""
    frame, schema = to_training_frame(X, categorical_features, feature_names, who)
    target = encode_target_labels(y, who)
    n_rows = n_frame_rows(frame)
    if len(target.codes) != n_rows:
        raise DataError(
            f"Found input variables with inconsistent numbers of samples: [{n_rows}, {len(target.codes)}]"
        )
    if len(target.classes) < 2 and not constant:
        raise DataError(
            f"y has only 1 class ({target.classes.tolist()[0]!r}); {who} needs at least 2 classes"
        )
    if n_rows > 20 and 2 * len(target.classes) > n_rows:
        warn_user(f"y has {len(target.classes)} classes in {n_rows} rows; is it a target for regression?")
    return frame, target, replace(schema, classes=target.classes)
