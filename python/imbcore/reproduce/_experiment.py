"""What an experiment of a paper is, and what a user may ask of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from imbcore import datasets, protocols
from imbcore.exceptions import DataError, ParameterError
from imbcore.protocols._record_file import recorded_tables
from imbcore.reproduce._report import Report

__all__ = ["Experiment", "Progress", "Sets", "Settings", "Source"]

Progress = Callable[[str, int, int], object]
Source = str | Callable[[], datasets.Dataset] | None


@dataclass(frozen=True)
class Sets:
    """Data sets of a table, by their names in print, in its order.

    Parameters
    ----------
    data : dict
        Those at hand.
    missing : dict
        Why each of the others is not.
    """

    data: dict[str, datasets.Dataset]
    missing: dict[str, str]


@dataclass(frozen=True)
class Settings:
    """What a user asked for; None leaves it to the experiment.

    Parameters
    ----------
    out : Path
        An existing folder of this experiment alone.
    data : Path or None
        Folder of the data sets. None: where ``imbcore.datasets.load`` looks, its downloads included.
    datasets, methods : tuple of str or None
        By their names in print, or in ``imbcore.datasets``.
    replicates : int or None
    seed : int
    n_jobs : int
    time_limit : float or None
        Seconds for one fit.
    variant : str or None
        One of the experiment's variants.
    quick : bool
        Whether to be done within two minutes, by fewer replications and sets.
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
        """Return the replications asked for, else ``quick`` or ``full`` ones."""
        if self.replicates is not None:
            return self.replicates
        return quick if self.quick else full

    def chosen_methods(self, known: Sequence[str]) -> tuple[str, ...]:
        """Return those of the known methods that were asked for, in the known order; else all."""
        return _chosen("method", self.methods, {name: name for name in known})

    def sets(self, catalogue: Mapping[str, Source], *, quick: Sequence[str] = ()) -> Sets:
        """Load the sets of a table: those that were requested, and those with records in ``out``.

        A table can so be completed set by set in one folder.

        Parameters
        ----------
        catalogue
            By name in print: the name in ``imbcore.datasets``, what draws the set, or None for one that no
            public source has.
        quick
            Names in print of the sets for ``--quick``; none: all.
        """
        alias = {name: ours if isinstance(ours, str) else name for name, ours in catalogue.items()}
        wanted = self.datasets if self.datasets or not (self.quick and quick) else tuple(quick)
        if wanted is not None:
            recorded = recorded_tables(self.out)
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
        procedure: protocols.Procedure,
        *,
        folds: Mapping[str, Any] | None = None,
        part: str = "",
    ) -> list[dict[str, Any]]:
        """Run a procedure; records and folds are kept in ``out``, and the next run goes on from them.

        Parameters
        ----------
        learners, tables, procedure, folds
            As for :func:`imbcore.protocols.run`.
        part
            Ends the names of the files, where an experiment has several.
        """
        if not tables:
            return []
        ending = f"-{part}" if part else ""
        dealt = protocols.deal(tables, procedure, self.seed) if folds is None else folds
        protocols.write_folds(self.out / f"folds{ending}.json", dealt)
        return protocols.run(
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
    """A table or a figure of a paper, and how it is made.

    Parameters
    ----------
    name : str
        What the command line calls it.
    title : str
    run : callable
        Takes :class:`Settings` and returns a :class:`~imbcore.reproduce._report.Report`.
    variants : tuple of str
        Words for ``--variant``, the default first.
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
        raise ParameterError(f"no {what} {unknown[0]!r} in this table; there are: {', '.join(alias)}")
    return tuple(name for name, ours in alias.items() if name in wanted or ours in wanted)
