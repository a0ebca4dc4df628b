"""Executor on a Dask cluster; rows stay on the workers, and models are the same.

Each task is a function of its inputs alone, so that the scheduler may run it on any worker, and again after a
worker died. A pass scans each partition on the worker that reads it, and merges the states in a tree. Trees
grow as tasks too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any
from weakref import WeakValueDictionary

from imbcore._bindings import native
from imbcore._bindings.options import Callback, Options
from imbcore._validation.unicode import reject_non_arrow_data
from imbcore.exceptions import DataError
from imbcore.streaming.code_store import BinCodeArrays
from imbcore.streaming.dependent_parts import GroupAndTimeColumns, PartitionGroupsAndTimes
from imbcore.streaming.metadata import ColumnRoles, MetadataScan, SourceSummary
from imbcore.streaming.passes import Batch, Pass, RowRange
from imbcore.streaming.readers.arrow import pyarrow
from imbcore.streaming.readers.segments import label_type
from imbcore.streaming.rows import RowArrays, encode_labels
from imbcore.streaming.summed import PartitionBlockLayout, SummedFitPlan

# Tasks that grow trees, for each thread of the cluster; more tasks balance trees of different sizes.
_TASKS_PER_THREAD = 4
# States merged at a time, so that no worker holds the states of all partitions.
_FAN_IN = 8


@dataclass(frozen=True)
class ScannedPartition:
    """Result of the first pass over a partition."""

    scan: MetadataScan
    n_rows: int = 0
    checksum: str = ""
    dependent: PartitionGroupsAndTimes | None = None


@dataclass(frozen=True)
class PartitionChecks:
    """Sizes and checksums of all partitions at the first pass, in the columns that it read."""

    columns: list[str]
    sizes: list[int]
    checksums: list[str]

    @classmethod
    def from_scans(cls, columns: list[str], parts: list[ScannedPartition]) -> PartitionChecks:
        """Collect what later passes are compared with."""
        return cls(columns, [part.n_rows for part in parts], [part.checksum for part in parts])

    @contextmanager
    def checked(self, part: Any, at: int) -> Iterator[None]:
        """Name the partition in errors, and refuse rows that the first pass did not read.

        Raises
        ------
        DataError
            The partition has other rows than at the first pass.
        """
        with name_partition_in_errors(at):
            if len(part) != self.sizes[at]:
                raise DataError(
                    f"has {len(part):,} rows, and had {self.sizes[at]:,} when it was counted; a partition "
                    "must give the same rows whenever it is computed, so persist or write out the data first"
                )
            if checksum_of(part, self.columns) != self.checksums[at]:
                raise DataError(
                    f"holds other values of {', '.join(map(repr, self.columns))}, or the same in another "
                    "order, than when it was counted; a partition must give the same rows whenever it is "
                    "computed, so persist or write out the data first"
                )
            yield


@contextmanager
def name_partition_in_errors(at: int) -> Iterator[None]:
    """Prefix data errors with the number of the partition."""
    try:
        yield
    except DataError as error:
        raise DataError(f"partition {at}: {error}", error.column) from error


def checksum_of(part: Any, columns: list[str]) -> str:
    """Compute a checksum of the values in some columns of a partition, in row order."""
    from pandas.util import hash_pandas_object

    found = hashlib.blake2b(digest_size=16)
    for name in columns:
        found.update(hash_pandas_object(part[name], index=False).to_numpy().tobytes())
    return found.hexdigest()


class DaskSession:
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


@dataclass(frozen=True)
class PartitionRows:
    """Rows of each partition, their checks, groups and times."""

    ranges: list[RowRange]
    checks: PartitionChecks
    dependent: list[PartitionGroupsAndTimes]


@dataclass(frozen=True)
class DaskExecutor:
    """Executor of a Dask cluster; handles are futures."""

    session: DaskSession
    data: Any
    partitions: PartitionRows
    n_threads: int

    def task_options(self, options: Options) -> Options:
        """Give each task the requested threads, or one, and no callback."""
        return replace(options, n_threads=self.n_threads, callback=None)

    # Storage for bin codes that workers can exchange.
    open_code_store = BinCodeArrays

    def reduce(self, work: Pass[Any], *inputs: Any) -> Any:
        """Scan each partition, and merge the states."""
        from dask.delayed import delayed
        from distributed import wait

        # A partition that waited for the inputs would stay in memory; it is read again instead.
        wait(inputs)
        states = self._call_per_partition(_scan, work, self.partitions, *inputs)
        sent = delayed(work)
        fan_in = max(len(states), 2) if work.merge_at_once else _FAN_IN
        while len(states) > 1:
            groups = [states[at : at + fan_in] for at in range(0, len(states), fan_in)]
            states = [delayed(_merge)(sent, group) for group in groups]
        return self.session.compute(states[0])

    def call(self, function: Callable[..., Any], *inputs: Any) -> Any:
        """Call a function on a worker."""
        return self.session.submit(_call, function, *inputs)

    def grow(
        self,
        function: Callable[..., native.models.Model],
        n_trees: int | None,
        callback: Callback | None,
        *inputs: Any,
    ) -> native.models.Model:
        """Grow the trees of a forest in several tasks, or another model in one."""
        n_tasks = min(n_trees or 1, _TASKS_PER_THREAD * max(1, self.session.n_threads))
        edges = [(n_trees or 0) * at // n_tasks for at in range(n_tasks + 1)]
        # A task, because scattered data is lost with the last worker that holds it.
        sent = self.session.submit(_identity, function)
        ranges = [None] if n_trees is None else list(pairwise(edges))
        tasks = [self.session.submit(_grow, sent, trees, *inputs) for trees in ranges]
        _wait_and_report_progress(tasks, "parts of the model", callback)
        models = [native.models.from_bytes(part) for part in self.session.gather(tasks)]
        return models[0] if n_trees is None else native.models.merge(models)

    def make_request_sender(
        self, plan: SummedFitPlan, callback: Callback | None
    ) -> Callable[[bytes, bool], list[bytes]]:
        """Create the function that sends a request to the workers."""
        ranges = self.partitions.ranges
        layout = PartitionBlockLayout.from_partition_starts(
            [rows.first for rows in ranges], sum(ranges[-1].end)
        )

        def send(request: bytes, sequential: bool) -> list[bytes]:
            responses = self._create_response_tasks(layout, plan, request, sequential)
            tasks = self.session.compute(responses[-1:] if sequential else responses)
            _wait_and_report_progress(tasks, "answers", callback)
            return self.session.gather(tasks)

        return send

    def _create_response_tasks(
        self, layout: PartitionBlockLayout, plan: SummedFitPlan, request: bytes, sequential: bool
    ) -> list[Any]:
        """Create the tasks for a request; if ``sequential``, each task waits for the previous one."""
        from dask.delayed import delayed

        # Blocks are not kept between requests: the partition is read again.
        split = self._call_per_partition(
            _split, plan, self.partitions, layout, None if sequential else request
        )
        sent_plan, sent_request = delayed(plan), delayed(request)
        responses: list[Any] = []
        for first, places in layout.groups:
            before = responses[-1] if sequential and responses else None
            parts = [split[at][first] for at, _, _ in places]
            responses.append(delayed(_respond)(sent_plan, sent_request, parts, first, before))
        return responses

    def _call_per_partition(self, work: Callable[..., Any], *given: Any) -> list[Any]:
        """Call a function in the task that reads each partition, so that it runs on the same worker."""
        from dask.delayed import delayed

        parts, sent = self.data.to_delayed(), [delayed(one) for one in given]
        done = self.data.map_partitions(work, *sent, meta=(None, object), enforce_metadata=False)
        tasks: list[Any] = done.to_delayed()
        if len(tasks) == len(parts):
            return tasks
        # Dask would read small partitions together, which changes their numbers.
        numbers = [{"partition_info": {"number": at}} for at in range(len(parts))]
        return [delayed(work)(part, *sent, **named) for part, named in zip(parts, numbers, strict=True)]


def scan_metadata(
    session: DaskSession, data: Any, roles: ColumnRoles, method: str, dependence: GroupAndTimeColumns
) -> tuple[SourceSummary, PartitionRows]:
    """Run the first pass over all partitions."""
    from dask.delayed import delayed

    parts = _select_first_pass_columns(data, roles).to_delayed()
    scanned, last = [], ScannedPartition(MetadataScan())
    for at, part in enumerate(parts):
        task = delayed(_scan_metadata)(part, at, last, roles, method, dependence)
        scanned.append(task)
        # Weights are added in the order of the rows, as on one machine.
        last = last if roles.weight is None else task
    found: list[ScannedPartition] = session.gather(session.compute(scanned))
    whole, before = MetadataScan(), []
    for part in found:
        before.append(list(whole.facts))
        if roles.weight is None:
            whole.join(part.scan)
        else:
            whole = part.scan
    if not whole.labels:
        raise DataError("the Dask DataFrame has no rows")
    summary = whole.summarize(roles, method)
    order = [whole.places[label] for label in summary.schema.classes.tolist()]
    ends = [[facts[at][1] if at < len(facts) else 0 for at in order] for facts in [*before, whole.facts]]
    ranges = [RowRange(low, high) for low, high in pairwise(ends)]
    dependent = [part.dependent for part in found if part.dependent is not None]
    return summary, PartitionRows(ranges, PartitionChecks.from_scans(roles.first, found), dependent)


def _select_first_pass_columns(data: Any, roles: ColumnRoles) -> Any:
    """Select the columns of the first pass; all, if Dask would join small partitions."""
    first, rest = data[roles.first], data[roles.all]
    return first if len(first.to_delayed()) == len(rest.to_delayed()) else rest


def _scan_metadata(
    part: Any,
    at: int,
    before: ScannedPartition,
    roles: ColumnRoles,
    method: str,
    dependence: GroupAndTimeColumns,
) -> ScannedPartition:
    """Scan a partition behind the rows scanned before."""
    scan = deepcopy(before.scan)
    with name_partition_in_errors(at):
        table = _to_arrow(part, roles)
        scan.add(table, roles, method)
        dependent = dependence.scan(part, roles.weights_of(table))
    return ScannedPartition(scan, len(part), checksum_of(part, roles.first), dependent)


def _to_arrow(part: Any, roles: ColumnRoles) -> Any:
    """Convert target, weights and features; groups may have types that Arrow does not support."""
    names = [name for name in part.columns if name not in roles.additional]
    with reject_non_arrow_data():
        table = pyarrow("Dask DataFrames").Table.from_pandas(part[names], preserve_index=False)
    at, labels = names.index(roles.target), table[roles.target]
    return table.set_column(at, roles.target, labels.cast(label_type(labels.type)))


def _scan(
    part: Any, work: Pass[Any], partitions: PartitionRows, *inputs: Any, partition_info: dict[str, Any]
) -> Any:
    at, plan = partition_info["number"], work.plan
    with partitions.checks.checked(part, at):
        state = work.start(partitions.ranges[at], *deepcopy(inputs))
        table = _to_arrow(part, plan.roles)
        codes = encode_labels(table[plan.roles.target], plan.schema.classes, plan.method)
        batch = Batch.from_table(table, codes, plan.roles)
        if len(batch.codes):
            work.scan(state, batch)
        return state


def _merge(work: Pass[Any], states: list[Any]) -> Any:
    return work.merge(states)


def _call(function: Callable[..., Any], *inputs: Any) -> Any:
    """Call a function with copies, as a worker keeps its inputs for other tasks."""
    return function(*deepcopy(inputs))


def _split(
    part: Any,
    plan: SummedFitPlan,
    partitions: PartitionRows,
    layout: PartitionBlockLayout,
    request: bytes | None,
    partition_info: dict[str, Any],
) -> dict[int, RowArrays | bytes]:
    """Split a partition into blocks; respond for blocks that lie in it entirely."""
    at = partition_info["number"]
    with partitions.checks.checked(part, at):
        return plan.split(_to_arrow(part, plan.roles), at, layout, request)


def _respond(
    plan: SummedFitPlan, request: bytes, parts: list[RowArrays | bytes], first: int, before: bytes | None
) -> bytes:
    """Respond to a request for some blocks, unless the response exists already."""
    done = [part for part in parts if isinstance(part, bytes)]
    rows = [part for part in parts if isinstance(part, RowArrays)]
    return done[0] if done else plan.respond_for_rows(request, rows, first, before)


def _identity(value: Any) -> Any:
    """Return a value, as a task whose result the scheduler can compute again."""
    return value


def _grow(function: Callable[..., native.models.Model], trees: tuple[int, int] | None, *inputs: Any) -> bytes:
    """Fit a model or some of its trees."""
    return function(trees, *inputs).to_bytes()


def _wait_and_report_progress(tasks: Sequence[Any], stage: str, callback: Callback | None) -> None:
    from distributed import as_completed

    for done, _ in enumerate(as_completed(tasks), start=1):
        if callback is not None:
            callback(stage, done, len(tasks))
