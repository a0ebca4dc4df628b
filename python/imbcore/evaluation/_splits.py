"""Splits of the rows: created once for all methods, stored in a file, and restored from it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.options import resolve_seed
from imbcore._bindings.trials import NativeEvaluationPlan, create_splits, placeholder_rows
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.files import atomic_write
from imbcore._validation.json_text import read_json
from imbcore._validation.options import pop_fit_options
from imbcore._validation.row_dependence import INDEPENDENT_ROWS, RowGroupsAndTimes
from imbcore._validation.unicode import reject_unsupported_path
from imbcore._validation.value_text import value_text
from imbcore.evaluation._dependence import Splits, TableGroupsAndTimes
from imbcore.evaluation._fold_fits import FoldFit, Rows, all_training_rows
from imbcore.evaluation._procedure import Procedure, procedure_of
from imbcore.evaluation._scores import DAY
from imbcore.evaluation._stratified_folds import StratifiedFolds, warn_of_small_classes
from imbcore.evaluation._tables import EvaluationTable, validate_tables
from imbcore.exceptions import DataError, ParameterError
from imbcore.metrics._daily_alerts import DailyAlerts

FoldAssignment = NDArray[np.int64]


@dataclass(frozen=True)
class TableSplits:
    """Test sets of a table, and their training rows if these are not all other rows.

    Parameters
    ----------
    folds : ndarray of shape (replicates, n_rows)
        Test fold of every row; -1 for rows that are never tested in that repetition.
    of_tests : mapping, default={}
        Fits of a test set by repetition and fold; without an entry, one fit to all rows outside the test set.
    row_dependence : RowGroupsAndTimes, default=no groups and times
        Groups and times of the rows, for the choices inside the fits.
    daily : DailyAlerts or None, default=None
        Alert budget for scores per period of time.
    budget_groups : mapping, default={}
        Values of the columns that alert budgets of learners count by.
    """

    folds: FoldAssignment
    of_tests: Mapping[tuple[int, int], list[FoldFit]] = field(default_factory=dict)
    row_dependence: RowGroupsAndTimes = INDEPENDENT_ROWS
    daily: DailyAlerts | None = None
    budget_groups: Mapping[str, Any] = field(default_factory=dict)

    def rows(self, replicate: int, fold: int) -> tuple[Rows, Rows]:
        """Return the training rows of all fits of a test set, and its rows."""
        return all_training_rows(self.fits(replicate, fold)), np.flatnonzero(self.folds[replicate] == fold)

    def fits(self, replicate: int, fold: int) -> list[FoldFit]:
        """Return the fits of a test set, which together predict its rows."""
        assigned = self.folds[replicate]
        known = self.of_tests.get((replicate, fold))
        return known or [FoldFit(np.flatnonzero(assigned != fold), np.flatnonzero(assigned == fold))]

    @property
    def daily_score_names(self) -> tuple[str, ...]:
        """Names of the scores per period of time."""
        return () if self.daily is None else self.daily.names

    @property
    def period(self) -> str:
        """Period of the scores per period of time."""
        return DAY if self.daily is None else self.daily.period

    def key(self) -> bytes:
        """Identify the splits of the first repetition, which later runs with more repetitions share."""
        first = sorted(place for place in self.of_tests if place[0] == 0)
        trained = (fit.train.tobytes() for place in first for fit in self.of_tests[place])
        budget = b"" if self.daily is None else self.daily.key()
        return b"".join([self.folds[:1].tobytes(), *trained, budget])


def make_splits(
    tables: Mapping[str, Any], protocol: Procedure | str, seed: int = 0
) -> dict[str, FoldAssignment]:
    """Create the splits of every table by a protocol.

    Parameters
    ----------
    tables : mapping
        As in :func:`run`.
    protocol : Procedure or str
        Splits of the tables, as in :func:`run`.
    seed : int, default=0
        Equal seeds give equal splits.

    Returns
    -------
    dict of ndarray of shape (replicates, n_rows)
        Test fold of every row in each repetition; -1 for rows that are never tested in a repetition.

    Raises
    ------
    ParameterError, DataError
        The protocol or a table is invalid.

    Examples
    --------
    >>> from imbcore import evaluation
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 0, 0, 1, 1]
    >>> evaluation.make_splits({"small": (X, y)}, "3x2")["small"].shape
    (3, 6)
    """
    rule, root = procedure_of(protocol), resolve_seed(seed)
    cases = validate_tables(tables)
    return {case.name: _assign_folds(case, rule, root, several=len(cases) > 1) for case in cases}


def _assign_folds(case: EvaluationTable, procedure: Procedure, seed: int, *, several: bool) -> FoldAssignment:
    """Create the splits of one table; warnings name it if there are ``several``."""
    if procedure.test_fraction is None:
        warn_of_small_classes(case.classes, case.codes, procedure.folds, case.name if several else "")
        splitter = StratifiedFolds(
            procedure.folds, procedure.replicates, layout=procedure.layout, random_state=seed
        )
        return np.array(list(splitter._assign_test_folds(case.codes)), dtype=np.int64)
    folds = np.full((procedure.replicates, len(case.codes)), -1, dtype=np.int64)
    for replicate, row in enumerate(folds):
        # `stratified_split` has no repetition argument, so each repetition gets a seed derived from the
        # run's.
        below = int(np.random.SeedSequence([seed, replicate]).generate_state(1, np.uint64)[0])
        row[native.protocols.stratified_split(case.codes, procedure.test_fraction, below)] = 0
    return folds


def dependent_splits(
    case: EvaluationTable,
    procedure: Procedure,
    seed: int,
    dependence: TableGroupsAndTimes,
) -> tuple[TableSplits, str]:
    """Create splits of whole groups, or forward in time; also returns their description.

    Raises
    ------
    ParameterError
        The procedure is not one of folds.
    DataError
        The rows cannot be split in this way.
    """
    if procedure.test_fraction is not None or procedure.layout != "deal":
        raise ParameterError(
            f"protocol {procedure.name!r} draws single rows, which groups and time do not allow; use "
            "repetitions and folds, such as '5x2'"
        )
    if dependence.time is not None and procedure.replicates > 1:
        raise ParameterError(
            f"protocol must have one repetition with time, such as '1x5', got {procedure.name!r}"
        )
    groups = dependence.groups if dependence.time is None else None
    gap = (dependence.gap_rows, dependence.gap_time)
    plan = NativeEvaluationPlan(procedure.folds, procedure.replicates, groups, dependence.time, *gap, None)
    rows = placeholder_rows(case.codes, case.classes)
    options = pop_fit_options({"positive": case.classes.tolist()[case.positive], "random_state": seed})
    trial = create_splits(rows, plan, options)
    splits = Splits(trial, dependence, case.codes)
    if dependence.time is None:
        folds = np.array([splits.trial.folds(replicate) for replicate in range(procedure.replicates)])
        return TableSplits(folds, {}, splits.row_dependence), splits.text
    folds = splits.tested[np.newaxis]
    fits = {place: splits.fits(*place) for place in splits.tests}
    return TableSplits(folds, fits, splits.row_dependence), splits.text


def resolve_folds(
    cases: Sequence[EvaluationTable], procedure: Procedure, seed: int, folds: Mapping[str, Any] | None
) -> dict[str, TableSplits]:
    """Validate given splits, or create them.

    Raises
    ------
    ParameterError
        Given splits do not match the procedure or a table.
    """
    if folds is None:
        several = len(cases) > 1
        return {
            case.name: TableSplits(_assign_folds(case, procedure, seed, several=several)) for case in cases
        }
    if not isinstance(folds, Mapping):
        raise ParameterError(f"folds must be a dict of the folds of every table, got {value_text(folds)}")
    found = {}
    for case in cases:
        if case.name not in folds:
            raise ParameterError(f"folds has no entry for table {case.name!r}; it has {list(folds)}")
        entry = folds[case.name]
        splits = entry if isinstance(entry, TableSplits) else TableSplits(np.asarray(entry))
        given = splits.folds
        wanted = (procedure.replicates, len(case.codes))
        if given.dtype.kind not in "iu" or given.shape != wanted:
            raise ParameterError(
                f"folds[{case.name!r}] must have the fold of every row, integers of shape {wanted} "
                f"(repetitions, rows), got {given.dtype} of shape {given.shape}"
            )
        if given.min() < -1 or given.max() >= procedure.folds:
            raise ParameterError(
                f"folds[{case.name!r}] must be from -1 (never tested) to {procedure.folds - 1}, got "
                f"{given.min()} to {given.max()}"
            )
        found[case.name] = replace(splits, folds=given.astype(np.int64))
    return found


def write_folds(path: str | os.PathLike[str], folds: Mapping[str, FoldAssignment | TableSplits]) -> None:
    """Write splits to a JSON file that :func:`read_folds` reads.

    The file does not contain the groups and times of the rows, which the inner folds of fits use.

    Parameters
    ----------
    path : path-like
        File to write, usually ``folds.json`` next to the records; it is written atomically.
    folds : mapping
        Result of :func:`make_splits` or :func:`read_folds`.
    """
    with atomic_write(path) as file:
        file.write(json.dumps({name: _to_json(of) for name, of in folds.items()}).encode())


def _to_json(splits: FoldAssignment | TableSplits) -> Any:
    if not isinstance(splits, TableSplits):
        return np.asarray(splits).tolist()
    if not splits.of_tests:
        return splits.folds.tolist()
    fits = [
        [*place, fit.train.tolist(), fit.test.tolist(), fit.budget_share]
        for place, fits in sorted(splits.of_tests.items())
        for fit in fits
    ]
    return {"folds": splits.folds.tolist(), "fits": fits}


def _from_json(entry: Any) -> FoldAssignment | TableSplits:
    if not isinstance(entry, dict):
        return np.array(entry, dtype=np.int64)
    fits: dict[tuple[int, int], list[FoldFit]] = {}
    for at, fold, train, test, share in entry["fits"]:
        train, test = (np.array(rows, dtype=np.int64) for rows in (train, test))
        fits.setdefault((int(at), int(fold)), []).append(FoldFit(train, test, float(share)))
    return TableSplits(np.array(entry["folds"], dtype=np.int64), fits)


def read_folds(path: str | os.PathLike[str]) -> dict[str, FoldAssignment | TableSplits]:
    """Read splits written by :func:`write_folds`, for the parameter ``folds`` of :func:`run`.

    Parameters
    ----------
    path : path-like
        File to read.

    Returns
    -------
    dict
        For every table, an array of shape (replicates, n_rows), as from :func:`make_splits`. For time-ordered
        splits, the value is instead an object with two attributes: ``folds`` is such an array, and
        ``of_tests`` maps pairs of repetition and fold to fits. Each of these fits has its training and test
        rows.

    Raises
    ------
    DataError
        The file has other content.
    """
    reject_unsupported_path(path)
    with open(path, "rb") as file:
        try:
            return {str(name): _from_json(entry) for name, entry in read_json(file.read()).items()}
        except (ValueError, TypeError, AttributeError, OverflowError, KeyError) as error:
            raise DataError(f"{os.fspath(path)} contains no valid folds: {error}") from error


name_package_in_errors(globals())
