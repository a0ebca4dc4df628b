"""Random search of CatBoost's parameters on inner folds of the training rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

__all__ = ["tune"]

FOLDS = 3
# Rounds without a better log loss on the held-out fold after which a fit stops.
PATIENCE = 50


def settings(trials: int, seed: int) -> list[dict[str, Any]]:
    """Draw settings; the first one is the default."""
    rng = np.random.default_rng(seed)
    return [{}, *(_drawn(rng) for _ in range(trials - 1))]


def _drawn(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "learning_rate": float(10 ** rng.uniform(-2, -0.5)),
        "depth": int(rng.integers(2, 9)),
        "l2_leaf_reg": float(10 ** rng.uniform(-0.5, 1.5)),
        "random_strength": float(10 ** rng.uniform(-1, 1)),
        "bagging_temperature": float(rng.uniform(0, 1)),
        "one_hot_max_size": int(rng.choice([2, 10, 50])),
    }


def tune(
    model: Any,
    X: Any,
    y: NDArray[Any],
    trials: int,
    seed: int,
    *,
    groups: Any = None,
    cat_features: list[str] | None = None,
) -> Any:
    """Return an unfitted classifier with the setting of the smallest inner log loss.

    The number of rounds of a setting is the mean of the best numbers on the held-out folds. A setting must be
    better than the default to replace it.
    """
    fewest = int(np.unique(y, return_counts=True)[1].min())
    if fewest < FOLDS:
        return model
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    folds = list(kind(FOLDS, shuffle=True, random_state=seed).split(np.zeros(len(y)), y, groups))
    best, chosen = np.inf, model
    for given in settings(trials, seed):
        losses, rounds = [], []
        for train, test in folds:
            one = clone(model).set_params(**given)
            options = {"early_stopping_rounds": PATIENCE} if given else {"use_best_model": False}
            one.fit(
                _rows(X, train),
                y[train],
                cat_features=cat_features,
                eval_set=(_rows(X, test), y[test]),
                **options,
            )
            losses.append(log_loss(y[test], one.predict_proba(_rows(X, test)), labels=one.classes_))
            rounds.append(one.tree_count_)
        if np.mean(losses) < best:
            best = float(np.mean(losses))
            # The default setting keeps its own number of rounds.
            extra = {"iterations": max(1, round(float(np.mean(rounds))))} if given else {}
            chosen = clone(model).set_params(**given, **extra)
    return chosen


def _rows(X: Any, rows: NDArray[np.int64]) -> Any:
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]
