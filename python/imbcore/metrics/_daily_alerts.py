"""Scores of alerts that people check period by period."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.alert_budget import check_budget_period, is_per_period, period_to_json_value
from imbcore._validation.dependence import (
    columns_by_name,
    group_codes,
    seconds_to_dates,
    time_span_to_seconds,
)
from imbcore._validation.value_text import value_text
from imbcore.exceptions import DataError, ParameterError
from imbcore.metrics import _alerts_per_day as metrics
from imbcore.metrics._alert_events import event_recall, false_alerts_per_day

__all__ = ["PER_DAY", "DailyAlerts", "amount_column", "column_values"]

PER_DAY = (
    "precision_at_k_per_day",
    "card_precision_at_k_per_day",
    "alerts_per_day",
    "false_alerts_per_day",
    "event_recall",
    "days_to_detection",
    "money_saved_per_day",
)
"""Names of the scores, which are those of the functions in :mod:`imbcore.metrics`."""
_DAY = 86_400.0
_KEYS = {"alerts", "per", "by", "amount"}


def amount_column(alerts: Any, costs: Any) -> str | None:
    """Return the column of amounts: that of an alert budget, or else of the cost of a miss."""
    if not is_per_period(alerts):
        return None
    amount = alerts.get("amount")
    if amount is None and isinstance(costs, Mapping) and isinstance(costs.get("miss"), str):
        amount = costs["miss"]
    if amount is not None and not isinstance(amount, str):
        raise ParameterError(f"alerts['amount'] must be the name of a column, got {value_text(amount)}")
    return amount


class TimedRows(Protocol):
    """Groups and times of rows, whether of a fit or of an evaluation."""

    @property
    def groups(self) -> NDArray[np.uint32] | None:
        """Codes of the groups."""

    @property
    def time(self) -> NDArray[np.float64] | None:
        """Times; dates are seconds since 1970-01-05 UTC."""

    @property
    def dated(self) -> bool:
        """Whether the times are dates."""


@dataclass(frozen=True)
class DailyAlerts:
    """Alert budget per period of time, with the values of the rows that its scores need.

    Parameters
    ----------
    k : float
        Number of alerts that can be checked in a period; a mean over the periods if it is not an integer.
    time : ndarray of shape (n_rows,)
        Dates or numbers.
    per : str or float
        Length of a period.
    groups : ndarray of shape (n_rows,) or None
        Codes of cards or customers.
    amounts : ndarray of shape (n_rows,) or None
        Amounts of the rows.
    alert_cost : float
        Cost of checking an alert.
    """

    k: float
    time: NDArray[Any]
    per: Any
    groups: NDArray[np.uint32] | None
    amounts: NDArray[np.float64] | None
    alert_cost: float

    @classmethod
    def from_budget(
        cls, alerts: Any, dependence: TimedRows, n_rows: int, by: Any, amounts: Any, costs: Any
    ) -> DailyAlerts | None:
        """Validate an alert budget of the user; None if it is not one per period of time.

        Parameters
        ----------
        alerts : mapping or any
            As in :func:`imbcore.evaluate`.
        dependence : TimedRows
            Groups and times.
        n_rows : int
        by, amounts : sequence of shape (n_rows,) or None
            Values of the columns that the budget names.
        costs : mapping or any
            Costs per row, whose number for a false alarm is the cost of an alert.

        Raises
        ------
        ParameterError, DataError
            The budget does not match the times, or amounts are not numbers.
        """
        if not is_per_period(alerts):
            return None
        if unknown := set(alerts) - _KEYS:
            raise ParameterError(
                f"alerts has the unknown key {min(map(str, unknown))!r}; use {sorted(_KEYS)}"
            )
        check_budget_period(alerts, None if dependence.time is None else dependence.dated, "alerts")
        assert dependence.time is not None
        per = period_to_json_value(alerts["per"], "alerts")
        groups = dependence.groups if by is None else group_codes(by, n_rows, "alerts['by']")
        if amounts is not None:
            try:
                amounts = np.asarray(amounts, dtype=np.float64)
            except (TypeError, ValueError) as error:
                raise DataError(f"alerts: the column of amounts must contain numbers: {error}") from error
            if not (np.isfinite(amounts).all() and (amounts >= 0).all()):
                raise DataError("alerts: the column of amounts must contain finite numbers of at least 0")
        alarm = costs.get("alarm") if isinstance(costs, Mapping) else None
        return cls(
            metrics.validate_alerts_per_day("alerts['alerts']", alerts.get("alerts")),
            seconds_to_dates(dependence.time) if dependence.dated else dependence.time,
            per["time"] if isinstance(per, Mapping) else per,
            groups,
            amounts,
            float(alarm) if isinstance(alarm, (int, float, np.number)) else 0.0,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the scores, which depend on groups and amounts."""
        needs = {
            "card_precision_at_k_per_day": self.groups,
            "event_recall": self.groups,
            "days_to_detection": self.groups,
            "money_saved_per_day": self.amounts,
        }
        return tuple(name for name in PER_DAY if needs.get(name, self.time) is not None)

    @property
    def period(self) -> str:
        """Length of a period as text: "day", "7d", or a number of time units."""
        if isinstance(self.per, str):
            return "day" if time_span_to_seconds(self.per) == _DAY else self.per.replace(" ", "")
        return "time unit" if self.per == 1 else f"{self.per:g} time units"

    def key(self) -> bytes:
        """Identify the budget and its values."""
        values = (self.time, self.groups, self.amounts)
        parts = [np.ascontiguousarray(of).tobytes() for of in values if of is not None]
        return b"".join([repr((self.k, self.per, self.alert_cost, self.names)).encode(), *parts])

    def scores(
        self,
        rows: NDArray[np.int64],
        is_positive: NDArray[np.bool_],
        predicted: NDArray[np.bool_],
        values: NDArray[np.float64] | None,
    ) -> dict[str, float]:
        """Compute the scores of one test set.

        Parameters
        ----------
        rows : ndarray of shape (n_tested,)
            Positions of the test rows.
        is_positive, predicted : ndarray of shape (n_tested,)
            Whether rows are positive, and whether they are predicted to be.
        values : ndarray of shape (n_tested,) or None
            Scores that are larger for the positive class.

        Returns
        -------
        dict
            By the names in :attr:`names`; NaN for undefined scores.
        """
        times: dict[str, Any] = {"time": self.time[rows], "per": self.per}
        given = {**times, "positive": True}
        cards = None if self.groups is None else self.groups[rows]
        found = dict.fromkeys(self.names, float("nan"))
        found["alerts_per_day"] = metrics.alerts_per_day(predicted, **times, groups=cards)[0]
        found["false_alerts_per_day"] = false_alerts_per_day(is_positive, predicted, **given, groups=cards)
        if values is not None:
            found["precision_at_k_per_day"] = metrics.precision_at_k_per_day(
                is_positive, values, k=self.k, **given
            )
        if values is not None and cards is not None:
            found["card_precision_at_k_per_day"] = metrics.card_precision_at_k_per_day(
                is_positive, values, k=self.k, groups=cards, **given
            )
        if cards is not None and is_positive.any():
            of_groups: dict[str, Any] = {"groups": cards, "time": times["time"], "positive": True}
            found["event_recall"] = event_recall(is_positive, predicted, **of_groups)
            # In days, or in the unit of the times, for periods of any length.
            found["days_to_detection"] = metrics.days_to_detection(is_positive, predicted, **of_groups)
        if self.amounts is not None:
            found["money_saved_per_day"] = metrics.money_saved_per_day(
                is_positive,
                predicted,
                self.amounts[rows],
                groups=cards,
                alert_cost=self.alert_cost,
                **given,
            )
        return found


def column_values(X: Any, name: str | None) -> Any:
    """Return the values of a column of a table in memory; None without a name."""
    if name is None:
        return None
    columns = columns_by_name(X)
    if name not in columns:
        raise ParameterError(f"alerts: X has no column {name!r} with amounts")
    return columns[name]
