"""Arguments of fits on a Dask cluster: the client, and the roles of the columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from imbcore._validation.unicode import reject_non_arrow_data
from imbcore.exceptions import DataError, ParameterError
from imbcore.streaming.metadata import ColumnRoles
from imbcore.streaming.readers.arrow import arrow_type_kind, pyarrow
from imbcore.streaming.readers.open import check_roles
from imbcore.streaming.readers.segments import Column, unusable_feature_error
from imbcore.streaming.readers.vocabulary import find_nominal_features


def find_client(given: Any) -> Any:
    """Return the given client or, if it is None, the current one."""
    try:
        from distributed import Client, get_client
    except ImportError as error:
        raise ImportError("imbcore.dask needs Dask: pip install 'imbcore[dask]'") from error
    if given is not None:
        if not isinstance(given, Client):
            raise ParameterError(
                "client must be a distributed.Client, such as Client('scheduler:8786'), "
                f"got {type(given).__name__}"
            )
        return given
    try:
        return get_client()
    except ValueError:
        raise ParameterError(
            "there is no Dask cluster: start one with client = dask.distributed.Client(), or name yours in "
            "client="
        ) from None


def require_dask_frame(data: Any) -> None:
    """Refuse data that is not a Dask DataFrame."""
    if getattr(data, "_meta_nonempty", None) is None or not hasattr(data, "to_delayed"):
        raise ParameterError(
            f"data must be a Dask DataFrame, got {type(data).__name__}; dask.dataframe.read_parquet makes "
            "one of files, and dask.dataframe.from_pandas of a table"
        )


def find_column_roles(
    data: Any,
    target: str,
    weight: str | None,
    columns: Sequence[str] | None,
    given: Mapping[str, Any],
    additional: tuple[str, ...] = (),
) -> ColumnRoles:
    """Find the roles of the columns of a Dask DataFrame.

    ``columns`` are the features, and ``additional`` the columns of groups and times.
    """
    for what, name in (("y", target), ("sample_weight_column", weight or "")):
        if not isinstance(name, str):
            raise ParameterError(
                f"{what} must be the name of a column of the Dask DataFrame, got {type(name).__name__}"
            )
    check_roles(target, weight, columns, additional)
    require_dask_frame(data)
    present = list(data.columns)
    others = (target, weight, *additional)
    features = [name for name in (present if columns is None else columns) if name not in others]
    for name in dict.fromkeys((target, *([] if weight is None else [weight]), *additional, *features)):
        if name not in present:
            raise DataError(f"the Dask DataFrame has no column {name!r}; there are {present}")
    with reject_non_arrow_data():
        meta = data[features]._meta_nonempty
        schema = pyarrow("Dask DataFrames").Table.from_pandas(meta, preserve_index=False).schema
    kinds = [Column(name, _column_kind(schema, name), None) for name in features]
    nominal = find_nominal_features(kinds, features, given.get("categorical_features"))
    return ColumnRoles(target, weight, features, nominal, additional=additional)


def _column_kind(schema: Any, name: str) -> Any:
    kind = arrow_type_kind(schema.field(name).type)
    if kind is None:
        raise unusable_feature_error("column", name, schema.field(name).type)
    return kind
