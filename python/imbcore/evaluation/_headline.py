"""Result of a comparison in one or two sentences."""

from __future__ import annotations

import math
from statistics import fmean
from typing import Any

import numpy as np

from imbcore._bindings import native
from imbcore._validation.digits import score_text
from imbcore.evaluation._exact_bounds import clopper_pearson
from imbcore.evaluation._findings import ComparisonResults
from imbcore.evaluation._group_intervals import is_zero_width_interval
from imbcore.evaluation._measures import LOWER_IS_BETTER, RATES
from imbcore.evaluation._records import Record
from imbcore.evaluation._scores import METRICS, metric_title

__all__ = ["headline_of", "measure_title"]

# False positive rate at which the numbers of detected rows are compared.
_RATE = 0.05
_TITLES = {
    "auc": METRICS["roc_auc"][0],
    "pr_auc": "area under the PR curve",
}


def measure_title(measure: str, period: str) -> str:
    """Return the name of a metric in words; ``period`` is that of the alert budget."""
    if measure in METRICS:
        return metric_title(measure, period)
    return _TITLES.get(measure, measure.replace("_", " "))


def headline_of(of: ComparisonResults) -> str:
    """Describe which method is best, and how many more positive rows it detects than the second."""
    if len(of.compared) < 2:
        return ""
    score = measure_title(of.score, of.period)
    if len(of.datasets) > 1:
        if of.n_ranked < 2:
            return ""
        (rank, first), (next_rank, second) = _two_smallest(of.ranks().average_ranks.tolist(), of.compared)
        return (
            f"{first} has the best average rank by {score} over {of.n_ranked} tables, "
            f"{rank:.2f}, followed by {second} with {next_rank:.2f}."
        )
    sign = 1.0 if of.score in LOWER_IS_BETTER else -1.0
    means = [sign * float(mean) for mean in of.compared_summary().means[0]]
    found = _two_smallest(means, of.compared)
    if len(found) < 2:
        return ""
    (mean, first), (next_mean, second) = found
    text = (
        f"{first} has the best mean {score}, {score_text(sign * mean)}, followed by {second} "
        f"with {score_text(sign * next_mean)}."
    )
    return text + _compare_detections(of, first, second)


def _two_smallest(values: list[float], names: list[str]) -> list[tuple[float, str]]:
    """Return the two smallest values with their names; NaN is left out."""
    defined = [pair for pair in zip(values, names, strict=True) if not math.isnan(pair[0])]
    return sorted(defined, key=lambda pair: pair[0])[:2]


def _is_first_round(record: Record, method: str) -> bool:
    return bool(record["method"] == method and record["replicate"] == 0)


def _compare_detections(of: ComparisonResults, first: str, second: str) -> str:
    """Compare the positive rows that two methods detect at the same false positive rate."""
    curves: dict[str, list[float]] = {first: [], second: []}
    at = round(_RATE * (len(RATES) - 1))
    for record in of.records:
        if record["method"] in curves:
            if record["curves"] is None:
                return ""
            curves[record["method"]].append(record["curves"]["roc"][at])
    pairs = zip(curves[first], curves[second], strict=True)
    differences = np.array([100 * (own - other) for own, other in pairs])
    train, test = (sum(record[name] for record in of.records) for name in ("n_train", "n_test"))
    mean, low, high, _ = native.protocols.corrected_interval(differences, test / train, 0.95)
    if not all(map(math.isfinite, (mean, low, high))):
        return ""
    if is_zero_width_interval(low, high):
        n = sum(record["n_positive"] for record in of.records if _is_first_round(record, first))
        (low, high), (other_low, other_high) = (
            clopper_pearson(fmean(curves[name]), n, 0.975) for name in (first, second)
        )
        low, high = 100 * (low - other_high), 100 * (high - other_low)
    positive: Any = of.records[0]["positive"]
    amount = "as many" if round(mean) == 0 else f"{abs(mean):.0f} {'more' if mean > 0 else 'fewer'}"
    than = "as" if round(mean) == 0 else "than"
    return (
        f" When {100 * _RATE:g} % of the other rows raise alerts, it detects {amount} of 100 rows of "
        f"“{positive}” {than} {second}; 95 % interval of the difference: {low:.0f} to {high:.0f}."
    )
