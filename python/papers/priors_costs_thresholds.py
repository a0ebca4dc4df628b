"""Maloof 2003, thesis 3.4.1: is a threshold that moves the same as a class that weighs more or has more rows.

A learner that uses priors consistently draws one ROC curve whichever way it is told that the rare class
matters ``r`` times as much: by a threshold of ``1 / (1 + r)``, by weights of ``r``, or by ``r`` times the
rows. One that looks at priors while it learns, as a tree does that splits by the Gini index, draws three.
Here each way draws its own: points over a grid of ``r``, on rows that took no part in the fit.

The table tells how far the points of weights and of rows lie from those of the threshold, and what lies
under each curve, with the corners (0, 0) and (1, 1).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from paper_output import keep, keep_figure, load, markdown, options
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.naive_bayes import GaussianNB

from imbcore import CARTClassifier, HDDTClassifier
from imbcore.decisions import InstanceWeightingClassifier, MinExpectedCostClassifier
from imbcore.sampling import DuplicateOverSampler

SETS = ("pima", "yeast4")
# Odds by which the rare class matters more, and the same the other way round.
RATIOS = (1, 2, 3, 5, 8, 15, 30)
LEARNERS = {
    "Hellinger tree, shares": HDDTClassifier(max_depth=6, leaf="frequency", positive=1),
    "Gini tree, shares": CARTClassifier(max_depth=6, leaf="frequency", positive=1),
    "naive Bayes, Gaussian": GaussianNB(),
    "logistic regression": LogisticRegression(max_iter=10_000),
}
WAYS = ("threshold", "weights", "rows")
Points = NDArray[np.float64]
# False and true positive rate, a row a ratio, by learner and way.
Found = dict[tuple[str, str], Points]


def main() -> None:
    """Draw the curves of each set, and write the table and the figure."""
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
    """Take the mean rates over random splits, 70 % of the rows to train, for every learner, way and ratio."""
    splits = StratifiedShuffleSplit(n_splits, test_size=0.3, random_state=seed)
    odds = [(1, ratio) for ratio in reversed(RATIOS[1:])] + [(ratio, 1) for ratio in RATIOS]
    found: dict[tuple[str, str], list[Points]] = {}
    for train, test in splits.split(y, y):
        # Columns of one scale, so that a penalty means the same in each.
        mean, deviation = X[train].mean(axis=0), X[train].std(axis=0)
        Z = (X - mean) / np.where(deviation > 0, deviation, 1.0)
        for name, learner in LEARNERS.items():
            for way in WAYS:
                points = [
                    rates(y[test], told(learner, way, costs, Z[train], y[train]).predict(Z[test]))
                    for costs in odds
                ]
                found.setdefault((name, way), []).append(np.array(points))
    return {key: np.mean(curves, axis=0) for key, curves in found.items()}


def told(learner: Any, way: str, costs: tuple[int, int], X: Points, y: NDArray[np.int64]) -> Any:
    """Fit a learner that is told of costs ``(miss, false alarm)`` in one of the ways."""
    miss, alarm = costs
    matrix = [[0, alarm], [miss, 0]]
    if way == "threshold":
        return MinExpectedCostClassifier(learner, matrix).fit(X, y)
    if way == "weights":
        return InstanceWeightingClassifier(learner, matrix).fit(X, y)
    copies = DuplicateOverSampler(weights={0: alarm, 1: miss})
    return clone(learner).fit(*copies.fit_resample(X, y))


def rates(y: NDArray[np.int64], answers: NDArray[np.int64]) -> tuple[float, float]:
    """Compute the false and the true positive rate of answers."""
    return float(np.mean(answers[y == 0])), float(np.mean(answers[y == 1]))


def apart(one: Points, other: Points) -> float:
    """Mean distance of points of equal ratio in the plane of the rates."""
    return float(np.linalg.norm(one - other, axis=1).mean())


def area(points: Points) -> float:
    """Area under the line through the points in order of their rates, with the corners."""
    ordered = np.vstack([[0.0, 0.0], points[np.lexsort(points.T[::-1])], [1.0, 1.0]])
    return float(np.trapezoid(ordered[:, 1], ordered[:, 0]))


def report(found: dict[str, Found]) -> str:
    """Write how far the ways lie apart, and what lies under their curves."""
    parts = []
    for name, curves in found.items():
        rows = [
            [
                learner,
                *(apart(curves[learner, way], curves[learner, "threshold"]) for way in WAYS[1:]),
                *(area(curves[learner, way]) for way in WAYS),
            ]
            for learner in LEARNERS
        ]
        head = ["learner", *(f"{way}, distance from threshold" for way in WAYS[1:])]
        parts += [name, markdown([*head, *(f"area, {way}" for way in WAYS)], rows)]
    return "\n\n".join(parts)


def picture(found: dict[str, Found]) -> Any:
    """Draw the curves of all ways over each other, a row a set and a column a learner."""
    from matplotlib import pyplot

    size = (3.0 * len(LEARNERS), 3.0 * len(found) + 0.4)
    figure, axes = pyplot.subplots(
        len(found), len(LEARNERS), figsize=size, layout="constrained", sharex=True, sharey=True, squeeze=False
    )
    for row, (name, curves) in zip(axes, found.items(), strict=True):
        for ax, learner in zip(row, LEARNERS, strict=True):
            for way, marker in zip(WAYS, "osx", strict=True):
                across, up = curves[learner, way].T
                ax.plot(across, up, marker=marker, markersize=4, fillstyle="none", linewidth=0.9, label=way)
            ax.set(title=f"{name}: {learner}", xlim=(0, 1), ylim=(0, 1), aspect="equal")
            ax.title.set_fontsize(9)
        row[0].set_ylabel("true positive rate")
    for ax in axes[-1]:
        ax.set_xlabel("false positive rate")
    axes[0][-1].legend(frameon=False, loc="lower right")
    return figure


if __name__ == "__main__":
    main()
