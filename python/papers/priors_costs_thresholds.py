"""Equivalence of thresholds, class weights and repeated rows (Maloof 2003, thesis 3.4.1).

A learner that uses priors consistently has the same ROC curve if the rare class matters ``r`` times as much
by a threshold of ``1 / (1 + r)``, by weights of ``r``, or by ``r`` times the rows. A learner whose training
depends on the priors, such as a tree with Gini splits, has three curves. Each method has its own curve:
points over a grid of ``r``, on held-out rows.

The table has the distance between the points of weights or rows and those of the threshold, and the area
under each curve, with the corners (0, 0) and (1, 1).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.naive_bayes import GaussianNB

from imbcore import CARTClassifier, HDDTClassifier
from imbcore.decisions import InstanceWeightingClassifier, MinExpectedCostClassifier
from imbcore.sampling import DuplicateOverSampler
from paper_output import keep, keep_figure, load, markdown, options

SETS = ("pima", "yeast4")
# Cost ratios of the rare class; the reciprocals are used, too.
RATIOS = (1, 2, 3, 5, 8, 15, 30)
LEARNERS = {
    "Hellinger tree, frequencies": HDDTClassifier(max_depth=6, leaf_estimate="frequency", positive=1),
    "Gini tree, frequencies": CARTClassifier(max_depth=6, leaf_estimate="frequency", positive=1),
    "naive Bayes, Gaussian": GaussianNB(),
    "logistic regression": LogisticRegression(max_iter=10_000),
}
METHODS = ("threshold", "weights", "rows")
Points = NDArray[np.float64]
# False and true positive rate by learner and method; one row per ratio.
Found = dict[tuple[str, str], Points]


def main() -> None:
    """Compute the curves of each data set, and write the table and the figure."""
    chosen = options(__doc__, sets=SETS, known=SETS, splits=10)
    found = {}
    for name in chosen.sets:
        data = load(name)
        found[name] = measure(
            np.column_stack(list(data.X.columns.values())), data.y, chosen.splits, chosen.seed
        )
    keep(chosen.output, "priors_costs_thresholds", report(found))
    keep_figure(chosen.output, "priors_costs_thresholds", picture(found))


def measure(X: Points, y: NDArray[np.int64], n_splits: int, seed: int) -> Found:
    """Mean rates over random splits, 70 % of the rows to train, by learner, method and ratio."""
    splits = StratifiedShuffleSplit(n_splits, test_size=0.3, random_state=seed)
    odds = [(1, ratio) for ratio in reversed(RATIOS[1:])] + [(ratio, 1) for ratio in RATIOS]
    found: dict[tuple[str, str], list[Points]] = {}
    for train, test in splits.split(y, y):
        # Columns are scaled, so that a penalty has the same effect in each.
        mean, deviation = X[train].mean(axis=0), X[train].std(axis=0)
        Z = (X - mean) / np.where(deviation > 0, deviation, 1.0)
        for name, learner in LEARNERS.items():
            for method in METHODS:
                points = [
                    rates(
                        y[test], fit_with_costs(learner, method, costs, Z[train], y[train]).predict(Z[test])
                    )
                    for costs in odds
                ]
                found.setdefault((name, method), []).append(np.array(points))
    return {key: np.mean(curves, axis=0) for key, curves in found.items()}


def fit_with_costs(learner: Any, method: str, costs: tuple[int, int], X: Points, y: NDArray[np.int64]) -> Any:
    """Fit a learner with costs ``(miss, false alert)`` by one of the methods."""
    miss, false_alert = costs
    matrix = [[0, false_alert], [miss, 0]]
    if method == "threshold":
        return MinExpectedCostClassifier(learner, matrix).fit(X, y)
    if method == "weights":
        return InstanceWeightingClassifier(learner, matrix).fit(X, y)
    copies = DuplicateOverSampler(weights={0: false_alert, 1: miss})
    return clone(learner).fit(*copies.fit_resample(X, y))


def rates(y: NDArray[np.int64], predictions: NDArray[np.int64]) -> tuple[float, float]:
    """Compute the false and true positive rates of predictions."""
    return float(np.mean(predictions[y == 0])), float(np.mean(predictions[y == 1]))


def apart(one: Points, other: Points) -> float:
    """Mean distance between points of equal ratio in ROC space."""
    return float(np.linalg.norm(one - other, axis=1).mean())


def area(points: Points) -> float:
    """Area under the piecewise linear curve through the sorted points, with the corners."""
    ordered = np.vstack([[0.0, 0.0], points[np.lexsort(points.T[::-1])], [1.0, 1.0]])
    return float(np.trapezoid(ordered[:, 1], ordered[:, 0]))


def report(found: dict[str, Found]) -> str:
    """Write distances between the curves and the areas under them."""
    parts = []
    for name, curves in found.items():
        rows = [
            [
                learner,
                *(apart(curves[learner, method], curves[learner, "threshold"]) for method in METHODS[1:]),
                *(area(curves[learner, method]) for method in METHODS),
            ]
            for learner in LEARNERS
        ]
        head = ["learner", *(f"{method}, distance from threshold" for method in METHODS[1:])]
        parts += [name, markdown([*head, *(f"area, {method}" for method in METHODS)], rows)]
    return "\n\n".join(parts)


def picture(found: dict[str, Found]) -> Any:
    """Plot the curves of all methods; one row per data set, one column per learner."""
    from matplotlib import pyplot

    size = (3.0 * len(LEARNERS), 3.0 * len(found) + 0.4)
    figure, axes = pyplot.subplots(
        len(found), len(LEARNERS), figsize=size, layout="constrained", sharex=True, sharey=True, squeeze=False
    )
    for row, (name, curves) in zip(axes, found.items(), strict=True):
        for ax, learner in zip(row, LEARNERS, strict=True):
            for method, marker in zip(METHODS, "osx", strict=True):
                across, up = curves[learner, method].T
                ax.plot(
                    across, up, marker=marker, markersize=4, fillstyle="none", linewidth=0.9, label=method
                )
            ax.set(title=f"{name}: {learner}", xlim=(0, 1), ylim=(0, 1), aspect="equal")
            ax.title.set_fontsize(9)
        row[0].set_ylabel("true positive rate")
    for ax in axes[-1]:
        ax.set_xlabel("false positive rate")
    axes[0][-1].legend(frameon=False, loc="lower right")
    return figure


if __name__ == "__main__":
    main()
