"""Splits given by the user: pairs of training and test rows, or a splitter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.value_text import value_text
from imbcore.exceptions import ParameterError

__all__ = ["GivenSplits"]

Rows = NDArray[np.int64]

_FORM = (
    "folds must be a whole number; or pairs of training and test rows, such as [(train, test)] with "
    "positions or booleans; or a splitter of scikit-learn"
)


@dataclass(frozen=True)
class GivenSplits:
    """Pairs of training and test rows.

    Parameters
    ----------
    folds, repeats : int
        Number of test sets of a repetition, which have no common rows, and number of repetitions.
    pairs : dict
        Sorted training and test rows by repetition and fold.
    """

    folds: int
    repeats: int
    pairs: dict[tuple[int, int], tuple[Rows, Rows]]

    @classmethod
    def from_argument(cls, folds: Any, n_rows: int, codes: Any, groups: Any) -> GivenSplits | None:
        """Validate ``folds``; None if it is not a list of pairs or a splitter.

        Parameters
        ----------
        folds : any
            As in :func:`evaluate`.
        n_rows : int
        codes, groups : ndarray of shape (n_rows,)
            Classes, and groups or None, for a splitter.

        Raises
        ------
        ParameterError
            A pair is invalid, or the splitter cannot split these rows.
        """
        if hasattr(folds, "split") and not isinstance(folds, str):
            try:
                folds = list(folds.split(np.zeros((n_rows, 1)), codes, groups))
            except Exception as error:
                raise ParameterError(f"folds: the splitter cannot split these rows: {error}") from error
        elif (
            isinstance(folds, (str, bytes))
            or not isinstance(folds, Iterable)
            or (isinstance(folds, np.ndarray) and folds.ndim == 0)
        ):
            return None
        pairs = [_validate_pair(number, pair, n_rows) for number, pair in enumerate(folds)]
        if not pairs:
            raise ParameterError(f"{_FORM}, got no pair")
        return cls._from_pairs(pairs, n_rows)

    @classmethod
    def _from_pairs(cls, pairs: list[tuple[Rows, Rows]], n_rows: int) -> GivenSplits:
        """Divide the pairs into repetitions of equal size, in which no row is tested twice."""
        repetitions: list[list[tuple[Rows, Rows]]] = [[]]
        tested = np.zeros(n_rows, dtype=bool)
        for pair in pairs:
            if tested[pair[1]].any():
                repetitions.append([])
                tested[:] = False
            repetitions[-1].append(pair)
            tested[pair[1]] = True
        if len({len(repetition) for repetition in repetitions}) > 1:
            repetitions = [[pair] for pair in pairs]
        by_number = {
            (i, j): pair for i, repetition in enumerate(repetitions) for j, pair in enumerate(repetition)
        }
        return cls(len(repetitions[0]), len(repetitions), by_number)

    @property
    def text(self) -> str:
        """Describe the kind of the splits, after their number."""
        return "given split" if len(self.pairs) == 1 else "given splits"


def _validate_pair(number: int, pair: Any, n_rows: int) -> tuple[Rows, Rows]:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise ParameterError(f"{_FORM}, got {value_text(pair)} as pair {number}")
    train, test = (
        _validate_row_positions(f"{name} rows of pair {number} of folds", rows, n_rows)
        for name, rows in zip(("training", "test"), pair, strict=True)
    )
    if len(common := np.intersect1d(train, test)):
        raise ParameterError(
            f"folds: row {common[0]} is both a training row and a test row of pair {number}; test each model "
            "on other rows"
        )
    return train, test


def _validate_row_positions(what: str, given: Any, n_rows: int) -> Rows:
    """Return sorted positions of rows given as positions or booleans."""
    try:
        rows = np.asarray(given)
    except ValueError:
        rows = np.empty(0, dtype=object)
    if rows.dtype.kind == "b" and rows.shape == (n_rows,):
        rows = np.flatnonzero(rows)
    if rows.ndim != 1 or rows.dtype.kind not in "iu" or not len(rows):
        raise ParameterError(
            f"{what} must be positions of at least one row, or {n_rows} booleans, got {value_text(given)}"
        )
    if rows.min() < 0 or rows.max() >= n_rows:
        wrong = rows[(rows < 0) | (rows >= n_rows)][0]
        raise ParameterError(f"{what} must be positions from 0 to {n_rows - 1}, got {wrong}")
    known = np.unique(rows).astype(np.int64)
    if len(known) < len(rows):
        raise ParameterError(f"{what} must be different rows; give sample_weight to count rows twice")
    return known
