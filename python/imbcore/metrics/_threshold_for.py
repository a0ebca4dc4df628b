"""Thresholds for the score of the positive class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from imbcore._bindings import native
from imbcore._validation.alert_budget import alert_budget_groups, is_alert_budget
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.costs import threshold_rule_to_text
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.row_dependence import RowGroupsAndTimes
from imbcore._validation.user_warnings import warn_user
from imbcore._validation.value_text import value_text
from imbcore._validation.values import (
    Codes,
    Numbers,
    encode_label_arrays,
    to_label_array,
    to_number_array,
    to_weight_array,
)
from imbcore.exceptions import ParameterError
from imbcore.metrics._target import encode_with_positive_code


@match_rows_by_index
def threshold_for(
    y_true: ArrayLike | None,
    y_score: ArrayLike,
    goal: str | Mapping[str, Any],
    *,
    positive: object = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    time: Any = None,
    groups: Any = None,
) -> tuple[float, dict[str, Any]]:
    """Find the threshold of a score that reaches a target, and its expected performance.

    The rows must be out-of-sample for the model.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n_rows,)
        True labels, and probabilities or other finite scores of the positive class. An alert budget needs no
        labels: ``y_true`` may then be None, or contain only one class.
    goal : str or dict
        As ``threshold`` of :func:`imbcore.fit`: "f1", "f2", "g_mean", "mcc", "youden", or a dict with one of
        "recall", "precision", "fpr", "alert_rate", "alerts" (with the key "per") and "cost" (a cost matrix).
        For a cost, the key "at_most" limits the mean cost of a row. ``{"alerts": 200, "per": "1d"}`` limits
        the mean number of alerts per period of ``time``. Periods begin at multiples of their length since
        Monday, 1970-01-05, so weeks ("7d") begin on Mondays.

        The optional key "guarantee" is the confidence that the target also holds on new rows. Recall and
        rates are guaranteed by order statistics (Wilks 1941). Precision and cost are guaranteed by tests of
        several thresholds (Learn then Test: Angelopoulos, Bates, Candes, Jordan and Lei 2021). A guarantee
        for a cost needs "at_most" and scores that are probabilities.
    positive, pos_label : label, default=None
        Positive class, as in :func:`roc_curve`.
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights; not supported if the goal has the key "guarantee".
    time : sequence of shape (n_rows,), default=None
        Times of the rows, for alerts per period of time.
    groups : sequence of shape (n_rows,), default=None
        Customer or card of every row, each counted once a period; only used for alerts per period of time.

    Returns
    -------
    threshold : float
        Midpoint of two neighboring scores; with a guarantee it may be a score. If rounding leaves no number
        between both scores, it is the larger score. If all rows or no rows are to be predicted positive, the
        threshold is in [0, 1] for probabilities, and infinite for other scores.
    expected : dict
        As ``expected`` of :attr:`imbcore.Model.decision_`; without ``y_true``, only the alert rate and the
        number of alerts.

    Raises
    ------
    ParameterError
        The target is invalid.
    DataError
        No threshold reaches the target on these rows, or there are too few rows for the guarantee; the
        message gives the required number.

    Examples
    --------
    >>> from imbcore import metrics
    >>> y, p = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9]
    >>> threshold, expected = metrics.threshold_for(y, p, {"recall": 0.6})
    >>> threshold, expected["recall"]["value"]
    (0.6499999999999999, 0.6666666666666666)
    """
    weights = to_weight_array(sample_weight)
    scores, unlabeled = to_number_array(y_score, "y_score"), y_true is None
    if y_true is None:
        if not is_alert_budget(goal):
            raise ParameterError(
                f"y_true must not be None, because the target {value_text(goal)} needs labels; give labels, "
                'or an alert budget such as {"alerts": 200, "per": 50000}'
            )
        y_true, positive, pos_label = np.zeros(len(scores), dtype=np.int64), 1, None
    codes, code = encode_with_positive_code(y_true, positive, pos_label, weights)
    classes, _ = encode_label_arrays(to_label_array(y_true, "y_true"))
    by, n_rows = alert_budget_groups(goal), len(codes)
    if isinstance(by, str):
        raise ParameterError(f"goal['by'] must have one value per row, got {by!r}; or give groups=")
    related = RowGroupsAndTimes.from_values((groups, time, None), n_rows).with_alert_budget_groups(
        goal, by, n_rows
    )
    if weights is not None and time is not None and len(weights) == len(scores) == n_rows:
        # A period with rows of weight 0 only does not count.
        kept = np.flatnonzero(weights)
        codes, scores, weights, related = codes[kept], scores[kept], weights[kept], related.pick(kept)
    alert_rows = related.alert_rows(np.arange(len(codes)))
    text = threshold_rule_to_text(goal, classes)
    threshold, expected, _ = choose_threshold(goal, text, codes, code, scores, weights, alert_rows)
    if unlabeled:
        # All other values are those of made-up labels.
        expected = {name: expected[name] for name in ("alert_rate", "alerts") if name in expected}
        expected.get("alerts", {}).pop("precision", None)
    return threshold, expected


def choose_threshold(
    goal: str | Mapping[str, Any],
    text: str,
    codes: Codes,
    code: int,
    scores: Numbers,
    weights: Numbers | None,
    alert_rows: tuple[Numbers, Codes | None, Codes] | None = None,
    groups: tuple[Codes, int] | None = None,
) -> tuple[float, dict[str, Any], dict[str, Any] | None]:
    """Find the threshold for a goal, its expected performance, and the same by group.

    Parameters
    ----------
    goal, text
        The goal as given, for warnings, and in native form.
    codes, code
        Classes of the rows, and the positive class.
    scores, weights
        Scores and weights of the rows.
    alert_rows : tuple, default=None
        Times and groups of all rows, and the positions of these rows among them.
    groups : tuple, default=None
        Groups of the rows, and a seed.
    """
    found = native.metrics.threshold_for(text, codes, code, scores, weights, alert_rows, groups)
    alerts = (scores >= found[0])[slice(None) if weights is None else weights > 0]
    if alerts.all():
        limited = isinstance(goal, Mapping) and "alerts" in goal
        remedy = (
            "a lower budget, or all rows if these are only a part of them"
            if limited
            else 'a lower target, or an alert budget such as {"alerts": 100, "per": 10000}'
        )
        warn_user(
            f"the threshold chosen for {goal!r} alerts on every row; give {remedy}, or scores that "
            "separate the classes"
        )
    elif not alerts.any():
        warn_user(
            f"the threshold chosen for {goal!r} alerts on no row; lower the target, such as a lower "
            "precision or a larger budget, or give scores that separate the classes"
        )
    return found


name_package_in_errors(globals())
