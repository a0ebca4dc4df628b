"""Binned trees and forests compared with LightGBM in one run: time and average precision.

At the end, CatBoost, LightGBM and scikit-learn's extra trees with their defaults. Both sides get the NumPy
array and the same number of leaves, bins, trees, rows and features per node; fits include the binning. Run it
alone: ``--rows``, ``--trees`` and ``--runs`` set the size.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable

import numpy as np
from shared_peers import fit_peer, installed, peer_fits
from sklearn.metrics import average_precision_score

import imbcore

LEAVES = 31
BINS = 255
FEATURES = 20
# Proportion of distinct rows in a bootstrap sample.
BAGGING = 0.632

Fit = Callable[[], Callable[[np.ndarray], np.ndarray]]


def make(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian features, of which a few shift the log-odds; 1 % positives with some noise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, FEATURES))
    score = x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * x[:, 3] ** 2 + rng.normal(size=rows)
    return x, (score > np.quantile(score, 0.99)).astype(np.int64)


def ours(x: np.ndarray, y: np.ndarray, method: str, threads: int, **options: object) -> Fit:
    """Make a function that fits our model and returns the scores of rows."""

    def fit() -> Callable[[np.ndarray], np.ndarray]:
        shape = {"max_leaf_nodes": LEAVES, "max_bins": BINS, "random_state": 0}
        model = imbcore.fit(x, y, method=method, n_threads=threads, **shape, **options)
        return lambda rows: model.predict_proba(rows)[:, 1]

    return fit


def theirs(
    x: np.ndarray, y: np.ndarray, trees: int, threads: int, by_node: float, *, quantized: bool = False
) -> Fit:
    """Make a function that fits LightGBM and returns the scores of rows."""
    options = {
        "n_estimators": trees,
        "num_leaves": LEAVES,
        "max_bin": BINS,
        "min_child_samples": 1,
        "min_child_weight": 0.0,
        "use_quantized_grad": quantized,
    }
    if trees > 1:
        options |= {
            "boosting_type": "rf",
            "subsample_freq": 1,
            "subsample": BAGGING,
            "feature_fraction_bynode": by_node,
        }

    def fit() -> Callable[[np.ndarray], np.ndarray]:
        model = fit_peer("LightGBM", x, y, threads=threads, **options)
        return lambda rows: model.predict_proba(rows)[:, 1]

    return fit


def clocked(fit: Fit) -> tuple[float, float, Callable[[np.ndarray], np.ndarray]]:
    """CPU and wall seconds of a fit, and its result."""
    cpu, wall = time.process_time(), time.perf_counter()
    made = fit()
    return time.process_time() - cpu, time.perf_counter() - wall, made


def compare(
    label: str, first: Fit, second: Fit, runs: int, clock: int, test: tuple[np.ndarray, np.ndarray]
) -> None:
    """Fit both in turn; print the medians of one clock, their ratio, and both average precisions."""
    pairs = [(clocked(first), clocked(second)) for _ in range(runs)]
    times = [statistics.median(pair[side][clock] for pair in pairs) for side in (0, 1)]
    ratio = statistics.median(pair[1][clock] / pair[0][clock] for pair in pairs)
    precision = [average_precision_score(test[1], pairs[0][side][2](test[0])) for side in (0, 1)]
    print(
        f"{label:<52} {times[0]:>8.2f} s {times[1]:>8.2f} s {ratio:>7.2f} x   "
        f"AP {precision[0]:.4f} | {precision[1]:.4f}",
        flush=True,
    )


def main() -> None:
    """Print one line per comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    x, y = make(options.rows, seed=0)
    test = make(max(options.rows // 5, 10_000), seed=1)
    imbcore.fit(x[:1000], np.arange(1000) % 2)  # loads modules that are imported lazily
    if not installed(["LightGBM"]):
        return
    print(f"{options.rows} x {FEATURES}, 1 % positives, {LEAVES} leaves, {os.cpu_count()} cores")
    print(f"{'':<52} {'imbcore':>10} {'LightGBM':>10} {'ratio':>9}")
    by_node = int(FEATURES**0.5) / FEATURES
    for threads, clock, name in ((1, 0, "CPU"), (2, 1, "wall")):
        case = f"{name}, {threads} thread{'s' * (threads > 1)}"
        for method in ("cart", "hddt"):
            tree = ours(x, y, method, threads)
            compare(
                f"one {method} tree, {case}", tree, theirs(x, y, 1, threads, 1.0), options.runs, clock, test
            )
        if "random_forest" in {method.name for method in imbcore.methods()}:
            forest = ours(x, y, "random_forest", threads, n_estimators=options.trees, max_features="sqrt")
            for quantized in (False, True):
                peer = theirs(x, y, options.trees, threads, by_node, quantized=quantized)
                label = f"{options.trees} trees{', quantized gradients' * quantized}, {case}"
                compare(label, forest, peer, options.runs, clock, test)
    peer_fits((x, y), test)


if __name__ == "__main__":
    main()
