"""Learners with several settings: tuning by inner folds, sweeps, decision thresholds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._estimators.row_arguments import fit_arguments
from imbcore._estimators.selection import inner_folds as dependent_folds
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.row_dependence import INDEPENDENT_ROWS, RowGroupsAndTimes
from imbcore._validation.rows import select_table_rows
from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_flag, validate_list, validate_text, validate_whole_number
from imbcore.evaluation._fold_ref import FoldRef
from imbcore.evaluation._learners import FittedWrapper, Learner, estimator_to_fit, to_learner
from imbcore.evaluation._measures import LOWER_IS_BETTER, MEASURES, encode_predicted_labels
from imbcore.evaluation._predictions import Predictions
from imbcore.evaluation._stratified_folds import StratifiedFolds, reject_unknown_layout
from imbcore.exceptions import ParameterError

Settings = dict[str, Any]
TableRows = tuple[Any, NDArray[Any]]


@dataclass(frozen=True)
class Tuned(Learner):
    """A learner whose parameters are tuned by stratified folds within the training set.

    If the rows have groups, the inner folds keep each group whole. If the rows have times, each inner fold
    trains on earlier rows and tests on later rows.

    Parameters
    ----------
    estimator : learner
        As in :func:`run`.
    grid : mapping, sequence of dict, or callable
        A mapping has the values of each parameter, of which all combinations are tried. A sequence has the
        settings to try. A function ``grid(X, y, place)`` returns such a mapping or sequence for the training
        set ``X``, ``y`` and the :class:`FoldRef` ``place``.
    folds : int, default=5
        Number of inner folds, at least 2 and at most the number of training rows.
    score : str, default="f1"
        A metric of a record; minimized if lower is better. If several settings are equally good, the first is
        chosen.
    pooled : bool, default=True
        Whether the predictions of all inner test folds are scored together. False: each fold is scored, and
        the scores of folds for which the metric is defined are averaged.
    layout : {"deal", "blocks"}, default="deal"
        Assignment of rows to folds, as in :class:`StratifiedFolds`.
    """

    estimator: Any
    grid: (
        Mapping[str, Sequence[Any]]
        | Sequence[Mapping[str, Any]]
        | Callable[[Any, NDArray[Any], FoldRef], Any]
    )
    folds: int = 5
    score: str = "f1"
    pooled: bool = True
    layout: str = "deal"

    def __post_init__(self) -> None:
        learner = to_learner(self.estimator)
        if isinstance(self.grid, Iterator):
            # Every fit reads the grid.
            object.__setattr__(self, "grid", list(self.grid))
        if not callable(self.grid):
            for setting in _parse_grid(self.grid):
                learner.with_parameters(**setting)
        validate_whole_number("folds", self.folds, 2)
        if self.score not in MEASURES:
            raise ParameterError(
                f"score must be a metric of a record, one of {MEASURES}, got {value_text(self.score)}"
            )
        validate_flag("pooled", self.pooled)
        reject_unknown_layout(self.layout)

    def fit(
        self,
        X: Any,
        y: NDArray[Any],
        place: FoldRef,
        *,
        groups: Any = None,
        time: Any = None,
        time_gap: Any = None,
    ) -> Any:
        """Select a setting and fit it to the whole training set."""
        related = RowGroupsAndTimes.from_values((groups, time, time_gap), len(y))
        given = self.grid(X, y, place) if callable(self.grid) else self.grid
        settings = _parse_grid(given)
        learner = to_learner(self.estimator)
        best, best_value = 0, -np.inf
        if len(settings) > 1:
            inner = inner_folds(X, y, place, self.folds, self.layout, related)
            for at, setting in enumerate(settings):
                value = self._value(predict_inner_folds(learner.with_parameters(**setting), inner, place))
                if value > best_value:
                    best, best_value = at, value
        chosen = settings[best]
        return _FittedTuned(_fitted(learner.with_parameters(**chosen), (X, y), place, related), chosen)

    def _value(self, found: list[Predictions]) -> float:
        """Return the score of a setting, larger for better; minus infinity if undefined."""
        scored = [Predictions.joined(found)] if self.pooled else found
        values = [predictions.measures()[self.score] for predictions in scored]
        defined = np.array([np.nan if value is None else value for value in values])
        value, _, n = native.protocols.spread(defined)
        return -np.inf if n == 0 else -value if self.score in LOWER_IS_BETTER else value

    def with_parameters(self, **parameters: Any) -> Tuned:
        """Return a copy whose learner has other parameters."""
        return replace(self, estimator=to_learner(self.estimator).with_parameters(**parameters))


def _parse_grid(grid: Any) -> list[Settings]:
    """Read a grid: lists of values by parameter, or a list of settings."""
    if isinstance(grid, Mapping):
        values = {name: validate_list(f"grid[{name!r}]", given) for name, given in grid.items()}
        settings = [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]
    else:
        settings = [_parse_setting(given) for given in validate_list("grid", grid)]
    if not settings:
        raise ParameterError("grid must contain at least one setting")
    return settings


def _parse_setting(given: Any) -> Settings:
    if not isinstance(given, Mapping):
        raise ParameterError(
            f"grid must be a dict of lists of values, or a list of dicts, got {value_text(given)}"
        )
    return dict(given)


class _FittedTuned(FittedWrapper):
    """A fitted learner with its selected setting."""

    def __init__(self, fitted: Any, chosen: Settings) -> None:
        super().__init__(fitted)
        self.chosen_ = chosen


class InnerFold(NamedTuple):
    """Rows of an inner fold with labels; groups and times of the training rows."""

    train: TableRows
    test: TableRows
    related: RowGroupsAndTimes


def inner_folds(
    X: Any,
    y: NDArray[Any],
    place: FoldRef,
    folds: int,
    layout: str = "deal",
    related: RowGroupsAndTimes = INDEPENDENT_ROWS,
) -> list[InnerFold]:
    """Split a training set into stratified folds, of whole groups, or forward in time."""
    seed = place.child("folds").seed
    splits: Iterable[tuple[NDArray[np.int64], NDArray[np.int64]]]
    codes = encode_predicted_labels(y, place.classes)
    if related.is_none:
        splits = StratifiedFolds(folds, 1, layout=layout, random_state=seed)._split_codes(codes)
    else:
        splits = dependent_folds(codes, related, folds, seed)

    def select(rows: NDArray[np.int64]) -> TableRows:
        return select_table_rows(X, rows, fresh_index=True), y[rows]

    return [InnerFold(select(train), select(test), related.pick(train)) for train, test in splits]


def _fitted(learner: Learner, rows: TableRows, place: FoldRef, related: RowGroupsAndTimes) -> Any:
    """Fit a learner, with groups and times if it supports them."""
    return learner.fit(*rows, place, **fit_arguments(estimator_to_fit(learner), related))


def predict_inner_folds(learner: Learner, inner: list[InnerFold], place: FoldRef) -> list[Predictions]:
    """Fit to the training rows of each inner fold and predict its test rows."""
    found = []
    for at, (train, (X, y), related) in enumerate(inner):
        below = place.child("inner", at)
        fitted = _fitted(learner, train, below, related)
        found.append(Predictions.from_fitted(fitted, X, encode_predicted_labels(y, place.classes), below))
    return found


@dataclass(frozen=True)
class Sweep(Learner):
    """Several classifiers of one training set, each a point of ROC space (Goh and Rudin 2014).

    A record has the counts of each classifier in ``variants``, and the area under the convex hull of the ROC
    points of the classifiers in ``sweep_auh``.

    Parameters
    ----------
    estimators : mapping
        Learners by name, as in :func:`run`. A name may also be a number, such as the class weight of the
        learner.
    """

    estimators: Mapping[Any, Any]

    def __post_init__(self) -> None:
        if not hasattr(self.estimators, "values") or len(self.estimators) == 0:
            raise ParameterError(
                "estimators must be a mapping from names to learners, with at least one entry, got "
                f"{self.estimators!r}"
            )
        for given in self.estimators.values():
            to_learner(given)

    def fit(
        self,
        X: Any,
        y: NDArray[Any],
        place: FoldRef,
        *,
        groups: Any = None,
        time: Any = None,
        time_gap: Any = None,
    ) -> Any:
        """Fit all learners."""
        related = RowGroupsAndTimes.from_values((groups, time, time_gap), len(y))
        fits = {
            str(name): _fitted(to_learner(given), (X, y), place.child(str(name)), related)
            for name, given in self.estimators.items()
        }
        chosen = {name: fitted.chosen_ for name, fitted in fits.items() if hasattr(fitted, "chosen_")}
        return _FittedSweep(fits, chosen or None)


class _FittedSweep:
    """Fitted classifiers of a sweep."""

    def __init__(self, fits: Mapping[str, Any], chosen: Mapping[str, Any] | None) -> None:
        self._fits, self.chosen_ = fits, chosen

    def variants(self, X: Any) -> dict[str, Any]:
        """Predict with each classifier, by name."""
        return {name: fitted.predict(X) for name, fitted in self._fits.items()}


@dataclass(frozen=True)
class TunedThreshold(Learner):
    """A learner whose thresholds are tuned by stratified folds within the training set.

    If the rows have groups, the inner folds keep each group whole. If the rows have times, each inner fold
    trains on earlier rows and tests on later rows.

    The learner is fitted to the whole training set after its thresholds are chosen on inner folds. The record
    has the metrics of the predictions with the default threshold. The predictions with a tuned threshold are
    a variant in the record, with the name of the metric for which the threshold was tuned.

    Parameters
    ----------
    estimator : learner
        Learner as in :func:`run`, with probabilities or a decision function.
    measures : tuple of str, default=("f1", "g_mean")
        Metrics for which a threshold is tuned, as ``metric`` of :func:`imbcore.metrics.best_threshold`.
    folds : int, default=5
        Number of inner folds, at least 2.
    """

    estimator: Any
    measures: tuple[str, ...] = ("f1", "g_mean")
    folds: int = 5

    def __post_init__(self) -> None:
        to_learner(self.estimator)
        validate_whole_number("folds", self.folds, 2)
        measures = validate_list("measures", self.measures)
        if isinstance(self.measures, Iterator):
            object.__setattr__(self, "measures", tuple(measures))
        if not measures:
            raise ParameterError("measures must contain at least one metric")
        # The native module has the list of metrics; any two rows serve to look one up.
        any_rows = np.array([0, 1], dtype=np.uint32)
        sweep = native.metrics.Sweep(any_rows, 1, any_rows.astype(np.float64), None)
        for measure in measures:
            sweep.best_threshold(validate_text("measures", measure), 1.0)

    def fit(
        self,
        X: Any,
        y: NDArray[Any],
        place: FoldRef,
        *,
        groups: Any = None,
        time: Any = None,
        time_gap: Any = None,
    ) -> Any:
        """Tune the thresholds and fit."""
        learner = to_learner(self.estimator)
        related = RowGroupsAndTimes.from_values((groups, time, time_gap), len(y))
        inner = inner_folds(X, y, place, self.folds, related=related)
        found = Predictions.joined(predict_inner_folds(learner, inner, place))
        if found.scores is None:
            raise ParameterError("a threshold needs probabilities or a decision function, of two classes")
        sweep = native.metrics.Sweep(found.truth, found.positive, found.scores, None)
        thresholds = {measure: sweep.best_threshold(measure, 1.0)[0] for measure in self.measures}
        return _ThresholdedClassifier(_fitted(learner, (X, y), place, related), thresholds, place)

    def with_parameters(self, **parameters: Any) -> TunedThreshold:
        """Return a copy whose learner has other parameters."""
        return replace(self, estimator=to_learner(self.estimator).with_parameters(**parameters))


class _ThresholdedClassifier(FittedWrapper):
    """A fitted classifier with thresholds of its scores."""

    def __init__(self, fitted: Any, thresholds: Mapping[str, float], place: FoldRef) -> None:
        super().__init__(fitted)
        self.chosen_, self._place = dict(thresholds), place

    def variants(self, X: Any) -> dict[str, Any]:
        """Predict with the threshold of each metric; negatives get the other class."""
        unknown = np.zeros(0, dtype=np.uint32)
        scores = np.asarray(Predictions.from_fitted(self._fitted, X, unknown, self._place).scores)
        positive = self._place.positive
        other = next(label for label in self._place.classes.tolist() if label != positive)
        return {
            name: np.array([positive if above else other for above in (scores >= threshold).tolist()])
            for name, threshold in self.chosen_.items()
        }


name_package_in_errors(globals())
