"""Conversion of alert budgets to native form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from imbcore._validation.dependence import time_span_to_seconds
from imbcore._validation.value_text import value_text
from imbcore.exceptions import ParameterError

# Stored in place of the values of "by".
BY_VALUES = "(values)"


def parse_alert_budget(alerts: Any, *, timed: bool = True) -> tuple[float, float | None] | None:
    """Convert an alert budget to (alerts, rows); rows is None for all rows together.

    ``timed`` is whether the caller takes times, which errors then mention.
    """
    if alerts is None:
        return None
    expected = (
        "alerts must be a number of alerts, at least 1, for all rows together; or {'alerts': 200, 'per': "
        "50000}; or {'alert_rate': 0.01}, below 1"
    )
    if timed:
        expected += "; or with time {'alerts': 200, 'per': '1d'}"
    if _is_number(alerts):
        alerts = {"alerts": alerts}
    if not isinstance(alerts, Mapping) or not all(_is_number(value) for value in alerts.values()):
        raise ParameterError(f"{expected}, got {value_text(alerts)}")
    numbers = {name: float(value) for name, value in alerts.items()}
    match numbers:
        case {"alert_rate": rate, **rest} if not rest and 0 < rate < 1:
            return rate, 1.0
        case {"alerts": most, "per": per, **rest} if not rest and 1 <= most < per < np.inf:
            return most, per
        case {"alerts": most, **rest} if not rest and 1 <= most < np.inf:
            return most, None
    raise ParameterError(f"{expected}, got {value_text(dict(alerts))}")


def alert_budget_as_threshold(alerts: Any, n_rows: int) -> dict[str, Any] | None:
    """Convert a valid alert budget of scores to a threshold rule, as JSON values.

    Parameters
    ----------
    alerts : any
        As in :func:`imbcore.evaluate`; amounts, and groups that are no column name, are left out.
    n_rows : int
        Number of rows of the table, to which a budget without ``per`` refers.

    Returns
    -------
    dict or None
        None without a budget.
    """
    if alerts is None:
        return None
    rule = dict(alerts) if isinstance(alerts, Mapping) else {"alerts": alerts, "per": n_rows}
    rule.pop("amount", None)
    if not isinstance(rule.get("by"), str):
        rule.pop("by", None)
    if "alerts" in rule:
        per = period_to_json_value(rule.pop("per", n_rows), "alerts")
        rule = {"alerts": _shortest_number(rule.pop("alerts")), "per": _shortest_number(per), **rule}
    return rule


def _shortest_number(value: Any) -> Any:
    """Convert an integral number to an integer; return other values unchanged."""
    return int(value) if isinstance(value, (float, np.number)) and value == int(value) else value


def alert_budget_groups(threshold: Any) -> Any:
    """Return the groups that an alert budget counts: a column name, values, or None."""
    return threshold.get("by") if isinstance(threshold, Mapping) else None


def is_alert_budget(goal: Any) -> bool:
    """Whether a target limits the number of alerts, which needs no labels."""
    return isinstance(goal, Mapping) and ("alerts" in goal or "alert_rate" in goal)


def is_per_period(alerts: Any) -> bool:
    """Whether an alert budget is for a period of time, and not for a number of rows."""
    per = alerts.get("per") if isinstance(alerts, Mapping) else None
    return per is not None and not _is_number(per) and not isinstance(per, bool)


def budget_period_length(threshold: Any) -> float | None:
    """Return the length of the period of an alert budget; None for other rules."""
    if not is_per_period(threshold):
        return None
    per = threshold["per"]
    seconds = time_span_to_seconds(per)
    return float(per["time"]) if seconds is None else seconds


def check_budget_period(threshold: Any, dated: bool | None, name: str = "threshold") -> None:
    """Check that the period of an alert budget matches the type of the times.

    Parameters
    ----------
    threshold : any
        Threshold rule of the user.
    dated : bool or None
        Whether the times are dates; None if there are no times.
    name : str, default="threshold"
        Name of the parameter, for errors.

    Raises
    ------
    ParameterError
        The period is a time span, and times are missing or have another type.
    """
    if not is_per_period(threshold):
        return
    per, name = threshold["per"], f"{name}['per']"
    if dated is None:
        raise ParameterError(
            f"{name} is a time span, {value_text(per)}, which needs time=; or give a number of rows in 'per'"
        )
    if dated and isinstance(per, Mapping):
        raise ParameterError(
            f"{name} must be a time span such as '1d' if time contains dates, got {value_text(per)}"
        )
    if not dated and not isinstance(per, Mapping):
        raise ParameterError(
            f"time contains numbers, so {name} must be {{'time': 1.0}} with the length of a period, or a "
            f"number of rows, got {value_text(per)}"
        )


def period_to_json_value(per: Any, name: str = "threshold") -> Any:
    """Convert the period of an alert budget to a JSON value.

    Raises
    ------
    ParameterError
        It is neither a number nor a length of time.
    """
    if _is_number(per):
        return float(per)
    if isinstance(per, Mapping) and list(per) == ["time"] and _is_number(per["time"]):
        return {"time": float(per["time"])}
    seconds = time_span_to_seconds(per)
    if seconds is None:
        raise ParameterError(
            f"{name}['per'] must be a number of rows; a time span: a timedelta or text such as '1d' (s, min, "
            f"h, d, w); or {{'time': 1.0}} if time contains numbers, got {value_text(per)}"
        )
    return per if isinstance(per, str) else _span_text(seconds)


def _span_text(seconds: float) -> str:
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds and seconds % size == 0:
            return f"{seconds / size:.0f}{unit}"
    return f"{seconds:.6f}".rstrip("0").rstrip(".") + "s"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, (bool, np.timedelta64))
