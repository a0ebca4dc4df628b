"""Cross-validation splits shared by all methods of a comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from imbcore._bindings import native
from imbcore._bindings.options import resolve_seed
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.user_warnings import warn_user
from imbcore._validation.value_text import value_text
from imbcore._validation.values import encode_label_arrays, to_label_array, validate_whole_number
from imbcore.exceptions import ParameterError

Rows = NDArray[np.int64]


def reject_unknown_layout(layout: Any) -> None:
    """Reject an unknown rule by which rows are assigned to folds."""
    if layout not in ("deal", "blocks"):
        raise ParameterError(f"layout must be 'deal' or 'blocks', got {value_text(layout)}")


def warn_of_small_classes(
    classes: NDArray[Any], codes: NDArray[np.uint32], folds: int, table: str = ""
) -> None:
    """Warn of every class with fewer rows than folds, as some test sets have no row of it.

    Parameters
    ----------
    classes : ndarray of shape (n_classes,)
        Labels.
    codes : ndarray of shape (n_rows,)
        Position of the label of every row in ``classes``.
    folds : int
        Number of folds.
    table : str, default=""
        Name of the table, if there are several.
    """
    start = f"table {table!r}: " if table else ""
    for label, n in zip(classes.tolist(), np.bincount(codes, minlength=len(classes)).tolist(), strict=True):
        if 0 < n < folds:
            warn_user(
                f"{start}class {value_text(label)} has {n} {'row' if n == 1 else 'rows'}, fewer than {folds} "
                "folds: some folds test no row of it, and its scores are undefined there"
            )


class StratifiedFolds:
    """Repeated stratified cross-validation, such as 5 x 2.

    Every fold has nearly the same number of rows of each class. If a class has fewer rows than there are
    folds, some folds have no row of it, and ``split`` warns. The splits depend only on the parameters and the
    labels, not on ``X``. An instance is also a scikit-learn splitter: pass it as ``cv``.

    Parameters
    ----------
    folds : int, default=2
        Number of folds, at least 2.
    repeats : int, default=5
        Number of repetitions, at least 1.
    layout : {"deal", "blocks"}, default="deal"
        "deal": the rows of each class are shuffled and assigned to the folds in turn. The first row of a
        class goes to the fold after that of the last row of the previous class. "blocks": all rows are put in
        one random order. In this order, the rows of each class are cut into consecutive blocks, one per fold.
        If equal sizes are impossible, the first blocks have one row more (Zhu, Li and Dunson 2021).
    random_state : int, numpy Generator, RandomState or None, default=None
        Seed. None: a seed is drawn once, and used for all splits of this object.

    Examples
    --------
    >>> from imbcore.evaluation import StratifiedFolds
    >>> folds = StratifiedFolds(2, 1, random_state=0)
    >>> y = ["a", "b", "a", "b", "a", "a"]
    >>> [sorted(y[row] for row in test) for _, test in folds.split(y=y)]
    [['a', 'a', 'b'], ['a', 'a', 'b']]
    """

    def __init__(
        self, folds: int = 2, repeats: int = 5, *, layout: str = "deal", random_state: Any = None
    ) -> None:
        self.folds = validate_whole_number("folds", folds, 2)
        self.repeats = validate_whole_number("repeats", repeats, 1)
        reject_unknown_layout(layout)
        self.layout = layout
        self._seed = resolve_seed(random_state)

    def get_n_splits(self, X: object = None, y: object = None, groups: object = None) -> int:
        """Return the number of pairs that ``split`` yields."""
        return self.folds * self.repeats

    def split(
        self, X: object = None, y: ArrayLike | None = None, groups: object = None
    ) -> Iterator[tuple[Rows, Rows]]:
        """Yield training and test rows, repetition by repetition; ``X`` and ``groups`` are ignored."""
        if y is None:
            raise ParameterError("split needs y: the folds are stratified by the labels")
        classes, (codes,) = encode_label_arrays(to_label_array(y, "y"))
        warn_of_small_classes(classes, codes, self.folds)
        yield from self._split_codes(codes)

    def _split_codes(self, codes: NDArray[np.uint32]) -> Iterator[tuple[Rows, Rows]]:
        """Yield training and test rows without a warning, by the class codes of the rows."""
        for fold in self._assign_test_folds(codes):
            for test in range(self.folds):
                yield np.flatnonzero(fold != test), np.flatnonzero(fold == test)

    def _assign_test_folds(self, codes: NDArray[np.uint32]) -> Iterator[NDArray[np.uint32]]:
        """Yield the test fold of every row, repetition by repetition."""
        for repeat in range(self.repeats):
            yield native.protocols.stratified_folds(codes, self.folds, repeat, self._seed, self.layout)


name_package_in_errors(globals())
