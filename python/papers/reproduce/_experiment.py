"""Experiments of papers, and the settings of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from imbcore import datasets, evaluation
from imbcore.evaluation._record_file import recorded_table_names
from imbcore.exceptions import DataError, ParameterError
from reproduce._report import Report

__all__ = ["Experiment", "Progress", "Sets", "Settings", "Source"]

Progress = Callable[[str, int, int], object]
Source = str | Callable[[], datasets.Dataset] | None


@dataclass(frozen=True)
class Sets:
    """Data sets of a table, by printed names, in printed order.

    Parameters
    ----------
    data : dict
        The available sets.
    missing : dict
        Reason for each missing set.
    """

    data: dict[str, datasets.Dataset]
    missing: dict[str, str]


@dataclass(frozen=True)
class Settings:
    """Settings of the user; None uses the default of the experiment.

    Parameters
    ----------
    out : Path
        Existing folder, used by this experiment only.
    data : Path or None
        Folder of the data sets. None uses the folders and downloads of ``imbcore.datasets.load``.
    datasets, methods : tuple of str or None
        Printed names, or names in ``imbcore.datasets``.
    replicates : int or None
    seed : int
    n_jobs : int
    time_limit : float or None
        Time limit of one fit in seconds.
    variant : str or None
        One of the experiment's variants.
    quick : bool
        Whether to finish within two minutes, with fewer replications and sets.
    callback : callable or None
        Called as ``callback(stage, done, total)``.
    """

    out: Path
    data: Path | None = None
    datasets: tuple[str, ...] | None = None
    methods: tuple[str, ...] | None = None
    replicates: int | None = None
    seed: int = 0
    n_jobs: int = 1
    time_limit: float | None = None
    variant: str | None = None
    quick: bool = False
    callback: Progress | None = None

    def repeats(self, full: int, quick: int) -> int:
        """Return the requested number of replications, by default ``quick`` or ``full``."""
        if self.replicates is not None:
            return self.replicates
        return quick if self.quick else full

    def chosen_methods(self, known: Sequence[str]) -> tuple[str, ...]:
        """Return the requested methods in the order of ``known``; by default all."""
        return _chosen("method", self.methods, {name: name for name in known})

    def sets(self, catalogue: Mapping[str, Source], *, quick: Sequence[str] = ()) -> Sets:
        """Load the sets of a table: those that were requested, and those with records in ``out``.

        This allows a table to be completed set by set in one folder.

        Parameters
        ----------
        catalogue
            Source by printed name: the name in ``imbcore.datasets``, a function that simulates the set, or
            None for a set without a public source.
        quick
            Printed names of the sets for ``--quick``; empty for all.
        """
        alias = {name: ours if isinstance(ours, str) else name for name, ours in catalogue.items()}
        wanted = self.datasets if self.datasets or not (self.quick and quick) else tuple(quick)
        if wanted is not None:
            recorded = recorded_table_names(self.out)
            wanted = (*wanted, *(name for name in alias if name in recorded))
        found: dict[str, datasets.Dataset] = {}
        missing: dict[str, str] = {}
        for name in _chosen("data set", wanted, alias):
            ours = catalogue[name]
            if ours is None:
                missing[name] = "no public copy is known"
                continue
            if callable(ours):
                found[name] = ours()
                continue
            try:
                found[name] = datasets.load(
                    ours, folder=self.data, download=self.data is None, callback=self.callback
                )
            except (DataError, FileNotFoundError, ConnectionError) as error:
                missing[name] = str(error)
        return Sets(found, missing)

    def records(
        self,
        learners: Mapping[str, Any],
        tables: Mapping[str, Any],
        procedure: evaluation.Procedure,
        *,
        folds: Mapping[str, Any] | None = None,
        part: str = "",
    ) -> list[dict[str, Any]]:
        """Run a procedure.

        Records and folds are stored in ``out``, and the next run resumes from them.

        Parameters
        ----------
        learners, tables, procedure, folds
            As for :func:`imbcore.evaluation.run`.
        part
            Suffix of the file names, if an experiment has several parts.
        """
        if not tables:
            return []
        ending = f"-{part}" if part else ""
        dealt = evaluation.make_splits(tables, procedure, self.seed) if folds is None else folds
        evaluation.write_folds(self.out / f"folds{ending}.json", dealt)
        return evaluation.run(
            learners,
            tables,
            procedure,
            seed=self.seed,
            n_jobs=self.n_jobs,
            time_limit=self.time_limit,
            file=self.out / f"records{ending}.jsonl",
            folds=dealt,
            callback=self.callback,
        )


@dataclass(frozen=True)
class Experiment:
    """Table or figure of a paper, and the function that reproduces it.

    Parameters
    ----------
    name : str
        Name on the command line.
    title : str
    run : callable
        Takes :class:`Settings` and returns a :class:`~reproduce._report.Report`.
    variants : tuple of str
        Values of ``--variant``, the default first.
    """

    name: str
    title: str
    run: Callable[[Settings], Report]
    variants: tuple[str, ...] = field(default=())


def _chosen(what: str, wanted: Sequence[str] | None, alias: Mapping[str, str]) -> tuple[str, ...]:
    if wanted is None:
        return tuple(alias)
    unknown = [name for name in wanted if name not in alias and name not in alias.values()]
    if unknown:
        raise ParameterError(f"no {what} {unknown[0]!r} in this table; available are: {', '.join(alias)}")
    return tuple(name for name, ours in alias.items() if name in wanted or ours in wanted)
