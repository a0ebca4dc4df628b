"""Client of a Dask cluster, and roles of the columns of a Dask DataFrame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakValueDictionary

from imbcore._input.unicode import to_arrow
from imbcore.exceptions import DataError, ParameterError
from imbcore.streaming.metadata import ColumnRoles
from imbcore.streaming.readers.arrow import kind_of, pyarrow
from imbcore.streaming.readers.open import check_roles
from imbcore.streaming.readers.segments import Column, unusable_feature
from imbcore.streaming.readers.vocabulary import nominal_columns

__all__ = ["Session", "find_client", "find_roles"]


class Session:
    """Client of a cluster during one fit; releases the fit's tasks and results at the end.

    The traceback of an error references futures. Without the release, the tasks and results of a failed fit
    would stay on the cluster as long as the error object exists.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        # By order of creation. Futures without other references drop out, as Dask has released them.
        self._futures: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self._n_created = 0

    def submit(self, work: Callable[..., Any], *given: Any) -> Any:
        """Run a function on a worker; the result is a future."""
        future = self._client.submit(work, *given, pure=False)
        self._keep([future])
        return future

    def compute(self, delayed: Any) -> Any:
        """Compute one delayed value or a list of them; the result is a future, or a list of futures."""
        futures = self._client.compute(delayed)
        self._keep(futures if isinstance(futures, list) else [futures])
        return futures

    def _keep(self, futures: list[Any]) -> None:
        for future in futures:
            self._futures[self._n_created] = future
            self._n_created += 1

    def gather(self, futures: Any) -> Any:
        """Wait for results and fetch them."""
        return self._client.gather(futures)

    @property
    def n_threads(self) -> int:
        """Threads of all workers."""
        return sum(self._client.nthreads().values())

    def close(self) -> None:
        """Cancel running tasks and release results."""
        # The latest first and one by one: the scheduler cannot cancel a task with dependents that no client
        # requested.
        for _, future in sorted(self._futures.items(), reverse=True):
            if self._client.status == "running":
                self._client.cancel([future], force=True)


def find_client(given: Any) -> Any:
    """Return the given client or, if it is None, the current one."""
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


def find_roles(
    data: Any, named: tuple[str, str | None, Sequence[str] | None], given: Mapping[str, Any]
) -> ColumnRoles:
    """Find column roles of a Dask DataFrame; ``named`` are target, weight and features."""
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
    with to_arrow():
        schema = pyarrow("Dask DataFrames").Table.from_pandas(meta, preserve_index=False).schema
    features = [
        name for name in (schema.names if columns is None else columns) if name not in (target, weight)
    ]
    for name in (target, *([] if weight is None else [weight]), *features):
        if name not in schema.names:
            raise DataError(f"the Dask DataFrame has no column {name!r}; there are {schema.names}")
    kinds = [Column(name, _kind(schema, name), None) for name in features]
    nominal = nominal_columns(kinds, features, given.get("categorical_features"))
    return ColumnRoles(target, weight, features, nominal)


def _kind(schema: Any, name: str) -> Any:
    kind = kind_of(schema.field(name).type)
    if kind is None:
        raise unusable_feature("column", name, schema.field(name).type)
    return kind
