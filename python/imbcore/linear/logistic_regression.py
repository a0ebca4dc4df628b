"""Logistic regression."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from imbcore._estimators.base import NativeClassifier
from imbcore._model.boosted import squeeze_binary_scores
from imbcore._signatures import LogisticRegressionParameters

__all__ = ["LogisticRegressionClassifier"]


class LogisticRegressionClassifier(LogisticRegressionParameters, NativeClassifier):
    """Logistic regression with a ridge penalty, on encoded columns.

    The fit encodes the columns. Numeric columns become splines, quantile bins or standardized values. Nominal
    columns with any number of levels become one-hot columns. Missing values of a column become a column of
    their own. More than two classes are fitted jointly (multinomial). Unless ``C`` is given, the penalty with
    the smallest log loss on inner folds is used.

    Parameters
    ----------
    class_weight
        Weight of every label, multiplied with ``sample_weight``; "balanced" weights the classes inversely to
        their frequencies. Class weights change the probabilities.
    random_state
        Seed of the inner folds. Equal seeds give equal models for any ``n_threads``.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; works without scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    positive_ : label
        Positive class, to which ``threshold`` and scores refer.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names; only defined if all column names of ``X`` are strings.
    C_ : float
        Inverse strength of the penalty.
    coef_ : ndarray of shape (1, n_design_columns) or (n_classes, n_design_columns)
        Coefficients of the columns of the design matrix. For two classes there is one row, for the log-odds
        of the second class in ``classes_``, even if the first class is ``positive_``.
        ``model_.odds_ratios()`` returns the odds ratios of ``positive_``, in the units of the columns.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercept of each row of ``coef_``.
    design_names_ : list of str
        Names of the columns of the design matrix.
    feature_importances_ : ndarray of shape (n_features,)
        Mean absolute deviation of the contribution of each feature from its mean, divided by the sum over the
        features.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Cox, "The Regression Analysis of Binary Sequences", 1958. le Cessie and van Houwelingen, "Ridge Estimators
    in Logistic Regression", 1992. Eilers and Marx, "Flexible Smoothing with B-splines and Penalties", 1996:
    penalties on differences between knots. Liu and Nocedal, "On the Limited Memory BFGS Method for Large
    Scale Optimization", 1989.

    Examples
    --------
    >>> from imbcore import LogisticRegressionClassifier
    >>> X = [["red", 1.0], ["red", 2.0], ["blue", 2.5], ["blue", None], ["red", 4.0], ["blue", 5.0]]
    >>> y = ["no", "no", "yes", "yes", "no", "yes"]
    >>> model = LogisticRegressionClassifier(C=1.0, numeric="linear").fit(X, y)
    >>> model.design_names_
    ['x0 = blue', 'x0 = red', 'x1', 'x1 is missing']
    >>> model.predict([["blue", 2.0], ["red", None]]).tolist()
    ['yes', 'no']
    """

    _method: ClassVar[str] = "logistic_regression"

    missing: str

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Scores: linear combinations of the columns of the design matrix.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.

        Returns
        -------
        scores : ndarray of shape (n_rows,) or (n_rows, n_classes)
            Two classes: log-odds of the second class. More classes: score of each class.
        """
        return squeeze_binary_scores(self._call_method_on_rows("scores", X))

    def design_matrix(self, X: Any) -> NDArray[np.float64]:
        """Encode rows as the columns to which ``coef_`` refers.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.

        Returns
        -------
        design : ndarray of shape (n_rows, n_design_columns)
            Encoded rows, in the order of ``design_names_``.
        """
        return self._call_method_on_rows("design_matrix", X)

    @property
    def C_(self) -> float:  # noqa: N802
        """Inverse strength of the penalty."""
        return self._fitted().C_

    @property
    def coef_(self) -> NDArray[np.float64]:
        """Coefficients of the columns of the design matrix."""
        return self._fitted().coef_

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """Intercepts."""
        return self._fitted().intercept_

    @property
    def design_names_(self) -> list[str]:
        """Names of the columns of the design matrix."""
        return self._fitted().design_names_

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean absolute deviation of the contribution of each feature; the sum is 1."""
        return self._fitted().feature_importances_

    def __sklearn_tags__(self) -> Any:
        """Return the scikit-learn tags of the estimator."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags
