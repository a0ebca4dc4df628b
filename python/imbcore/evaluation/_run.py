"""Execution of procedures: learners x folds x tables, in parallel and resumable."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Any

from imbcore._bindings.options import resolve_seed, resolve_threads
from imbcore._bindings.progress import Callback
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.value_text import value_text
from imbcore._validation.values import require_callback, validate_path, validate_real_number
from imbcore.evaluation._learner_text import describe_learner
from imbcore.evaluation._learners import to_learner
from imbcore.evaluation._procedure import Procedure, procedure_of
from imbcore.evaluation._record_file import RecordFile
from imbcore.evaluation._records import Key, Record
from imbcore.evaluation._splits import resolve_folds
from imbcore.evaluation._tables import validate_tables
from imbcore.evaluation._task import Task
from imbcore.evaluation._workers import Results, SharedTaskData, run_in_processes, run_sequentially
from imbcore.exceptions import ParameterError


def run(
    learners: Mapping[str, Any],
    tables: Mapping[str, Any],
    protocol: Procedure | str = "5x2",
    *,
    seed: int = 0,
    n_jobs: int | None = 1,
    time_limit: float | None = None,
    file: str | os.PathLike[str] | None = None,
    folds: Mapping[str, Any] | None = None,
    curves: bool = False,
    callback: Callback | None = None,
    dask: Any = None,
) -> list[Record]:
    """Train every learner on every training set of every table, and score it on the test set.

    All learners use the same splits. Records do not depend on ``n_jobs``, except for times.

    Parameters
    ----------
    learners : mapping
        Learners by name. A learner is the name of a method, a classifier of imbcore or any library with the
        scikit-learn API (cloned for every fit, with its seeds set), or a :class:`Learner`. A pair such as
        ``("cart", {"max_depth": 3})`` sets parameters.
    tables : mapping
        Tables by name: ``(X, y)``, ``(X, y, positive)``, or a :class:`imbcore.datasets.Dataset`. ``X`` is any
        table that :func:`imbcore.fit` accepts. For learners of other libraries, an imbcore Table, such as
        ``X`` of a Dataset, is converted to one matrix with one-hot encoded nominal columns (one column for
        two levels); other tables are passed unchanged.
    protocol : Procedure or str, default="5x2"
        Splits: a name in ``PROCEDURES``, repetitions x folds such as "3x10", or a Procedure.
    seed : int, default=0
        Equal seeds give equal splits and equal records, except for times.
    n_jobs : int or None, default=1
        Number of parallel fits, each on one core; -1 uses all cores, and None the default of ``n_threads`` in
        :func:`imbcore.fit`. With 1, fits run in this process; with more, they run in other processes.
    time_limit : float or None, default=None
        Wall-clock limit in seconds of a fit with its predictions; a fit that exceeds the limit is stopped and
        reported as ``failure``. Fits with a limit run in other processes, also if ``n_jobs`` is 1.
    file : path-like or None, default=None
        File to which records are written immediately, one per line. If a run ends early, a later run with the
        same file continues after the last record; the later run may have more replicates.
    folds : mapping or None, default=None
        Test fold of every row of every table in each repetition, in the form that :func:`make_splits` and
        :func:`read_folds` return. None: the splits are created from ``protocol`` and ``seed``.
    curves : bool, default=False
        Whether records contain ROC and precision-recall curves in the field ``curves``, at the rates
        :data:`imbcore.evaluation.RATES`.
    callback : callable or None, default=None
        Called as ``callback("fits", done, total)`` after every record; an exception ends the run. Fits whose
        records are already in ``file`` are not counted.
    dask : distributed.Client, str or None, default=None
        A Dask cluster, or the address of its scheduler, whose workers run the fits instead of the processes
        of ``n_jobs``. A worker runs one fit at a time, so use workers with one thread each. Fits on a worker
        that ends are restarted on another.

    Returns
    -------
    list of dict
        One record per table, learner, repetition and fold, in this order: its keys ``dataset``, ``method``,
        ``replicate`` and ``fold``. It also has counts of rows, all metrics of ``MEASURES`` (None if
        undefined), ``trivial`` (whether only one class was predicted), ``variants`` (counts of the
        classifiers, if one fit gives several), ``chosen`` (settings that the fit selected), times,
        ``warnings``, and ``failure``: None, or the reason of the failure.

    Raises
    ------
    ParameterError
        An argument is outside its valid range, or the file belongs to another run.
    DataError
        A table is invalid.
    KeyboardInterrupt
        Ctrl-C was pressed; finished records are in the file.

    Examples
    --------
    >>> from imbcore import datasets, evaluation
    >>> data = datasets.load("breast")
    >>> records = evaluation.run({"CART": "cart", "HDDT": "hddt"}, {"breast": data}, "1x2")
    >>> evaluation.means(records, "auc").means.round(2).tolist()
    [[0.9, 0.96]]
    """
    rule, root = procedure_of(protocol), resolve_seed(seed)
    if not hasattr(learners, "items") or len(learners) == 0:
        raise ParameterError("learners must be a mapping from names to learners, with at least one entry")
    require_callback(callback)
    time_limit = None if time_limit is None else validate_real_number("time_limit", time_limit)
    if time_limit is not None and not time_limit > 0:
        raise ParameterError(f"time_limit must be None or seconds above 0, got {value_text(time_limit)}")
    if time_limit is not None and dask is not None:
        raise ParameterError("time_limit is not available on a Dask cluster; leave out one of them")
    workers = resolve_threads(n_jobs)
    ready = {str(name): to_learner(given) for name, given in learners.items()}
    cases = validate_tables(tables)
    job = SharedTaskData({case.name: case for case in cases}, resolve_folds(cases, rule, root, folds), ready)
    tasks = list(_list_tasks(job, root, curves))
    records: dict[Key, Record] = {}
    with ExitStack() as stack:
        record_file = None
        if file is not None:
            record_file = stack.enter_context(
                RecordFile(validate_path("file", file), _describe_run(job, rule, root, curves))
            )
            records |= record_file.records
        left = [task for task in tasks if task.key not in records]
        results = _run_tasks(job, left, workers, time_limit, dask)
        for done, (task, record) in enumerate(stack.enter_context(closing(results)), 1):
            if record_file is not None:
                record_file.add(record)
            records[task.key] = record
            if callback is not None:
                callback("fits", done, len(left))
    return [records[task.key] for task in tasks]


def _list_tasks(job: SharedTaskData, seed: int, curves: bool) -> Iterator[Task]:
    """Yield all tasks, grouped by table, so that each table is sent once."""
    for dataset, splits in job.folds.items():
        for method in job.learners:
            for replicate, row in enumerate(splits.folds):
                for fold in sorted(set(row.tolist()) - {-1}):
                    yield Task(dataset, method, replicate, fold, seed, curves)


def _run_tasks(
    job: SharedTaskData, tasks: Sequence[Task], workers: int, time_limit: float | None, dask: Any
) -> Results:
    if dask is not None:
        from imbcore.evaluation._dask_workers import run_on_cluster

        return run_on_cluster(job, tasks, dask)
    if workers == 1 and time_limit is None:
        return run_sequentially(job, tasks)
    return run_in_processes(job, tasks, workers, time_limit)


def _describe_run(job: SharedTaskData, procedure: Procedure, seed: int, curves: bool) -> dict[str, Any]:
    """Describe the run for its file header, without replicates, so that they can be added."""

    def table_digest(name: str) -> str:
        digest = hashlib.sha256(job.cases[name].fingerprint.encode() + job.folds[name].key())
        return digest.hexdigest()[:16]

    parts = procedure.settings()
    return {
        "procedure": {name: parts[name] for name in ("folds", "layout", "test_fraction")},
        "seed": seed,
        "curves": curves,
        "tables": {name: table_digest(name) for name in job.cases},
        "learners": {name: describe_learner(learner) for name, learner in job.learners.items()},
    }


name_package_in_errors(globals())
