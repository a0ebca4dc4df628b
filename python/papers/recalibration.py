"""Effect of prior correction on the probabilities of methods that balance classes.

On all available two-class data sets without missing values, with at most 12,000 rows and at least 50 rows of
the rare class, two repetitions of two folds: log loss, and the mean probability of the rare class divided by
its prevalence, of the unchanged votes and with ``prior_correction="prior"``.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

import imbcore
from imbcore import datasets, metrics
from imbcore._validation.columns import MISSING, Nominal
from imbcore._validation.table import Table
from imbcore.evaluation import StratifiedFolds
from paper_output import keep, load, markdown, options

METHODS: dict[str, dict[str, Any]] = {
    "balanced_random_forest": {},
    "weighted_random_forest": {},
    "under_bagging": {},
    "balanced_bagging": {"n_estimators": 50},
    "over_bagging": {},
    "under_over_bagging": {},
    "smote_bagging": {},
    "easy_ensemble": {},
    "rusboost": {},
}
FEWEST, MOST = 50, 12_000
Found = dict[str, NDArray[np.float64]]


def main() -> None:
    """Run the folds and write the table."""
    chosen = options(__doc__, sets=fitting(), known=fitting(), repeats=2)
    found = {name: measure(load(name), chosen.repeats, chosen.seed) for name in chosen.sets}
    keep(chosen.output, "recalibration", report(found))


def fitting() -> tuple[str, ...]:
    """Names of the data sets that may have two classes."""
    return tuple(name for name in datasets.names() if not name.endswith("_mc"))


def measure(data: datasets.Dataset, repeats: int, seed: int) -> Found:
    """Log loss and calibration ratio, unchanged and corrected: (n_folds, 4) by method."""
    X, y = data.X, np.asarray(data.y)
    if len(np.unique(y)) != 2 or min(np.bincount(y)) < FEWEST or len(y) > MOST or has_missing(X):
        return {}
    rare = int(np.argmin(np.bincount(y)))
    found: dict[str, list[list[float]]] = {name: [] for name in METHODS}
    for fold, (train, test) in enumerate(StratifiedFolds(2, repeats, random_state=seed).split(y=y)):
        for method, parameters in METHODS.items():
            row = []
            for prior_correction in ("none", "prior"):
                p = predict_proba(
                    method,
                    {**parameters, "prior_correction": prior_correction},
                    (X, y, rare),
                    train,
                    test,
                    seed + fold,
                )
                row += [metrics.log_loss(y[test], p), p[:, rare].mean() / np.mean(y[test] == rare)]
            found[method].append(row)
    return {method: np.array(rows) for method, rows in found.items()}


def has_missing(X: Table) -> bool:
    """Check for missing values; SMOTE needs complete rows."""
    columns = X.columns.values()
    return any((c.codes == MISSING if isinstance(c, Nominal) else np.isnan(c)).any() for c in columns)


def predict_proba(
    method: str, parameters: dict[str, Any], data: Any, train: Any, test: Any, seed: int
) -> Any:
    """Probabilities of the test rows."""
    X, y, rare = data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = imbcore.fit(X.take(train), y[train], method, positive=rare, random_state=seed, **parameters)
        return model.predict_proba(X.take(test))


def report(found: dict[str, Found]) -> str:
    """Write how often the correction improves log loss, and its effect on mean probabilities."""
    whole = {name: of for name, of in found.items() if of}
    rows = []
    for method in METHODS:
        raw, mean_raw, shifted, mean_shifted = np.array([of[method].mean(axis=0) for of in whole.values()]).T
        rows.append(
            [
                method,
                f"{int((shifted < raw).sum())} of {len(whole)}",
                float(np.median(raw)),
                float(np.median(shifted)),
                f"{np.median(mean_raw):.2f} ({mean_raw.min():.2f} to {mean_raw.max():.2f})",
                f"{np.median(mean_shifted):.2f} ({mean_shifted.min():.2f} to {mean_shifted.max():.2f})",
            ]
        )
    head = [
        "method",
        "data sets with smaller log loss",
        "log loss, votes",
        "log loss, recalibrated",
        "mean / prevalence, votes",
    ]
    return f"{len(whole)} data sets, medians over them\n\n" + markdown(
        [*head, "mean / prevalence, recalibrated"], rows
    )


if __name__ == "__main__":
    main()
