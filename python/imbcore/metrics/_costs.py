"""Costs of predictions, with one cost matrix or costs per row."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from imbcore._bindings import native
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.costs import cost_matrix_by_class
from imbcore._validation.labelled import match_rows_by_index, matrix_classes
from imbcore._validation.values import Numbers, encode_true_and_predicted, to_label_array, to_weight_array
from imbcore.exceptions import DataError, ParameterError
from imbcore.metrics._labels import native_confusion


@match_rows_by_index
def cost_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    cost_matrix: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean cost of a prediction; also named ``expected_cost``.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True and predicted labels.
    cost_matrix : array-like of shape (n_classes, n_classes) or (n_rows, n_classes, n_classes)
        Row ``k``, column ``j``: cost of predicting class ``j`` for a row of class ``k``; one matrix for all
        rows or one per row.
    labels : array-like, default=None
        Classes of the rows and columns of the cost matrix, in this order; all classes in ``y_true`` and
        ``y_pred`` must be among them. None: all classes in ``y_true`` and ``y_pred``, sorted.
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights.
    """
    costs, labels = _cost_matrix_and_classes(y_true, y_pred, cost_matrix, labels)
    if costs.ndim == 2:
        return native_confusion(y_true, y_pred, sample_weight, labels).mean_cost(costs)
    return _total_mean_and_savings(y_true, y_pred, cost_matrix, labels, sample_weight)[1]


expected_cost = cost_score


@match_rows_by_index
def total_cost(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    cost_matrix: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Total cost of all predictions.

    Parameters
    ----------
    y_true, y_pred, cost_matrix, labels, sample_weight
        Labels, predictions and costs, as in :func:`cost_score`.

    Raises
    ------
    DataError
        For unequal lengths, invalid weights, or costs that are negative or not finite; the message names the
        row.
    ParameterError
        ``cost_matrix`` does not contain numbers, or does not name every class.

    Examples
    --------
    An alert costs 5, and missed frauds cost their amounts:

    >>> from imbcore.metrics import savings_score, total_cost
    >>> costs = [[[0, 5], [amount, 0]] for amount in (7, 100, 20)]
    >>> total_cost([0, 1, 1], [0, 1, 0], costs)
    20.0
    >>> round(savings_score([0, 1, 1], [0, 1, 0], costs), 2)
    -3.0
    """
    return _total_mean_and_savings(y_true, y_pred, cost_matrix, labels, sample_weight)[0]


@match_rows_by_index
def savings_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    cost_matrix: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Fraction of cost saved compared with the best constant prediction.

    ``1 - cost / min_c cost_c``, with ``cost_c`` the cost of predicting class ``c`` for every row (Bahnsen,
    Aouada and Ottersten 2015, eq. 9): 1 if predictions cost nothing, 0 if their cost equals that of the best
    constant prediction, negative if their cost is higher.

    Parameters
    ----------
    y_true, y_pred, cost_matrix, labels, sample_weight
        Labels, predictions and costs, as in :func:`cost_score`.

    Returns
    -------
    float
        At most 1; NaN if the best constant prediction costs nothing.

    Raises
    ------
    DataError, ParameterError
        As for :func:`total_cost`.

    References
    ----------
    Bahnsen, Aouada and Ottersten, "Example-Dependent Cost-Sensitive Decision Trees", 2015.
    """
    return _total_mean_and_savings(y_true, y_pred, cost_matrix, labels, sample_weight)[2]


def _cost_matrix_and_classes(
    y_true: ArrayLike, y_pred: ArrayLike, cost_matrix: Any, labels: ArrayLike | None
) -> tuple[Numbers, Any]:
    """Return costs, and the classes of their rows and columns.

    A labeled matrix defines its classes, of which ``y_true`` and ``y_pred`` may lack some.
    """
    if labels is not None:
        known, _, _, chosen = encode_true_and_predicted(y_true, y_pred, labels)
        if len(chosen) != len(known):
            raise DataError(f"labels must name every class of y_true and y_pred, which are {known.tolist()}")
        return cost_matrix_by_class(cost_matrix, to_label_array(labels, "labels")), labels
    classes = encode_true_and_predicted(y_true, y_pred)[0]
    named = matrix_classes(cost_matrix, classes.tolist())
    if named is None:
        return cost_matrix_by_class(cost_matrix, classes), None
    if not set(classes.tolist()) <= set(named):
        raise ParameterError(
            f"cost_matrix has the labels {named}, but y_true and y_pred hold {classes.tolist()}; give the "
            "cost of every class."
        )
    return cost_matrix_by_class(cost_matrix, np.array(named, dtype=object)), named


def _total_mean_and_savings(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    cost_matrix: ArrayLike,
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> tuple[float, float, float]:
    costs, labels = _cost_matrix_and_classes(y_true, y_pred, cost_matrix, labels)
    classes, truth, answers, chosen = encode_true_and_predicted(y_true, y_pred, labels)
    place = np.argsort(chosen).astype(np.uint32)
    weights = to_weight_array(sample_weight)
    return native.metrics.cost_summary(place[truth], place[answers], len(classes), costs, weights)


name_package_in_errors(globals())
