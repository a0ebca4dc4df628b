"""Execution of tasks on a Dask cluster."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import Any

from joblib.externals.loky.cloudpickle_wrapper import dumps, loads

from imbcore._validation.value_text import value_text
from imbcore.evaluation._records import Record
from imbcore.evaluation._task import Task, failed_record, run_task
from imbcore.evaluation._workers import Results, SharedTaskData
from imbcore.exceptions import ParameterError

# Measurements such as seconds and warnings are per process, so each process runs one task at a time.
_ONE_TASK = threading.Lock()


def _connect_client(distributed: Any, address: str) -> Any:
    """Connect; retries once, because a worker that joins or leaves can disturb the handshake."""
    for _ in range(2):
        with suppress(AssertionError):
            return distributed.Client(address, timeout=10)
    return distributed.Client(address, timeout=10)


def run_on_cluster(job: SharedTaskData, tasks: Sequence[Task], dask: Any) -> Results:
    """Run tasks on the workers of a cluster; records come in the order of completion.

    Tasks on a worker that ends are restarted on another. When the iterator is closed, or on Ctrl-C, the
    remaining tasks are canceled.

    Parameters
    ----------
    dask
        A ``distributed.Client``, or the address of a scheduler.
    """
    distributed = _import_distributed()
    with ExitStack() as stack:
        if isinstance(dask, str):
            try:
                dask = stack.enter_context(_connect_client(distributed, dask))
            except (OSError, ValueError) as error:
                raise ParameterError(f"cannot connect to a Dask scheduler at {dask!r}: {error}") from error
        elif not isinstance(dask, distributed.Client):
            raise ParameterError(f"dask must be a distributed.Client or an address, got {value_text(dask)}")
        # Submitted as tasks instead of scattered: scattered data are lost with a worker, but results of tasks
        # are recomputed. As bytes, so that the scheduler need not deserialize them.
        learners = {name: dask.submit(_identity, dumps(of), pure=False) for name, of in job.learners.items()}
        tables = {
            name: dask.submit(_identity, dumps((case, job.folds[name])), pure=False)
            for name, case in job.cases.items()
        }
        futures = {
            dask.submit(
                _run_task_on_worker, task, tables[task.dataset], learners[task.method], pure=False
            ): task
            for task in tasks
        }
        # Canceled and failed tasks must not stay on the cluster, either.
        left = [*futures, *learners.values(), *tables.values()]
        stack.callback(dask.cancel, left, force=True)
        for future in distributed.as_completed(list(futures)):
            task = futures[future]
            try:
                record = future.result()
            except distributed.KilledWorker:
                reason = "the workers that ran it ended, one after the other"
                record = failed_record(task, *job.table_and_splits(task), reason)
            yield task, record
            future.release()


def _import_distributed() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise ImportError("a Dask cluster needs distributed: pip install 'imbcore[dask]'") from error
    return distributed


def _identity(data: bytes) -> bytes:
    """Return the data of tasks, as a task whose result the scheduler can compute again."""
    return data


def _run_task_on_worker(task: Task, table: bytes, learner: bytes) -> Record:
    """Run one task on a worker."""
    with _ONE_TASK:
        case, folds = loads(table)
        return run_task(task, case, folds, loads(learner))
