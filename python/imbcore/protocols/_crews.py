"""Execution of tasks: in this process, or in workers that can be stopped individually."""

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

from imbcore.exceptions import ParameterError
from imbcore.protocols._deals import Deal
from imbcore.protocols._learners import Learner
from imbcore.protocols._tables import Case
from imbcore.protocols._task import Record, Task, carried_out, lost, overrun

Results = Generator[tuple[Task, Record], None, None]
# Interval in seconds at which a worker checks whether its parent process is alive.
_LOOK = 0.5
# Parallel fits use one core each.
_NAMES = ("IMBCORE_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_ONE_THREAD = dict.fromkeys(_NAMES, "1")


@dataclass(frozen=True)
class Job:
    """Shared data of all tasks, by name."""

    cases: Mapping[str, Case]
    folds: Mapping[str, Deal]
    learners: Mapping[str, Learner]

    def about(self, task: Task) -> tuple[Case, Deal, Learner]:
        """Return the data of a task."""
        return self.cases[task.dataset], self.folds[task.dataset], self.learners[task.method]


def here(job: Job, tasks: Sequence[Task]) -> Results:
    """Run tasks sequentially in this process."""
    for task in tasks:
        yield task, carried_out(task, *job.about(task))


def processes(job: Job, tasks: Sequence[Task], n_workers: int, time_limit: float | None) -> Results:
    """Run tasks in worker processes; records come in the order of completion.

    A worker that exceeds the time limit, or dies, is replaced, and the record of its task reports this. When
    the iterator is closed, or on Ctrl-C, all workers are killed.
    """
    waiting = list(reversed(tasks))
    crew: list[_Worker] = []
    try:
        while waiting or crew:
            while waiting and len(crew) < n_workers:
                crew.append(_Worker(job))
                crew[-1].begin(waiting.pop())
            heard = wait([worker.ear for worker in crew], _patience(crew, time_limit))
            for worker in list(crew):
                task = worker.task
                if worker.ear in heard:
                    record = worker.hear()
                elif worker.seconds_left(time_limit) <= 0:
                    record = overrun(task, *job.about(task)[:2], time_limit or 0.0)
                    worker.kill()
                else:
                    continue
                if record is None:
                    continue
                if waiting and worker.alive:
                    worker.begin(waiting.pop())
                else:
                    worker.kill()
                    crew.remove(worker)
                yield task, record
    finally:
        for worker in crew:
            worker.kill()


def _patience(crew: Sequence[_Worker], time_limit: float | None) -> float | None:
    """Return the seconds until the first deadline, at most eleven days; None without deadlines."""
    least = min(worker.seconds_left(time_limit) for worker in crew)
    return min(max(0.0, least), 1e6) if isfinite(least) else None


class _Worker:
    """A worker process that runs one task at a time, and the local end of its pipe."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._held = ""
        self._since: float | None = None
        self.alive = True
        self.task: Task
        self.ear, theirs = Pipe()
        self._process = get_context("loky").Process(
            target=_work, args=(theirs, os.getpid()), env=_ONE_THREAD, daemon=True
        )
        self._process.start()
        theirs.close()
        self._tell(dict(job.learners))

    def begin(self, task: Task) -> None:
        """Send a task, with its table unless the worker already has it."""
        self.task, self._since = task, None
        case, folds, _ = self._job.about(task)
        self._tell((task, None if self._held == task.dataset else (case, folds)))
        self._held = task.dataset

    def _tell(self, message: Any) -> None:
        try:
            data = dumps(message)
        except Exception as error:  # pickling of user objects can raise anything
            raise ParameterError(
                f"a learner or table cannot be sent to other processes ({error}); use n_jobs=1"
            ) from error
        try:
            self.ear.send_bytes(data)
        except OSError:  # the worker died, which the next read reports
            self.alive = False

    def hear(self) -> Record | None:
        """Receive a record; None if the worker only reports the start of a task."""
        try:
            word, found = self.ear.recv()
        except (EOFError, OSError):
            self.alive = False
            self._process.join()
            case, folds, _ = self._job.about(self.task)
            why = f"the process that ran it ended (exit code {self._process.exitcode})"
            return lost(self.task, case, folds, why)
        if word == "begins":
            self._since = time.monotonic()
            return None
        if word == "cannot":
            raise ParameterError(f"a learner or table cannot be read by another process: {found}")
        record: Record = found
        return record

    def seconds_left(self, limit: float | None) -> float:
        """Return the seconds left for the current task."""
        if limit is None or self._since is None:
            return inf
        return self._since + limit - time.monotonic()

    def kill(self) -> None:
        """Kill the process."""
        self.alive = False
        self._process.terminate()
        self._process.join()
        self.ear.close()


def _work(ear: Connection, parent: int) -> None:
    """Run the main loop of a worker: receive learners, then tasks, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the parent process handles Ctrl-C
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # lets the parent end this process, also during a fit
    threading.Thread(target=_follow, args=(parent,), daemon=True).start()
    try:
        learners = pickle.loads(ear.recv_bytes())
        case: Any = None
        folds: Any = None
        while True:
            task, table = pickle.loads(ear.recv_bytes())
            if table is not None:
                case, folds = table
            ear.send(("begins", None))
            ear.send(("record", carried_out(task, case, folds, learners[task.method])))
    except (EOFError, ConnectionError):
        return
    except Exception as error:
        ear.send(("cannot", f"{type(error).__name__}: {error}"))


def _follow(parent: int) -> None:
    """Exit when the parent process ends, even if it was killed."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)
