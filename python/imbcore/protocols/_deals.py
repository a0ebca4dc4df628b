"""Which rows are tested when: dealt once for all methods, kept in a file, and dealt again from it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.options import resolve_seed
from imbcore._input.files import atomic_write
from imbcore._input.json_text import read_json
from imbcore.exceptions import DataError, ParameterError
from imbcore.protocols._folds import StratifiedFolds
from imbcore.protocols._procedure import Procedure, procedure_of
from imbcore.protocols._tables import Case, read_cases

Deal = NDArray[np.int64]


def deal(tables: Mapping[str, Any], procedure: Procedure | str, seed: int = 0) -> dict[str, Deal]:
    """Divide the rows of every table as a procedure does.

    Parameters
    ----------
    tables : mapping
        As :func:`run` takes them.
    procedure : Procedure or str
        As :func:`run` takes it.
    seed : int, default=0
        Equal seeds give equal parts, whatever the methods.

    Returns
    -------
    dict of ndarray of shape (replicates, n_rows)
        The fold in which every row is tested; -1 for rows that are never tested in that repetition.

    Raises
    ------
    ParameterError, DataError
        The procedure or a table cannot be used.

    Examples
    --------
    >>> from imbcore import protocols
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 0, 0, 1, 1]
    >>> protocols.deal({"small": (X, y)}, "3x2")["small"].shape
    (3, 6)
    """
    rule, root = procedure_of(procedure), resolve_seed(seed)
    return {case.name: deal_case(case, rule, root) for case in read_cases(tables)}


def deal_case(case: Case, procedure: Procedure, seed: int) -> Deal:
    """Divide the rows of one table."""
    folds = np.full((procedure.replicates, len(case.codes)), -1, dtype=np.int64)
    if procedure.test_fraction is None:
        splitter = StratifiedFolds(
            procedure.folds, procedure.replicates, layout=procedure.layout, random_state=seed
        )
        for at, (_, test) in enumerate(splitter.split(y=case.codes)):
            folds[at // procedure.folds, test] = at % procedure.folds
        return folds
    for replicate, row in enumerate(folds):
        # A split has no number of its repetition: every one has a seed below the run's.
        below = int(np.random.SeedSequence([seed, replicate]).generate_state(1, np.uint64)[0])
        row[native.protocols.stratified_split(case.codes, procedure.test_fraction, below)] = 0
    return folds


def settled(
    cases: Sequence[Case], procedure: Procedure, seed: int, folds: Mapping[str, Any] | None
) -> dict[str, Deal]:
    """Take the parts that were given, or deal them.

    Raises
    ------
    ParameterError
        Parts are given that do not fit the procedure or a table.
    """
    if folds is None:
        return {case.name: deal_case(case, procedure, seed) for case in cases}
    if not isinstance(folds, Mapping):
        raise ParameterError(f"folds must be a dict of the folds of every table, got {folds!r}")
    found = {}
    for case in cases:
        if case.name not in folds:
            raise ParameterError(f"folds has no entry for table {case.name!r}; it has {list(folds)}")
        given = np.asarray(folds[case.name])
        wanted = (procedure.replicates, len(case.codes))
        if given.dtype.kind not in "iu" or given.shape != wanted:
            raise ParameterError(
                f"folds[{case.name!r}] must hold the fold of every row, integers of shape {wanted} "
                f"(repetitions, rows), got {given.dtype} of shape {given.shape}"
            )
        if given.min() < -1 or given.max() >= procedure.folds:
            raise ParameterError(
                f"folds[{case.name!r}] must lie from -1 (never tested) to {procedure.folds - 1}, got "
                f"{given.min()} to {given.max()}"
            )
        found[case.name] = given.astype(np.int64)
    return found


def write_folds(path: str | os.PathLike[str], folds: Mapping[str, Deal]) -> None:
    """Write parts to a JSON file, from which :func:`read_folds` gives them back.

    Parameters
    ----------
    path : path-like
        File to write, by habit ``folds.json`` beside the records; it appears whole or not at all.
    folds : mapping
        As :func:`deal` returns them.
    """
    with atomic_write(path) as file:
        file.write(json.dumps({name: np.asarray(of).tolist() for name, of in folds.items()}).encode())


def read_folds(path: str | os.PathLike[str]) -> dict[str, Deal]:
    """Read parts that :func:`write_folds` wrote; :func:`run` takes them as ``folds``.

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
        The file holds something else.
    """
    with open(path, "rb") as file:
        try:
            found = read_json(file.read())
            return {str(name): np.array(rows, dtype=np.int64) for name, rows in found.items()}
        except (ValueError, TypeError, AttributeError, OverflowError) as error:
            raise DataError(f"{os.fspath(path)} holds no folds: {error}") from error
