"""Base class of the decision wrappers: checks, folds, and out-of-sample predictions."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from numbers import Real
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils.validation import _num_samples, check_is_fitted

from imbcore._bindings import native
from imbcore._estimators.base import warn_of_column_vector
from imbcore._estimators.classifiers import copy_input_tags, require_classifier, require_cloneable
from imbcore._estimators.probable import ProbabilisticClassifier
from imbcore._estimators.row_arguments import (
    fit_arguments,
    supports_weights,
    unsupported_weights_message,
    warn_of_ungrouped_splits,
)
from imbcore._estimators.seeding import seed_nested_estimators
from imbcore._estimators.selection import compute_fold_positions, inner_folds
from imbcore._model.model import Model
from imbcore._validation.files import atomic_write
from imbcore._validation.labels import Target, encode_target_labels
from imbcore._validation.row_dependence import (
    INDEPENDENT,
    INDEPENDENT_ROWS,
    GivenDependence,
    RowGroupsAndTimes,
)
from imbcore._validation.rows import select_table_rows, shape_and_names
from imbcore._validation.training_rows import PositiveWeightRows, split_off_groups_and_times
from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_whole_number
from imbcore.decisions._stored import serialize_wrapper
from imbcore.evaluation._stratified_folds import StratifiedFolds
from imbcore.exceptions import DataError, ParameterError

Rows = NDArray[Any]
Weights = NDArray[Any] | None


def count_rows(X: Any) -> int:
    """Count the rows of any table."""
    try:
        return shape_and_names(X)[0] if isinstance(X, Mapping) else int(_num_samples(X))
    except TypeError as error:
        raise DataError(f"X must be a table of rows and columns, got {type(X).__name__}") from error


class FittedFold(NamedTuple):
    """Rows of an inner fold, probabilities of its test rows, and the fitted model."""

    train: Rows
    test: Rows
    proba: Any
    member: Any


class WrapperClassifier(
    ProbabilisticClassifier,
    MetaEstimatorMixin,  # type: ignore[misc]
    ClassifierMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Wrapper that fits a clone of a classifier; subclasses define the constructor and ``fit``."""

    # Purpose of binary wrappers, used in error messages; None accepts any number of classes.
    _two_classes: str | None = None
    # Fitted attributes that predictions need, in addition to the estimator and the classes.
    _kept: ClassVar[tuple[str, ...]] = ()
    # Whether groups and times of rows are passed to the estimator.
    _passes_groups: ClassVar[bool] = True
    # Whether there may be several fitted estimators in ``estimators_``.
    _several: ClassVar[bool] = False

    estimator: Any
    estimator_: Any
    classes_: NDArray[Any]
    cv: Any

    def _target(self, X: Any, y: Any, sample_weight: Any) -> Target:
        """Encode the labels after checking that wrapper and estimator support the data."""
        who = type(self).__name__
        target = encode_target_labels(y, who)
        n_rows = count_rows(X)
        if isinstance(self.estimator, Model):
            raise ParameterError(
                f"{who}: parameter `estimator` is a fitted model; give an estimator, such as "
                "imbcore.RandomForestClassifier()"
            )
        require_classifier(
            f"{who}: parameter `estimator`", self.estimator, methods=("fit", "predict_proba", "get_params")
        )
        if n_rows != len(target.codes):
            raise DataError(
                f"Found input variables with inconsistent numbers of samples: [{n_rows}, {len(target.codes)}]"
            )
        warn_of_column_vector(target)
        does = self._two_classes or "needs at least two classes"
        if len(target.classes) < 2:
            raise DataError(f"{who} {does}, but y has only one class")
        if len(target.classes) > 2 and self._two_classes:
            raise DataError(
                f"Only binary classification is supported. {who} {does}, but y has {len(target.classes)}"
            )
        if self._is_frozen():
            check_is_fitted(self.estimator)
        else:
            require_cloneable(self.estimator)
        fitted = np.asarray(self.estimator.classes_).tolist() if self._is_frozen() else None
        if fitted is not None and fitted != target.classes.tolist():
            raise DataError(
                f"{who}: the frozen estimator has the classes {fitted}, but y has "
                f"{target.classes.tolist()}; give rows of all its classes"
            )
        if sample_weight is not None and not supports_weights(self.estimator, refusal=True):
            raise ParameterError(f"{who}: {unsupported_weights_message(self.estimator)}")
        return target

    def _weighted(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        dependence: GivenDependence = INDEPENDENT,
        threshold: Any = None,
    ) -> tuple[Any, Target, PositiveWeightRows]:
        """Select rows of positive weight and their labels, after the checks of `_target`.

        The columns of groups and times are removed from the table, and the one that an alert budget in
        ``threshold`` counts by.
        """
        X, related, by = split_off_groups_and_times(X, dependence, threshold)
        target = self._target(X, y, sample_weight)
        weighted = PositiveWeightRows.from_weights(sample_weight, len(target.codes))
        if weighted.weights is not None and not np.any(weighted.weights):
            raise DataError("sample_weight is zero for every row; at least 2 classes need positive weight")
        weighted = weighted.with_dependence(related, budget=(threshold, by))
        warn_of_ungrouped_splits(self.estimator, weighted.dependence)
        return weighted.pick(X), weighted.target(target), weighted

    def _fitted(
        self,
        X: Any,
        labels: Rows,
        weights: Weights,
        rows: Rows,
        *,
        seed: int | None = None,
        part: int = 0,
        dependence: RowGroupsAndTimes = INDEPENDENT_ROWS,
        **settings: Any,
    ) -> Any:
        """Fit a clone to some of the rows, with some of its parameters set.

        ``seed`` is the seed of the wrapper, used for estimators without their own, and ``part`` the index of
        the fit; None for a wrapper without random choices. Estimators of imbcore receive groups and times.
        """
        own = None if weights is None else weights[rows]
        options = fit_arguments(self.estimator, dependence, rows, own)
        member = clone(self.estimator)
        # set_params of a frozen estimator returns None.
        member.set_params(**settings)
        if seed is not None:
            seed_nested_estimators(member, seed, part)
        return member.fit(select_table_rows(X, rows, fresh_index=False), labels[rows], **options)

    def _is_frozen(self) -> bool:
        return isinstance(self.estimator, FrozenEstimator)

    def _fold_source(self) -> str:
        """Kind of the predictions on inner folds: a frozen estimator is not fitted to any of them."""
        return "held_out" if self._is_frozen() else "out_of_fold"

    def _split_held_out(
        self, target: Target, code: int, share: Any, seed: int, name: str, weighted: PositiveWeightRows
    ) -> tuple[Rows, Rows]:
        """Split off a fraction of every class, of the groups, or of the latest rows.

        ``code`` is the positive class, by which groups are stratified, and ``name`` the public name of the
        parameter ``share``. For a frozen estimator all rows are held out.
        """
        every = np.arange(len(target.codes))
        if self._is_frozen():
            return every[:0], every
        if isinstance(share, bool) or not isinstance(share, Real) or not 0 < float(share) < 1:
            raise ParameterError(
                f"{type(self).__name__}: parameter `{name}` must be a number in (0, 1), "
                f"got {value_text(share)}"
            )
        return native.protocols.held_out_split(target.codes, code, weighted.dependence, float(share), seed)

    def _out_of_bag(
        self, X: Any, target: Target, weighted: PositiveWeightRows, seed: int, folds: str
    ) -> tuple[Any, Rows, Rows]:
        """Fit a clone to all rows; returns it, the rows with out-of-bag predictions, and these.

        ``folds`` is the parameter that selects inner folds instead.
        """
        if self.estimator.get_params().get("calibrate") is not None:
            raise ParameterError(
                f"{type(self).__name__}: out-of-bag predictions are not calibrated, so they cannot be used "
                f"for a calibrated estimator; set its calibrate=None, or use inner folds: {folds}"
            )
        rows = np.arange(len(target.codes))
        related = weighted.dependence
        if not related.is_none and not fit_arguments(self.estimator, related):
            raise ParameterError(
                f"{type(self).__name__}: out-of-bag predictions of {type(self.estimator).__name__} ignore "
                f"groups and time; use inner folds: {folds}"
            )
        labels = target.classes[target.codes]
        member = self._fitted(
            X, labels, weighted.weights, rows, seed=seed, dependence=related, oob_score=True
        )
        proba = member.oob_decision_function_
        # scikit-learn returns zeros or NaN for rows that are in every bag.
        rows = rows[np.nan_to_num(proba).any(axis=1)]
        return member, rows, proba[rows]

    def _folds(
        self,
        X: Any,
        target: Target,
        weighted: PositiveWeightRows,
        seed: int,
        *,
        only_latest: bool = False,
        period: float | None = None,
    ) -> Iterator[FittedFold]:
        """Yield the rows of every inner fold, their out-of-fold probabilities, and the fitted model.

        ``only_latest`` selects the latest of the folds in time that test enough rows of every class, and
        enough complete periods of the length ``period``.
        """
        labels = target.classes[target.codes]
        related = weighted.dependence
        splits: Any
        if isinstance(self.cv, (int, np.integer)) and not related.is_none:
            n_folds = validate_whole_number("cv", self.cv, 2)
            splits = inner_folds(target.codes, related, n_folds, seed, only_latest=only_latest, period=period)
        elif isinstance(self.cv, (int, np.integer)):
            n_folds = validate_whole_number("cv", self.cv, 2)
            splits = StratifiedFolds(n_folds, 1, random_state=seed)._split_codes(target.codes)
        else:
            splits = compute_fold_positions(self.cv, labels, weighted.kept, related)
        for fold, (train, test) in enumerate(splits, 1):
            member = self._fitted(
                X, labels, weighted.weights, train, seed=seed, part=fold, dependence=related
            )
            if len(member.classes_) != len(target.classes):
                lacks = (
                    "has one class"
                    if len(member.classes_) == 1
                    else f"has {len(member.classes_)} classes of {len(target.classes)}"
                )
                raise DataError(f"a training part of the inner folds {lacks}; lower cv")
            proba = member.predict_proba(select_table_rows(X, test, fresh_index=False))
            yield FittedFold(np.asarray(train), np.asarray(test), proba, member)

    def _out_of_fold_proba(
        self, X: Any, target: Target, weighted: PositiveWeightRows, seed: int
    ) -> tuple[Rows, Rows]:
        """Return the tested rows, all unless folds go forward in time, with their probabilities."""
        found = [(fold.test, fold.proba) for fold in self._folds(X, target, weighted, seed, only_latest=True)]
        return np.concatenate([rows for rows, _ in found]), np.concatenate([proba for _, proba in found])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted classifier to a file that :func:`imbcore.decisions.load` reads.

        Parameters
        ----------
        path : path-like
            File to write, usually ``*.imb``. It is written atomically and contains no code.

        Raises
        ------
        UnsupportedError
            The estimator is of another library, or its costs come from a function; use pickle instead.
        """
        check_is_fitted(self)
        content = self._file()
        with atomic_write(path) as file:
            file.write(content)

    def _file(self) -> bytes:
        given = {name: value for name, value in self.get_params(deep=False).items() if name != "estimator"}
        held = vars(self)
        return serialize_wrapper(self, given, {name: held[name] for name in self._kept if name in held})

    @classmethod
    def _from_file_content(cls, models: list[Any], parameters: dict[str, Any], state: dict[str, Any]) -> Self:
        if not models or not set(state) <= set(cls._kept):
            raise ParameterError(f"the file does not contain a {cls.__name__}")
        found = cls(models[0], **parameters)
        found.estimator_, found.classes_ = models[0], models[0].classes_
        if cls._several:
            state["estimators_"] = models
        for name, value in state.items():
            setattr(found, name, value)
        return found

    @property
    def n_features_in_(self) -> int:
        """Number of features, if the estimator reports it."""
        return int(self._estimator_attribute("n_features_in_"))

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Column names, if the estimator stores them."""
        return self._estimator_attribute("feature_names_in_")

    def _estimator_attribute(self, name: str) -> Any:
        if "estimator_" not in vars(self):
            raise AttributeError(f"{type(self).__name__} is not fitted and has no attribute {name!r}")
        return getattr(self.estimator_, name)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if not isinstance(self.estimator, Model):
            copy_input_tags(tags, self.estimator)
        tags.classifier_tags.multi_class = self._two_classes is None
        return tags
