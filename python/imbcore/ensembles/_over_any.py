"""Base class of ensembles of any classifier: native for imbcore methods, else scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from imbcore._bindings.user_objects import user_object_names
from imbcore._estimators.base import NativeClassifier, warn_of_column_vector
from imbcore._estimators.classifiers import copy_input_tags, require_classifier
from imbcore._model.model import Model
from imbcore._validation.frame import NativeFrame, to_training_frame
from imbcore._validation.labels import Target, encode_target_labels
from imbcore._validation.row_dependence import GivenDependence
from imbcore._validation.rows import shape_and_names
from imbcore._validation.schema import Feature, Schema
from imbcore._validation.training_rows import PositiveWeightRows, TrainingRows, split_off_groups_and_times
from imbcore._validation.user_warnings import warn_user
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

# Options of the Python class that do not affect its predictions.
_NEUTRAL_OPTIONS = {"warm_start"}
# Options of an inner estimator that affect its predictions; if one is set, it is not run natively.
_DECISION_OPTIONS = (
    "calibrate",
    "categorical_features",
    "class_weight",
    "cost_matrix",
    "costs",
    "threshold",
    "positive",
)


class MetaClassifier(NativeClassifier):
    """Base class of meta-estimators whose members may come from any library.

    Parameters
    ----------
    estimator : str, classifier or None
        Base estimator: the name of a method, an imbcore estimator, or any classifier with the scikit-learn
        API, such as a pipeline. Estimators of imbcore are fitted in compiled code with several threads.
        Exceptions are estimators of imbcore for which ``calibrate``, ``class_weight``, ``cost_matrix``,
        ``costs``, ``threshold``, ``positive`` or ``categorical_features`` is set. These and estimators of
        other libraries are fitted one after the other, to rows in the container type of ``X``, such as a
        pandas table. If their ``fit`` has no parameter ``sample_weight``, rows are sampled by weight. If they
        have no ``predict_proba``, predicted labels count as votes. None: the default method.
    estimator_params : dict or None
        Parameters of the base method if ``estimator`` is a name; parameters that are not given have the
        defaults of the method.
    """

    estimator: Any
    estimator_params: Any

    def _base(self) -> tuple[str, Mapping[str, Any] | None] | None:
        """Return name and parameters of the base method; None if it is not an imbcore method."""
        given = self.estimator
        if given is None:
            given = type(self)().estimator
        if isinstance(given, str):
            return given, self.estimator_params
        who = type(self).__name__
        require_classifier(
            f"{who}: parameter `estimator`", given, expected="the name of a method or a classifier"
        )
        if self.estimator_params is not None:
            raise ParameterError(
                f"{who}: parameter `estimator_params` must be None unless `estimator` is the name of a "
                f"method; set the parameters of {type(given).__name__} itself"
            )
        if not isinstance(given, NativeClassifier) or given._own_options - _NEUTRAL_OPTIONS:
            return None
        if any(getattr(given, name) is not None for name in _DECISION_OPTIONS) or user_object_names(
            given._parameters()
        ):
            return None
        if isinstance(given, MetaClassifier) and given._base() is None:
            return None
        return given._method, given._parameters()

    def _parameters(self) -> dict[str, Any]:
        base = self._base()
        found = super()._parameters()
        del found["estimator"], found["estimator_params"]
        if base is not None:
            found["estimator"], found["estimator_params"] = base
        return found

    def _needs_native_table(self) -> bool:
        """Whether members that are not imbcore models also need the native form of the table."""
        return False

    def _prepare_foreign_rows(
        self, X: Any, y: Any, sample_weight: Any, dependence: GivenDependence
    ) -> TrainingRows:
        """Prepare the labels and the table for members of other libraries."""
        who = type(self).__name__
        X, related, by = split_off_groups_and_times(X, dependence, self.threshold)
        target = encode_target_labels(y, who)
        warn_of_column_vector(target)
        n_rows, n_columns, _ = shape_and_names(X)
        if n_rows != len(target.codes):
            raise DataError(
                f"Found input variables with inconsistent numbers of samples: [{n_rows}, {len(target.codes)}]"
            )
        if n_rows == 0:
            raise DataError(f"X has 0 rows; {who} needs at least one")
        weighted = PositiveWeightRows.from_weights(sample_weight, n_rows)
        weighted = weighted.with_dependence(related, budget=(self.threshold, by))
        X, kept = weighted.pick(X), weighted.target(target)
        return TrainingRows(X, *self._convert_table(X, kept, n_columns), weighted, target)

    def _convert_table(self, X: Any, target: Target, n_columns: int) -> tuple[NativeFrame, Target, Schema]:
        """Convert the table; if its values are not needed, the labels stand for every column."""
        if self._needs_native_table():
            frame, schema = to_training_frame(X, self.categorical_features, None, type(self).__name__)
            return frame, target, replace(schema, classes=target.classes)
        levels = target.classes.tolist()
        features = [Feature(f"x{at}", levels) for at in range(n_columns)]
        schema = Schema(features, False, target.classes)
        return [(target.codes, len(levels))] * n_columns, target, schema

    def _store_input_attributes(self, X: Any, target: Target) -> None:
        """Store the attributes that describe the training data of members of other libraries."""
        _, self.n_features_in_, names = shape_and_names(X)
        self.classes_ = target.classes
        self.__dict__.pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        if len(np.unique(target.codes)) < 2:
            warn_user("all training rows are of one class: the model always predicts it")

    def _foreign_members(self) -> Sequence[Any]:
        """Fitted members that are not imbcore models."""
        return ()

    def _fitted(self) -> Model:
        if others := self._foreign_members():
            raise UnsupportedError(
                f"this {type(self).__name__} has members of type {type(others[0]).__name__}, which cannot "
                "be part of an imbcore model: pickle the estimator, or use an imbcore method as `estimator`"
            )
        check_is_fitted(self, "model_")
        return self.model_

    def _base_accepts_missing(self, base: tuple[str, Mapping[str, Any] | None]) -> bool:
        """Whether an imbcore base method accepts missing values."""
        return (base[1] or {}).get("missing") != "error"

    def __sklearn_tags__(self) -> Any:
        """Return the scikit-learn tags; those of the input are the members'."""
        tags = super().__sklearn_tags__()
        base = self._base()
        if base is None:
            copy_input_tags(tags, self.estimator)
        else:
            tags.input_tags.allow_nan = self._base_accepts_missing(base)
        return tags
