"""What a fit on a cluster is given: a client, and a Dask DataFrame of which columns are named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from imbcore._drawn.census import Roles
from imbcore._sources.arrow import kind_of, pyarrow
from imbcore._sources.door import check_roles
from imbcore._sources.met import nominal_columns
from imbcore._sources.segments import Column, no_feature
from imbcore.exceptions import DataError, ParameterError

__all__ = ["client_of", "roles_in"]


def client_of(given: Any) -> Any:
    """Give the client of the cluster: the one that is named, or the one in use."""
    try:
        from distributed import Client, get_client
    except ImportError as error:
        raise ImportError("imbcore.dask needs Dask: pip install imbcore[dask]") from error
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


def roles_in(
    data: Any, named: tuple[str, str | None, Sequence[str] | None], given: Mapping[str, Any]
) -> Roles:
    """Say what the columns of a Dask DataFrame are, from target, weight and features by name."""
    target, weight, columns = named
    for what, name in (("y", target), ("sample_weight_column", weight or "")):
        if not isinstance(name, str):
            raise ParameterError(
                f"{what} must be the name of a column of the Dask DataFrame, got {type(name).__name__}"
            )
    check_roles(target, weight, columns)
    meta = getattr(data, "_meta_nonempty", None)
    if meta is None or not hasattr(data, "to_delayed"):
        raise ParameterError(
            f"data must be a Dask DataFrame, got {type(data).__name__}; dask.dataframe.read_parquet makes "
            "one of files, and dask.dataframe.from_pandas of a table"
        )
    schema = pyarrow("Dask DataFrames").Table.from_pandas(meta, preserve_index=False).schema
    features = [
        name for name in (schema.names if columns is None else columns) if name not in (target, weight)
    ]
    for name in (target, *([] if weight is None else [weight]), *features):
        if name not in schema.names:
            raise DataError(f"the Dask DataFrame has no column {name!r}; there are {schema.names}")
    kinds = [Column(name, _kind(schema, name), None) for name in features]
    nominal = nominal_columns(kinds, features, given.get("categorical_features"))
    return Roles(target, weight, features, nominal)


def _kind(schema: Any, name: str) -> Any:
    kind = kind_of(schema.field(name).type)
    if kind is None:
        raise no_feature("column", name, schema.field(name).type)
    return kind
