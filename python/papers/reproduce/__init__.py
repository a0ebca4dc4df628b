"""Reproduction of the papers' tables and figures, compared with the printed results.

:func:`names` lists them, :func:`reproduce` runs one; ``make paper`` does the same from a terminal.
"""

from __future__ import annotations

import os
import platform
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from imbcore._bindings import native
from imbcore._validation.values import validate_whole_number
from imbcore.exceptions import ParameterError
from reproduce._experiment import Experiment, Progress, Settings
from reproduce._names import find, names
from reproduce._report import Report

__all__ = ["Report", "names", "reproduce"]


def reproduce(
    name: str,
    *,
    data: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    datasets: Sequence[str] | None = None,
    methods: Sequence[str] | None = None,
    replicates: int | None = None,
    seed: int = 0,
    n_jobs: int = 1,
    time_limit: float | None = None,
    variant: str | None = None,
    quick: bool = False,
    callback: Progress | None = None,
) -> Report:
    """Run an experiment of a paper and compare the results with the printed ones.

    Parameters
    ----------
    name : str
        One of :func:`names`.
    data : path-like or None, default=None
        Folder of the data sets; a missing set is listed as "no data" and excluded from ranks. None uses
        the folders and downloads of :func:`imbcore.datasets.load`.
    out : path-like or None, default=None
        Output folder; files are written to its subfolder ``name``. A second run resumes from the records
        there. None keeps no files.
    datasets, methods : sequence of str or None, default=None
        Subset of the table, by printed names.
    replicates : int or None, default=None
        At least 1. None: as in the paper.
    seed : int, default=0
        At least 0. Equal seeds give equal numbers for any ``n_jobs``.
    n_jobs : int, default=1
        Number of parallel fits; -1 uses all cores.
    time_limit : float or None, default=None
        Time limit of one fit in seconds; fits that exceed it count as missing.
    variant : str or None, default=None
        One of the experiment's variants; None is its first.
    quick : bool, default=False
        Fewer replications, and fewer or smaller sets if needed: at most two minutes on two cores.
    callback : callable or None, default=None
        Called as ``callback(stage, done, total)``.

    Returns
    -------
    Report
        ``markdown()``, ``csv()``, ``html()``, ``json()``.

    Raises
    ------
    ParameterError
        An unknown experiment, data set, method or variant, or a number outside its domain.
    FileNotFoundError
        The folder ``data`` does not exist.
    """
    experiment = find(name)
    if data is not None and not Path(data).is_dir():
        raise FileNotFoundError(f"{os.fspath(data)}: no such folder")
    if variant is not None and variant not in experiment.variants:
        known = ", ".join(experiment.variants) or "none"
        raise ParameterError(f"{name} has no variant {variant!r}; available are: {known}")
    with ExitStack() as stack:
        folder = Path(out if out is not None else stack.enter_context(tempfile.TemporaryDirectory())) / name
        folder.mkdir(parents=True, exist_ok=True)
        settings = Settings(
            out=folder,
            data=None if data is None else Path(data),
            datasets=None if datasets is None else tuple(datasets),
            methods=None if methods is None else tuple(methods),
            replicates=None if replicates is None else validate_whole_number("replicates", replicates, 1),
            seed=validate_whole_number("seed", seed, 0),
            n_jobs=n_jobs,
            time_limit=time_limit,
            variant=variant or next(iter(experiment.variants), None),
            quick=quick,
            callback=callback,
        )
        report = _run(experiment, settings)
        report.write(folder)
    return report


def _run(experiment: Experiment, settings: Settings) -> Report:
    start, cpu = time.perf_counter(), time.process_time()
    report = experiment.run(settings)
    report.fact("seed", settings.seed)
    if settings.variant is not None:
        report.fact("variant", settings.variant)
    report.fact("seconds of this run", round(time.perf_counter() - start))
    report.fact("seconds of CPU in this process", round(time.process_time() - cpu))
    report.fact("machine", f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores")
    report.fact("Python", platform.python_version())
    report.fact("imbcore", native.version())
    return report
