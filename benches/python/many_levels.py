"""A nominal column with many levels: time of every tree method and forest with and without it.

CPU seconds on one thread, of other libraries with default settings, too. Run it with ``make bench``, or alone
with ``--rows``, ``--levels`` and ``--methods``.
"""

from __future__ import annotations

import argparse
import time
import warnings
from typing import Any

import numpy as np
import pandas as pd
from shared_peers import CORE, fit_peer, installed

import imbcore

TREES = 3
METHODS: dict[str, dict[str, Any]] = {
    "cart": {},
    "hddt": {},
    "c45": {},
    "c44": {},
    "alpha_tree": {},
    "random_forest": {"n_estimators": TREES},
    "balanced_random_forest": {"n_estimators": TREES},
    "weighted_random_forest": {"n_estimators": TREES},
    "bagged_c45": {"n_estimators": TREES},
    "beat": {"n_estimators": TREES},
    "extra_trees": {"n_estimators": TREES},
    "forest": {"n_estimators": TREES},
    "boosted_trees": {"n_rounds": 10},
    "svr_tree": {"max_leaf_nodes": 30},
    "svr_forest": {"n_estimators": TREES, "max_leaf_nodes": 30},
    "optimal_tree": {"max_depth": 2},
}


def make(rows: int, levels: int) -> tuple[np.ndarray, np.ndarray]:
    """Ten numeric columns and one with codes, some of them rare, that all shift the odds; 3 % positives."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(rows, 10))
    codes = (levels * rng.random(rows) ** 2).astype(int)
    score = x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=levels)[codes] + rng.normal(size=rows)
    return np.column_stack([x, codes]), (score > np.quantile(score, 0.97)).astype(int)


def seconds(x: np.ndarray, y: np.ndarray, **options: Any) -> float:
    """CPU seconds of a fit."""
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", imbcore.exceptions.DataWarning)
        imbcore.fit(x, y, n_threads=1, **options)
    return time.process_time() - start


def peer_seconds(name: str, x: np.ndarray, y: np.ndarray, nominal: list[int]) -> float:
    """CPU seconds of a fit of another library, without the conversion of codes to text."""
    frame = pd.DataFrame({f"x{column}": x[:, column] for column in range(x.shape[1])})
    for column in nominal:
        frame[f"x{column}"] = "level " + frame[f"x{column}"].astype(int).astype(str)
    start = time.process_time()
    fit_peer(name, frame, y)
    return time.process_time() - start


def main() -> None:
    """Print one line per method."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=235_000)
    parser.add_argument("--levels", type=int, default=4000)
    parser.add_argument("--methods", default=",".join(METHODS))
    options = parser.parse_args()
    x, y = make(options.rows, options.levels)
    # The first fit of a process includes one-time costs.
    seconds(x[:1000], y[:1000], method="cart", categorical_features=[10])
    print(f"imbcore {imbcore.__version__}, {options.rows} rows, 10 columns, 1 of {options.levels} levels")
    print(f"{'':<28} {'with it':>9} {'without':>11}   with / without")
    for method in options.methods.split(","):
        own = {"method": method, **METHODS[method]}
        with_it = seconds(x, y, categorical_features=[10], **own)
        without = seconds(x[:, :10], y, **own)
        print(f"{method:<28} {with_it:>9.2f} s {without:>9.2f} s   {with_it / without:>6.2f} x", flush=True)
    for name in installed(CORE):
        with_it = peer_seconds(name, x, y, [10])
        without = peer_seconds(name, x[:, :10], y, [])
        print(f"{name:<28} {with_it:>9.2f} s {without:>9.2f} s   {with_it / without:>6.2f} x", flush=True)


if __name__ == "__main__":
    main()
