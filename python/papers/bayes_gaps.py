"""Soybean diseases with gaps: what a Bayesian network makes of rows that are not complete.

A tenth of the values of the set is missing as it comes. Classifiers are fitted and asked as it is, and again
with more and more values taken away from the rows to answer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from paper_output import keep, load, markdown, options
from sklearn.model_selection import StratifiedKFold

import imbcore
from imbcore import metrics
from imbcore._input.columns import MISSING, Nominal
from imbcore._input.table import Table

SET = "soybean1"
SHARES = (0.0, 0.2, 0.4, 0.6, 0.8)
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "TAN, gaps summed out": ("tan", {}),
    "naive Bayes, gaps summed out": ("naive_bayes", {}),
    "full Bayes, gaps summed out": ("full_bayes", {}),
    "TAN, rows with gaps dropped": ("tan", {"missing": "drop_rows"}),
    "TAN, gaps as a state": ("tan", {"missing": "state"}),
    "random forest": ("random_forest", {}),
}


def main() -> None:
    """Run and write the table."""
    chosen = options(__doc__, folds=5)
    data = load(SET)
    found = measure(data.X, data.y, chosen.folds, chosen.seed)
    share, whole = missing_share(data.X), complete(data.X)
    head = f"{SET}: {share:.1%} of the values are missing, {whole} of {len(data.y)} rows are complete."
    keep(chosen.output, "bayes_gaps", head + "\n\n" + report(found))


def missing_share(X: Table) -> float:
    """Share of missing values."""
    return float(np.mean([gaps(column) for column in X.columns.values()]))


def complete(X: Table) -> int:
    """Count the rows without a missing value."""
    return int((~np.any([gaps(column) for column in X.columns.values()], axis=0)).sum())


def gaps(column: Any) -> NDArray[np.bool_]:
    """Tell where a column has no value."""
    return column.codes == MISSING if isinstance(column, Nominal) else np.isnan(column)


def with_holes(X: Table, share: float, seed: int) -> Table:
    """Take values away at random."""
    rng = np.random.default_rng(seed)
    columns: dict[str, Any] = {}
    for name, column in X.columns.items():
        hole = rng.random(X.n_rows) < share
        if isinstance(column, Nominal):
            columns[name] = Nominal(np.where(hole, MISSING, column.codes).astype(np.uint32), column.levels)
        else:
            columns[name] = np.where(hole, np.nan, column)
    return Table(columns)


def measure(
    X: Table, y: NDArray[np.int64], n_folds: int, seed: int, variants: Any = None, shares: Any = SHARES
) -> dict[str, NDArray[np.float64]]:
    """Average precision of class 1 of every variant, (n_folds, n_shares), by share of values taken away."""
    variants = variants or VARIANTS
    found: dict[str, list[list[float]]] = {name: [] for name in variants}
    for train, test in StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(y, y):
        asked = [with_holes(X.take(test), share, seed) for share in shares]
        for name, (method, parameters) in variants.items():
            model = imbcore.fit(X.take(train), y[train], method, random_state=seed, **parameters)
            scores = [model.predict_proba(rows)[:, 1] for rows in asked]
            found[name].append([metrics.average_precision_score(y[test], score) for score in scores])
    return {name: np.array(rows) for name, rows in found.items()}


def report(found: dict[str, NDArray[np.float64]], shares: Any = SHARES) -> str:
    """Write means over the folds."""
    header = ["average precision", *(f"{share:.0%} taken away" for share in shares)]
    return markdown(header, [[name, *map(float, values.mean(axis=0))] for name, values in found.items()])


if __name__ == "__main__":
    main()
