"""Base class of the discretizers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.validation import check_is_fitted

from imbcore._bindings import bayes, options
from imbcore._signatures.constructors import define_constructor
from imbcore._validation.arguments import HelpfulArgumentErrors
from imbcore._validation.frame import n_frame_rows, to_prediction_frame, to_training_frame
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.labels import Target, encode_target_labels
from imbcore._validation.user_warnings import warn_user
from imbcore.exceptions import DataError, ParameterError

_ATTRIBUTES = """
    Attributes
    ----------
    cuts_ : list of ndarray or None
        Ascending cut points of every numeric column; None for a nominal column. The code of a value is the
        number of cut points strictly below it.
    n_bins_ : ndarray of shape (n_features,)
        Number of bins or levels of every column. A column with one bin carries no information.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names, if the columns had names.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
"""


# Parameters of discretizers that classifiers have themselves.
_SHARED = {"handle_unknown": "missing", "categorical_features": None, "n_threads": None, "n_jobs": None}


class NativeDiscretizer(
    HelpfulArgumentErrors,
    OneToOneFeatureMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Transformer whose cut points are computed by a native method.

    Parameters
    ----------
    categorical_features
        Numeric columns to treat as nominal: a list of names or positions, or a boolean mask. Text and
        categorical columns are always nominal and are encoded as level codes.
    handle_unknown
        Levels of nominal columns that did not occur in ``fit``: "missing" encodes such a level as NaN, with a
        warning; "error" raises an error.
    """

    _method: ClassVar[str]
    _decides: ClassVar[frozenset[str]] = frozenset()
    _drop_columns: ClassVar[frozenset[str]] = frozenset()
    _defaults: ClassVar[Mapping[str, Any]] = {}
    _needs_y: ClassVar[bool] = True

    categorical_features: Any
    handle_unknown: Any
    n_threads: Any
    n_jobs: Any

    cuts_: list[NDArray[np.float64] | None]
    n_bins_: NDArray[np.int64]
    n_features_in_: int
    feature_names_in_: NDArray[Any]

    def __init_subclass__(cls, **options: Any) -> None:
        """Complete the docstring of a subclass with the shared sections."""
        super().__init_subclass__(**options)
        if cls.__doc__ and "_method" in vars(cls):
            before, references, after = cls.__doc__.partition("    References\n")
            text = before.rstrip() + "\n" + _ATTRIBUTES + "\n" + references + after
            cls.__doc__ = text
            define_constructor(cls)

    @match_rows_by_index
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Compute the cut points of all numeric columns.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            A 2-D NumPy array of any memory order and numeric type, a pandas, polars or pyarrow table, a dict
            of columns, or a list of rows. Missing values (NaN, None, NA) are ignored.
        y : sequence of shape (n_rows,) or None
            Class labels; at least two classes. Ignored by :class:`EqualFrequencyDiscretizer`.
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            Non-negative weights, not all zero; a row of weight 2 counts as two rows. None weights every row
            1.

        Returns
        -------
        self : object
            The fitted transformer.

        Raises
        ------
        ParameterError
            A parameter is outside its valid range.
        DataError
            The data are invalid; the message names the column and the remedy.
        """
        frame, schema = to_training_frame(X, self.categorical_features, None, type(self).__name__)
        n_rows = n_frame_rows(frame)
        target = self._target(y, n_rows)
        states = bayes.discretizer_fit(
            type(self).__name__,
            {"discretizer": self._method_spec(), "handle_unknown": self.handle_unknown},
            frame,
            target,
            n_rows,
            schema.names,
            sample_weight=sample_weight,
            n_threads=options.resolve_threads(self.n_threads, self.n_jobs),
        )
        self._states = states
        self._schema = schema
        self._describe(json.loads(states)["columns"])
        self.n_features_in_ = len(schema.features)
        if schema.named:
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def as_parameters(self) -> dict[str, Any]:
        """Convert to the form that a classifier parameter takes: method name and parameters.

        Raises
        ------
        ParameterError
            A parameter is set that belongs to the classifier.
        """
        for name, default in _SHARED.items():
            given = getattr(self, name)
            if given is not default and not (isinstance(given, str) and given == default):
                raise ParameterError(
                    f"{type(self).__name__} inside a classifier must not set `{name}`; set it on the "
                    "classifier"
                )
        return self._method_spec()

    def _method_spec(self) -> dict[str, Any]:
        own = {name: value for name, value in self.get_params(deep=False).items() if name not in _SHARED}
        return {"name": self._method, **own}

    def _target(self, y: Any, n_rows: int) -> Target | None:
        if not self._needs_y:
            return None
        target = encode_target_labels(y, type(self).__name__)
        if target.was_column:
            warn_user(
                "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
                "(n_samples,), for example using ravel().",
                DataConversionWarning,
            )
        if len(target.codes) != n_rows:
            raise DataError(
                f"Found input variables with inconsistent numbers of samples: [{n_rows}, {len(target.codes)}]"
            )
        return target

    def _describe(self, columns: list[dict[str, Any]]) -> None:
        cuts = [column["values"].get("cuts") for column in columns]
        self.cuts_ = [None if own is None else np.array(own, dtype=np.float64) for own in cuts]
        states = [len(column["values"].get("levels", [])) for column in columns]
        self.n_bins_ = np.array(
            [levels if own is None else len(own) + 1 for levels, own in zip(states, cuts, strict=True)],
            dtype=np.int64,
        )

    def transform(self, X: Any) -> Any:
        """Replace every value with the index of its bin or level.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Any table that ``fit`` accepts, with the same columns. Values outside the training range fall into
            the first or the last bin.

        Returns
        -------
        codes : ndarray of shape (n_rows, n_features)
            Codes 0, 1, ... as 64-bit floats. A missing value stays NaN.
        """
        check_is_fitted(self, "cuts_")
        who = type(self).__name__
        frame = to_prediction_frame(X, self._schema, who, unseen=self.handle_unknown)
        n_threads = options.resolve_threads(self.n_threads, self.n_jobs)
        return bayes.discretizer_encode(self._states, frame, self._schema.names, n_threads)

    def __sklearn_tags__(self) -> Any:
        """Return the scikit-learn tags of the transformer."""
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.target_tags.required = self._needs_y
        return tags
