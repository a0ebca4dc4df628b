"""Selection of columns by name, in the order of the fit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from imbcore._validation.frame import NativeFrame, to_prediction_frame
from imbcore._validation.schema import Schema
from imbcore._validation.table import Table


def to_model_frame(x: Any, schema: Schema, estimator: str | None, model: tuple[str, str]) -> NativeFrame:
    """Convert rows to native form; estimators require the columns of the fit.

    ``model`` is the name of the method and its parameters as JSON text.
    """
    if estimator is None and schema.named:
        x = select_columns_by_name(x, schema.names)
    method, params = model
    who = estimator or f"the {method} model"
    return to_prediction_frame(x, schema, who, unseen=unseen_level_policy(params))


@lru_cache(maxsize=128)
def unseen_level_policy(params: str) -> str:
    """Return "error" if the parameters reject unseen levels, else "missing".

    ``params`` are the parameters of a method and its base classifiers as JSON text.
    """
    return "error" if _rejects_unseen_levels(json.loads(params)) else "missing"


def _rejects_unseen_levels(params: Any) -> bool:
    if not isinstance(params, dict):
        return False
    return params.get("handle_unknown") == "error" or any(map(_rejects_unseen_levels, params.values()))


def select_columns_by_name(x: Any, names: Sequence[str]) -> Any:
    """Select columns by name, in the order of ``names``.

    Data without text names, or without one of the names, are returned unchanged; later checks raise errors.
    """
    if isinstance(x, Table):
        return (
            Table({name: x.columns[name] for name in names}) if _needs_column_selection(x.names, names) else x
        )
    if isinstance(x, Mapping):
        return {name: x[name] for name in names} if _needs_column_selection(list(x), names) else x
    if isinstance(x, (list, tuple)):
        return _drop_other_keys(x, names)
    if hasattr(x, "dtype"):
        return x
    import narwhals.stable.v2 as nw

    if nw.dependencies.is_pandas_dataframe(x):
        return x[list(names)] if _needs_column_selection(x.columns.tolist(), names) else x
    if nw.dependencies.is_into_dataframe(x):
        frame = nw.from_native(x, eager_only=True)
        return frame.select(list(names)).to_native() if _needs_column_selection(frame.columns, names) else x
    return x


def _needs_column_selection(found: Sequence[Any], names: Sequence[str]) -> bool:
    """Check whether all columns are present, with others or in another order."""
    return list(found) != list(names) and len(found) >= len(names) and {*names} <= {*found}


def _drop_other_keys(rows: Sequence[Any], names: Sequence[str]) -> Sequence[Any]:
    """Drop other keys from rows given as dicts."""
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        return rows
    wanted = set(names)
    if not wanted <= {name for row in rows for name in row}:
        return rows
    return [{name: value for name, value in row.items() if name in wanted} for row in rows]
