"""Conversion of alert budgets to native form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from imbcore._validation.value_text import value_text
from imbcore.exceptions import ParameterError


def alerts_of(alerts: Any) -> tuple[float, float | None] | None:
    """Convert an alert budget to (alerts, rows); rows of None mean all rows together."""
    if alerts is None:
        return None
    expected = (
        "alerts must be a number of alerts, at least 1, for all rows together; or {'alerts': 200, 'per': "
        "50000}; or {'alert_rate': 0.01}, below 1"
    )
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


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, (bool, np.timedelta64))
