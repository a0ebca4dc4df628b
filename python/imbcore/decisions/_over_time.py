"""Check of a threshold on the periods that follow its choice."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from inspect import signature
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._validation.alert_budget import (
    BY_VALUES,
    budget_period_length,
    check_budget_period,
    is_alert_budget,
    is_per_period,
)
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.costs import threshold_rule_to_text
from imbcore._validation.dependence import (
    ORIGIN,
    columns_by_name,
    group_codes,
    holds_dates,
    split_off_columns,
    time_span_to_seconds,
    times_to_numbers,
)
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.value_text import value_text
from imbcore._validation.values import to_label_array
from imbcore.exceptions import DataError, ParameterError
from imbcore.metrics import alerts_per_day
from imbcore.metrics._periods import are_ends_covered, period_numbers

_DAY = 86_400.0
# Measure of each target, and whether the target is its smallest value.
_TARGETS = {
    "recall": ("recall", True),
    "precision": ("precision", True),
    "fpr": ("fpr", False),
    "alert_rate": ("alert_rate", False),
    "alerts": ("alert_rate", False),
    "cost": ("cost", False),
}


@match_rows_by_index
def check_over_time(
    model: Any,
    X: Any,
    y: Any,
    *,
    time: Any,
    period: Any = None,
    groups: Any = None,
    goal: Mapping[str, Any] | None = None,
    date_format: str | None = None,
    n_threads: int | None = None,
) -> list[dict[str, Any]]:
    """Compare the target of a threshold with its realized values in later periods.

    A guarantee cannot cover changes over time. This check shows whether a target that was chosen on earlier
    rows is still met: each period contains the rows of one time span, with labels that became known after the
    prediction. An alert budget needs no labels.

    Parameters
    ----------
    model : Model or classifier
        Fitted with a target in ``threshold=``, such as ``{"recall": 0.8, "guarantee": 0.95}``. If ``goal`` is
        given, any model or classifier with the attribute ``decision_``.
    X : table of shape (n_rows, n_features)
        Rows that are later than the training rows.
    y : sequence of shape (n_rows,) or None
        Labels of the rows; may be None for an alert budget.
    time : sequence of shape (n_rows,) or name of a column
        Times of the rows: numbers or dates.
    period : str, timedelta or float, default=None
        Length of a period: a time span such as "30d" if ``time`` contains dates, else a number. For dates,
        periods of whole weeks begin on Mondays, and other periods of whole days begin at midnight (UTC). The
        first period starts with the week or day of the earliest time. Other periods start at the earliest
        time.

        For an alert budget per time span, the period must be a whole multiple of this span; the default is
        the span itself. If the start by these rules would divide a span, the first period starts with the
        span that contains the earliest time. The spans are counted from Monday, 1970-01-05, if ``time``
        contains dates, else from 0.
    groups : sequence of shape (n_rows,) or name of a column, default=None
        Groups of the rows. With groups, the results refer to a random row of a random group, and the
        intervals count groups. If the target has the key "max_group_size", the results refer to all rows. An
        alert budget per time span counts each group once per span. If the key "by" of the target names a
        column of ``X``, the budget counts the values of this column instead of ``groups``.
    goal : dict, default=None
        Target to check, in the form of ``threshold=``. Needed if the threshold was given as a number or set
        by :meth:`imbcore.Model.with_threshold`. None: the target for which the threshold was chosen.
    date_format : str, default=None
        Format of dates given as text; None means ISO 8601.
    n_threads : int, default=None
        Number of threads of the predictions; -1 uses all cores. None: the default of the model.

    Returns
    -------
    list of dict
        One entry for each period with rows, in the order of time:

        - ``start`` and ``end``: datetimes in UTC, or numbers.
        - ``n_rows``: number of rows.
        - ``n_positives`` and ``n_found``: numbers of positive rows, and of positive rows with an alert. Both
          are None without labels.
        - ``target``: the target value.
        - ``value``: the realized value, None if it is undefined; ``low`` and ``high``: the ends of its 95 %
          interval. For a budget per time span, ``value`` is the mean number of alerts per span, over the
          spans with rows. ``low`` and ``high`` are then None if only one span of the period has rows.
        - ``met``: whether the value meets the target; None if the value is undefined.
        - ``contradicted``: whether the whole interval misses the target; None without an interval.
        - ``complete``: whether the rows cover the whole period. With g the longest time between two
          successive rows, the first period is not complete if it begins g or more before the first row. The
          last period is not complete if it ends more than g after the last row.

    Raises
    ------
    ParameterError
        There is no target, or ``period`` is invalid or missing; or labels are missing and the target is not
        an alert budget; or ``n_threads`` is given for a classifier without this option.
    DataError
        The number of labels or times differs from the number of rows, or ``y`` has a label that the model
        does not have.

    Examples
    --------
    >>> import imbcore
    >>> import numpy as np
    >>> from imbcore.datasets import make_disjunct_grid
    >>> from imbcore.decisions import check_over_time
    >>> X, y = make_disjunct_grid(3000, random_state=0)
    >>> order = np.random.default_rng(0).permutation(3000)
    >>> X, y = X[order], y[order]
    >>> day = np.arange(3000) // 10
    >>> model = imbcore.fit(
    ...     X[:2000],
    ...     y[:2000],
    ...     "hddt",
    ...     threshold={"recall": 0.5, "guarantee": 0.9},
    ...     time=day[:2000],
    ...     random_state=0,
    ... )
    >>> [found["met"] for found in check_over_time(model, X[2000:], y[2000:], time=day[2000:], period=50)]
    [True, True]
    """
    decision = _decision_with_goal(model, goal)
    goal = decision["goal"]
    by = _budget_groups(X, goal, groups) if is_per_period(goal) else groups
    X, given = split_off_columns(X, time=time, groups=by)
    alerts = np.asarray(np.asarray(call_with_threads(model, "predict", X, n_threads)) == decision["positive"])
    is_positive = (
        None
        if y is None and is_alert_budget(goal)
        else _positive_mask(y, model, decision["positive"], len(alerts))
    )
    times = times_to_numbers(given["time"], len(alerts), date_format)
    dated = holds_dates(given["time"])
    codes = None if by is None else group_codes(given["groups"], len(alerts))
    rows = _AlertRows(alerts, is_positive, times, codes)
    if is_per_period(goal):
        check_budget_period(goal, dated, "goal")
        length = budget_period_length(goal)
        assert length is not None
        span = length if period is None else _period_length(period, dated)
        if abs(span / length - round(span / length)) > 1e-9 or span < length / 2:
            raise ParameterError(
                f"period must be a whole multiple of {value_text(goal['per'])}, the time span of the budget, "
                f"got {value_text(period)}"
            )
        first, target = _first_period_start(times, span, dated, length), float(goal["alerts"])
        realized = partial(_alerts_per_span, rows, length, target)
    else:
        span = _period_length(period, dated)
        first, target = _first_period_start(times, span, dated), _goal_target_value(goal, decision)
        realized = partial(_value_and_is_met, rows, model, decision, target)
    number = period_numbers(times - first, span)
    found = []
    for place in np.unique(number):
        members = np.flatnonzero(number == place)
        ends = {"start": first + place * span, "end": first + (place + 1) * span}
        found.append(
            {
                **{name: _seconds_to_datetime(end) if dated else float(end) for name, end in ends.items()},
                "n_rows": len(members),
                "n_positives": None if is_positive is None else int(is_positive[members].sum()),
                "n_found": None if is_positive is None else int((is_positive & alerts)[members].sum()),
                "target": target,
                **realized(members),
                "complete": True,
            }
        )
    if found:
        begin, end = first + number.min() * span, first + (number.max() + 1) * span
        found[0]["complete"], last = are_ends_covered(times, begin, end)
        found[-1]["complete"] &= last
    return found


def call_with_threads(model: Any, method: str, X: Any, n_threads: int | None) -> Any:
    """Call a method of predictions with a number of threads; None as the model is set.

    Raises
    ------
    ParameterError
        The method has no number of threads.
    """
    if n_threads is None:
        return getattr(model, method)(X)
    call = getattr(getattr(model, "model_", model), method)
    if "n_threads" not in signature(call).parameters:
        raise ParameterError(
            f"n_threads must be None for a {type(model).__name__}, got {value_text(n_threads)}"
        )
    return call(X, n_threads=n_threads)


def _first_period_start(
    times: NDArray[np.float64], span: float, dated: bool, length: float | None = None
) -> float:
    """Return the start of the first period: of a week, day or budget span, or the earliest time.

    Parameters
    ----------
    times : ndarray of shape (n_rows,)
    span : float
        Length of a period.
    dated : bool
        Whether the times are dates, in seconds since a Monday.
    length : float, default=None
        Time span of an alert budget, of which the start must be a multiple.
    """
    if not len(times):
        return 0.0
    units = [7 * _DAY, _DAY] if dated else []
    fitting = (unit for unit in units if span % unit == 0 and (length is None or unit % length == 0))
    unit = next(fitting, length)
    earliest = float(times.min())
    return earliest if unit is None else float(period_numbers(times, unit).min()) * unit


class _AlertRows(NamedTuple):
    """Alerts and labels of the rows."""

    alerts: NDArray[np.bool_]
    is_positive: NDArray[np.bool_] | None
    times: NDArray[np.float64]
    codes: NDArray[np.uint32] | None


def _positive_mask(y: Any, model: Any, positive: Any, n_rows: int) -> NDArray[np.bool_]:
    if y is None:
        raise ParameterError("y must not be None unless the target is an alert budget; give the labels")
    truth = to_label_array(y, "y")
    if len(truth) != n_rows:
        raise DataError(f"X has {n_rows} rows, but y has {len(truth)} labels")
    classes = np.asarray(model.classes_).tolist()
    if unknown := [label for label in dict.fromkeys(truth.tolist()) if label not in classes]:
        raise DataError(f"y contains the label {unknown[0]!r}, which the model does not have: {classes}")
    return np.asarray(truth == positive)


def _budget_groups(X: Any, goal: Mapping[str, Any], groups: Any) -> Any:
    """Return the groups that a budget counts once: values, the name of a column, or None."""
    by = goal.get("by")
    if by is None or groups is None:
        if isinstance(by, str) and by == BY_VALUES and by not in columns_by_name(X):
            raise ParameterError(
                "groups must be given, because the budget counts by values that are not stored"
            )
        return groups if by is None else by
    return by if by in columns_by_name(X) else groups


def _alerts_per_span(
    rows: _AlertRows, length: float, target: float, members: NDArray[np.int64]
) -> dict[str, Any]:
    """Return the mean number of alerts per time span, and whether it meets the budget."""
    groups = None if rows.codes is None else rows.codes[members]
    value, *ends = alerts_per_day(rows.alerts[members], time=rows.times[members], per=length, groups=groups)
    low, high = (None if np.isnan(end) else end for end in ends)
    contradicted = None if low is None else low > target
    return {"value": value, "low": low, "high": high, "met": value <= target, "contradicted": contradicted}


def _value_and_is_met(
    rows: _AlertRows, model: Any, decision: Mapping[str, Any], target: float, members: NDArray[np.int64]
) -> dict[str, Any]:
    """Return the value of a target about rows, and whether it meets the target."""
    goal, classes = decision["goal"], np.asarray(model.classes_)
    code = classes.tolist().index(decision["positive"])
    is_positive = np.zeros(len(members), bool) if rows.is_positive is None else rows.is_positive[members]
    per_row, of_groups = native.metrics.performance_at(
        threshold_rule_to_text(goal, classes),
        0.5,
        np.where(is_positive, code, 1 - code).astype(np.uint32),
        code,
        rows.alerts[members].astype(np.float64),
        None if rows.codes is None else group_codes(rows.codes[members], len(members)),
    )
    performance = per_row if of_groups is None or "max_group_size" in goal else of_groups
    return _realized_value(performance, goal, target)


def _decision_with_goal(model: Any, goal: Any) -> dict[str, Any]:
    """Return the decision of a model or estimator with the target to check."""
    decision = getattr(model, "decision_", None)
    if decision is None:
        decision = getattr(getattr(model, "model_", None), "decision_", None)
    if decision is None:
        raise ParameterError(
            f"check_over_time needs a fitted model or classifier of imbcore, got {type(model).__name__}"
        )
    given = goal is not None
    goal = goal if given else decision.get("goal")
    if not isinstance(goal, Mapping) or not set(goal) & set(_TARGETS):
        got = f"got goal={value_text(goal)}" if goal is not None else "the model stores no target"
        raise ParameterError(
            "check_over_time needs a model fitted with a target in threshold=, such as {'recall': 0.8}, or "
            f"the target to check in goal=; {got}"
        )
    if given:
        classes = np.asarray(model.classes_)
        if len(classes) > 2 and not is_per_period(goal):
            raise ParameterError(
                f"goal must be an alert budget per time span for a model with {len(classes)} classes, got "
                f"{value_text(dict(goal))}"
            )
        # Rejects invalid targets.
        codes = np.arange(2, dtype=np.uint32)
        native.metrics.performance_at(threshold_rule_to_text(goal, classes), 0.5, codes, 1, np.zeros(2), None)
    return {**decision, "goal": goal}


def _goal_target_value(goal: Mapping[str, Any], decision: Mapping[str, Any]) -> float:
    """Return the value that the measure of the goal must reach."""
    if "alerts" in goal:
        per = goal.get("per", decision.get("n_rows"))
        if per is None:
            raise ParameterError(
                f'goal needs "per", a number of rows or a time span, got {value_text(dict(goal))}'
            )
        return float(goal["alerts"]) / float(per)
    if "cost" in goal:
        if goal.get("at_most") is None:
            raise ParameterError('check_over_time needs a limit of the cost; fit with "at_most"')
        return float(goal["at_most"])
    return float(next(goal[name] for name in _TARGETS if name in goal))


def _realized_value(performance: dict[str, Any], goal: Mapping[str, Any], target: float) -> dict[str, Any]:
    """Return the value of the measure of the goal, and whether it meets the target."""
    measure, least = next(_TARGETS[name] for name in _TARGETS if name in goal)
    if measure == "cost":
        low, high = performance["cost_interval"]
        value = performance["cost"]
    else:
        part = performance[measure] or {}
        value, low, high = (part.get(name) for name in ("value", "low", "high"))
    if value is None:
        return {"value": None, "low": None, "high": None, "met": None, "contradicted": None}
    met, contradicted = (value >= target, high < target) if least else (value <= target, low > target)
    return {"value": value, "low": low, "high": high, "met": met, "contradicted": contradicted}


def _period_length(period: Any, dated: bool) -> float:
    """Convert the length of a period to the unit of the times."""
    is_number = isinstance(period, (int, float, np.integer, np.floating)) and not isinstance(period, bool)
    seconds = time_span_to_seconds(period) if dated else (float(period) if is_number else None)
    if seconds is None or not 0 < seconds < np.inf:
        form = "a time span such as '30d'" if dated else "a number"
        raise ParameterError(
            f"period must be {form} above 0, because time contains "
            f"{'dates' if dated else 'numbers'}, got {value_text(period)}"
        )
    return seconds


def _seconds_to_datetime(seconds: float) -> datetime:
    try:
        return ORIGIN.item().replace(tzinfo=UTC) + timedelta(seconds=seconds)
    except OverflowError as error:
        raise DataError("a period ends outside the years 1 to 9999; correct the times") from error


name_package_in_errors(globals())
