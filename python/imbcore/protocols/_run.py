"""The engine: every learner on every fold of every table, in parallel, resumable."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Any

from imbcore._border.options import resolve_seed, resolve_threads
from imbcore._input.values import path_of, real_number, require_callback
from imbcore.exceptions import ParameterError
from imbcore.protocols._crews import Job, Results, here, processes
from imbcore.protocols._deals import settled
from imbcore.protocols._described import described
from imbcore.protocols._learners import learner_of
from imbcore.protocols._procedure import Procedure, procedure_of
from imbcore.protocols._record_file import RecordFile
from imbcore.protocols._tables import read_cases
from imbcore.protocols._task import Key, Record, Task

Progress = Callable[[str, int, int], object]


def run(
    learners: Mapping[str, Any],
    tables: Mapping[str, Any],
    procedure: Procedure | str = "5x2",
    *,
    seed: int = 0,
    n_jobs: int | None = 1,
    time_limit: float | None = None,
    file: str | os.PathLike[str] | None = None,
    folds: Mapping[str, Any] | None = None,
    curves: bool = False,
    callback: Progress | None = None,
    dask: Any = None,
) -> list[Record]:
    """Train every learner on every training part of every table, and measure it on the test part.

    All learners see the same parts. Records are the same whatever ``n_jobs`` is, but for the seconds.

    Parameters
    ----------
    learners : mapping
        By name: the name of a method, a classifier of ours or of any library that follows scikit-learn (it is
        cloned for every fit, and its seeds are set), or a :class:`Learner`.
    tables : mapping
        By name: ``(X, y)``, ``(X, y, positive)``, or a :class:`imbcore.datasets.Dataset`. ``X`` is any table
        that :func:`imbcore.fit` takes. Learners of other libraries get the columns of our own tables as one
        matrix, nominal ones as columns of 0 and 1.
    procedure : Procedure or str, default="5x2"
        How rows are divided: a name in ``PROCEDURES``, repetitions and folds such as "3x10", or a value.
    seed : int, default=0
        Equal seeds give equal parts and equal records.
    n_jobs : int or None, default=1
        Fits at a time, each on one core; -1 takes all cores. 1 runs in this process, more in others.
    time_limit : float or None, default=None
        Seconds that a fit and its answers may take by the clock; then it is stopped, and its record's
        ``failure`` says so. Fits run in other processes then, even one at a time.
    file : path-like or None, default=None
        Where records are written, a line each, as they come. A later run with the same file goes on where
        this one stopped, however it ended, and may have more replicates.
    folds : mapping or None, default=None
        The test fold of every row of every table, of shape (replicates, n_rows), as :func:`deal` makes them;
        -1 for rows that are never tested. None deals them.
    curves : bool, default=False
        Whether records hold ROC and precision-recall curves at the rates of ``RATES``, as ``curves``.
    callback : callable or None, default=None
        Called as ``callback("fits", done, total)`` after every record; what it raises ends the run. Fits that
        ``file`` held before do not count.
    dask : distributed.Client, str or None, default=None
        A Dask cluster, or the address of its scheduler, whose workers do the fits in place of ``n_jobs``; a
        worker does one at a time, so those of one thread each serve best. What is running when a worker ends
        is begun again on another.

    Returns
    -------
    list of dict
        A record a table, learner, repetition and fold, in this order. Beside these: counts, all measures of
        ``MEASURES`` (None where undefined), ``trivial`` (one class answered), ``variants``, ``chosen``,
        seconds, ``warnings``, and ``failure``: None, or why the learner could not do it.

    Raises
    ------
    ParameterError
        An argument leaves its domain, or the file belongs to another run.
    DataError
        A table cannot be used.
    KeyboardInterrupt
        Ctrl-C; finished records are in the file.

    Examples
    --------
    >>> from imbcore import datasets, protocols
    >>> data = datasets.load("breast")
    >>> records = protocols.run({"CART": "cart", "HDDT": "hddt"}, {"breast": data}, "1x2")
    >>> protocols.means(records, "auc").means.round(2).tolist()
    [[0.9, 0.96]]
    """
    rule, root = procedure_of(procedure), resolve_seed(seed)
    if not hasattr(learners, "items") or len(learners) == 0:
        raise ParameterError("learners must be a mapping from names to learners, with one or more")
    require_callback(callback)
    time_limit = None if time_limit is None else real_number("time_limit", time_limit)
    if time_limit is not None and not time_limit > 0:
        raise ParameterError(f"time_limit must be None or seconds above 0, got {time_limit!r}")
    if time_limit is not None and dask is not None:
        raise ParameterError("time_limit is not available on a Dask cluster; leave one of them out")
    workers = resolve_threads(n_jobs)
    ready = {str(name): learner_of(given) for name, given in learners.items()}
    cases = read_cases(tables)
    deals = settled(cases, rule, root, folds)
    job = Job({case.name: case for case in cases}, deals, ready)
    tasks = list(_tasks(job, root, curves))
    records: dict[Key, Record] = {}
    with ExitStack() as stack:
        kept = None
        if file is not None:
            kept = stack.enter_context(RecordFile(path_of("file", file), _about(job, rule, root, curves)))
            records |= kept.records
        left = [task for task in tasks if task.key not in records]
        crew = _crew(job, left, workers, time_limit, dask)
        for done, (task, record) in enumerate(stack.enter_context(closing(crew)), 1):
            if kept is not None:
                kept.add(record)
            records[task.key] = record
            if callback is not None:
                callback("fits", done, len(left))
    return [records[task.key] for task in tasks]


def _tasks(job: Job, seed: int, curves: bool) -> Iterator[Task]:
    """All tasks; a table's stand together, so that it is sent once."""
    for dataset, folds in job.folds.items():
        for method in job.learners:
            for replicate, row in enumerate(folds):
                for fold in sorted(set(row.tolist()) - {-1}):
                    yield Task(dataset, method, replicate, fold, seed, curves)


def _crew(job: Job, tasks: Sequence[Task], workers: int, time_limit: float | None, dask: Any) -> Results:
    if dask is not None:
        from imbcore.protocols._dask import cluster

        return cluster(job, tasks, dask)
    if workers == 1 and time_limit is None:
        return here(job, tasks)
    return processes(job, tasks, workers, time_limit)


def _about(job: Job, procedure: Procedure, seed: int, curves: bool) -> dict[str, Any]:
    """Say what a file of records is of: not how many replicates, so that a later run may add some."""

    def sum_of(name: str) -> str:
        digest = hashlib.sha256(job.cases[name].fingerprint.encode() + job.folds[name][:1].tobytes())
        return digest.hexdigest()[:16]

    parts = procedure.settings()
    return {
        "procedure": {name: parts[name] for name in ("folds", "layout", "test_fraction")},
        "seed": seed,
        "curves": curves,
        "tables": {name: sum_of(name) for name in job.cases},
        "learners": {name: described(learner) for name, learner in job.learners.items()},
    }
