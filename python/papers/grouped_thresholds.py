"""Expected and realized performance of thresholds, on new groups and later rows.

In four of five data sets, groups are clusters of similar rows, as if each cluster were one customer or one
image; half of the groups train, and the others test. The rows of the fifth are in time order; the earlier
half trains. A threshold is chosen by ``threshold="f1"``, with and without ``groups=`` or ``time=``. The table
has the expected values in ``decision_`` and those on the test rows, as means over the splits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import MiniBatchKMeans

import imbcore
from imbcore.evaluation._tables import table_to_matrix
from paper_output import keep, load, markdown, options

# Sets with groups, and the set in time order.
GROUPED = ("segment0", "page-blocks0", "satimage4", "mammography")
TIMED = "campaign"
SETS = (*GROUPED, TIMED)
# Mean number of rows of a group.
ROWS_PER_GROUP = 8
RATES = ("recall", "precision", "alert_rate")
Rates = dict[str, float]


def main() -> None:
    """Measure every set, and write the table."""
    chosen = options(__doc__, sets=SETS, known=SETS, splits=3, rows=12_000)
    rows = []
    for name in chosen.sets:
        data = load(name)
        n_rows = len(data.y)
        # Every k-th row, in order.
        kept = np.arange(0, n_rows, max(1, -(-n_rows // chosen.rows)))
        rows += measure(name, data.X.take(kept), np.asarray(data.y)[kept], chosen.splits, chosen.seed)
    head = ("data set", "option", *(f"{rate}, {of}" for rate in RATES for of in ("expected", "realized")))
    keep(chosen.output, "grouped-thresholds", markdown(head, rows))


def measure(name: str, X: Any, y: NDArray[Any], splits: int, seed: int) -> list[Sequence[str]]:
    """Measure one data set; returns a line of the table for each option."""
    timed = name == TIMED
    order = np.arange(len(y)) if timed else clusters(X, seed)
    found: dict[str, list[tuple[Rates, Rates]]] = {}
    for split in range(1 if timed else splits):
        rng = np.random.default_rng((seed, split))
        is_train = order < len(y) // 2 if timed else (rng.random(order.max() + 1) < 0.5)[order]
        train, test = np.flatnonzero(is_train), np.flatnonzero(~is_train)
        option = {"time": order[train]} if timed else {"groups": order[train]}
        for label, given in (("none", {}), (next(iter(option)), option)):
            model = imbcore.fit(X.take(train), y[train], "hddt", threshold="f1", random_state=split, **given)
            found.setdefault(label, []).append((expected(model), realized(model, X.take(test), y[test])))
    return [
        (name, label, *(f"{mean(pairs, at, rate):.2f}" for rate in RATES for at in (0, 1)))
        for label, pairs in found.items()
    ]


def clusters(X: Any, seed: int) -> NDArray[np.int64]:
    """Return the cluster of every row."""
    columns = np.asarray(table_to_matrix(X), dtype=np.float64)
    scale = columns.std(axis=0)
    scaled = (columns - columns.mean(axis=0)) / np.where(scale > 0, scale, 1.0)
    n_groups = len(columns) // ROWS_PER_GROUP
    return MiniBatchKMeans(n_groups, n_init=1, random_state=seed).fit_predict(scaled).astype(np.int64)


def expected(model: imbcore.Model) -> Rates:
    """Return the expected rates of the threshold."""
    return {rate: model.decision_["expected"][rate]["value"] for rate in RATES}


def realized(model: imbcore.Model, X: Any, y: NDArray[Any]) -> Rates:
    """Return the rates on test rows."""
    alerts, positive = model.predict(X) == model.positive_, y == model.positive_
    correct = float(np.sum(alerts & positive))
    return {
        "recall": correct / positive.sum(),
        "precision": correct / max(alerts.sum(), 1),
        "alert_rate": float(alerts.mean()),
    }


def mean(pairs: Sequence[tuple[Rates, Rates]], at: int, rate: str) -> float:
    """Average a rate over the splits."""
    return float(np.mean([pair[at][rate] for pair in pairs]))


if __name__ == "__main__":
    main()
