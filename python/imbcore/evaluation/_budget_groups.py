"""Alert budgets of learners: columns that they count by, and the budget of each fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from imbcore._validation.alert_budget import alert_budget_groups
from imbcore.evaluation._fold_fits import FoldFit
from imbcore.evaluation._learners import Estimator, Learner, NamedMethod, to_learner

__all__ = ["budget_group_columns", "with_alert_budget_of_fit"]


def budget_group_columns(learners: Iterable[Any]) -> list[str]:
    """Return the names of the columns that thresholds of learners count by."""
    found = (alert_budget_groups(_threshold_rule_of(to_learner(given))) for given in learners)
    return list(dict.fromkeys(name for name in found if isinstance(name, str)))


def with_alert_budget_of_fit(learner: Learner, values: Mapping[str, Any], fit: FoldFit) -> Learner:
    """Replace the alert budget of a learner by that of a fit.

    The name of a column that it counts by is replaced by the values of the training rows.
    """
    rule = _threshold_rule_of(learner)
    name, changed = alert_budget_groups(rule), fit.threshold(rule)
    if isinstance(name, str) and name in values:
        changed = {**changed, "by": np.asarray(values[name])[fit.train]}
    return learner if changed is rule else learner.with_parameters(threshold=changed)


def _threshold_rule_of(learner: Learner) -> Any:
    if isinstance(learner, NamedMethod):
        return learner.parameters.get("threshold")
    return learner.estimator.get_params().get("threshold") if isinstance(learner, Estimator) else None
