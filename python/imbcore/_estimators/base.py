"""Base class of all estimators: the scikit-learn API for a fitted :class:`imbcore.Model`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.validation import check_is_fitted

from imbcore._bindings import training
from imbcore._bindings.options import Options
from imbcore._bindings.positive import training_positive_code
from imbcore._estimators.callbacks import CallbackClassifier, make_step_reporter, report_fit_to_callbacks
from imbcore._estimators.exporting import ExportingClassifier
from imbcore._estimators.probable import ProbabilisticClassifier
from imbcore._model.merging import store_groups
from imbcore._model.model import Model
from imbcore._signatures.constructors import define_constructor
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.labels import Target
from imbcore._validation.options import ESTIMATOR_OPTIONS
from imbcore._validation.row_dependence import INDEPENDENT, GivenDependence
from imbcore._validation.training_rows import TrainingRows, prepare_training_rows
from imbcore._validation.user_warnings import warn_user
from imbcore.exceptions import ParameterError


def warn_of_column_vector(target: Target) -> None:
    """Warn, like scikit-learn, if labels are a column vector."""
    if target.was_column:
        warn_user(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
            "(n_samples,), for example using ravel().",
            DataConversionWarning,
        )


class NativeClassifier(ExportingClassifier, ProbabilisticClassifier, CallbackClassifier):
    """Classifier implemented by a native method.

    A subclass provides its docstring and the name of its method; its constructor is built from the registry
    of methods when the class is defined.
    """

    _method: ClassVar[str]
    # Arguments of the Python class that are not parameters of the native method, and parameters that the
    # class determines itself.
    _own_options: ClassVar[frozenset[str]] = frozenset()
    _decides: ClassVar[frozenset[str]] = frozenset()
    _drop_columns: ClassVar[frozenset[str]] = frozenset()
    # Whether more than two classes are supported.
    _multi_class: ClassVar[bool] = True
    # Defaults of parameters that the method does not have, or that differ from the method's.
    _defaults: ClassVar[Mapping[str, Any]] = {}
    # Option classes of parameters with several variants, by parameter and variant name.
    _choices: ClassVar[Mapping[str, Mapping[str, type[BaseEstimator]]]] = {}

    model_: Model
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    # Options of every subclass; all other arguments are parameters of the method.
    categorical_features: Any
    class_weight: Any
    cost_matrix: Any
    costs: Any
    cost_strategy: Any
    threshold: Any
    calibrate: Any
    positive: Any
    random_state: Any
    n_threads: Any
    n_jobs: Any
    verbose: Any

    def __init_subclass__(cls, **options: Any) -> None:
        """Complete the docstring of a subclass, and report its fit to callbacks."""
        super().__init_subclass__(**options)
        define_constructor(cls)
        if "fit" in vars(cls):
            cls.fit = report_fit_to_callbacks(vars(cls)["fit"])  # type: ignore[method-assign]

    def __getattr__(self, name: str) -> Any:
        """Explain why a fitted estimator lacks an attribute, and suggest the objects that have it."""
        if hasattr(type(self), name):
            # Raise the error of the property that led here.
            return object.__getattribute__(self, name)
        message = f"{type(self).__name__!r} object has no attribute {name!r}"
        if not name.startswith("_") and "model_" in vars(self):
            try:
                getattr(self.model_, name)
                message += "; its model_ has it"
            except AttributeError as error:
                message = f"{type(self).__name__}: {error}"
        raise AttributeError(message)

    @report_fit_to_callbacks
    @match_rows_by_index
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        time: Any = None,
        time_gap: Any = None,
    ) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            A 2-D NumPy array of any memory order and numeric type, a pandas, polars or pyarrow table, any
            object that exports an Arrow stream (needs pyarrow), a dict of columns, or a list of rows. Rows
            may be dicts; a key that is absent is a missing value. NaN, None and NA are missing values. Text
            and categorical columns are nominal features. A SciPy sparse matrix is converted to a dense copy
            of up to 1 GB.
        y : sequence of shape (n_rows,)
            Class labels: text, integers, booleans or whole floats. If only one class has rows of positive
            weight, the model always predicts it, with a warning. Pandas rows are matched with those of ``X``
            by index, other rows by position.
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            Non-negative weights, not all zero: a row of weight 2 counts as two rows. If all weights, times
            the class weights, are below 1, they are scaled to mean 1. None weights every row 1.
        groups, time, time_gap
            Groups and times of the rows, as in :func:`imbcore.fit`.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        ParameterError
            A parameter is outside its valid range.
        DataError
            The data are invalid; the message names the column and the remedy.
        """
        if self._is_warm_start_complete():
            return self
        rows = self._training_rows(X, y, sample_weight, (groups, time, time_gap))
        fitted = training.fit(
            self._method,
            self._parameters_of(rows.target, rows.weighted.pick(y)),
            *rows.parts,
            sample_weight=rows.weights,
            **self._options(**rows.costs(vars(self))),
            callback=make_step_reporter(self),
            constant=True,
            start=self._start,
            places=rows.weighted.places,
            dependence=rows.dependence,
        )
        self._keep(store_groups(Model(fitted, rows.schema), rows.dependence))
        self._after_fit(rows.whole)
        return self

    def _after_fit(self, target: Target) -> None:
        """Run after fitting, with the training labels; a hook of subclasses."""

    def _is_warm_start_complete(self) -> bool:
        """Whether a warm start has nothing left to fit."""
        return False

    def _start(
        self, parameters: Mapping[str, Any], training: training.NativeTrainingData, options: Options
    ) -> Any:
        """Return the warm-start state for this fit; True only enables later warm starts."""
        return False

    def _training_rows(
        self, X: Any, y: Any, sample_weight: Any, dependence: GivenDependence = INDEPENDENT
    ) -> TrainingRows:
        who = type(self).__name__
        rows = prepare_training_rows(
            X,
            y,
            sample_weight,
            self.categorical_features,
            None,
            who,
            constant=True,
            dependence=dependence,
            threshold=self.threshold,
        )
        warn_of_column_vector(rows.whole)
        return rows

    def _resolve_positive_label(self, target: Target, weights: NDArray[np.float64] | None) -> Any:
        """Determine the positive label on all rows, for fits to subsets of them."""
        code = training_positive_code(self.positive, target.classes, target.codes, weights)
        return target.classes.tolist()[code]

    def _parameters(self) -> dict[str, Any]:
        left_out = self._own_options.union(ESTIMATOR_OPTIONS)
        given = self.get_params(deep=False)
        return {name: value for name, value in given.items() if name not in left_out}

    def _parameters_of(self, target: Target, y: Any) -> dict[str, Any]:
        """Return the parameters of the native method, some of which may depend on the labels."""
        return self._parameters()

    def _options(self, **settled: Any) -> dict[str, Any]:
        """Return the options of the fit, some overridden by ``settled``; nominal columns are known."""
        given = {name: getattr(self, name) for name in ESTIMATOR_OPTIONS if name != "categorical_features"}
        return given | settled

    def set_params(self, **params: Any) -> Self:
        """Set parameters; a variant given by name is replaced by an object with its own parameters.

        Parameters
        ----------
        **params
            Values by name; ``search__time_limit`` is a parameter of the object ``search``.

        Returns
        -------
        self : object
            The estimator.
        """
        for head in {name.partition("__")[0] for name in params if "__" in name} & set(self._choices):
            given = params.get(head, getattr(self, head, None))
            if isinstance(given, str) and given in self._choices[head]:
                params[head] = self._choices[head][given]()
            elif not hasattr(given, "set_params"):
                classes = ", ".join(f"{way.__name__}()" for way in self._choices[head].values())
                raise ParameterError(
                    f"{head} is {given!r}, which has no parameters to set; set it first: {classes}"
                )
        super().set_params(**params)
        return self

    def _keep(self, model: Model) -> Self:
        """Store a fitted model and its attributes."""
        self.model_ = model._store_cost_function(self.costs)
        self.classes_ = self.model_.classes_
        self.n_features_in_ = self.model_.n_features_in_
        if model._schema.named:
            self.feature_names_in_ = self.model_.feature_names_in_
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def predict(self, X: Any, *, cost_matrix: Any = None) -> NDArray[Any]:
        """Predict the class of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Any table that ``fit`` accepts, or one row as a dict, with the columns of ``fit``. A level not
            seen in ``fit`` is treated as missing, with a warning.
        cost_matrix : array of shape (n_classes, n_classes) or (n_rows, n_classes, n_classes), default=None
            Costs of errors, for all rows or per row, used instead of the costs given to ``fit``.

        Returns
        -------
        y : ndarray of shape (n_rows,)
            Predicted labels, of the same type as the labels given to ``fit``. If costs are given: the label
            with the lowest expected cost. If there is a threshold: the label by ``threshold``. Else: the most
            probable label. In case of ties the lowest label is predicted.
        """
        codes = self._fitted()._codes(X, cost_matrix, self.n_threads, self.n_jobs, type(self).__name__)
        return self.classes_[codes]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.

        Returns
        -------
        p : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; rows sum to 1.
        """
        return self._call_method_on_rows("predict_proba", X)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a file; :func:`imbcore.load` returns a :class:`imbcore.Model`.

        Parameters
        ----------
        path : path-like
            File to write, usually ``*.imb``. It is written atomically and contains no code.
        """
        self._fitted().save(path)

    @property
    def positive_(self) -> Any:
        """Label of the positive class."""
        return self._fitted().positive_

    def _fitted(self) -> Model:
        check_is_fitted(self, "model_")
        return self.model_

    def _call_method_on_rows(self, question: str, X: Any) -> Any:
        """Call a method of the model on rows, with the name of this class in errors."""
        return self._fitted()._call_method_on_rows(
            question, X, self.n_threads, self.n_jobs, type(self).__name__
        )

    def __sklearn_tags__(self) -> Any:
        """Return the scikit-learn tags of the estimator."""
        tags = super().__sklearn_tags__()
        # Text columns are accepted, too, but scikit-learn's `string` tag promises that any Python object is
        # a valid cell, and a dict in a cell is an error here.
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = self._multi_class
        return tags
