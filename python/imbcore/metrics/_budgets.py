"""Scores of people who decide: a budget of alarms, the price of errors, a part of a curve."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from imbcore._input.labelled import rows_by_index
from imbcore._input.values import Numbers, flag, numbers_of, real_number, whole_number
from imbcore.exceptions import DataError, ParameterError
from imbcore.metrics._scores import defined, swept

__all__ = [
    "CostCurve",
    "DecisionCurve",
    "GainTable",
    "brier_curve",
    "cost_curve",
    "decision_curve",
    "gain_table",
    "h_measure_score",
    "partial_auc_score",
    "precision_at_k",
    "recall_at_k",
]

_GRID = 101


class GainTable(NamedTuple):
    """Slices of the rows by falling scores: an array a column.

    Attributes
    ----------
    rows, positives : ndarray of shape (n_bins,)
        Weight of the rows of a slice, and of the positive ones among them.
    gain : ndarray of shape (n_bins,)
        Share of all positives in the slice and those before it.
    lift : ndarray of shape (n_bins,)
        Share of positives in the slice, over that of all rows.
    threshold : ndarray of shape (n_bins,)
        Least score in the slice.
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
        PC(+): share of the positives in the cost of answering all rows wrongly, in [0, 1].
    cost : ndarray of shape (n_vertices,)
        Normalised expected cost of the best threshold; answering trivially costs min(PC, 1 - PC).
    """

    probability_cost: Numbers
    cost: Numbers


class DecisionCurve(NamedTuple):
    """Net benefit against the probability from which an alarm is raised.

    Attributes
    ----------
    threshold : ndarray of shape (n_thresholds,)
        The probabilities.
    net_benefit : ndarray of shape (n_thresholds,)
        Right alarms a row, less false ones at the price p / (1 - p).
    treat_all : ndarray of shape (n_thresholds,)
        The same of raising an alarm for every row; for none it is 0.
    """

    threshold: Numbers
    net_benefit: Numbers
    treat_all: Numbers


@rows_by_index
def precision_at_k(
    y_true: ArrayLike,
    y_score: ArrayLike,
    k: float,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Share of positives among the ``k`` rows of the largest scores.

    Rows of equal scores count as if they came in random order: the value is its expectation.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_rows,)
        True labels, and scores that are larger for the positive class.
    k : float
        How many rows, by weight: at most all.
    positive, pos_label : label, default=None
        As in :func:`roc_curve`.
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
    return swept(y_true, y_score, positive, pos_label, sample_weight).at_most(real_number("k", k))[0]


@rows_by_index
def recall_at_k(
    y_true: ArrayLike,
    y_score: ArrayLike,
    k: float,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Share of the positives that are among the ``k`` rows of the largest scores.

    Parameters are those of :func:`precision_at_k`. NaN with a warning where no row is positive.
    """
    return defined(swept(y_true, y_score, positive, pos_label, sample_weight).at_most(real_number("k", k))[1])


@rows_by_index
def gain_table(
    y_true: ArrayLike,
    y_score: ArrayLike,
    n_bins: int = 10,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> GainTable:
    """Gains and lift of the rows in slices of equal weight, ordered by falling scores.

    Other parameters are those of :func:`precision_at_k`; equal scores are shared out likewise.

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
    sweep = swept(y_true, y_score, positive, pos_label, sample_weight)
    table = GainTable(*sweep.gains(whole_number("n_bins", n_bins, 1)).T.copy())
    defined(table.gain[-1])
    return table


@rows_by_index
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
    """Area under a part of the ROC curve: up to a false positive rate, or from a recall on.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_rows,)
        True labels, and scores that are larger for the positive class.
    max_fpr : float, default=None
        Integrates the recall up to this false positive rate, in (0, 1]; scikit-learn's ``max_fpr``.
    min_recall : float, default=None
        Integrates the specificity from this recall on, in [0, 1). One of the two is to be given.
    standardized : bool, default=True
        Whether chance is to have 1/2 and the best 1 (McClish 1989); else the bare area.
    positive, pos_label, sample_weight
        As in :func:`precision_at_k`.

    Returns
    -------
    float
        NaN with a warning where there is one class only.

    Examples
    --------
    >>> from imbcore import metrics
    >>> metrics.partial_auc_score([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], max_fpr=0.5, standardized=False)
    0.25
    """
    if (max_fpr is None) == (min_recall is None):
        raise ParameterError("give max_fpr or min_recall, one of the two")
    sweep = swept(y_true, y_score, positive, pos_label, sample_weight)
    limits = (
        None if max_fpr is None else real_number("max_fpr", max_fpr),
        0.0 if min_recall is None else real_number("min_recall", min_recall),
    )
    return defined(sweep.partial_auc(*limits, flag("standardized", standardized)))


@rows_by_index
def h_measure_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """H-measure: how much of the loss of trivial answers the best thresholds save, over a law of costs.

    The cost of a false alarm beside that of a miss has the law Beta(1 + share of positives, 1 + share of
    negatives), the same for every classifier (Hand 2009; Hand and Anagnostopoulos 2014). Parameters are those
    of :func:`precision_at_k` without ``k``. 1 is perfect, 0 trivial; NaN with a warning where there is one
    class only.

    Examples
    --------
    >>> from imbcore import metrics
    >>> metrics.h_measure_score([0, 0, 1], [0.1, 0.2, 0.9])
    1.0
    """
    return defined(swept(y_true, y_score, positive, pos_label, sample_weight).h_measure())


@rows_by_index
def cost_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> CostCurve:
    """Lower envelope of the cost lines of all thresholds (Drummond and Holte 2006).

    Parameters are those of :func:`precision_at_k` without ``k``.

    Raises
    ------
    DataError
        There is one class only.
    """
    found = swept(y_true, y_score, positive, pos_label, sample_weight).cost_curve()
    if found is None:
        raise DataError("a cost curve needs rows of both classes")
    return CostCurve(*found)


@rows_by_index
def brier_curve(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    costs: ArrayLike | None = None,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[Numbers, Numbers]:
    """Loss of answering by calibrated costs, whose area is the Brier score (Hernández-Orallo et al. 2011).

    Parameters
    ----------
    y_true, y_proba : array-like of shape (n_rows,)
        True labels, and probabilities of the positive class.
    costs : array-like, default=None
        Shares of a false alarm in the cost of both errors, in [0, 1]; None takes 101 equally spaced ones.
    positive, pos_label, sample_weight
        As in :func:`precision_at_k`.

    Returns
    -------
    costs, loss : ndarray
    """
    grid = np.linspace(0.0, 1.0, _GRID) if costs is None else numbers_of(costs, "costs")
    return grid, swept(y_true, y_proba, positive, pos_label, sample_weight).brier_curve(grid)


@rows_by_index
def decision_curve(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    thresholds: ArrayLike | None = None,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> DecisionCurve:
    """Net benefit against the probability from which an alarm is raised (Vickers and Elkin 2006).

    Parameters
    ----------
    y_true, y_proba : array-like of shape (n_rows,)
        True labels, and probabilities of the positive class.
    thresholds : array-like, default=None
        Probabilities in [0, 1]; None takes 0, .01, ..., .99.
    positive, pos_label, sample_weight
        As in :func:`precision_at_k`.
    """
    grid = np.arange(_GRID - 1) / (_GRID - 1) if thresholds is None else numbers_of(thresholds, "thresholds")
    return DecisionCurve(grid, *swept(y_true, y_proba, positive, pos_label, sample_weight).net_benefit(grid))
