"""What the engine trains: methods by name, estimators of any library, and what is built on them."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from imbcore import _api
from imbcore._estimators.base import NativeClassifier
from imbcore._model.model import Model
from imbcore._signatures import MethodName
from imbcore.decompositions._base import DecompositionClassifier
from imbcore.exceptions import ParameterError
from imbcore.protocols._tables import as_numbers

# What libraries call the number of threads; the engine runs several fits at a time instead.
_THREADS = ("n_jobs", "n_threads", "num_threads", "thread_count")


@dataclass(frozen=True)
class Place:
    """Where in a run a learner is trained.

    Parameters
    ----------
    path : tuple
        Seed of the run, then table, replicate, fold and method, and what lies below.
    classes : ndarray of shape (n_classes,)
        Sorted labels of the whole table; the training part may lack some.
    positive : label
        The positive class.
    """

    path: tuple[Any, ...]
    classes: NDArray[Any]
    positive: Any

    @property
    def seed(self) -> int:
        """A number below 2**32 that follows from the path and from nothing else."""
        return int.from_bytes(hashlib.sha256(repr(self.path).encode()).digest()[:4], "big")

    def child(self, *names: Any) -> Place:
        """Return the place of a part of this learner, with a seed of its own."""
        return Place((*self.path, *names), self.classes, self.positive)


class Learner(ABC):
    """Anything the engine can train; subclass it for what no estimator does.

    A frozen dataclass makes a good one: its fields are what a file of records remembers it by.
    """

    @abstractmethod
    def fit(self, X: Any, y: NDArray[Any], place: Place) -> Any:
        """Learn from a training part.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Rows of the table in the container that the user gave.
        y : ndarray of shape (n_rows,)
            Labels.
        place : Place
            Seed, classes and positive class.

        Returns
        -------
        object
            With ``predict(X)`` and ``classes_``, and where it can ``predict_proba(X)`` or
            ``decision_function(X)``; with ``variants(X)``, labels by name, where several classifiers come of
            one fit (then the others may be missing); and with a dict ``chosen_`` of what it chose.
        """

    def with_parameters(self, **parameters: Any) -> Learner:
        """Return the same learner with other parameters, as :class:`Tuned` tries them."""
        raise ParameterError(f"{type(self).__name__} has no parameters that could be tuned")


@dataclass(frozen=True)
class Named(Learner):
    """A method of ours by its name.

    Parameters
    ----------
    method : str
        One of :func:`imbcore.methods`.
    parameters : mapping
        Parameters of the method and options of :func:`imbcore.fit`.
    """

    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known = get_args(MethodName)
        if self.method not in known:
            near = get_close_matches(self.method, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "imbcore.methods() lists them"
            raise ParameterError(f"there is no method {self.method!r}; {hint}")

    def fit(self, X: Any, y: NDArray[Any], place: Place, **options: Any) -> Model:
        """Fit by :func:`imbcore.fit`."""
        settled = {"random_state": place.seed, "n_threads": 1, "positive": place.positive}
        given = {**settled, **self.parameters, **options}
        return _api.fit(X, y, self.method, on_one_class="constant", **given)

    def with_parameters(self, **parameters: Any) -> Named:
        """Return the method with other parameters."""
        return Named(self.method, {**self.parameters, **parameters})


@dataclass(frozen=True)
class Estimator(Learner):
    """A classifier that follows scikit-learn's protocol, cloned for every fit.

    Parameters
    ----------
    estimator : classifier
        Of ours or of another library.
    """

    estimator: Any

    def fit(self, X: Any, y: NDArray[Any], place: Place, **options: Any) -> Any:
        """Clone the classifier, settle seeds, threads and the positive class, and fit it."""
        native = _reads_tables(self.estimator)
        fitted = prepared(self.estimator, place).fit(X if native else as_numbers(X), y, **options)
        return fitted if native else _Foreign(fitted)

    def with_parameters(self, **parameters: Any) -> Estimator:
        """Return the classifier with other parameters."""
        return Estimator(clone(self.estimator).set_params(**parameters))


def _reads_tables(estimator: Any) -> bool:
    """Tell whether our tables are taken as they are: by classifiers of ours, and decompositions into them."""
    if isinstance(estimator, DecompositionClassifier):
        member = estimator.estimator
        return member is None or isinstance(member, str) or _reads_tables(member)
    return isinstance(estimator, NativeClassifier)


class _Foreign:
    """A fitted classifier of another library, asked with matrices in place of our tables."""

    def __init__(self, fitted: Any) -> None:
        self._fitted = fitted

    def __getattr__(self, name: str) -> Any:
        """Pass on what it has; questions about rows take any container."""
        found = getattr(self.__dict__["_fitted"], name)
        if name in ("predict", "predict_proba", "decision_function"):
            return lambda X: found(as_numbers(X))
        return found


def prepared(estimator: Any, place: Place) -> Any:
    """Clone an estimator or sampler; it gets seeds below the place, one thread and the positive class."""
    copy = clone(estimator)
    given = copy.get_params(deep=True)
    settings: dict[str, Any] = {}
    for name in sorted(given):
        owner, _, last = name.rpartition("__")
        if last == "random_state":
            settings[name] = place.child(name).seed
        elif last in _THREADS and given[name] is None and _counts_threads(given[owner] if owner else copy):
            settings[name] = 1
    if "positive" in given and given["positive"] is None:
        settings["positive"] = place.positive
    return copy.set_params(**settings) if settings else copy


def _counts_threads(estimator: Any) -> bool:
    """Whether None may mean all threads.

    Of scikit-learn's own it means one, and some warn of any number; parts that are no classifiers, such as
    the discretiser of a network, leave it to the classifier.
    """
    return hasattr(estimator, "predict") and not type(estimator).__module__.startswith("sklearn.")


@dataclass(frozen=True)
class Resampled(Learner):
    """A learner of rows that a sampler added or took away; rows of tests are never touched.

    Parameters
    ----------
    sampler : sampler
        Of ours or of imbalanced-learn: what has ``fit_resample``.
    estimator : learner
        As :func:`run` takes one.
    """

    sampler: Any
    estimator: Any

    def fit(self, X: Any, y: NDArray[Any], place: Place) -> Any:
        """Resample the training part and fit."""
        made, labels = prepared(self.sampler, place.child("sampler")).fit_resample(X, y)
        return learner_of(self.estimator).fit(made, np.asarray(labels), place)

    def with_parameters(self, **parameters: Any) -> Resampled:
        """Return the same with other parameters; those named ``sampler__...`` are the sampler's."""
        own = {
            name.removeprefix("sampler__"): value
            for name, value in parameters.items()
            if name.startswith("sampler__")
        }
        others = {name: value for name, value in parameters.items() if not name.startswith("sampler__")}
        sampler = clone(self.sampler).set_params(**own)
        return Resampled(sampler, learner_of(self.estimator).with_parameters(**others))


@dataclass(frozen=True)
class Made(Learner):
    """A learner whose settings follow from the training part, such as penalties divided by its rows.

    Parameters
    ----------
    make : callable
        Called as ``make(X, y, place)``; returns a learner as :func:`run` takes one.
    """

    make: Callable[[Any, NDArray[Any], Place], Any]

    def fit(self, X: Any, y: NDArray[Any], place: Place) -> Any:
        """Make the learner and fit it."""
        return learner_of(self.make(X, y, place)).fit(X, y, place)


def learner_of(given: Any) -> Learner:
    """Read what a user may name as a learner: a method's name, a classifier, or a learner.

    Raises
    ------
    ParameterError
        It is none of these, or there is no method of that name.
    """
    if isinstance(given, Learner):
        return given
    if isinstance(given, str):
        return Named(given)
    if hasattr(given, "fit") and hasattr(given, "get_params") and not isinstance(given, type):
        return Estimator(given)
    raise ParameterError(
        f"a learner must be the name of a method, a classifier such as HDDTClassifier(), or a Learner, "
        f"got {given!r}"
    )
