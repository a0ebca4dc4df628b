"""Costs of errors: weights, thresholds and decisions (Elkan 2001, Ting 2002).

A cost matrix has a row for each true class and a column for each predicted class, both in sorted order of
the labels: ``cost_matrix[k][j]`` is the cost of predicting ``j`` if ``k`` is true. Costs are finite and
non-negative. If every row has its own costs, the array has shape (n_rows, n_classes, n_classes).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from imbcore._bindings import native
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.costs import numeric_cost_matrix
from imbcore._validation.labelled import column_labels, order_matrix_by_class
from imbcore._validation.labels import encode_target_labels
from imbcore._validation.row_costs import cost_matrix_to_floats
from imbcore._validation.values import to_float_array, validate_real_number
from imbcore.exceptions import DataError

__all__ = [
    "elkan_negative_weight",
    "elkan_threshold",
    "expected_cost",
    "minimum_expected_cost",
    "prior_shift",
    "ting_weights",
]

Numbers = NDArray[np.float64]


def _validate_probabilities(proba: ArrayLike) -> Numbers:
    p = to_float_array(proba, "proba")
    if p.ndim != 2:
        raise DataError(f"proba must have one row per sample and one column per class, got {p.ndim}-D")
    outside = p[~((p >= 0) & (p <= 1))]
    if outside.size:
        raise DataError(f"proba must lie in [0, 1], found {outside[0]}")
    return p


def _order_costs_by_column(proba: Any, cost_matrix: Any) -> Numbers:
    """Order costs like the columns of ``proba``: by their names, or else sorted."""
    names = column_labels(proba)
    labelled = order_matrix_by_class(cost_matrix, names, "cost_matrix")
    costs = cost_matrix_to_floats(labelled)
    if names is None or labelled is not cost_matrix:
        return costs
    rank = [sorted(names).index(name) for name in names]
    return np.ascontiguousarray(costs[..., rank, :][..., rank])


def ting_weights(cost_matrix: ArrayLike, y: Any) -> Numbers:
    """Class weights that represent a cost matrix in training.

    The weight of class ``k`` is ``w_k = C_k n / sum_i C_i n_i``, where ``C_k = sum_j cost[k][j]`` is the cost
    of its errors, ``n_i`` is the number of rows of class ``i``, and ``n`` is the number of all rows. The
    weights of all rows add up to ``n``.

    Parameters
    ----------
    cost_matrix : array-like of shape (n_classes, n_classes)
        Costs, with zeros on the diagonal.
    y : sequence of shape (n_rows,)
        Class labels.

    Returns
    -------
    ndarray of shape (n_classes,)
        Weight of each class, in sorted order of the labels.

    Raises
    ------
    DataError
        A cost is invalid, the diagonal is not zero, or the matrix does not have one row and column for each
        class in ``y``.
    ParameterError
        ``cost_matrix`` is not a matrix of numbers.

    References
    ----------
    Ting, "An Instance-Weighting Method to Induce Cost-Sensitive Trees", 2002.

    Examples
    --------
    >>> from imbcore.costs import ting_weights
    >>> ting_weights([[0, 1], [9, 0]], ["no"] * 9 + ["yes"])
    array([0.55555556, 5.        ])
    """
    target = encode_target_labels(y, "ting_weights")
    costs = numeric_cost_matrix(order_matrix_by_class(cost_matrix, target.classes.tolist(), "cost_matrix"))
    return native.costs.ting_weights(costs, target.codes, len(target.classes), None)


def elkan_threshold(cost_matrix: ArrayLike) -> float:
    """Probability of the second class above which predicting the second class costs less.

    ``p* = (C(1,0) - C(0,0)) / (C(1,0) - C(0,0) + C(0,1) - C(1,1))`` with ``C(i,j)`` the cost of predicting
    ``i`` if ``j`` is true (Elkan 2001, eq. 2).

    Parameters
    ----------
    cost_matrix : array-like of shape (2, 2)
        Costs; for each true class the wrong prediction must cost more than the correct one.

    Returns
    -------
    float
        Threshold in (0, 1), for the option ``threshold`` of every method.

    Raises
    ------
    DataError
        The matrix is not 2 by 2, or an error does not cost more than a correct prediction.
    ParameterError
        ``cost_matrix`` is not a matrix of numbers.

    Examples
    --------
    >>> from imbcore.costs import elkan_threshold
    >>> round(elkan_threshold([[0, 1], [10, 0]]), 4)
    0.0909
    """
    return native.costs.elkan_threshold(
        numeric_cost_matrix(order_matrix_by_class(cost_matrix, None, "cost_matrix"))
    )


def elkan_negative_weight(p_star: float, p0: float = 0.5) -> float:
    """Weight of the negatives that moves the threshold of a learner to ``p_star``.

    ``p*/(1-p*) * (1-p0)/p0`` (Elkan 2001, theorem 1): a learner with threshold ``p0``, trained with this
    weight on the negatives, makes the same decisions as one with threshold ``p_star``.

    Parameters
    ----------
    p_star : float
        Desired threshold, in (0, 1).
    p0 : float, default=0.5
        Threshold of the learner, in (0, 1).

    Returns
    -------
    float
        Factor for the weights of the negative rows or, with resampling, for the number of negative rows.

    Raises
    ------
    ParameterError
        A threshold is outside (0, 1).

    Examples
    --------
    >>> from imbcore.costs import elkan_negative_weight
    >>> round(elkan_negative_weight(1 / 11), 6)
    0.1
    """
    return native.costs.elkan_negative_weight(
        validate_real_number("p_star", p_star), validate_real_number("p0", p0)
    )


def expected_cost(proba: ArrayLike, cost_matrix: ArrayLike) -> Numbers:
    """Compute the expected cost of predicting each class.

    The cost of predicting class ``j`` is ``sum_k p_k cost[k][j]``, where ``p_k`` is the probability of class
    ``k`` (Elkan 2001, eq. 1).

    Parameters
    ----------
    proba : array-like of shape (n_rows, n_classes)
        Class probabilities.
    cost_matrix : array-like of shape (n_classes, n_classes) or (n_rows, n_classes, n_classes)
        Costs, one matrix for all rows or one per row.

    Returns
    -------
    ndarray of shape (n_rows, n_classes)
        Expected cost of predicting each class.

    Raises
    ------
    DataError
        The shapes do not match, a cost is invalid, or a probability is outside [0, 1].
    ParameterError
        ``cost_matrix`` is not a matrix of numbers.

    Examples
    --------
    >>> from imbcore.costs import expected_cost
    >>> expected_cost([[0.75, 0.25]], [[0, 1], [10, 0]])
    array([[2.5 , 0.75]])
    """
    return native.costs.expected_cost(
        _validate_probabilities(proba), _order_costs_by_column(proba, cost_matrix)
    )


def minimum_expected_cost(proba: ArrayLike, cost_matrix: ArrayLike) -> NDArray[np.intp]:
    """Index of the class with the lowest expected cost; the first one in case of ties.

    Parameters
    ----------
    proba : array-like of shape (n_rows, n_classes)
        Class probabilities.
    cost_matrix : array-like of shape (n_classes, n_classes) or (n_rows, n_classes, n_classes)
        Costs, one matrix for all rows or one per row.

    Returns
    -------
    ndarray of shape (n_rows,)
        Column of ``proba`` to predict; ``classes_`` of an estimator turns it into labels.

    Raises
    ------
    DataError
        The shapes do not match, a cost is invalid, or a probability is outside [0, 1].
    ParameterError
        ``cost_matrix`` is not a matrix of numbers.

    Examples
    --------
    >>> from imbcore.costs import minimum_expected_cost
    >>> minimum_expected_cost([[0.75, 0.25], [0.95, 0.05]], [[0, 1], [10, 0]])
    array([1, 0])

    With costs per row, an alert pays off for the second row only:

    >>> minimum_expected_cost([[0.9, 0.1]] * 2, [[[0, 5], [10, 0]], [[0, 5], [200, 0]]])
    array([0, 1])
    """
    return native.costs.decide(
        _validate_probabilities(proba), _order_costs_by_column(proba, cost_matrix), None, 0
    ).astype(np.intp)


def prior_shift(proba: ArrayLike, base_rate: float, new_base_rate: float) -> Numbers:
    """Correct probabilities for another proportion of positives.

    The result is ``b' (p - p b) / (b - p b + b' p - b b')`` (Elkan 2001, theorem 2). Here ``p`` is the
    probability by a model trained with a proportion ``b`` of positives, and ``b'`` is the new proportion. The
    assumption is that only this proportion changes. Useful for models trained on resampled data.

    Parameters
    ----------
    proba : array-like
        Probabilities of the positive class, of any shape.
    base_rate : float
        Proportion of positives in training, in (0, 1).
    new_base_rate : float
        Proportion of positives in deployment, in (0, 1).

    Returns
    -------
    ndarray
        Probabilities, in the shape of ``proba``.

    Raises
    ------
    ParameterError
        A rate is outside (0, 1).
    DataError
        A probability is outside [0, 1].

    Examples
    --------
    >>> from imbcore.costs import prior_shift
    >>> prior_shift([0.1, 0.5, 0.9], base_rate=0.5, new_base_rate=0.1).round(4)
    array([0.0122, 0.1   , 0.5   ])
    """
    p = to_float_array(proba, "proba")
    rates = validate_real_number("base_rate", base_rate), validate_real_number("new_base_rate", new_base_rate)
    shifted = native.costs.prior_shift(p.ravel(), *rates)
    return shifted.reshape(p.shape)


name_package_in_errors(globals())
