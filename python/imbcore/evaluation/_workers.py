"""Execution of tasks in this process, or in workers that can be stopped individually.

Workers are started by joblib's loky. ``joblib.Parallel`` can neither stop a single fit at its time limit nor
go on after a worker has died.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any

from joblib.externals.loky.backend import get_context
from joblib.externals.loky.cloudpickle_wrapper import dumps

from imbcore.evaluation._learners import Learner
from imbcore.evaluation._records import Record
from imbcore.evaluation._splits import TableSplits
from imbcore.evaluation._tables import EvaluationTable
from imbcore.evaluation._task import Task, failed_record, run_task
from imbcore.exceptions import ParameterError

Results = Generator[tuple[Task, Record], None, None]
# Interval in seconds at which a worker checks whether its parent process is alive.
_PARENT_CHECK_INTERVAL = 0.5
# Parallel fits use one core each.
_NAMES = ("IMBCORE_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_ONE_THREAD = dict.fromkeys(_NAMES, "1")


@dataclass(frozen=True)
class SharedTaskData:
    """Shared data of all tasks, by name."""

    cases: Mapping[str, EvaluationTable]
    folds: Mapping[str, TableSplits]
    learners: Mapping[str, Learner]

    def table_and_splits(self, task: Task) -> tuple[EvaluationTable, TableSplits]:
        """Return the table of a task and its folds."""
        return self.cases[task.dataset], self.folds[task.dataset]


def run_sequentially(job: SharedTaskData, tasks: Sequence[Task]) -> Results:
    """Run tasks sequentially in this process."""
    for task in tasks:
        yield task, run_task(task, *job.table_and_splits(task), job.learners[task.method])


def run_in_processes(
    job: SharedTaskData, tasks: Sequence[Task], n_workers: int, time_limit: float | None
) -> Results:
    """Run tasks in worker processes; records come in the order of completion.

    A worker that exceeds the time limit, or dies, is replaced, and the record of its task reports this. When
    the iterator is closed, or on Ctrl-C, all workers are killed.
    """
    waiting = list(reversed(tasks))
    workers: list[_Worker] = []
    try:
        while waiting or workers:
            while waiting and len(workers) < n_workers:
                workers.append(_Worker(job))
                workers[-1].start(waiting.pop())
            ready = wait([worker.connection for worker in workers], _seconds_to_wait(workers, time_limit))
            for worker in list(workers):
                task = worker.task
                if worker.connection in ready:
                    record = worker.receive()
                elif worker.seconds_left(time_limit) <= 0:
                    record = failed_record(
                        task, *job.table_and_splits(task), f"time limit of {time_limit:g} s"
                    )
                    worker.kill()
                else:
                    continue
                if record is None:
                    continue
                if waiting and worker.alive:
                    worker.start(waiting.pop())
                else:
                    worker.kill()
                    workers.remove(worker)
                yield task, record
    finally:
        for worker in workers:
            worker.kill()


def _seconds_to_wait(workers: Sequence[_Worker], time_limit: float | None) -> float | None:
    """Return the seconds until the first deadline, at most eleven days; None without deadlines."""
    least = min(worker.seconds_left(time_limit) for worker in workers)
    return min(max(0.0, least), 1e6) if isfinite(least) else None


class _Worker:
    """A worker process that runs one task at a time, and the local end of its pipe."""

    def __init__(self, job: SharedTaskData) -> None:
        self._job = job
        # Name of the table that the worker has.
        self._table = ""
        self._started: float | None = None
        self.alive = True
        self.task: Task
        self.connection, remote = Pipe()
        self._process = get_context("loky").Process(
            target=_run_worker, args=(remote, os.getpid()), env=_ONE_THREAD, daemon=True
        )
        self._process.start()
        remote.close()
        self._send(dict(job.learners))

    def start(self, task: Task) -> None:
        """Send a task, with its table unless the worker already has it."""
        self.task, self._started = task, None
        self._send((task, None if self._table == task.dataset else self._job.table_and_splits(task)))
        self._table = task.dataset

    def _send(self, message: Any) -> None:
        try:
            data = dumps(message)
        except Exception as error:  # pickling of user objects can raise anything
            raise ParameterError(
                f"a learner or table cannot be sent to other processes ({error}); use n_jobs=1"
            ) from error
        try:
            self.connection.send_bytes(data)
        except OSError:  # the worker died, which the next read reports
            self.alive = False

    def receive(self) -> Record | None:
        """Receive a record; None if the worker only reports the start of a task."""
        try:
            kind, content = self.connection.recv()
        except (EOFError, OSError):
            self.alive = False
            self._process.join()
            reason = f"the process that ran it ended (exit code {self._process.exitcode})"
            return failed_record(self.task, *self._job.table_and_splits(self.task), reason)
        if kind == "error":
            raise ParameterError(f"a learner or table cannot be read by another process: {content}")
        if kind == "start":
            self._started = time.monotonic()
            return None
        record: Record = content
        return record

    def seconds_left(self, limit: float | None) -> float:
        """Return the seconds left for the current task."""
        if limit is None or self._started is None:
            return inf
        return self._started + limit - time.monotonic()

    def kill(self) -> None:
        """Kill the process."""
        self.alive = False
        self._process.terminate()
        self._process.join()
        self.connection.close()


def _run_worker(connection: Connection, parent: int) -> None:
    """Run the main loop of a worker: receive learners, then tasks, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the parent process handles Ctrl-C
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # lets the parent end this process, also during a fit
    threading.Thread(target=_exit_with_parent, args=(parent,), daemon=True).start()
    try:
        learners = pickle.loads(connection.recv_bytes())
        data: Any = None
        while True:
            task, new_data = pickle.loads(connection.recv_bytes())
            data = data if new_data is None else new_data
            connection.send(("start", None))
            case, folds = data
            connection.send(("record", run_task(task, case, folds, learners[task.method])))
    except (EOFError, ConnectionError):
        return
    except Exception as error:
        connection.send(("error", f"{type(error).__name__}: {error}"))


def _exit_with_parent(parent: int) -> None:
    """Exit when the parent process ends, even if it was killed."""
    while os.getppid() == parent:
        time.sleep(_PARENT_CHECK_INTERVAL)
    os._exit(1)
