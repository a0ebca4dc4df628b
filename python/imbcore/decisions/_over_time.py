"""Check of a threshold on the periods that follow its choice."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import numpy as np

from imbcore._bindings import native
from imbcore._validation.arguments import explain_functions
from imbcore._validation.costs import goal_text
from imbcore._validation.dependence import (
    group_codes,
    holds_dates,
    span_seconds,
    take_columns,
    time_values,
)
from imbcore._validation.labelled import rows_by_index
from imbcore._validation.value_text import value_text
from imbcore._validation.values import labels_of
from imbcore.exceptions import DataError, ParameterError

# Measure of each target, and whether the target is its smallest value.
_TARGETS = {
    "recall": ("recall", True),
    "precision": ("precision", True),
    "fpr": ("fpr", False),
    "alert_rate": ("alert_rate", False),
    "alerts": ("alert_rate", False),
    "cost": ("cost", False),
}


@rows_by_index
def check_over_time(
    model: Any, X: Any, y: Any, *, time: Any, period: Any, groups: Any = None, date_format: str | None = None
) -> list[dict[str, Any]]:
    """Compare the target of a threshold with its realized values in later periods.

    A guarantee cannot cover changes over time. This check shows whether a target that was chosen on earlier
    rows is still met: each period contains the rows of one time span, with labels that became known later.

    Parameters
    ----------
    model : Model or classifier
        Fitted with a target in ``threshold=``, such as ``{"recall": 0.8, "guarantee": 0.95}``.
    X : table of shape (n_rows, n_features)
        Rows that are later than the training rows.
    y : sequence of shape (n_rows,)
        Their labels.
    time : sequence of shape (n_rows,) or name of a column
        Times of the rows: numbers or dates.
    period : str, timedelta or float
        Length of a period: a time span such as "30d" if ``time`` contains dates, else a number. The first
        period starts at the earliest time.
    groups : sequence of shape (n_rows,) or name of a column, default=None
        Groups of the rows. The values are then for a random row of a random group, with intervals by group;
        if the target has "max_group_size", they are for all rows.
    date_format : str, default=None
        Format of dates given as text; None means ISO 8601.

    Returns
    -------
    list of dict
        One entry for each period with rows, in the order of time: ``start`` and ``end``, a datetime in UTC or
        a number; ``n_rows`` and ``n_positives``; ``target``; ``value``, None if it is undefined, and the ends
        ``low`` and ``high`` of its 95 % interval; ``met``: whether the value meets the target, None if
        undefined; ``contradicted``: whether the whole interval misses the target.

    Raises
    ------
    ParameterError
        The model has no target, its target is a number of alerts per time span, or ``period`` is invalid.
    DataError
        There is not one label and time per row.

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
    decision = _decision(model)
    goal = decision["goal"]
    target = _target(goal, decision)
    X, given = take_columns(X, time=time, groups=groups)
    truth = labels_of(y, "y")
    times = time_values(given["time"], len(truth), date_format)
    dated = holds_dates(given["time"])
    codes = None if groups is None else group_codes(given["groups"], len(truth))
    by_group = codes is not None and "max_group_size" not in goal
    span = _span(period, dated)
    classes = np.asarray(model.classes_)
    code = classes.tolist().index(decision["positive"])
    is_positive = np.asarray(truth == decision["positive"])
    alerts = (np.asarray(model.predict(X)) == decision["positive"]).astype(np.float64)
    if len(alerts) != len(truth):
        raise DataError(f"X has {len(alerts)} rows, but y has {len(truth)} labels")
    text, first = goal_text(goal, classes), times.min(initial=np.inf)
    number = np.floor((times - first) / span).astype(np.int64)
    found = []
    for place in np.unique(number):
        rows = np.flatnonzero(number == place)
        per_row, of_groups = native.metrics.performance_at(
            text,
            0.5,
            np.where(is_positive[rows], code, 1 - code).astype(np.uint32),
            code,
            alerts[rows],
            None if codes is None else group_codes(codes[rows], len(rows)),
        )
        realized = _realized(of_groups if by_group and of_groups is not None else per_row, goal, target)
        ends = {"start": first + place * span, "end": first + (place + 1) * span}
        found.append(
            {
                **{name: _moment(end) if dated else float(end) for name, end in ends.items()},
                "n_rows": len(rows),
                "n_positives": int(is_positive[rows].sum()),
                "target": target,
                **realized,
            }
        )
    return found


def _decision(model: Any) -> dict[str, Any]:
    """Return the decision of a model or estimator, which must have a target."""
    decision = getattr(model, "decision_", None)
    if decision is None:
        decision = getattr(getattr(model, "model_", None), "decision_", None)
    goal = None if decision is None else decision.get("goal")
    if decision is None or not isinstance(goal, Mapping) or not set(goal) & set(_TARGETS):
        raise ParameterError(
            "check_over_time needs a model fitted with a target in threshold=, such as {'recall': 0.8}; "
            f"got threshold={value_text(goal)}"
        )
    return dict(decision)


def _target(goal: Mapping[str, Any], decision: Mapping[str, Any]) -> float:
    """Return the value that the measure of the goal must reach."""
    if "alerts" in goal and not isinstance(goal.get("per", 1), (int, float)):
        raise ParameterError(
            "check_over_time needs an alert budget for a number of rows; for a budget per time span, compare "
            "metrics.alerts_per_day with it"
        )
    if "alerts" in goal:
        return float(goal["alerts"]) / float(goal.get("per", decision["n_rows"]))
    if "cost" in goal:
        if goal.get("at_most") is None:
            raise ParameterError('check_over_time needs a limit of the cost; fit with "at_most"')
        return float(goal["at_most"])
    return float(next(goal[name] for name in _TARGETS if name in goal))


def _realized(performance: dict[str, Any], goal: Mapping[str, Any], target: float) -> dict[str, Any]:
    """Return the value of the measure of the goal, and whether it meets the target."""
    measure, least = next(_TARGETS[name] for name in _TARGETS if name in goal)
    if measure == "cost":
        low, high = performance["cost_interval"]
        value = performance["cost"]
    else:
        part = performance[measure] or {}
        value, low, high = (part.get(name) for name in ("value", "low", "high"))
    if value is None:
        return {"value": None, "low": None, "high": None, "met": None, "contradicted": False}
    met, contradicted = (value >= target, high < target) if least else (value <= target, low > target)
    return {"value": value, "low": low, "high": high, "met": met, "contradicted": contradicted}


def _span(period: Any, dated: bool) -> float:
    """Convert the length of a period to the unit of the times."""
    is_number = isinstance(period, (int, float, np.integer, np.floating)) and not isinstance(period, bool)
    seconds = span_seconds(period) if dated else (float(period) if is_number else None)
    if seconds is None or not 0 < seconds < np.inf:
        form = "a time span such as '30d'" if dated else "a number"
        raise ParameterError(
            f"period must be {form} above 0, because time contains "
            f"{'dates' if dated else 'numbers'}, got {value_text(period)}"
        )
    return seconds


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


explain_functions(globals())
