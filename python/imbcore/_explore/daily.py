"""Scores per day of the threshold page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.alert_budget import alert_budget_groups, is_per_period
from imbcore._validation.dependence import (
    columns_by_name,
    format_time_span,
    split_off_columns,
    time_span_to_seconds,
)
from imbcore._validation.row_dependence import RowGroupsAndTimes
from imbcore._validation.value_text import value_text
from imbcore.exceptions import ParameterError
from imbcore.metrics._daily_alerts import DailyAlerts, amount_column

# Number of alerts per day of a page without a budget, as in the Fraud Detection Handbook.
_ALERTS = 100
# Thresholds of the page for which scores per day are computed, besides that of the model.
_MOST_THRESHOLDS = 30
_OF_RANKS = ("precision_at_k_per_day", "card_precision_at_k_per_day")
_OF_ALERTS = ("alerts_per_day", "days_to_detection", "money_saved_per_day")


@dataclass(frozen=True)
class TimedRows:
    """Groups, times and amounts of the rows, and the alert budget."""

    groups: Any
    time: Any
    by: Any
    amounts: Any
    alerts: Any

    def daily_alerts(self, n_rows: int, date_format: str | None) -> DailyAlerts | None:
        """Validate the values; None without times.

        Raises
        ------
        ParameterError, DataError
            Groups or a budget are given without times, or a value is invalid.
        """
        if self.time is None:
            given = {"groups": self.groups, "alerts": self.alerts}
            if names := [name for name, value in given.items() if value is not None]:
                raise ParameterError(f"{names[0]} needs the times of the rows; give time, too")
            return None
        dependence = RowGroupsAndTimes.from_values((self.groups, self.time, None), n_rows, date_format)
        alerts = self.alerts
        if alerts is None:
            alerts = {"alerts": _ALERTS, "per": "1d" if dependence.dated else {"time": 1.0}}
        if not is_per_period(alerts):
            raise ParameterError(
                "alerts must be a budget per period of time, such as {'alerts': 200, 'per': '1d'}, got "
                f"{value_text(alerts)}"
            )
        return DailyAlerts.from_budget(alerts, dependence, n_rows, self.by, self.amounts, None)


def extract_daily_alert_inputs(
    X: Any, features: Sequence[str], groups: Any, time: Any, alerts: Any
) -> tuple[Any, TimedRows]:
    """Take the columns named by arguments out of a table; features of the model stay in it."""
    amount, by = amount_column(alerts, None), alert_budget_groups(alerts)
    given = {"groups": groups, "time": time, "alerts['by']": by, "alerts['amount']": amount}
    known = {argument: name for argument, name in given.items() if isinstance(name, str) and name in features}
    # Features are read, but not removed, because the model needs them.
    columns = columns_by_name(X) if known else {}
    kept = {argument: columns.get(name) for argument, name in known.items()}
    X, values = split_off_columns(X, **{name: value for name, value in given.items() if name not in known})
    values |= kept
    return X, TimedRows(
        values["groups"], values["time"], values["alerts['by']"], values["alerts['amount']"], alerts
    )


def describe_daily_scores(daily: DailyAlerts) -> str:
    """Describe how the scores per day are computed."""
    seconds = time_span_to_seconds(daily.per)
    span = f"{daily.per:g} time units" if seconds is None else format_time_span(seconds)
    return f"Means over the periods of {span} with rows; {daily.k:,} alerts are checked per period."


def compute_daily_scores(
    daily: DailyAlerts, truth: NDArray[np.bool_], scores: NDArray[np.float64], found: dict[str, Any]
) -> dict[str, Any]:
    """Compute the scores per day at some thresholds of the page.

    Parameters
    ----------
    daily
        The budget, with times, groups and amounts of the rows.
    truth, scores
        As in :func:`imbcore._explore.figures.threshold_page_data`.
    found
        Its result.

    Returns
    -------
    dict
        Plain values for JSON: scores of the ranking, and for ``positions`` of thresholds those of the alerts;
        scores that are undefined or need columns that were not given are None.
    """
    every = np.arange(len(truth))
    thresholds = found["points"]["threshold"]
    positions = _choose_threshold_positions(found)
    at = [
        daily.scores(every, truth, scores >= (np.inf if (of := thresholds[place]) is None else of), None)
        for place in positions
    ]
    ranks = daily.scores(every, truth, np.zeros(len(truth), dtype=np.bool_), scores)
    return {
        "k": daily.k,
        "per": str(daily.per),
        "unit": "days" if isinstance(daily.per, str) else "time units",
        "byGroup": daily.groups is not None,
        "positions": positions,
        **{_to_camel_case(name): _nan_to_none(ranks.get(name)) for name in _OF_RANKS},
        **{
            _to_camel_case(name): [_nan_to_none(scores_at.get(name)) for scores_at in at]
            for name in _OF_ALERTS
        },
    }


def _choose_threshold_positions(found: dict[str, Any]) -> list[int]:
    """Choose thresholds whose numbers of alerts grow by about the same factor."""
    raised = np.add(found["points"]["tp"], found["points"]["fp"])
    wanted = np.geomspace(1, raised[-1], _MOST_THRESHOLDS)
    places = np.searchsorted(raised, wanted).clip(max=len(raised) - 1)
    return sorted({found["own"]["position"], *places.tolist()})


def _to_camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.title, others))


def _nan_to_none(value: float | None) -> float | None:
    return None if value is None or np.isnan(value) else float(value)
