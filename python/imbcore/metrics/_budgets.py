"""Decision-oriented metrics: alert budgets, cost curves, partial AUC."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.values import (
    Numbers,
    to_number_array,
    validate_flag,
    validate_real_number,
    validate_whole_number,
)
from imbcore.exceptions import DataError, ParameterError
from imbcore.metrics._scores import threshold_sweep, warn_if_undefined

_GRID = 101


class GainTable(NamedTuple):
    """Cumulative gains and lift by slices of decreasing scores: one array per column.

    Attributes
    ----------
    rows, positives : ndarray of shape (n_bins,)
        Total weight of the rows of each slice, and total weight of its positive rows.
    gain : ndarray of shape (n_bins,)
        Fraction of all positives in this slice and the slices before it.
    lift : ndarray of shape (n_bins,)
        Fraction of positives in the slice, divided by the fraction of positives in all rows.
    threshold : ndarray of shape (n_bins,)
        Smallest score of the rows in the slice.
    """

    rows: Numbers
    positives: Numbers
    gain: Numbers
    lift: Numbers
    threshold: Numbers


class CostCurve(NamedTuple):
    """Vertices of a cost curve.

    Attributes
    ----------
    probability_cost : ndarray of shape (n_vertices,)
        PC(+), in [0, 1]: cost of predicting all positives wrongly, as a fraction of the cost of predicting
        all rows wrongly.
    cost : ndarray of shape (n_vertices,)
        Normalized expected cost of the best threshold. The better of the two constant predictions costs
        ``min(PC, 1 - PC)`` where PC is ``probability_cost``.
    """

    probability_cost: Numbers
    cost: Numbers


class DecisionCurve(NamedTuple):
    """Net benefit as a function of the alert threshold.

    Attributes
    ----------
    threshold : ndarray of shape (n_thresholds,)
        Minimum probabilities for which an alert is raised.
    net_benefit : ndarray of shape (n_thresholds,)
        Number of true alerts per row, minus the number of false alerts per row times p / (1 - p) for the
        threshold p.
    treat_all : ndarray of shape (n_thresholds,)
        Net benefit of raising an alert for every row. The net benefit of raising no alerts is 0.
    """

    threshold: Numbers
    net_benefit: Numbers
    treat_all: Numbers


@match_rows_by_index
def precision_at_k(
    y_true: ArrayLike,
    y_score: ArrayLike,
    k: float,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Precision at k: fraction of positives among the ``k`` rows with the largest scores.

    Ties are counted as if in random order: the value is the expectation.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_rows,)
        True labels, and scores that are larger for the positive class.
    k : float
        Number of rows with the largest scores, counted by weight; at most the total weight of all rows.
    positive, pos_label : label, default=None
        Positive class, as in :func:`roc_curve`.
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights.

    Returns
    -------
    float

    Examples
    --------
    >>> from imbcore import metrics
    >>> metrics.precision_at_k([1, 1, 0, 0], [0.9, 0.5, 0.5, 0.1], 2)
    0.75
    """
    return threshold_sweep(y_true, y_score, positive, pos_label, sample_weight).at_most(
        validate_real_number("k", k)
    )[0]


@match_rows_by_index
def recall_at_k(
    y_true: ArrayLike,
    y_score: ArrayLike,
    k: float,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Recall at k: fraction of all positives that are in the ``k`` rows with the largest scores.

    Parameters are those of :func:`precision_at_k`. NaN with a warning if no row is positive.
    """
    return warn_if_undefined(
        threshold_sweep(y_true, y_score, positive, pos_label, sample_weight).at_most(
            validate_real_number("k", k)
        )[1]
    )


@match_rows_by_index
def gain_table(
    y_true: ArrayLike,
    y_score: ArrayLike,
    n_bins: int = 10,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> GainTable:
    """Cumulative gains and lift in slices of equal weight, ordered by decreasing scores.

    Other parameters are those of :func:`precision_at_k`. Tied rows count as if in random order: the table has
    the expectations over these orders.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_rows,)
        True labels, and scores that are larger for the positive class.
    n_bins : int, default=10
        Number of slices.

    Returns
    -------
    GainTable
        ``gain`` and ``lift`` are NaN, with a warning, if no row is positive.

    Examples
    --------
    >>> from imbcore import metrics
    >>> metrics.gain_table([1, 1, 0, 0], [0.9, 0.5, 0.4, 0.1], 2).lift.tolist()
    [2.0, 0.0]
    """
    sweep = threshold_sweep(y_true, y_score, positive, pos_label, sample_weight)
    table = GainTable(*sweep.gains(validate_whole_number("n_bins", n_bins, 1)).T.copy())
    warn_if_undefined(table.gain[-1])
    return table


@match_rows_by_index
def partial_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    max_fpr: float | None = None,
    min_recall: float | None = None,
    standardized: bool = True,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Partial area under the ROC curve, limited by ``max_fpr`` or by ``min_recall``.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_rows,)
        True labels, and scores that are larger for the positive class.
    max_fpr : float, default=None
        Largest false positive rate, in (0, 1], up to which the recall is integrated, as in scikit-learn.
    min_recall : float, default=None
        Smallest recall, in [0, 1), from which on the specificity is integrated. Exactly one of ``max_fpr``
        and ``min_recall`` must be given.
    standardized : bool, default=True
        Whether to rescale the area so that random scores have 1/2 and perfect scores 1 (McClish 1989). False:
        the area itself.
    positive, pos_label, sample_weight
        Positive class and row weights, as in :func:`precision_at_k`.

    Returns
    -------
    float
        NaN with a warning if there is only one class.

    Examples
    --------
    >>> from imbcore import metrics
    >>> metrics.partial_auc_score([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], max_fpr=0.5, standardized=False)
    0.25
    """
    if (max_fpr is None) == (min_recall is None):
        raise ParameterError("give exactly one of max_fpr and min_recall")
    sweep = threshold_sweep(y_true, y_score, positive, pos_label, sample_weight)
    limits = (
        None if max_fpr is None else validate_real_number("max_fpr", max_fpr),
        0.0 if min_recall is None else validate_real_number("min_recall", min_recall),
    )
    return warn_if_undefined(sweep.partial_auc(*limits, validate_flag("standardized", standardized)))


@match_rows_by_index
def h_measure_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """H-measure: reduction of the expected loss, relative to trivial predictions.

    A cost ratio is the cost of a false positive, divided by the sum of the costs of a false positive and of a
    false negative. The expected loss is the mean, over random cost ratios, of the loss of the best threshold
    for each ratio. The ratios have the distribution Beta(1 + fraction of positives, 1 + fraction of
    negatives) (Hand 2009; Hand and Anagnostopoulos 2014). A trivial prediction is the same class
    for all rows, the one with the smaller loss for each ratio.

    1 is perfect, 0 is as good as trivial predictions; NaN with a warning if there is only one class.
    Parameters are those of :func:`precision_at_k` without ``k``.

    Examples
    --------
    >>> from imbcore import metrics
    >>> metrics.h_measure_score([0, 0, 1], [0.1, 0.2, 0.9])
    1.0
    """
    return warn_if_undefined(threshold_sweep(y_true, y_score, positive, pos_label, sample_weight).h_measure())


@match_rows_by_index
def cost_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> CostCurve:
    """Cost curve: least normalized expected cost over all thresholds (Drummond and Holte 2006).

    Parameters are those of :func:`precision_at_k` without ``k``.

    Raises
    ------
    DataError
        There is only one class.
    """
    found = threshold_sweep(y_true, y_score, positive, pos_label, sample_weight).cost_curve()
    if found is None:
        raise DataError("a cost curve needs rows of both classes")
    return CostCurve(*found)


@match_rows_by_index
def brier_curve(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    costs: ArrayLike | None = None,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[Numbers, Numbers]:
    """Brier curve: mean loss at each cost ratio; the area under the curve is the Brier score.

    Each cost ratio is also the probability threshold. A false positive costs the ratio, a false negative
    costs 1 minus the ratio, and the loss is twice the mean cost per row.

    Parameters
    ----------
    y_true, y_proba : array-like of shape (n_rows,)
        True labels, and probabilities of the positive class.
    costs : array-like, default=None
        Cost ratios, in [0, 1]: cost of a false positive, divided by the sum of the costs of a false positive
        and of a false negative. None: 101 equally spaced values.
    positive, pos_label, sample_weight
        Positive class and row weights, as in :func:`precision_at_k`.

    Returns
    -------
    costs, loss : ndarray
    """
    grid = np.linspace(0.0, 1.0, _GRID) if costs is None else to_number_array(costs, "costs")
    return grid, threshold_sweep(y_true, y_proba, positive, pos_label, sample_weight).brier_curve(grid)


@match_rows_by_index
def decision_curve(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    thresholds: ArrayLike | None = None,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> DecisionCurve:
    """Decision curve: net benefit as a function of the alert threshold (Vickers and Elkin 2006).

    Parameters
    ----------
    y_true, y_proba : array-like of shape (n_rows,)
        True labels, and probabilities of the positive class.
    thresholds : array-like, default=None
        Thresholds for the probability, in [0, 1]. None: 0, 0.01, ..., 0.99.
    positive, pos_label, sample_weight
        Positive class and row weights, as in :func:`precision_at_k`.
    """
    grid = (
        np.arange(_GRID - 1) / (_GRID - 1)
        if thresholds is None
        else to_number_array(thresholds, "thresholds")
    )
    return DecisionCurve(
        grid, *threshold_sweep(y_true, y_proba, positive, pos_label, sample_weight).net_benefit(grid)
    )


name_package_in_errors(globals())
