"""Scores of all trees of a cost-complexity path, and cross-validation splits."""

from __future__ import annotations

import reprlib
import warnings
from collections.abc import Callable, Iterable, Sized
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.model_selection import check_cv

from imbcore import metrics
from imbcore._bindings import native, training
from imbcore._validation.frame import NativeFrame
from imbcore._validation.row_dependence import INDEPENDENT_ROWS, RowGroupsAndTimes
from imbcore._validation.value_text import value_text
from imbcore.exceptions import ParameterError


class FixedPredictions(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Fixed predictions of one tree of a path, in the form that scorers expect."""

    def __init__(
        self, classes: NDArray[Any], proba: NDArray[np.float64], codes: NDArray[np.uint32], positive: Any
    ) -> None:
        self.classes = self.classes_ = classes
        self.positive = self.positive_ = positive
        self.proba = proba
        self.codes = codes

    def predict(self, X: Any) -> NDArray[Any]:
        return self.classes_[self.codes]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        return self.proba


def find_scorer(scoring: Any) -> Callable[..., float]:
    """Find a scorer: of imbcore by name, else of scikit-learn, else a callable."""
    if callable(scoring):
        return scoring
    if not isinstance(scoring, str):
        raise ParameterError(f"scoring must be the name of a scorer or a callable, got {value_text(scoring)}")
    try:
        scorer = metrics.scorer(scoring)
    except ParameterError:
        if scoring not in get_scorer_names():
            raise
        scorer = get_scorer(scoring)
    return scorer


def compute_fold_positions(
    cv: Any,
    codes: NDArray[Any],
    kept: NDArray[np.int64] | None = None,
    dependence: RowGroupsAndTimes = INDEPENDENT_ROWS,
) -> Iterable[tuple[NDArray[Any], NDArray[Any]]]:
    """Return the row positions of training and test part of every fold.

    ``kept`` are the positions of the rows in the user's table if some were dropped; user-defined pairs of row
    positions refer to that table. A number of folds keeps groups whole and goes forward in time; a splitter
    receives the groups.
    """
    if cv is None and not dependence.is_none:
        cv = 5
    if isinstance(cv, (int, np.integer)):
        if isinstance(cv, bool) or not 2 <= cv <= len(codes):
            raise ParameterError(
                f"cv must be at least 2 and at most the number of rows (n_samples = {len(codes)}), "
                f"got {value_text(cv)}"
            )
        if not dependence.is_none:
            return inner_folds(codes, dependence, int(cv), 0)
        # Not scikit-learn's folds, which warn of classes with fewer rows than folds; this is common here.
        fold = training.stratified_folds(codes, int(cv))
        return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(int(cv))]
    if isinstance(cv, Iterable) and not hasattr(cv, "split"):
        cv = list(cv)
        if not cv or not all(isinstance(pair, Sized) and len(pair) == 2 for pair in cv):
            raise ParameterError(
                f"cv must hold pairs of training and test rows, at least one, got {reprlib.repr(cv)}"
            )
        return [(_to_positions(train, kept), _to_positions(test, kept)) for train, test in cv]
    try:
        splitter = check_cv(cv, codes, classifier=True)
    except (TypeError, ValueError) as error:
        raise ParameterError(
            "cv must be a number of folds, a splitter of scikit-learn, or pairs of training and test rows, "
            f"got {reprlib.repr(cv)}"
        ) from error
    if dependence.groups is None:
        return splitter.split(codes, codes)
    return splitter.split(codes, codes, dependence.groups)


def inner_folds(
    codes: NDArray[Any],
    dependence: RowGroupsAndTimes,
    n_folds: int,
    seed: int,
    *,
    only_latest: bool = False,
    period: float | None = None,
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return training and test rows of folds of whole groups, or of later rows.

    ``only_latest`` selects the latest of the folds in time that test enough rows of every class, and enough
    complete periods of the length ``period``.
    """
    return native.protocols.inner_folds(
        codes.astype(np.uint32), dependence, n_folds, seed, only_latest, period
    )


def _to_positions(rows: Any, kept: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """Convert rows of a table, given by position or mask, to positions among the kept rows."""
    array = np.asarray(rows)
    array = np.flatnonzero(array) if array.dtype.kind == "b" else array
    return array if kept is None else np.searchsorted(kept, array[np.isin(array, kept)])


def select_frame_rows(frame: NativeFrame, rows: NDArray[np.int64]) -> NativeFrame:
    """Select rows of a table in native form."""
    if not isinstance(frame, list):
        return np.ascontiguousarray(frame[rows])
    return [(column[0][rows], column[1]) if isinstance(column, tuple) else column[rows] for column in frame]


def score_trees_of_path(
    staged: native.trees.PrunedPredictions,
    alphas: Iterable[float],
    scorer: Callable[..., float],
    classes: NDArray[Any],
    positive: Any,
    rows: Any,
    y: NDArray[Any],
    sample_weight: Any,
) -> list[float]:
    """Score the tree of every alpha once."""
    scores: dict[int, float] = {}
    found = []
    for alpha in alphas:
        step = staged.index_of_alpha(float(alpha))
        if step not in scores:
            scores[step] = score_without_warnings(
                scorer,
                FixedPredictions(classes, *staged.predict_step(step), positive),
                rows,
                y,
                sample_weight,
            )
        found.append(scores[step])
    return found


def score_without_warnings(
    scorer: Callable[..., float], answers: FixedPredictions, rows: Any, y: Any, sample_weight: Any
) -> float:
    """Score predictions without warnings: the last trees of a path may predict no positives."""
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        # A fold without rows of a rare class would warn, too.
        warnings.filterwarnings("ignore", "y_pred contains classes not in y_true")
        return float(scorer(answers, rows, y, **weights))


def choose_pruning(scores: NDArray[np.float64], rule: Any) -> tuple[int, Any, Any]:
    """Choose a step of a path from scores (n_folds, n_trees); also returns means and deviations."""
    if not isinstance(rule, str):
        raise ParameterError(f'rule must be "min" or "1se", got {value_text(rule)}')
    return native.trees.choose_pruning(scores, rule)
