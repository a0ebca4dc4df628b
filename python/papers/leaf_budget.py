"""Best-first growth of small trees: order nodes by the criterion or by the class entropy.

Each tree is grown best-first up to a number of leaves and ranks the rows of the held-out fold.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

import imbcore
from imbcore import metrics
from paper_output import keep, load, markdown, options

SETS = ("mammography", "campaign", "coil2000")
VARIANTS = [(criterion, order) for criterion in ("hellinger", "gini") for order in ("gain", "entropy")]


def main() -> None:
    """Run the experiment and write the table."""
    chosen = options(__doc__, folds=5, leaves=31, known=SETS, sets=SETS)
    rows = []
    for name in chosen.sets:
        data = load(name)
        found = measure(data.X, data.y, chosen.folds, chosen.leaves, chosen.seed)
        rows.append([name, f"{np.mean(data.y == 1):.1%}", *map(float, found.mean(axis=1))])
    keep(chosen.output, "leaf_budget", report(rows))


def measure(X: Any, y: NDArray[Any], n_folds: int, leaves: int, seed: int) -> NDArray[np.float64]:
    """Average precision of class 1 on held-out folds, (n_variants, n_folds)."""
    found = []
    for train, test in StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(y, y):
        budget = {"max_leaf_nodes": leaves, "leaf_estimate": "laplace", "random_state": seed}
        scores = [
            imbcore.fit(
                X.take(train), y[train], "cart", criterion=criterion, growth_order=order, **budget
            ).predict_proba(X.take(test))[:, 1]
            for criterion, order in VARIANTS
        ]
        found.append([metrics.average_precision_score(y[test], score) for score in scores])
    return np.array(found).T


def report(rows: list[list[object]]) -> str:
    """Write means over the folds."""
    header = [
        "average precision",
        "positive",
        *(f'`{criterion}`, `growth_order="{order}"`' for criterion, order in VARIANTS),
    ]
    return markdown(header, rows)


if __name__ == "__main__":
    main()
