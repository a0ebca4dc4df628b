"""Columns that alert budgets of learners count by, which are removed from the features."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.alert_budget import alert_budget_groups
from imbcore.evaluation._learners import Estimator, Learner, NamedMethod, to_learner

__all__ = ["budget_group_columns", "set_budget_group_values"]


def budget_group_columns(learners: Iterable[Any]) -> list[str]:
    """Return the names of the columns that thresholds of learners count by."""
    found = (alert_budget_groups(_threshold_rule_of(to_learner(given))) for given in learners)
    return list(dict.fromkeys(name for name in found if isinstance(name, str)))


def set_budget_group_values(learner: Learner, values: Mapping[str, Any], rows: NDArray[Any]) -> Learner:
    """Replace the name of a column in the alert budget of a learner by its values for some rows."""
    rule = _threshold_rule_of(learner)
    name = alert_budget_groups(rule)
    if not isinstance(name, str) or name not in values:
        return learner
    return learner.with_parameters(threshold={**rule, "by": np.asarray(values[name])[rows]})


def _threshold_rule_of(learner: Learner) -> Any:
    if isinstance(learner, NamedMethod):
        return learner.parameters.get("threshold")
    return learner.estimator.get_params().get("threshold") if isinstance(learner, Estimator) else None
