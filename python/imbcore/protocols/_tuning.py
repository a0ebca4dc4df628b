"""Learners with several settings: tuning by inner folds, sweeps, decision thresholds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._input.rows import pick
from imbcore.exceptions import ParameterError
from imbcore.protocols._answers import Answers, asked
from imbcore.protocols._folds import StratifiedFolds
from imbcore.protocols._learners import Learner, Place, learner_of
from imbcore.protocols._measures import LOWER_IS_BETTER, MEASURES, codes_of

Settings = dict[str, Any]


@dataclass(frozen=True)
class Tuned(Learner):
    """A learner whose parameters are tuned by stratified folds within the training set.

    Parameters
    ----------
    estimator : learner
        As in :func:`run`.
    grid : mapping, sequence of dict, or callable
        Values by parameter, of which all combinations are tried; or a list of settings; or a function
        ``grid(X, y, place)`` of the training set that returns either.
    folds : int, default=5
        Number of inner folds, at least 2 and at most the number of training rows.
    score : str, default="f1"
        A metric of a record; minimized if lower is better. Ties go to the first setting.
    pooled : bool, default=True
        Whether predictions of all inner test folds are scored together; False averages over the folds where
        the metric is defined.
    layout : {"deal", "blocks"}, default="deal"
        As in :class:`StratifiedFolds`.
    """

    estimator: Any
    grid: (
        Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]] | Callable[[Any, NDArray[Any], Place], Any]
    )
    folds: int = 5
    score: str = "f1"
    pooled: bool = True
    layout: str = "deal"

    def __post_init__(self) -> None:
        if self.score not in MEASURES:
            raise ParameterError(f"score must be a metric of a record, one of {MEASURES}, got {self.score!r}")

    def fit(self, X: Any, y: NDArray[Any], place: Place) -> Any:
        """Select a setting and fit it to the whole training set."""
        given = self.grid(X, y, place) if callable(self.grid) else self.grid
        settings = _settings(given)
        learner = learner_of(self.estimator)
        best, best_value = 0, -np.inf
        if len(settings) > 1:
            parts = inner_parts(X, y, place, self.folds, self.layout)
            for at, setting in enumerate(settings):
                value = self._value(learner.with_parameters(**setting), parts, place)
                if value > best_value:
                    best, best_value = at, value
        chosen = settings[best]
        return _Chosen(learner.with_parameters(**chosen).fit(X, y, place), chosen)

    def _value(self, learner: Learner, parts: list[_Part], place: Place) -> float:
        """Return the score of a setting, larger for better; minus infinity if undefined."""
        found = [part.answers(learner, place.child("inner", at)) for at, part in enumerate(parts)]
        if self.pooled:
            values = [Answers.joined(found).measures()[self.score]]
        else:
            values = [answers.measures()[self.score] for answers in found]
        defined = np.array([np.nan if value is None else value for value in values])
        value, _, n = native.protocols.spread(defined)
        return -np.inf if n == 0 else -value if self.score in LOWER_IS_BETTER else value

    def with_parameters(self, **parameters: Any) -> Tuned:
        """Return the same search with other parameters of the learner."""
        learner = learner_of(self.estimator).with_parameters(**parameters)
        return Tuned(learner, self.grid, self.folds, self.score, self.pooled, self.layout)


def _settings(grid: Any) -> list[Settings]:
    if isinstance(grid, Mapping):
        return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    settings = [dict(setting) for setting in grid]
    if not settings:
        raise ParameterError("grid must contain at least one setting")
    return settings


class _Chosen:
    """A fitted learner with its selected setting."""

    def __init__(self, fitted: Any, chosen: Settings) -> None:
        self._fitted, self.chosen_ = fitted, chosen

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_fitted"], name)


@dataclass(frozen=True)
class _Part:
    """An inner fold."""

    train: tuple[Any, NDArray[Any]]
    test: tuple[Any, NDArray[Any]]

    def answers(self, learner: Learner, place: Place) -> Answers:
        """Fit to the training rows of the fold and predict its test rows."""
        truth = codes_of(self.test[1], place.classes)
        return asked(learner.fit(*self.train, place), self.test[0], truth, place)


def inner_parts(X: Any, y: NDArray[Any], place: Place, folds: int, layout: str) -> list[_Part]:
    """Split a training set into stratified folds."""
    splitter = StratifiedFolds(folds, 1, layout=layout, random_state=place.child("folds").seed)
    return [
        _Part(*((pick(X, rows, fresh_index=True), y[rows]) for rows in pair)) for pair in splitter.split(y=y)
    ]


@dataclass(frozen=True)
class Sweep(Learner):
    """Several classifiers of one training set, each a point of ROC space (Goh and Rudin 2014).

    Records have their counts in ``variants`` and the area under their convex hull in ``sweep_auh``.

    Parameters
    ----------
    estimators : mapping
        Learners as in :func:`run`; the keys are weights or other names.
    """

    estimators: Mapping[Any, Any]

    def fit(self, X: Any, y: NDArray[Any], place: Place) -> Any:
        """Fit all learners."""
        fits = {
            str(name): learner_of(given).fit(X, y, place.child(str(name)))
            for name, given in self.estimators.items()
        }
        chosen = {name: fitted.chosen_ for name, fitted in fits.items() if hasattr(fitted, "chosen_")}
        return _Swept(fits, chosen or None)


class _Swept:
    """Fitted classifiers of a sweep."""

    def __init__(self, fits: Mapping[str, Any], chosen: Mapping[str, Any] | None) -> None:
        self._fits, self.chosen_ = fits, chosen

    def variants(self, X: Any) -> dict[str, Any]:
        """Predict with each classifier, by name."""
        return {name: fitted.predict(X) for name, fitted in self._fits.items()}


@dataclass(frozen=True)
class TunedThreshold(Learner):
    """A learner with additional thresholds tuned by stratified folds within the training set.

    The record has the learner's own predictions; those with the threshold tuned for a metric are a variant
    with the name of the metric. The learner is then fitted once more to the whole training set.

    Parameters
    ----------
    estimator : learner
        As in :func:`run`, with probabilities or a decision function.
    measures : tuple of str, default=("f1", "g_mean")
        As in :func:`imbcore.metrics.best_threshold`.
    folds : int, default=5
        Number of inner folds, at least 2.
    """

    estimator: Any
    measures: tuple[str, ...] = ("f1", "g_mean")
    folds: int = 5

    def fit(self, X: Any, y: NDArray[Any], place: Place) -> Any:
        """Tune the thresholds and fit."""
        learner = learner_of(self.estimator)
        parts = inner_parts(X, y, place, self.folds, "deal")
        found = Answers.joined(
            [part.answers(learner, place.child("inner", at)) for at, part in enumerate(parts)]
        )
        if found.scores is None:
            raise ParameterError("a threshold needs probabilities or a decision function, of two classes")
        sweep = native.metrics.Sweep(found.truth, found.positive, found.scores, None)
        cuts = {measure: sweep.best_threshold(measure, 1.0)[0] for measure in self.measures}
        return _Cut(learner.fit(X, y, place), cuts, place)

    def with_parameters(self, **parameters: Any) -> TunedThreshold:
        """Return a copy with other parameters of the learner."""
        return TunedThreshold(
            learner_of(self.estimator).with_parameters(**parameters), self.measures, self.folds
        )


class _Cut:
    """A fitted classifier with thresholds of its scores."""

    def __init__(self, fitted: Any, cuts: Mapping[str, float], place: Place) -> None:
        self._fitted, self._cuts, self._place = fitted, cuts, place
        self.chosen_ = dict(cuts)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_fitted"], name)

    def variants(self, X: Any) -> dict[str, Any]:
        """Predict with the threshold of each metric; negatives get the other class."""
        truth = np.zeros(len(X), dtype=np.uint32)
        scores = np.asarray(asked(self._fitted, X, truth, self._place).scores)
        labels = self._place.classes.tolist()
        other = next(label for label in labels if label != self._place.positive)
        return {
            name: np.array([self._place.positive if yes else other for yes in (scores >= cut).tolist()])
            for name, cut in self._cuts.items()
        }
