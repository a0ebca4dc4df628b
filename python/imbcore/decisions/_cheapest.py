"""Predictions of minimum expected cost, for any classifier."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from imbcore._bindings import native
from imbcore._bindings.costs import build_cost_matrix
from imbcore._validation.costs import costs_from_matrix
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.row_costs import evaluate_cost_function
from imbcore.decisions._around import WrapperClassifier
from imbcore.exceptions import ParameterError


class MinExpectedCostClassifier(WrapperClassifier):
    """Wrapper that predicts the class of minimum expected cost.

    Methods of imbcore need no wrapper: they support ``cost_matrix`` and ``costs`` themselves. Training and
    probabilities of the classifier do not change. If the probabilities are unreliable, calibrate first:
    ``MinExpectedCostClassifier(CalibratedClassifier(estimator), ...)``.

    Parameters
    ----------
    estimator : classifier
        Classifier with the scikit-learn API and ``predict_proba``. It is cloned.
    cost_matrix : array of shape (n_classes, n_classes), dict, "balanced" or "imbalance", default="balanced"
        Row ``k``, column ``j`` is the cost of predicting class ``j`` for a row of class ``k``, as in
        :func:`imbcore.fit`. None if ``costs`` is given.
    costs : callable, default=None
        Function that ``predict`` calls with ``X`` to get the costs of every row: an array of shape (n_rows,
        n_classes, n_classes), one matrix per row. Used instead of ``cost_matrix``, which must then be None.

    Attributes
    ----------
    estimator_ : classifier
        The fitted estimator.
    cost_matrix_ : ndarray of shape (n_classes, n_classes) or None
        The cost matrix of all rows; None if ``costs`` is given.
    classes_ : ndarray of shape (n_classes,)
        Sorted labels.

    References
    ----------
    Elkan, "The Foundations of Cost-Sensitive Learning", 2001: eq. 1.

    Examples
    --------
    >>> from imbcore.datasets import make_disjunct_grid
    >>> from imbcore.decisions import MinExpectedCostClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = make_disjunct_grid(1000, minority_fraction=0.1, random_state=0)
    >>> model = MinExpectedCostClassifier(GaussianNB(), {(1, 0): 20, (0, 1): 1}).fit(X, y)
    >>> bool((model.predict(X) == (model.predict_proba(X)[:, 1] >= 1 / 21)).all())
    True
    """

    _kept = ("cost_matrix_",)

    def __init__(self, estimator: Any, cost_matrix: Any = "balanced", *, costs: Any = None) -> None:
        self.estimator = estimator
        self.cost_matrix = cost_matrix
        self.costs = costs

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
        """Fit the estimator, and compute the cost matrix.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Features, in any form that the estimator accepts.
        y : sequence of shape (n_rows,)
            Labels.
        sample_weight : sequence of shape (n_rows,), default=None
            Row weights for the fit of the estimator. Cost matrices given by name, such as "balanced", use
            the weighted class frequencies.
        groups, time, time_gap
            Groups and times of the rows, as in :func:`imbcore.fit`.

        Returns
        -------
        self : object
            The fitted classifier.

        Raises
        ------
        ParameterError
            ``cost_matrix`` and ``costs`` are both given or both None, ``costs`` is not a function, a dict of
            costs has other labels, or the estimator lacks a required method.
        DataError
            The cost matrix has another shape or an invalid number.
        """
        X, target, weighted = self._weighted(X, y, sample_weight, (groups, time, time_gap))
        if (self.cost_matrix is None) == (self.costs is None):
            raise ParameterError(
                "MinExpectedCostClassifier: cost_matrix and costs exclude each other; give one of "
                "them, and cost_matrix=None with costs"
            )
        if self.costs is not None and not callable(self.costs):
            raise ParameterError(
                "MinExpectedCostClassifier: parameter `costs` must be a function from X to an array of shape "
                f"(n_rows, n_classes, n_classes), got {type(self.costs).__name__}; give an array to predict "
                "as cost_matrix"
            )
        self.cost_matrix_ = build_cost_matrix(
            weighted.costs(self.cost_matrix), target, weighted.weights, "MinExpectedCostClassifier"
        )
        rows = np.arange(len(target.codes))
        labels = target.classes[target.codes]
        self.estimator_ = self._fitted(X, labels, weighted.weights, rows, dependence=weighted.dependence)
        self.classes_ = target.classes
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probabilities of the estimator, in the order of ``classes_``."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict_proba(X), dtype=np.float64)

    def predict(self, X: Any, *, cost_matrix: Any = None) -> NDArray[Any]:
        """Predict the class of minimum expected cost, in case of ties the lowest label.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``fit``.
        cost_matrix : array of shape (n_classes, n_classes) or (n_rows, n_classes, n_classes), default=None
            Costs of errors, for all rows or per row, used instead of the costs of the wrapper.

        Returns
        -------
        y : ndarray of shape (n_rows,)
            Labels.
        """
        check_is_fitted(self)
        given = (
            evaluate_cost_function(self.costs, X)
            if cost_matrix is None
            else costs_from_matrix(cost_matrix, self.classes_)
        )
        costs = self.cost_matrix_ if given is None else given
        return self.classes_[native.costs.decide(self.predict_proba(X), costs, None, 0)]
