"""Ranking by one box drawing, by several, and by bags of drawings, compared with trees.

Stratified folds of the two-class sets of the box-drawing paper, with numeric columns. A drawing of Fast Boxes
scores a row by the largest weight at which the row is inside (``critical_weights``); several drawings use the
mean of their probabilities. Average precision of the rare class, means over the folds of two seeds. Forests
and boosting of other libraries have their default settings.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

import imbcore
from imbcore import metrics
from paper_output import keep, markdown, options
from peers import CORE, absent, fit_peer, installed
from reproduce import _boxes_sets
from reproduce._experiment import Settings

BAG = {"estimator": "fast_boxes", "n_estimators": 30}
KNOWN = tuple(_boxes_sets.catalogue())

Scores = Callable[[Any, Any, Any, int], NDArray[np.float64]]


def native(method: str, **given: Any) -> Scores:
    """Scores of class 1 by a method."""

    def scores(X: Any, y: Any, rows: Any, seed: int) -> NDArray[np.float64]:
        return imbcore.fit(X, y, method, random_state=seed, **given).predict_proba(rows)[:, 1]

    return scores


def of_one_to_eight(X: Any, y: Any, rows: Any, seed: int) -> NDArray[np.float64]:
    """Mean over drawings of 1 to 8 boxes, each nested by its weight."""
    counts = range(1, min(8, int(y.sum())) + 1)
    return np.mean([native("fast_boxes", n_boxes=n)(X, y, rows, seed) for n in counts], axis=0)


def peer(name: str) -> Scores:
    """Scores of class 1 by a classifier of another library."""

    def scores(X: Any, y: Any, rows: Any, seed: int) -> NDArray[np.float64]:
        return np.asarray(fit_peer(name, X, y, seed).predict_proba(rows)[:, 1])

    return scores


RANKINGS: dict[str, Scores] = {
    "one drawing of 3 boxes": native("fast_boxes", n_boxes=3),
    "mean of drawings of 1 to 8 boxes": of_one_to_eight,
    "bag of 30 drawings of 5 boxes": native("bagging", estimator_params={"n_boxes": 5}, **BAG),
    "bag of 30 drawings of 12 boxes": native("bagging", estimator_params={"n_boxes": 12}, **BAG),
    "`hddt`": native("hddt"),
    "`forest`": native("forest"),
    "`boosted_trees`": native("boosted_trees"),
}


def main() -> None:
    """Run the experiment and write the table."""
    chosen = options(__doc__, folds=5, seeds=2, rows=12_000, known=KNOWN, sets=KNOWN)
    rankings = RANKINGS | {name: peer(name) for name in installed(CORE)}
    settings = Settings(out=chosen.output, datasets=tuple(chosen.sets))
    rows = []
    for name, data in _boxes_sets.load(settings, ()).data.items():
        X, y = _boxes_sets.matrix(data), (data.y == 1).astype(np.int64)
        if len(y) <= chosen.rows:
            found = measure(rankings, X, y, chosen.folds, range(chosen.seed, chosen.seed + chosen.seeds))
            rows.append([name, len(y), int(y.sum()), *found])
    keep(chosen.output, "box_ranking", report(rows, list(rankings)))


def measure(
    rankings: dict[str, Scores], X: Any, y: NDArray[np.int64], n_folds: int, seeds: range
) -> list[float]:
    """Mean average precision of every ranking on held-out folds."""
    found: dict[str, list[float]] = {name: [] for name in rankings}
    for seed in seeds:
        for train, test in StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(X, y):
            for name, scores in rankings.items():
                score = scores(X[train], y[train], X[test], seed)
                found[name].append(float(metrics.average_precision_score(y[test], score)))
    return [float(np.mean(of)) for of in found.values()]


def report(rows: list[list[Any]], names: list[str]) -> str:
    """Write the means, the number of wins over one drawing, and the result of every data set."""
    table = np.array([row[3:] for row in rows], dtype=float)
    better = (table > table[:, :1] + 0.005).sum(axis=0)
    means = zip(names, table.mean(axis=0).tolist(), better.tolist(), strict=True)
    header = [
        "model",
        f"average precision, mean of {len(rows)} data sets",
        "data sets with more than 0.005 above one drawing",
    ]
    every = markdown(["data set", "rows", "rare", *names], rows)
    texts = [text for text in (absent(CORE, names),) if text]
    return "\n\n".join(["# Ranking by boxes", *texts, markdown(header, [list(of) for of in means]), every])


if __name__ == "__main__":
    main()
