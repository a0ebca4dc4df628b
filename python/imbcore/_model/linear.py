"""Fitted logistic regression."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._model.boosted import squeeze_binary_scores
from imbcore._model.explainable import Explainable
from imbcore._model.explanation import Explanation


class LinearModel(Explainable, kind="linear"):
    """Logistic regression.

    Attributes
    ----------
    C_ : float
        Inverse strength of the penalty.
    validation_path_ : tuple of two ndarrays of shape (n_candidates,)
        Candidates for ``C`` and their log loss on the held-out rows of inner folds; empty if ``C`` was given.
    coef_ : ndarray of shape (1, n_design_columns) or (n_classes, n_design_columns)
        Coefficients of the columns of the design matrix. For two classes there is one row, for the log-odds
        of the second class.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts.
    design_names_ : list of str
        Names of the columns of the design matrix.
    feature_importances_ : ndarray of shape (n_features,)
        Mean absolute contribution of each feature to the scores in training, divided by the sum over the
        features.
    """

    _family = "logistic regressions"
    _native: native.models.LinearModel

    @property
    def size_text(self) -> str:
        """Number of coefficients as text."""
        return f"{self._native.coef.size} coefficients"

    @property
    def C_(self) -> float:  # noqa: N802
        """Inverse strength of the penalty."""
        return self._native.c

    @property
    def validation_path_(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Candidates for ``C`` and their held-out log loss."""
        return self._native.path

    @property
    def coef_(self) -> NDArray[np.float64]:
        """Coefficients of the columns of the design matrix."""
        return self._native.coef

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """Intercepts."""
        return self._native.intercept

    @property
    def design_names_(self) -> list[str]:
        """Names of the columns of the design matrix."""
        return self._native.design_names

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean absolute contribution of each feature, divided by the sum over features."""
        return self._native.feature_importances

    def decision_function(
        self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None
    ) -> NDArray[np.float64]:
        """Scores: linear combinations of the columns of the design matrix.

        They are those before ``calibrate``, :meth:`correct_prior`, costs and thresholds.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_classes)
            For two classes the log-odds of the second, for more the score of each.
        """
        return squeeze_binary_scores(self._ask("scores", X, n_threads, n_jobs))

    def design_matrix(
        self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None
    ) -> NDArray[np.float64]:
        """Encode rows as the columns to which ``coef_`` refers.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        ndarray of shape (n_rows, n_design_columns)
            Encoded rows, in the order of ``design_names_``.
        """
        return self._ask("design_matrix", X, n_threads, n_jobs)

    def explain(
        self,
        X: Any,
        *,
        label: Any = None,
        background: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> Explanation:
        """Exact Shapley values of every feature for the score of a class.

        The score is a sum over the features, so the value of a feature is its contribution minus the mean
        contribution in training, or over the background. The explained output is that before ``calibrate``,
        :meth:`correct_prior` and thresholds.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        label : label or None, default=None
            Class whose score is explained; None uses ``positive_``.
        background : table of shape (n_background, n_features) or None, default=None
            Rows over which contributions are averaged; None uses the training rows.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        Explanation
            Values for every row and feature, with ``scale`` "log-odds", or "score" for more than two classes.

        Raises
        ------
        ParameterError
            The label is not in ``classes_``.
        DataError
            The background has no rows, or the class had no training rows.

        References
        ----------
        Štrumbelj and Kononenko, "Explaining prediction models and individual predictions with feature
        contributions", 2014, section 3.2.

        Examples
        --------
        >>> import imbcore
        >>> rows = [[1.0, 5.0], [2.0, 3.0], [3.0, 4.0], [4.0, 1.0], [5.0, 2.0], [6.0, 0.0]]
        >>> model = imbcore.fit(rows, [0, 0, 0, 1, 1, 1], "logistic_regression", C=1.0)
        >>> found = model.explain([[5.5, 2.0]])
        >>> total = found.base_value + found.values.sum()
        >>> found.scale, bool(abs(total - model.decision_function([[5.5, 2.0]])[0]) < 1e-9)
        ('log-odds', True)
        """
        scale = "log-odds" if len(self.classes_) == 2 else "score"
        others = None if background is None else self._frame(background, "background")
        return self._compute_explanation("shapley", scale, X, label, n_threads, n_jobs, (others,))
