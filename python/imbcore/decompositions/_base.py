"""Base class of decompositions: members of any library, native planning and decoding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import _safe_indexing
from sklearn.utils.metadata_routing import MetadataRouter
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _num_samples, check_is_fitted

from imbcore._bindings import decompositions, native
from imbcore._bindings.options import resolve_threads
from imbcore._estimators.base import NativeClassifier, warn_of_column_vector
from imbcore._estimators.classifiers import copy_input_tags, require_classifier
from imbcore._estimators.probable import ProbabilisticClassifier
from imbcore._estimators.row_arguments import fit_arguments, supports_weights
from imbcore._signatures.constructors import define_constructor
from imbcore._validation.columns import is_sparse
from imbcore._validation.costs import cost_options_of_estimator, costs_for_predict
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.labels import Target, encode_target_labels
from imbcore._validation.options import ESTIMATOR_OPTIONS
from imbcore._validation.row_dependence import INDEPENDENT_ROWS
from imbcore._validation.training_rows import PositiveWeightRows
from imbcore._validation.user_warnings import warn_user
from imbcore.decompositions._routing import build_metadata_router, metadata_for_members
from imbcore.exceptions import DataError, ParameterError
from imbcore.trees import HDDTClassifier

Numbers = NDArray[np.float64]


class ConstantMember:
    """Member of a task whose training rows all belong to one side.

    Attributes
    ----------
    p : float
        Probability of the positive side: 1, 0, or 0.5 if there were no rows.
    """

    def __init__(self, p: float) -> None:
        self.p = p

    def __repr__(self) -> str:
        return f"ConstantMember({self.p})"


class DecompositionClassifier(
    ProbabilisticClassifier,
    MetaEstimatorMixin,  # type: ignore[misc]
    ClassifierMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Multiclass classifier composed of binary classifiers.

    A subclass provides its docstring and the name of its native method; ``make generate`` writes its
    constructor.

    Parameters
    ----------
    class_weight
        Weight of every label, multiplied with ``sample_weight``; "balanced" weights the classes
        inversely to their frequencies. The estimator must support sample weights.
    costs
        Must be None. For costs per row, give ``cost_matrix`` to ``predict``.
    threshold
        For two classes, a number in [0, 1]: the positive class is predicted if its probability is at least
        this number. None: the most probable class is predicted. Other thresholds are not supported.
    calibrate
        Must be None. For a calibration, use ``imbcore.decisions.CalibratedClassifier``.
    random_state
        Seed of the members, and of the code book if it is random. None: the ``random_state`` of the members
        does not change.
    n_jobs
        Number of members fitted or predicted in parallel, as in joblib; None: 1. A single member of imbcore
        already uses several threads.
    """

    _method: ClassVar[str]
    # Parameters of the native method that the estimator replaces, and options handled in Python.
    _decides: ClassVar[frozenset[str]] = frozenset({"estimator_params"})
    _defaults: ClassVar[Mapping[str, Any]] = {"estimator": None}
    _drop_columns: ClassVar[frozenset[str]] = frozenset({"categorical_features", "n_threads"})

    estimator: Any
    class_weight: Any
    cost_matrix: Any
    costs: Any
    cost_strategy: Any
    threshold: Any
    calibrate: Any
    positive: Any
    random_state: Any
    n_jobs: Any
    verbose: Any

    estimators_: list[Any]
    classes_: NDArray[Any]
    positive_: Any
    code_book_: NDArray[np.int8]

    def __init_subclass__(cls, **options: Any) -> None:
        """Complete the docstring of a subclass with the parameters of its constructor."""
        super().__init_subclass__(**options)
        define_constructor(cls)

    def _base(self) -> Any:
        return HDDTClassifier() if self.estimator is None else self.estimator

    def get_metadata_routing(self) -> MetadataRouter:
        """Return the metadata routing of scikit-learn for ``fit`` and the members.

        Returns
        -------
        MetadataRouter
            The decomposition consumes weights and passes each member the weights of its task.
        """
        return build_metadata_router(self, self._base())

    @match_rows_by_index
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit one member per column of the code book.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Any input of the estimator; members receive it unchanged. A member that compares two classes
            receives only the rows of these classes.
        y : sequence of shape (n_rows,)
            Class labels: text, integers, booleans or whole floats. If all rows have one class, it is always
            predicted, with a warning.
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            Non-negative weights. Passed to estimators that support them; an error for others.
        **fit_params
            Metadata requested by the estimator, with scikit-learn's metadata routing; metadata with one entry
            per row are restricted to the rows of a member's task.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        ParameterError
            A parameter is outside its valid range, or the estimator lacks a required method.
        DataError
            The data are invalid.
        """
        who = type(self).__name__
        base = self._base()
        require_classifier(
            f"{who}: parameter `estimator`", base, one_of=("predict_proba", "decision_function")
        )
        target = encode_target_labels(y, who)
        self._check_rows(X, target, who)
        weighted = PositiveWeightRows.from_weights(sample_weight, len(target.codes))
        n_rows, X, target = len(target.codes), weighted.pick(X), weighted.target(target)
        given, left_out = self.get_params(deep=False), {"estimator", *ESTIMATOR_OPTIONS}
        parameters = {name: value for name, value in given.items() if name not in left_out}
        self.classes_ = target.classes
        if len(target.classes) < 2:
            self.estimators_, self.code_book_ = [], np.empty((1, 0), dtype=np.int8)
            self.positive_ = target.classes.tolist()[0]
            return self._warn_if_constant()
        plan = decompositions.outline_decomposition(
            self._method,
            parameters,
            target,
            sample_weight=weighted.weights,
            class_weight=self.class_weight,
            costs=cost_options_of_estimator(self, **weighted.cost_options(vars(self))),
            positive=self.positive,
            random_state=self.random_state,
        )
        weights, others = plan["weights"], metadata_for_members(self, fit_params)
        others = {
            name: weighted.pick(one) if _has_one_entry_per_row(one, n_rows) else one
            for name, one in others.items()
        }
        if weights is not None and not supports_weights(base):
            raise ParameterError(
                f"{who}: {type(base).__name__}.fit does not support sample_weight, so neither sample_weight, "
                "class_weight nor cost_strategy='reweight' can be used with it"
            )
        if self.n_jobs is not None:
            # joblib interprets n_jobs; invalid values raise the same error as in the other classes.
            resolve_threads(None, self.n_jobs)
        seeds = [None] * len(plan["seeds"]) if self.random_state is None else plan["seeds"]
        jobs = (
            delayed(_fit_member)(
                base,
                X,
                native.decompositions.column_task(plan["code_book"], column, target.codes, weights),
                weights,
                seed,
                others,
            )
            for column, seed in enumerate(seeds)
        )
        self.estimators_ = list(Parallel(n_jobs=self.n_jobs, verbose=int(self.verbose))(jobs))
        self.code_book_ = plan["code_book"]
        self._decoding, self._shares = plan["decoding"], plan["shares"]
        self._costs, self._threshold = plan["cost_matrix"], plan["threshold"]
        self._positive = plan["positive"]
        self.positive_ = target.classes.tolist()[self._positive]
        return self._warn_if_constant()

    def _warn_if_constant(self) -> Self:
        """Warn if no member had two sides to learn."""
        if all(isinstance(member, ConstantMember) for member in self.estimators_):
            warn_user("all training rows are of one class: the model always predicts it")
        return self

    def _check_rows(self, X: Any, target: Target, who: str) -> None:
        warn_of_column_vector(target)
        n_rows = _n_rows(X)
        if n_rows != len(target.codes):
            raise DataError(
                f"Found input variables with inconsistent numbers of samples: [{n_rows}, {len(target.codes)}]"
            )
        if n_rows == 0:
            raise DataError(f"y is empty; {who} needs at least one row")

    def predict_proba(self, X: Any) -> Numbers:
        """Class probabilities of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``fit``.

        Returns
        -------
        p : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; rows sum to 1.
        """
        check_is_fitted(self, "estimators_")
        n_rows = _n_rows(X)
        if len(self.classes_) < 2:
            return np.ones((n_rows, 1))
        outputs = Parallel(n_jobs=self.n_jobs)(
            delayed(_side_probability)(member, X) for member in self.estimators_
        )
        columns = [np.full(n_rows, column) if isinstance(column, float) else column for column in outputs]
        return native.decompositions.decode(self._decoding, self.code_book_, columns, self._shares)

    def predict(self, X: Any, *, cost_matrix: Any = None) -> NDArray[Any]:
        """Predict the class of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``fit``.
        cost_matrix : array of shape (n_classes, n_classes) or (n_rows, n_classes, n_classes), default=None
            Costs of errors, for all rows or per row, used instead of the costs given to ``fit``.

        Returns
        -------
        y : ndarray of shape (n_rows,)
            Predicted labels, of the same type as the labels given to ``fit``. If costs are given: the label
            with the lowest expected cost. If there is a threshold: the label by ``threshold``. Else: the most
            probable label. In case of ties the lowest label is predicted.
        """
        proba = self.predict_proba(X)
        if len(self.classes_) < 2:
            codes = native.costs.decide(proba, None, None, 0)
        else:
            costs = costs_for_predict(self._costs, self._threshold, cost_matrix, self.classes_)
            codes = native.costs.decide(proba, costs, self._threshold, self._positive)
        return self.classes_[codes]

    def _first_fitted_member(self) -> Any:
        check_is_fitted(self, "estimators_")
        members = [member for member in self.estimators_ if not isinstance(member, ConstantMember)]
        if not members:
            raise AttributeError(
                f"this {type(self).__name__} was fitted to one class, so it has no fitted member"
            )
        return members[0]

    @property
    def n_features_in_(self) -> int:
        """Number of features, if the members report it."""
        return self._member_attribute("n_features_in_")

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Column names, if the members store them."""
        return self._member_attribute("feature_names_in_")

    def _member_attribute(self, name: str) -> Any:
        if "estimators_" not in vars(self):
            raise AttributeError(f"{type(self).__name__} is not fitted and has no attribute {name!r}")
        return getattr(self._first_fitted_member(), name)

    def __sklearn_tags__(self) -> Any:
        """Return the scikit-learn tags; those of the input are the members'."""
        tags = super().__sklearn_tags__()
        copy_input_tags(tags, self._base())
        return tags


def _is_column_mapping(X: Any) -> bool:
    # A sparse matrix may be a mapping, too.
    return isinstance(X, Mapping) and not is_sparse(X)


def _n_rows(X: Any) -> int:
    if _is_column_mapping(X):
        X = next(iter(X.values()), [])
    try:
        return int(_num_samples(X))
    except TypeError as error:
        raise DataError(f"X must be a table of rows and columns, got {type(X).__name__}") from error


def _select_rows(X: Any, rows: NDArray[np.uint32]) -> Any:
    if _is_column_mapping(X):
        return {name: _safe_indexing(column, rows) for name, column in X.items()}
    # Not every sparse format can be indexed.
    return _safe_indexing(X.tocsr() if is_sparse(X) else X, rows)


def _fit_member(
    base: Any,
    X: Any,
    task: decompositions.ColumnTask,
    weights: Numbers | None,
    seed: int | None,
    others: Mapping[str, Any],
) -> Any:
    rows, positive, constant, rarer = task
    if constant is not None:
        return ConstantMember(constant)
    member = clone(base)
    if seed is not None:
        names = [name for name in member.get_params() if name.split("__")[-1] == "random_state"]
        member.set_params(**dict.fromkeys(names, seed))
    _set_member_positive(member, rarer)
    y = positive.astype(np.int64)
    if rows is not None:
        n_rows = _n_rows(X)
        others = {
            name: _select_rows(one, rows) if _has_one_entry_per_row(one, n_rows) else one
            for name, one in others.items()
        }
        X = _select_rows(X, rows)
        weights = None if weights is None else weights[rows]
    return member.fit(X, y, **others, **fit_arguments(member, INDEPENDENT_ROWS, weights=weights))


def _has_one_entry_per_row(value: Any, n_rows: int) -> bool:
    sized = hasattr(value, "__len__") or hasattr(value, "shape")
    return sized and not isinstance(value, (str, bytes, Mapping)) and _num_samples(value) == n_rows


def _set_member_positive(member: Any, side: int) -> None:
    """Set `positive` of imbcore members that leave it open; sides of a column have no labels."""
    inside = {name: part for name, part in member.get_params().items() if isinstance(part, NativeClassifier)}
    for prefix, part in {"": member, **inside}.items():
        if isinstance(part, NativeClassifier) and part.positive is None:
            member.set_params(**{f"{prefix}__positive" if prefix else "positive": side})


def _side_probability(member: Any, X: Any) -> Numbers | float:
    """Return the probability of the positive side; scores pass through the logistic function."""
    if isinstance(member, ConstantMember):
        return member.p
    if hasattr(member, "predict_proba"):
        proba = np.asarray(member.predict_proba(X), dtype=np.float64)
        return np.ascontiguousarray(proba[:, list(member.classes_).index(1)])
    scores = np.asarray(member.decision_function(X), dtype=np.float64)
    return native.decompositions.logistic(scores.ravel())
