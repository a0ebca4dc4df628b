"""Bayesian networks on the soybean diseases data with missing values.

About a tenth of the values of this data set is missing. Classifiers are fitted and evaluated on the data set
unchanged, and with an increasing proportion of values removed from the test rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

import imbcore
from imbcore import metrics
from imbcore._validation.columns import MISSING, Nominal
from imbcore._validation.table import Table
from paper_output import keep, load, markdown, options

SET = "soybean1"
FRACTIONS = (0.0, 0.2, 0.4, 0.6, 0.8)
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "TAN, exact inference": ("tan", {}),
    "naive Bayes, exact inference": ("naive_bayes", {}),
    "full Bayes, exact inference": ("full_bayes", {}),
    "TAN, incomplete training rows dropped": ("tan", {"missing": "drop_rows"}),
    "TAN, missing as a state": ("tan", {"missing": "state"}),
    "random forest": ("random_forest", {}),
}


def main() -> None:
    """Run the experiment and write the table."""
    chosen = options(__doc__, folds=5)
    data = load(SET)
    found = measure(data.X, data.y, chosen.folds, chosen.seed)
    fraction, n_complete = missing_fraction(data.X), count_complete(data.X)
    head = f"{SET}: {fraction:.1%} of values missing, {n_complete} of {len(data.y)} rows are complete."
    keep(chosen.output, "bayes_gaps", head + "\n\n" + report(found))


def missing_fraction(X: Table) -> float:
    """Fraction of missing values."""
    return float(np.mean([missing_mask(column) for column in X.columns.values()]))


def count_complete(X: Table) -> int:
    """Count the rows without a missing value."""
    return int((~np.any([missing_mask(column) for column in X.columns.values()], axis=0)).sum())


def missing_mask(column: Any) -> NDArray[np.bool_]:
    """Mask of the missing values of a column."""
    return column.codes == MISSING if isinstance(column, Nominal) else np.isnan(column)


def remove_values(X: Table, fraction: float, seed: int) -> Table:
    """Remove values at random."""
    rng = np.random.default_rng(seed)
    columns: dict[str, Any] = {}
    for name, column in X.columns.items():
        removed = rng.random(X.n_rows) < fraction
        if isinstance(column, Nominal):
            columns[name] = Nominal(np.where(removed, MISSING, column.codes).astype(np.uint32), column.levels)
        else:
            columns[name] = np.where(removed, np.nan, column)
    return Table(columns)


def measure(
    X: Table, y: NDArray[np.int64], n_folds: int, seed: int, variants: Any = None, fractions: Any = FRACTIONS
) -> dict[str, NDArray[np.float64]]:
    """Average precision of class 1 of every variant, (n_folds, n_fractions)."""
    variants = variants or VARIANTS
    found: dict[str, list[list[float]]] = {name: [] for name in variants}
    for train, test in StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(y, y):
        test_tables = [remove_values(X.take(test), fraction, seed) for fraction in fractions]
        for name, (method, parameters) in variants.items():
            model = imbcore.fit(X.take(train), y[train], method, random_state=seed, **parameters)
            scores = [model.predict_proba(rows)[:, 1] for rows in test_tables]
            found[name].append([metrics.average_precision_score(y[test], score) for score in scores])
    return {name: np.array(rows) for name, rows in found.items()}


def report(found: dict[str, NDArray[np.float64]], fractions: Any = FRACTIONS) -> str:
    """Write means over the folds."""
    header = ["average precision", *(f"{fraction:.0%} removed" for fraction in fractions)]
    return markdown(header, [[name, *map(float, values.mean(axis=0))] for name, values in found.items()])


if __name__ == "__main__":
    main()
