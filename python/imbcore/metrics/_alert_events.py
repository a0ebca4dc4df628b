"""Metrics of alerts by event: events found, and alerts without an event."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.dependence import group_codes
from imbcore._validation.labelled import match_rows_by_index
from imbcore.metrics._alerts_per_day import positive_masks
from imbcore.metrics._periods import rows_by_covered_day, times_and_day_length
from imbcore.metrics._target import warn


@match_rows_by_index
def event_recall(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    time: Any,
    groups: Any,
    positive: object = None,
    pos_label: object = None,
) -> float:
    """Proportion of events with at least one alert, such as failures that were predicted.

    An event is a run of consecutive positive rows of one group in the order of time, such as the days before
    a failure. It is found if at least one of its rows is predicted positive.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True and predicted labels.
    time
        As in :func:`precision_at_k_per_day`. Rows of a group with equal times keep their order.
    groups : sequence of shape (n_rows,)
        Machine, patient or customer of every row.
    positive, pos_label : label, default=None
        As in :func:`roc_curve`.

    Returns
    -------
    float
        In [0, 1]; NaN, with a warning, if no row is positive.

    Raises
    ------
    DataError
        A time is missing, or lengths differ.

    Examples
    --------
    >>> from imbcore import metrics
    >>> metrics.event_recall([1, 1, 0, 1], [0, 1, 0, 0], time=[1, 2, 3, 4], groups=["a", "a", "a", "a"])
    0.5
    """
    truth, alerts = positive_masks(y_true, y_pred, positive, pos_label)
    times = times_and_day_length(time, None, len(truth))[0]
    codes = group_codes(groups, len(truth))
    order = np.lexsort((times, codes))
    truth, alerts, codes = truth[order], alerts[order], codes[order]
    continues = np.zeros(len(truth), dtype=bool)
    continues[1:] = truth[:-1] & (codes[1:] == codes[:-1])
    events = np.cumsum(truth & ~continues)
    if not truth.any():
        warn("event_recall is undefined: no row is positive")
        return float("nan")
    return float(len(np.unique(events[truth & alerts])) / events[-1])


@match_rows_by_index
def false_alerts_per_day(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    time: Any,
    per: Any = None,
    groups: Any = None,
    positive: object = None,
    pos_label: object = None,
) -> float:
    """Mean number of false alerts per day, over the days that :func:`alerts_per_day` counts.

    Without ``groups``, a false alert is a negative row that is predicted positive. With ``groups``, several
    alerts of a group on one day are one alert, which is false if no row of the group is positive on that day.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True and predicted labels.
    time, per
        As in :func:`precision_at_k_per_day`.
    groups : sequence of shape (n_rows,), default=None
        Machine, card or customer of every row.
    positive, pos_label : label, default=None
        As in :func:`roc_curve`.

    Returns
    -------
    float
        At least 0.

    Raises
    ------
    ParameterError, DataError
        As in :func:`precision_at_k_per_day`.

    Examples
    --------
    >>> from imbcore import metrics
    >>> metrics.false_alerts_per_day([0, 1, 0], [1, 1, 1], time=[0, 0, 1], groups=["a", "a", "b"])
    0.5
    """
    truth, alerts = positive_masks(y_true, y_pred, positive, pos_label)
    days = rows_by_covered_day(time, per, len(truth))
    if groups is None:
        return float(sum(np.sum(alerts[rows] & ~truth[rows]) for rows in days) / len(days))
    codes = group_codes(groups, len(truth))
    false = (np.setdiff1d(codes[rows[alerts[rows]]], codes[rows[truth[rows]]]) for rows in days)
    return sum(map(len, false)) / len(days)


name_package_in_errors(globals())
