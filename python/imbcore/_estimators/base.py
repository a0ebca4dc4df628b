"""What all estimator classes share: scikit-learn's protocol around one fitted :class:`imbcore.Model`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.validation import check_is_fitted

from imbcore._border import training
from imbcore._border.options import Options
from imbcore._border.positive import training_code
from imbcore._estimators.exporting import ExportingClassifier
from imbcore._estimators.probable import ProbableClassifier
from imbcore._input.arguments import check_parameters, explained_arguments
from imbcore._input.labelled import rows_by_index
from imbcore._input.labels import Target
from imbcore._input.options import ESTIMATOR_OPTIONS
from imbcore._input.remarks import warn_user
from imbcore._input.training_rows import TrainingRows, training_rows
from imbcore._model.model import Model
from imbcore._signatures.constructors import define_constructor
from imbcore.exceptions import ParameterError

__all__ = ["NativeClassifier", "warn_of_column"]


def warn_of_column(target: Target) -> None:
    """Warn, as scikit-learn does, where labels came as a column."""
    if target.was_column:
        warn_user(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
            "(n_samples,), for example using ravel().",
            DataConversionWarning,
        )


class NativeClassifier(ExportingClassifier, ProbableClassifier, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classifier whose work is done by a native method.

    A subclass gives its docstring and the name of its method; ``make generate`` writes its constructor, which
    stands first among its bases, and the rest is here.
    """

    _method: ClassVar[str]
    # Arguments of this class only that are not parameters of the native method, and parameters that it sets
    # itself.
    _own_options: ClassVar[frozenset[str]] = frozenset()
    _decides: ClassVar[frozenset[str]] = frozenset()
    _without: ClassVar[frozenset[str]] = frozenset()
    # Defaults of parameters that the method does not have, or that differ from the method's.
    _defaults: ClassVar[Mapping[str, Any]] = {}
    # Classes of the ways that a parameter chooses between, by its name and theirs.
    _choices: ClassVar[Mapping[str, Mapping[str, type[BaseEstimator]]]] = {}

    model_: Model
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    # Options of every subclass; parameters of the method are whatever else its signature names.
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
        """Complete the docstring of an estimator, and name it in errors of its arguments."""
        super().__init_subclass__(**options)
        define_constructor(cls)
        if "fit" in vars(cls):
            cls.fit = explained_arguments(cls.fit)  # type: ignore[method-assign]

    def __new__(cls, *given: Any, **named: Any) -> Self:
        """Refuse parameters that the class does not have, by its own name."""
        check_parameters(cls, given, named)
        created: Self = super().__new__(cls)
        return created

    def __getattr__(self, name: str) -> Any:
        """Say why a fitted estimator lacks something, and which others have it."""
        if hasattr(type(self), name):
            # The error of the property that led here.
            return object.__getattribute__(self, name)
        message = f"{type(self).__name__!r} object has no attribute {name!r}"
        if not name.startswith("_") and "model_" in vars(self):
            try:
                getattr(self.model_, name)
                message += "; its model_ has"
            except AttributeError as error:
                message = f"{type(self).__name__}: {error}"
        raise AttributeError(message)

    @explained_arguments
    @rows_by_index
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            A 2-D NumPy array of any order and number type, a pandas, polars or pyarrow table, anything that
            offers a stream of Arrow batches (needs pyarrow), a dict of columns, or a list of rows; rows may
            be dicts, in which a value that is not named is missing. NaN, None and NA are missing values.
            Text and categorical columns are nominal features. A SciPy sparse matrix is read as a dense copy
            of up to 1 GB.
        y : sequence of shape (n_rows,)
            Class labels: text, integers, booleans or whole floats. Where one class alone has rows of positive
            weight, the model always answers it, with a warning. Rows of pandas are matched with those of
            ``X`` by index, other rows by position.
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            Weights, none negative, not all zero: a row of weight 2 counts as two rows. Where all, times those
            of the classes, are below 1, they are scaled to a mean of 1. None weighs every row 1.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        ParameterError
            A parameter leaves its domain.
        DataError
            The data cannot be used; the message names the column and says what to do.
        """
        if self._is_complete():
            return self
        rows = self._training_rows(X, y, sample_weight)
        fitted = training.fit(
            self._method,
            self._parameters_of(rows.target, rows.weighted.pick(y)),
            *rows.parts,
            sample_weight=rows.weights,
            **self._options(**rows.costs(vars(self))),
            constant=True,
            start=self._start,
            places=rows.weighted.places,
        )
        self._keep(Model(fitted, rows.schema))
        self._judge(rows.whole)
        return self

    def _judge(self, target: Target) -> None:
        """Do what a fitted estimator has left to do with the labels of its training rows."""

    def _is_complete(self) -> bool:
        """Whether nothing is left to fit, in classes whose fits begin with what is there."""
        return False

    def _start(self, parameters: Mapping[str, Any], training: training.Training, options: Options) -> Any:
        """With what a fit of this begins, and whether a later one may begin with its members."""
        return False

    def _training_rows(self, X: Any, y: Any, sample_weight: Any) -> TrainingRows:
        who = type(self).__name__
        rows = training_rows(X, y, sample_weight, self.categorical_features, None, who, constant=True)
        warn_of_column(rows.whole)
        return rows

    def _settled(self, target: Target, weights: NDArray[np.float64] | None) -> Any:
        """Label of the positive class, settled on all rows for a loop over parts of them."""
        code = training_code(self.positive, target.classes, target.codes, weights)
        return target.classes.tolist()[code]

    def _parameters(self) -> dict[str, Any]:
        """Parameters of the native method."""
        left_out = self._own_options.union(ESTIMATOR_OPTIONS)
        given = self.get_params(deep=False)
        return {name: value for name, value in given.items() if name not in left_out}

    def _parameters_of(self, target: Target, y: Any) -> dict[str, Any]:
        """Parameters of the native method where some follow from the labels."""
        return self._parameters()

    def _options(self, **settled: Any) -> dict[str, Any]:
        """Options of the fit, some of them ``settled``; which columns are nominal is settled before."""
        given = {name: getattr(self, name) for name in ESTIMATOR_OPTIONS if name != "categorical_features"}
        return given | settled

    def set_params(self, **params: Any) -> Self:
        """Set parameters; a way given by its name becomes one whose parameters can be set.

        Parameters
        ----------
        **params
            Values by name; ``search__time_limit`` is a parameter of the value of ``search``.

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
        """Become the estimator of a fitted model."""
        self.model_ = model._by_costs(self.costs)
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
            Any table that ``fit`` accepts, or one row as a dict, with the columns of the fit. A level that
            fit never saw is treated as missing, with a warning.
        cost_matrix : array of shape (n_classes, n_classes) or (n_rows, n_classes, n_classes), default=None
            What errors cost here, for all rows or for each, in place of what the fit was told.

        Returns
        -------
        y : ndarray of shape (n_rows,)
            Labels in the type that ``y`` had: the cheapest by ``cost_matrix``, that by ``threshold``, or else
            the most probable, the lowest on ties.
        """
        codes = self._fitted()._codes(X, cost_matrix, self.n_threads, self.n_jobs, type(self).__name__)
        labels: NDArray[Any] = self.classes_[codes]
        return labels

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``.

        Returns
        -------
        p : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; rows sum to 1.
        """
        proba: NDArray[np.float64] = self._ask("predict_proba", X)
        return proba

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a file, which :func:`imbcore.load` reads as a :class:`imbcore.Model`.

        Parameters
        ----------
        path : path-like
            File to write, by habit ending in ``.imb``. It appears whole or not at all, and holds no code.
        """
        self._fitted().save(path)

    @property
    def positive_(self) -> Any:
        """Label of the positive class."""
        return self._fitted().positive_

    def _fitted(self) -> Model:
        check_is_fitted(self, "model_")
        return self.model_

    def _ask(self, question: str, X: Any) -> Any:
        """Put a question about rows to the model, in the name of this class."""
        return self._fitted()._ask(question, X, self.n_threads, self.n_jobs, type(self).__name__)

    def __sklearn_tags__(self) -> Any:
        """Describe what the estimator accepts."""
        tags = super().__sklearn_tags__()
        # Text columns are accepted as well, but scikit-learn's `string` tag promises that any Python
        # object passes as a cell, and a dict in a cell is an error here.
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags
