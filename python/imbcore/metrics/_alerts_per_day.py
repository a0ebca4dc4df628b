"""Metrics of alerts that people check day by day."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from imbcore._bindings.positive import default_positive_label
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.dependence import group_codes
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.value_text import value_text
from imbcore._validation.values import (
    encode_true_and_predicted,
    resolve_positive_alias,
    to_label_array,
    to_number_array,
    validate_flag,
    validate_real_number,
    validate_text,
)
from imbcore.exceptions import DataError, ParameterError
from imbcore.metrics._periods import rows_by_covered_day, rows_by_day, times_and_day_length
from imbcore.metrics._scores import threshold_sweep
from imbcore.metrics._target import encode_with_positive_code, warn


class AlertRate(NamedTuple):
    """Number of alerts per day.

    Attributes
    ----------
    mean : float
        Mean over the days.
    low, high : float
        Ends of the 95 % interval of the mean, for days that vary independently; NaN for fewer than two days.
    """

    mean: float
    low: float
    high: float


@match_rows_by_index
def precision_at_k_per_day(
    y_true: ArrayLike,
    y_score: ArrayLike,
    k: float,
    *,
    time: Any,
    per: Any = None,
    positive: object = None,
    pos_label: object = None,
) -> float:
    """Mean over the days of the precision among the ``k`` largest scores of a day.

    This is the precision top-k of the Fraud Detection Handbook (Le Borgne et al. 2022, chapter 4.4). Days
    without rows do not count. A day with fewer than ``k`` rows is still divided by ``k``. Tied rows count as
    if in random order: the value is the expectation. If ``k`` is not an integer, the numbers of alerts of the
    first i days with rows sum to ``k i``, rounded down.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_rows,)
        True labels, and scores that are larger for the positive class.
    k : float
        Number of alerts that can be checked in a day, above 0; a mean over the days if it is not an integer.
    time : sequence of shape (n_rows,)
        Dates, timestamps, ISO 8601 text, or numbers. Days begin at midnight UTC.
    per : str, timedelta or float, default=None
        Length of a day: a time span such as "1h" if ``time`` contains dates, a number if it contains numbers.
        None: "1d" for dates, 1 for numbers. Longer periods begin at multiples of their length since
        Monday, 1970-01-05, so weeks ("7d") begin on Mondays.
    positive, pos_label : label, default=None
        As in :func:`roc_curve`.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ParameterError
        ``k`` or ``per`` is outside its valid range.
    DataError
        A time is missing, or lengths differ.

    Examples
    --------
    >>> from imbcore import metrics
    >>> day = ["2024-01-01", "2024-01-01", "2024-01-02", "2024-01-02"]
    >>> metrics.precision_at_k_per_day([1, 0, 0, 1], [0.9, 0.1, 0.8, 0.3], 1, time=day)
    0.5
    """
    codes, code = encode_with_positive_code(y_true, positive, pos_label, None)
    k = validate_alerts_per_day("k", k)
    truth, scores = codes == code, to_number_array(y_score, "y_score")
    _check_length(scores, len(truth), "y_score")
    found = []
    days = rows_by_day(time, per, len(truth))
    for rows, n_checked in zip(days, _alerts_by_day(k, len(days)), strict=True):
        positives = truth[rows].astype(np.int64)
        budget = min(n_checked, len(rows))
        if not budget:
            found.append(0.0)
            continue
        expected = threshold_sweep(positives, scores[rows], 1, None, None).at_most(float(budget))[0] * budget
        found.append(expected / k)
    return float(np.mean(found))


@match_rows_by_index
def card_precision_at_k_per_day(
    y_true: ArrayLike,
    y_score: ArrayLike,
    k: float,
    *,
    time: Any,
    groups: Any,
    per: Any = None,
    remove_detected: bool = True,
    positive: object = None,
    pos_label: object = None,
) -> float:
    """Mean over the days of the fraction of compromised cards among the top ``k`` cards.

    This is the card precision top-k of the Fraud Detection Handbook (Le Borgne et al. 2022, chapter 4.4). The
    top cards of a day are the cards with the largest scores; the score of a card on a day is its largest
    score of that day. A card is compromised on a day if one of its rows of that day is positive. A card is
    detected if it is compromised and among the top cards; if ``remove_detected`` is True, its rows of later
    days do not count. Tied cards come in the order of their first rows.

    Parameters
    ----------
    y_true, y_score, k, time, per, positive, pos_label
        As in :func:`precision_at_k_per_day`.
    groups : sequence of shape (n_rows,)
        Card or customer of every row, of any hashable type.
    remove_detected : bool, default=True
        Whether to remove the rows of cards that were detected on an earlier day.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ParameterError, DataError
        As in :func:`precision_at_k_per_day`.

    Examples
    --------
    >>> from imbcore import metrics
    >>> score, day, card = [0.9, 0.8, 0.7, 0.6], [0, 0, 1, 1], ["a", "a", "a", "b"]
    >>> metrics.card_precision_at_k_per_day([1, 1, 1, 0], score, 1, time=day, groups=card)
    0.5
    """
    codes, code = encode_with_positive_code(y_true, positive, pos_label, None)
    k, remove_detected = validate_alerts_per_day("k", k), validate_flag("remove_detected", remove_detected)
    truth, scores = codes == code, to_number_array(y_score, "y_score")
    _check_length(scores, len(truth), "y_score")
    if np.isnan(scores).any():
        raise DataError("y_score contains NaN; leave out the rows without a score")
    cards = group_codes(groups, len(truth)).astype(np.int64)
    detected = np.zeros(len(truth), dtype=bool)  # by card
    found = []
    days = rows_by_day(time, per, len(truth))
    for rows, n_checked in zip(days, _alerts_by_day(k, len(days)), strict=True):
        if remove_detected:
            rows = rows[~detected[cards[rows]]]
        present, first, place = np.unique(cards[rows], return_index=True, return_inverse=True)
        largest = np.full(len(present), -np.inf)
        np.maximum.at(largest, place, scores[rows])
        compromised = np.zeros(len(present), dtype=bool)
        np.logical_or.at(compromised, place, truth[rows])
        checked = np.lexsort((first, -largest))[:n_checked]
        caught = checked[compromised[checked]]
        detected[present[caught]] = True
        found.append(len(caught) / k)
    return float(np.mean(found))


@match_rows_by_index
def days_to_detection(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    time: Any,
    groups: Any,
    per: Any = None,
    undetected: str = "end",
    positive: object = None,
    pos_label: object = None,
) -> float:
    """Mean time from the first positive row of a group to the first alert for the group.

    An alert is a row predicted positive, at or after the first positive row of its group.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True and predicted labels.
    time, per
        As in :func:`precision_at_k_per_day`; the result is in units of ``per``.
    groups : sequence of shape (n_rows,)
        Card, customer or machine of every row.
    undetected : {"end", "skip"}, default="end"
        Groups without an alert. "end": their time is counted until the last row of the data. "skip": they are
        left out of the mean.
    positive, pos_label : label, default=None
        As in :func:`roc_curve`.

    Returns
    -------
    float
        Mean time in units of ``per``, at least 0. If ``per`` is None: in days if ``time`` contains dates,
        else in the unit of ``time``. NaN, with a warning, if no group is included in the mean.

    Raises
    ------
    ParameterError, DataError
        As in :func:`precision_at_k_per_day`.

    Examples
    --------
    >>> from imbcore import metrics
    >>> metrics.days_to_detection([1, 1, 1], [0, 1, 0], time=[0, 3, 5], groups=["a", "a", "b"])
    1.5
    """
    if validate_text("undetected", undetected) not in ("end", "skip"):
        raise ParameterError(f"undetected must be 'end' or 'skip', got {undetected!r}")
    truth, alerts = positive_masks(y_true, y_pred, positive, pos_label)
    times, day = times_and_day_length(time, per, len(truth))
    cards = group_codes(groups, len(truth)).astype(np.int64)
    n_cards = int(cards.max()) + 1
    begun = np.full(n_cards, np.inf)
    np.minimum.at(begun, cards[truth], times[truth])
    counted = alerts & (times >= begun[cards])
    alerted = np.full(n_cards, np.inf)
    np.minimum.at(alerted, cards[counted], times[counted])
    positive_cards = np.isfinite(begun)
    if undetected == "skip":
        positive_cards &= np.isfinite(alerted)
    if not positive_cards.any():
        warn("days_to_detection is undefined: no group has a positive row that counts")
        return float("nan")
    ends = np.minimum(alerted[positive_cards], times.max())
    return float(np.mean((ends - begun[positive_cards]) / day))


@match_rows_by_index
def money_saved_per_day(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    amount: ArrayLike,
    *,
    time: Any,
    per: Any = None,
    groups: Any = None,
    alert_cost: float = 0.0,
    positive: object = None,
    pos_label: object = None,
) -> float:
    """Mean amount of positive rows that alerts save per day, minus the cost of the alerts.

    Without ``groups`` an alert on a positive row saves the amount of this row, and every alert costs
    ``alert_cost``. With ``groups`` several alerts of a group on one day are one alert, as in an alert budget
    per day, and cost once. The first alert on a positive row of a group blocks the group: the amounts of this
    row and of the later positive rows of the group are saved, and the later rows cause no alerts.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        True and predicted labels.
    amount : array-like of shape (n_rows,)
        Finite amounts of at least 0; only those of positive rows count.
    time, per
        As in :func:`precision_at_k_per_day`.
    groups : sequence of shape (n_rows,), default=None
        Card or customer of every row.
    alert_cost : float, default=0.0
        Cost of checking one alert, in the unit of the amounts, at least 0. With ``groups``, the alerts of a
        group on one day cost once.
    positive, pos_label : label, default=None
        As in :func:`roc_curve`.

    Returns
    -------
    float
        In the unit of the amounts; negative if alerts cost more than they save.

    Raises
    ------
    ParameterError, DataError
        As in :func:`precision_at_k_per_day`, and for invalid amounts or costs.

    Examples
    --------
    >>> from imbcore import metrics
    >>> amount, day = [100.0, 50.0, 30.0], [0, 0, 1]
    >>> metrics.money_saved_per_day([1, 0, 1], [1, 1, 0], amount, time=day, alert_cost=5.0)
    45.0
    >>> one = {"groups": ["a", "a", "b"], "alert_cost": 5.0}
    >>> metrics.money_saved_per_day([0, 1, 1], [1, 1, 0], amount, time=day, **one)
    22.5
    """
    truth, alerts = positive_masks(y_true, y_pred, positive, pos_label)
    amounts, cost = to_number_array(amount, "amount"), validate_real_number("alert_cost", alert_cost)
    _check_length(amounts, len(truth), "amount")
    if not (np.isfinite(amounts) & (amounts >= 0)).all():
        raise DataError("amount must contain finite numbers of at least 0")
    if not 0 <= cost < np.inf:
        raise ParameterError(f"alert_cost must be finite and at least 0, got {alert_cost!r}")
    days = rows_by_day(time, per, len(truth))
    saved = alerts & truth
    n_alerts = int(alerts.sum())
    if groups is not None:
        times = times_and_day_length(time, per, len(truth))[0]
        cards = group_codes(groups, len(truth)).astype(np.int64)
        order = np.argsort(times, kind="stable")
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        # Place in time of the alert that blocks a group.
        blocked = np.full(int(cards.max()) + 1, len(order))
        np.minimum.at(blocked, cards[saved], rank[saved])
        alerts = alerts & (rank <= blocked[cards])
        saved = truth & (rank >= blocked[cards])
        n_alerts = sum(len(np.unique(cards[rows[alerts[rows]]])) for rows in days)
    with np.errstate(over="ignore"):
        total = float((amounts[saved].sum() - cost * n_alerts) / len(days))
    if not np.isfinite(total):
        raise DataError("amount and alert_cost must have sums that are finite numbers; use a larger unit")
    return total


@match_rows_by_index
def alerts_per_day(y_pred: ArrayLike, *, time: Any, per: Any = None, groups: Any = None) -> AlertRate:
    """Compute the mean number of alerts per day and its 95 % interval, over the days with rows.

    The first and the last day are left out if the rows do not cover them, as if the data began or ended
    within the day. With g the longest time between two successive rows, the first day is covered if it begins
    less than g before the first row, and the last day if it ends at most g after the last row. If no other
    day remains, all days count.

    Parameters
    ----------
    y_pred : array-like of bool of shape (n_rows,)
        Whether a row causes an alert.
    time, per
        As in :func:`precision_at_k_per_day`.
    groups : sequence of shape (n_rows,), default=None
        Card or customer of every row, each counted once a day.

    Returns
    -------
    AlertRate

    Raises
    ------
    ParameterError, DataError
        As in :func:`precision_at_k_per_day`.

    Examples
    --------
    >>> from imbcore import metrics
    >>> metrics.alerts_per_day([True, True, False], time=[0, 0, 1], groups=["a", "a", "b"]).mean
    0.5
    """
    from scipy.special import stdtrit

    try:
        alerts = np.asarray(y_pred)
    except ValueError as error:
        raise DataError(f"y_pred must be a vector of booleans: {error}") from error
    if alerts.dtype.kind != "b" or alerts.ndim != 1:
        raise DataError("y_pred must be a vector of booleans, such as y_score >= 0.5")
    days = rows_by_covered_day(time, per, len(alerts))
    cards = None if groups is None else group_codes(groups, len(alerts))
    flagged = [rows[alerts[rows]] for rows in days]
    counts = np.array([len(rows if cards is None else np.unique(cards[rows])) for rows in flagged])
    mean, n_days = float(counts.mean()), len(counts)
    if n_days < 2:
        return AlertRate(mean, float("nan"), float("nan"))
    half = float(stdtrit(n_days - 1, 0.975) * counts.std(ddof=1) / np.sqrt(n_days))
    return AlertRate(mean, max(mean - half, 0.0), mean + half)


def positive_masks(
    y_true: ArrayLike, y_pred: ArrayLike, positive: object, pos_label: object
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which rows are positive, and which are predicted positive."""
    predicted = to_label_array(y_pred, "y_pred")
    codes, code = encode_with_positive_code(y_true, positive, pos_label, None)
    _check_length(predicted, len(codes), "y_pred")
    truth = codes == code
    if predicted.dtype.kind == "b" and to_label_array(y_true, "y_true").dtype.kind != "b":
        return truth, predicted
    # Labels of another type or spelling would silently be no alerts.
    label = resolve_positive_alias(positive, pos_label)
    classes, truth_codes, answers, _ = encode_true_and_predicted(y_true, predicted)
    if label is None and truth.any():
        return truth, answers == truth_codes[truth][0]
    if label is None:
        # y_true has only the negative label of a known pair, such as 0.
        label = default_positive_label(classes)
        if label is None and len(classes) > 1:
            raise DataError("y_true has no row of the positive class; give positive=")
    return truth, np.zeros(len(truth), dtype=bool) if label is None else predicted == label


def _check_length(values: Any, n_rows: int, name: str) -> None:
    if np.ndim(values) != 1 or len(values) != n_rows:
        raise DataError(f"{name} must have one value per row of y_true, which has {n_rows} rows")


def validate_alerts_per_day(name: str, k: Any) -> float:
    """Check that a mean number of alerts per day is above 0.

    Returns
    -------
    float
        The number, as an integer if it is integral.
    """
    if isinstance(k, (bool, np.bool_)) or not isinstance(k, (int, float, np.number)) or not 0 < k < 2**31:
        raise ParameterError(f"{name} must be a number above 0, got {value_text(k)}")
    return int(k) if k == int(k) else float(k)


def _alerts_by_day(k: float, n_days: int) -> list[int]:
    """Return the number of alerts of each day: their sums are multiples of k, rounded down."""
    # The rounding error of a product must not delay an alert.
    sums = np.floor(k * np.arange(n_days + 1) * (1 + 1e-12))
    return [int(number) for number in np.diff(sums)]


name_package_in_errors(globals())
