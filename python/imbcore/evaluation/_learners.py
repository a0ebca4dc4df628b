"""Learners: methods by name, estimators of any library, wrappers of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from imbcore import _api
from imbcore._bindings.options import resolve_threads
from imbcore._bindings.parameters import reject_unknown_parameters
from imbcore._estimators.base import NativeClassifier
from imbcore._estimators.classifiers import require_classifier, require_cloneable
from imbcore._estimators.row_arguments import fit_arguments, warn_of_ungrouped_splits
from imbcore._model.model import Model
from imbcore._signatures import MethodName
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.options import OPTIONS
from imbcore._validation.row_dependence import RowGroupsAndTimes
from imbcore._validation.value_text import value_text
from imbcore.decompositions._base import DecompositionClassifier
from imbcore.evaluation._fold_ref import FoldRef
from imbcore.evaluation._tables import table_to_matrix
from imbcore.exceptions import ParameterError

# Names of the number of threads in various libraries; several fits run in parallel instead.
_THREADS = ("n_jobs", "n_threads", "num_threads", "thread_count")


class Learner(ABC):
    """Base class of learners; subclass it to do more in a fit than fitting one classifier.

    A frozen dataclass is recommended: its fields identify the learner in a file of records.
    """

    @abstractmethod
    def fit(self, X: Any, y: NDArray[Any], place: FoldRef) -> Any:
        """Fit to a training set.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Training rows, in the same container type as the whole table, such as a pandas data frame.
        y : ndarray of shape (n_rows,)
            Labels.
        place : FoldRef
            Identifies this fit, and has its seed, the classes and the positive class.

        Returns
        -------
        object
            Fitted classifier with ``predict(X)`` and ``classes_``, and if possible ``predict_proba(X)`` or
            ``decision_function(X)``. If one fit gives several classifiers, the object has a method
            ``variants(X)``, which returns a dict of predicted labels by the names of the classifiers; the
            methods above are then optional. If the fit selects settings, the object has them in the dict
            ``chosen_``.
        """

    def with_parameters(self, **parameters: Any) -> Learner:
        """Return a copy with other parameters; :class:`Tuned` calls this method."""
        raise ParameterError(f"{type(self).__name__} has no parameters to tune")


@dataclass(frozen=True)
class NamedMethod(Learner):
    """An imbcore method given by name.

    Parameters
    ----------
    method : str
        A name of :func:`imbcore.methods`.
    parameters : mapping
        Parameters of the method and options of :func:`imbcore.fit`.
    """

    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known = get_args(MethodName)
        if self.method not in known:
            near = get_close_matches(str(self.method).lower(), known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "imbcore.methods() lists them"
            raise ParameterError(f"there is no method {self.method!r}; {hint}")
        if not isinstance(self.parameters, Mapping):
            raise ParameterError(f"parameters must be a mapping, got {value_text(self.parameters)}")
        options = {option.name for option in OPTIONS}
        reject_unknown_parameters(
            self.method, {name: value for name, value in self.parameters.items() if name not in options}
        )

    def fit(self, X: Any, y: NDArray[Any], place: FoldRef, **options: Any) -> Model:
        """Fit with :func:`imbcore.fit`."""
        given = {"random_state": place.seed, "positive": place.positive, **self.parameters, **options}
        if all(given.get(name) is None for name in ("n_threads", "n_jobs")):
            given["n_threads"] = 1
        return _api.fit(X, y, self.method, on_one_class="constant", **given)

    def with_parameters(self, **parameters: Any) -> NamedMethod:
        """Return the method with other parameters."""
        return NamedMethod(self.method, {**self.parameters, **parameters})


@dataclass(frozen=True)
class Estimator(Learner):
    """A classifier with the scikit-learn API, cloned for every fit.

    Parameters
    ----------
    estimator : classifier
        Classifier of imbcore or another library.
    """

    estimator: Any

    def __post_init__(self) -> None:
        require_classifier(
            "a learner",
            self.estimator,
            expected="the name of a method, a classifier, a Learner or a pair (one of them, {...})",
        )
        require_cloneable(self.estimator)
        _reject_invalid_threads(self.estimator)

    def fit(self, X: Any, y: NDArray[Any], place: FoldRef, **options: Any) -> Any:
        """Clone the classifier, set seeds, threads and the positive class, and fit it."""
        native = _accepts_table(self.estimator)
        fitted = clone_with_seeds(self.estimator, place).fit(
            X if native else table_to_matrix(X), y, **options
        )
        return fitted if native else _MatrixClassifier(fitted)

    def with_parameters(self, **parameters: Any) -> Estimator:
        """Return the classifier with other parameters."""
        copy = clone(self.estimator)
        try:
            return Estimator(copy.set_params(**parameters))
        except ValueError as error:
            raise ParameterError(str(error)) from error


def _accepts_table(estimator: Any) -> bool:
    """Check whether `Table` is accepted directly, as by imbcore classifiers."""
    if isinstance(estimator, DecompositionClassifier):
        member = estimator.estimator
        return member is None or isinstance(member, str) or _accepts_table(member)
    return isinstance(estimator, NativeClassifier)


class FittedWrapper:
    """A fitted classifier with further attributes; all others are forwarded."""

    def __init__(self, fitted: Any) -> None:
        self._fitted = fitted

    def __getattr__(self, name: str) -> Any:
        # Pickling and copying look up attributes before ``_fitted`` is set.
        if "_fitted" not in self.__dict__:
            raise AttributeError(name)
        return getattr(self._fitted, name)


class _MatrixClassifier(FittedWrapper):
    """A fitted classifier of another library, which predicts from matrices instead of `Table`."""

    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        if name in ("predict", "predict_proba", "decision_function"):
            return lambda X: found(table_to_matrix(X))
        return found


def clone_with_seeds(estimator: Any, place: FoldRef) -> Any:
    """Clone an estimator or sampler, and set derived seeds, one thread and the positive class."""
    copy = clone(estimator)
    given = copy.get_params(deep=True)
    settings: dict[str, Any] = {
        name: place.child(name).seed for name in sorted(given) if name.rpartition("__")[2] == "random_state"
    }
    for part, numbers in _thread_parameters(copy):
        if all(given[name] is None for name in numbers) and _may_use_all_threads(part):
            settings |= dict.fromkeys(numbers, 1)
    if "positive" in given and given["positive"] is None:
        settings["positive"] = place.positive
    return copy.set_params(**settings) if settings else copy


def _reject_invalid_threads(estimator: Any) -> None:
    """Reject invalid numbers of threads of imbcore classifiers before long fits."""
    for part, _ in _thread_parameters(estimator):
        if type(part).__module__.startswith("imbcore."):
            try:
                resolve_threads(getattr(part, "n_threads", None), getattr(part, "n_jobs", None))
            except ParameterError as error:
                raise ParameterError(f"{type(part).__name__}: {error}") from None


def _thread_parameters(estimator: Any) -> list[tuple[Any, list[str]]]:
    """Return the parts of an estimator with the parameters for their numbers of threads.

    A classifier of imbcore has two names of one number, of which at most one may be set.
    """
    given = estimator.get_params(deep=True)
    found: dict[str, list[str]] = {}
    for name in sorted(given):
        owner, _, last = name.rpartition("__")
        if last in _THREADS:
            found.setdefault(owner, []).append(name)
    return [(given[owner] if owner else estimator, names) for owner, names in found.items()]


def _may_use_all_threads(estimator: Any) -> bool:
    """Check whether None may mean all threads.

    For scikit-learn's own classifiers it means one, and some warn if it is set. Parts that are not
    classifiers, such as the discretizer of a network, use the setting of the classifier.
    """
    return hasattr(estimator, "predict") and not type(estimator).__module__.startswith("sklearn.")


@dataclass(frozen=True)
class Resampled(Learner):
    """A learner with resampled training rows; test rows are never resampled.

    Parameters
    ----------
    sampler : sampler
        Sampler of imbcore or imbalanced-learn, with ``fit_resample``.
    estimator : learner
        As in :func:`run`.
    """

    sampler: Any
    estimator: Any

    def __post_init__(self) -> None:
        if isinstance(self.sampler, (str, type)) or not all(
            hasattr(self.sampler, name) for name in ("fit_resample", "get_params")
        ):
            raise ParameterError(
                f"sampler must be an object with fit_resample, such as SMOTE(), "
                f"got {value_text(self.sampler)}"
            )
        to_learner(self.estimator)

    def fit(self, X: Any, y: NDArray[Any], place: FoldRef) -> Any:
        """Resample the training set and fit."""
        made, labels = clone_with_seeds(self.sampler, place.child("sampler")).fit_resample(X, y)
        return to_learner(self.estimator).fit(made, np.asarray(labels), place)

    def with_parameters(self, **parameters: Any) -> Resampled:
        """Return a copy with other parameters; ``sampler__...`` sets a parameter of the sampler."""
        own = {
            name.removeprefix("sampler__"): value
            for name, value in parameters.items()
            if name.startswith("sampler__")
        }
        others = {name: value for name, value in parameters.items() if not name.startswith("sampler__")}
        sampler = clone(self.sampler)
        try:
            sampler.set_params(**own)
        except ValueError as error:
            raise ParameterError(str(error)) from error
        return Resampled(sampler, to_learner(self.estimator).with_parameters(**others))


@dataclass(frozen=True)
class DataDependentLearner(Learner):
    """A learner whose settings depend on the training set, such as penalties scaled by its size.

    Parameters
    ----------
    make : callable
        Function ``make(X, y, place)`` that returns a learner as in :func:`run`. ``X`` and ``y`` are the
        training set, and ``place`` is the :class:`FoldRef` of the fit.
    """

    make: Callable[[Any, NDArray[Any], FoldRef], Any]

    def __post_init__(self) -> None:
        if not callable(self.make):
            raise ParameterError(f"make must be a function of X, y and place, got {value_text(self.make)}")

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
        """Create the learner and fit it."""
        learner = to_learner(self.make(X, y, place))
        related = RowGroupsAndTimes.from_values((groups, time, time_gap), len(y))
        return learner.fit(X, y, place, **fit_arguments(estimator_to_fit(learner), related))


def estimator_to_fit(learner: Learner) -> Any:
    """Return the object whose ``fit`` a learner calls."""
    if isinstance(learner, NamedMethod):
        # Methods accept the same groups and times as their classes.
        return NativeClassifier
    return learner.estimator if isinstance(learner, Estimator) else learner


def warn_of_ungrouped_fits(learner: Learner, dependence: RowGroupsAndTimes) -> None:
    """Warn of estimators in a learner that split rows without the groups or times of the rows."""
    inner: Any = learner
    passed = True
    while isinstance(inner, Learner) and not isinstance(inner, Estimator):
        # Resampled rows have no groups.
        passed = passed and not isinstance(inner, Resampled)
        inside = getattr(inner, "estimator", None)
        inner = None if inside is None else to_learner(inside)
    if inner is not None:
        warn_of_ungrouped_splits(inner.estimator, dependence, passed=passed)


def to_learner(given: Any) -> Learner:
    """Convert a method name, a classifier or a learner, or a pair with parameters, to a learner.

    Raises
    ------
    ParameterError
        It is none of these, or the method or a parameter is unknown.
    """
    if isinstance(given, Learner):
        return given
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], Mapping):
        return to_learner(given[0]).with_parameters(**given[1])
    if isinstance(given, str):
        return NamedMethod(given)
    return Estimator(given)


name_package_in_errors(globals())
