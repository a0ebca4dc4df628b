"""Forests on a Dask cluster: rows stay with the workers, and the model is that of one machine, byte for byte.

Which rows a tree sees follows from the seed and the numbers of rows of the classes alone. So a first round of
tasks counts the labels of every partition, a second keeps of every partition the rows that some tree sees,
and the trees themselves are tasks. Each task is a function of what it is given: one that is repeated, because
its worker died, gives the same again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from imbcore._border import native
from imbcore._drawn.census import Census, Counted, Roles
from imbcore._drawn.forest import Plan, planned
from imbcore._drawn.gather import Gathered, Rows
from imbcore._input.options import described, settled
from imbcore._model.model import Model
from imbcore._sources.arrow import kind_of, pyarrow
from imbcore._sources.met import nominal_columns
from imbcore._sources.segments import Column
from imbcore.exceptions import DataError, ParameterError

__all__ = ["fit"]

# Tasks that grow trees, for each thread of the cluster: more of them even out trees of unlike size.
_TASKS = 4


@described
def fit(
    data: Any,
    y: str,
    method: str = "balanced_random_forest",
    *,
    sample_weight_column: str | None = None,
    columns: Sequence[str] | None = None,
    client: Any = None,
    **parameters: Any,
) -> Model:
    """Fit a forest to a Dask DataFrame, on the cluster that holds it.

    Parameters
    ----------
    data : dask.dataframe.DataFrame
        Rows, in the order of the partitions. It is computed twice, the first time for the labels alone;
        what is persisted is not read again.
    y : str
        Column that holds the labels.
    method : str, default="balanced_random_forest"
        A forest whose trees see at most a quarter of the rows each: also other forests with ``max_samples``.
    sample_weight_column : str or None
        Column that holds the weights of the rows.
    columns : sequence of str or None
        Features; all other columns where None.
    client : distributed.Client or None
        Client of the cluster; the one in use where None.
    **parameters
        Parameters of the method.

    Returns
    -------
    Model
        The model that ``imbcore.fit`` gives on one machine for the same rows and ``random_state``, to the
        last byte, whatever the partitions and workers are.

    Raises
    ------
    UnsupportedError
        The method learns from all rows at once, or an option needs them.
    DataError, ParameterError
        As :func:`imbcore.fit`.
    ImportError
        Dask is missing: ``pip install imbcore[dask]``.

    Examples
    --------
    >>> import imbcore.dask
    >>> from dask.distributed import Client  # doctest: +SKIP
    >>> client = Client(n_workers=2, threads_per_worker=1)  # doctest: +SKIP
    >>> model = imbcore.dask.fit(payments, y="fraud", random_state=0)  # doctest: +SKIP
    """
    client = _client() if client is None else client
    given = settled(parameters)
    if given["sample_weight"] is not None:
        raise ParameterError("rows lie with the workers: name the column of weights in sample_weight_column")
    roles = _roles(data, (y, sample_weight_column, columns), given)
    counted, before = _counted(client, data[roles.first], roles, method)
    with planned(method, parameters, counted, given) as plan:
        empty = Gathered(roles, plan.schema, [], method)
        rows = _gathered(client, data[roles.all], before, plan, empty)
        threads = given["n_threads"] or given["n_jobs"] or 1
        return Model(_grown(client, rows, plan, empty, int(threads)), plan.schema)


def _client() -> Any:
    try:
        from distributed import get_client
    except ImportError as error:
        raise ImportError("imbcore.dask needs Dask: pip install imbcore[dask]") from error
    try:
        return get_client()
    except ValueError:
        raise ParameterError(
            "there is no Dask cluster: start one with client = dask.distributed.Client(), or name yours in "
            "client="
        ) from None


def _roles(data: Any, named: tuple[str, str | None, Sequence[str] | None], given: Mapping[str, Any]) -> Roles:
    target, weight, columns = named
    meta = getattr(data, "_meta_nonempty", None)
    if meta is None or not hasattr(data, "to_delayed"):
        raise ParameterError(f"data must be a Dask DataFrame, got {type(data).__name__}")
    schema = pyarrow("Dask DataFrames").Table.from_pandas(meta, preserve_index=False).schema
    features = [name for name in columns or schema.names if name not in (target, weight)]
    for name in (target, *([] if weight is None else [weight]), *features):
        if name not in schema.names:
            raise DataError(f"the Dask DataFrame has no column {name!r}; there are {schema.names}")
    kinds = [Column(name, _kind(schema, name), None) for name in features]
    nominal = nominal_columns(kinds, features, given.get("categorical_features"))
    return Roles(target, weight, features, nominal)


def _kind(schema: Any, name: str) -> Any:
    kind = kind_of(schema.field(name).type)
    if kind is None:
        raise DataError(
            f"column {name!r} has type {schema.field(name).type}, which cannot be a feature; turn it into "
            "numbers or text, or name the other columns in `columns`"
        )
    return kind


def _counted(client: Any, data: Any, roles: Roles, who: str) -> tuple[Counted, list[list[int]]]:
    """Count all partitions; beside the whole, rows with weight of each class before every partition."""
    from dask.delayed import delayed

    parts = data.to_delayed()
    if roles.weight is None:
        counted = [delayed(_count)(part, Census(), roles, who) for part in parts]
    else:
        # Sums of weights are those of one machine if they are added up in the order of the rows.
        counted, last = [], Census()
        for part in parts:
            last = delayed(_count)(part, last, roles, who)
            counted.append(last)
    found: list[Census] = client.gather(client.compute(counted))
    whole, states = Census(), []
    for census in found:
        states.append(list(whole.facts))
        whole = whole if roles.weight is None else census
        if roles.weight is None:
            whole.join(census)
    sums = whole.counted(roles, who)
    at = [whole.places[label] for label in sums.schema.classes.tolist()]
    before = [[state[place][1] if place < len(state) else 0 for place in at] for state in states]
    return sums, before


def _count(part: Any, before: Census, roles: Roles, who: str) -> Census:
    """Count the rows of a partition behind those counted before."""
    from copy import deepcopy

    census = deepcopy(before)
    census.add(_table(part), roles, who)
    return census


def _table(part: Any) -> Any:
    return pyarrow("Dask DataFrames").Table.from_pandas(part, preserve_index=False)


def _gathered(client: Any, data: Any, before: list[list[int]], plan: Plan, empty: Gathered) -> Any:
    """Have every partition keep its drawn rows, and one worker join them; the driver sees none."""
    from dask.delayed import delayed

    ends = [*before[1:], [len(ranks) and int(ranks[-1]) + 1 for ranks in plan.drawn]]
    kept = []
    for part, start, end in zip(data.to_delayed(), before, ends, strict=True):
        ranks = [
            drawn[slice(*np.searchsorted(drawn, [low, max(low, high)]))]
            for drawn, low, high in zip(plan.drawn, start, end, strict=True)
        ]
        gathered = Gathered(empty.roles, plan.schema, ranks, plan.method)
        gathered.before = list(start)
        kept.append(delayed(_keep)(part, gathered))
    joined = delayed(_join)(kept, empty)
    return client.compute(joined)


def _keep(part: Any, gathered: Gathered) -> Rows | None:
    """Keep the drawn rows of a partition."""
    from copy import deepcopy

    own = deepcopy(gathered)
    own.add(_table(part))
    return own.rows() if own.n_parts else None


def _join(parts: list[Rows | None], gathered: Gathered) -> Rows:
    """Join the rows of all partitions in their order."""
    from copy import deepcopy

    own = deepcopy(gathered)
    for part in parts:
        own.append(part)
    return own.rows()


def _grown(client: Any, rows: Any, plan: Plan, gathered: Gathered, n_threads: int) -> native.models.Model:
    """Grow all trees as tasks, some a task."""
    from distributed import as_completed

    n_trees = plan.n_trees
    n_tasks = min(n_trees, _TASKS * max(1, sum(client.nthreads().values())))
    edges = [n_trees * at // n_tasks for at in range(n_tasks + 1)]
    options = replace(plan.options, n_threads=n_threads, callback=None)
    sent = client.scatter((replace(plan, options=options, drawn=[]), gathered), broadcast=True)
    tasks = [client.submit(_grow, rows, sent, trees, pure=False) for trees in pairwise(edges)]
    for done, _ in enumerate(as_completed(tasks), start=1):
        if plan.options.callback is not None:
            plan.options.callback("parts of the forest", done, n_tasks)
    return native.models.merge([native.models.from_bytes(part) for part in client.gather(tasks)])


def _grow(rows: Rows, sent: tuple[Plan, Gathered], trees: tuple[int, int]) -> bytes:
    """Grow trees on the rows of the whole forest."""
    plan, gathered = sent
    training = plan.training_of(gathered, rows.aligned())
    door = (False, None, trees)
    return native.models.fit(plan.method, plan.parameters, training, door, plan.options).to_bytes()
