"""Park and Ghosh 2012, table 1: F and error of BEAT and its rivals in 5 x 2 cross-validation.

All trees are binary and fully grown, nominal columns are dummy coded, ensembles have 30 trees. The printed
values stand beside ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from paper_output import dummy_coded, keep, load, markdown, options

import imbcore
from imbcore import metrics
from imbcore.protocols import StratifiedFolds
from imbcore.reproduce._printed import rows as published

# Set -> its name in the paper's table.
SETS = {
    "glass-headlamps": "glass",
    "sick": "sick (Thyroid)",
    "allhypo": "allhypo (Thyroid)",
    "pageblocks-nontext": "page blocks",
}
# Name in the paper's table -> method and parameters. C4.5 there is a full binary tree by information gain.
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "C4.5": ("cart", {"criterion": "entropy"}),
    "C4.5B": ("bagged_c45", {"n_estimators": 30}),
    "BRF": ("balanced_random_forest", {"n_estimators": 30, "max_features": 2}),
    "BEAT(1,1)": ("beat", {"n_estimators": 30, "beta_a": 1.0, "beta_b": 1.0}),
    "BEAT(1,3)": ("beat", {"n_estimators": 30, "beta_a": 1.0, "beta_b": 3.0}),
    "BEAT(3,1)": ("beat", {"n_estimators": 30, "beta_a": 3.0, "beta_b": 1.0}),
}
NOTABLE = 0.03


def main() -> None:
    """Run the table and write it."""
    chosen = options(__doc__, repeats=5)
    folds = StratifiedFolds(2, chosen.repeats, random_state=chosen.seed)
    found = {}
    for name in SETS:
        data = load(name)
        found[name] = measure(dummy_coded(data.X), data.y, folds, chosen.seed)
    keep(chosen.output, "beat_table", report(found, folds.get_n_splits()))


def measure(
    X: Any, y: NDArray[np.int64], folds: StratifiedFolds, seed: int, methods: Any = None
) -> dict[str, NDArray[np.float64]]:
    """F of class 1 and error in percent of every method on every test part: (n_parts, 2)."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in methods or METHODS}
    for part, (train, test) in enumerate(folds.split(y=y)):
        for name, rows in found.items():
            method, parameters = METHODS[name]
            model = imbcore.fit(X.take(train), y[train], method, random_state=seed + part, **parameters)
            answer = model.predict(X.take(test))
            rows.append(
                (metrics.f1_score(y[test], answer, pos_label=1), 100 * metrics.error(y[test], answer))
            )
    return {name: np.array(rows) for name, rows in found.items()}


def report(found: dict[str, dict[str, NDArray[np.float64]]], n_parts: int) -> str:
    """Write means beside the printed values, and mark differences of F above 0.03."""
    printed = {(row["dataset"], row["method"]): row for row in published("beat_table1")}
    rows = []
    for name, of_method in found.items():
        for method, values in of_method.items():
            row = printed[SETS[name], method]
            theirs, error = float(row["f_score"]), float(row["error_percent"])
            f, ours = values.mean(axis=0)
            mark = " *" if abs(f - theirs) > NOTABLE else ""
            spread = float(values[:, 0].std(ddof=1))
            rows.append(
                (
                    name,
                    method,
                    float(f),
                    spread,
                    theirs,
                    f"{f - theirs:+.3f}{mark}",
                    f"{ours:.2f}",
                    f"{error:g}",
                )
            )
    header = ("set", "method", "F", "sd", "F printed", "difference", "error %", "error % printed")
    return (
        f"# BEAT, table 1: means of {n_parts} test parts\n\n{markdown(header, rows)}\n\n"
        f"sd: over the test parts. *: differs by more than {NOTABLE}."
    )


if __name__ == "__main__":
    main()
