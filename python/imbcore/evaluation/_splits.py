"""Splits of the rows: created once for all methods, stored in a file, and restored from it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.options import resolve_seed
from imbcore._validation.arguments import explain_functions
from imbcore._validation.files import atomic_write
from imbcore._validation.json_text import read_json
from imbcore._validation.unicode import require_path
from imbcore._validation.value_text import value_text
from imbcore.evaluation._procedure import Procedure, procedure_of
from imbcore.evaluation._stratified_folds import StratifiedFolds
from imbcore.evaluation._tables import Case, read_cases
from imbcore.exceptions import DataError, ParameterError

FoldAssignment = NDArray[np.int64]


def make_splits(
    tables: Mapping[str, Any], protocol: Procedure | str, seed: int = 0
) -> dict[str, FoldAssignment]:
    """Create the splits of every table by a protocol.

    Parameters
    ----------
    tables : mapping
        As in :func:`run`.
    protocol : Procedure or str
        As in :func:`run`.
    seed : int, default=0
        Equal seeds give equal splits, for any methods.

    Returns
    -------
    dict of ndarray of shape (replicates, n_rows)
        Test fold of every row; -1 for rows that are never tested in that repetition.

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
    return {case.name: _assign_folds(case, rule, root) for case in read_cases(tables)}


def _assign_folds(case: Case, procedure: Procedure, seed: int) -> FoldAssignment:
    """Create the splits of one table."""
    if procedure.test_fraction is None:
        splitter = StratifiedFolds(
            procedure.folds, procedure.replicates, layout=procedure.layout, random_state=seed
        )
        return np.array(list(splitter._assign(case.codes)), dtype=np.int64)
    folds = np.full((procedure.replicates, len(case.codes)), -1, dtype=np.int64)
    for replicate, row in enumerate(folds):
        # `stratified_split` has no repetition argument, so each repetition gets a seed derived from the
        # run's.
        below = int(np.random.SeedSequence([seed, replicate]).generate_state(1, np.uint64)[0])
        row[native.protocols.stratified_split(case.codes, procedure.test_fraction, below)] = 0
    return folds


def resolve_folds(
    cases: Sequence[Case], procedure: Procedure, seed: int, folds: Mapping[str, Any] | None
) -> dict[str, FoldAssignment]:
    """Validate given splits, or create them.

    Raises
    ------
    ParameterError
        Given splits do not match the procedure or a table.
    """
    if folds is None:
        return {case.name: _assign_folds(case, procedure, seed) for case in cases}
    if not isinstance(folds, Mapping):
        raise ParameterError(f"folds must be a dict of the folds of every table, got {value_text(folds)}")
    found = {}
    for case in cases:
        if case.name not in folds:
            raise ParameterError(f"folds has no entry for table {case.name!r}; it has {list(folds)}")
        given = np.asarray(folds[case.name])
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
        found[case.name] = given.astype(np.int64)
    return found


def write_folds(path: str | os.PathLike[str], folds: Mapping[str, FoldAssignment]) -> None:
    """Write splits to a JSON file that :func:`read_folds` reads.

    Parameters
    ----------
    path : path-like
        File to write, usually ``folds.json`` next to the records; it is written atomically.
    folds : mapping
        Result of :func:`make_splits`.
    """
    with atomic_write(path) as file:
        file.write(json.dumps({name: np.asarray(of).tolist() for name, of in folds.items()}).encode())


def read_folds(path: str | os.PathLike[str]) -> dict[str, FoldAssignment]:
    """Read splits written by :func:`write_folds`, for the parameter ``folds`` of :func:`run`.

    Parameters
    ----------
    path : path-like
        File to read.

    Returns
    -------
    dict of ndarray of shape (replicates, n_rows)

    Raises
    ------
    DataError
        The file has other content.
    """
    require_path(path)
    with open(path, "rb") as file:
        try:
            found = read_json(file.read())
            return {str(name): np.array(rows, dtype=np.int64) for name, rows in found.items()}
        except (ValueError, TypeError, AttributeError, OverflowError) as error:
            raise DataError(f"{os.fspath(path)} contains no valid folds: {error}") from error


explain_functions(globals())
