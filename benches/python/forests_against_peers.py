"""Forests compared with scikit-learn, its Intel extension, YDF, imbalanced-learn and boosting, in one run.

CPU time of fits with one thread and with two, memory of the fitted forests, held-out AUC and average
precision; at the end also of CatBoost and LightGBM with default settings. Run it with ``make bench``, or
alone with ``--rows``, ``--trees`` and ``--runs``. Every line prints the figures and their ratio; nothing is
asserted because machines differ.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import os
import pickle
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# One thread per worker, also in the libraries below scikit-learn.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from shared_peers import CORE, fit_peer, installed
from sklearn.metrics import average_precision_score, roc_auc_score

import imbcore

try:  # wheels exist for some processors only
    from sklearnex.ensemble import RandomForestClassifier as IntelForest
except ImportError:
    IntelForest = None

try:
    import ydf
except ImportError:
    ydf = None

Fit = Callable[[], Any]


def make(rows: int, features: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian features, of which a few shift the log-odds; 1 % positives with some noise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, features))
    score = x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * x[:, 3] ** 2 + rng.normal(size=rows)
    return x, (score > np.quantile(score, 0.99)).astype(np.int64)


def timed(job: Fit) -> tuple[float, float]:
    """CPU seconds over all threads, and wall seconds."""
    cpu, wall = time.process_time(), time.perf_counter()
    job()
    return time.process_time() - cpu, time.perf_counter() - wall


def paired(label: str, ours: Fit, theirs: Fit, runs: int) -> None:
    """Time both in turn; print the medians of CPU and wall time, and of the ratios."""
    pairs = [(timed(ours), timed(theirs)) for _ in range(runs)]
    for clock, name in enumerate(("CPU", "wall")):
        first = statistics.median(pair[0][clock] for pair in pairs)
        second = statistics.median(pair[1][clock] for pair in pairs)
        ratio = statistics.median(pair[1][clock] / pair[0][clock] for pair in pairs)
        print(f"{label + ', ' + name:<62} {first:>9.3f} s {second:>9.3f} s   {ratio:>6.2f} x", flush=True)


def resident() -> int:
    """Bytes of the resident set (Linux), after returning freed memory to the system; 0 elsewhere."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    status = Path("/proc/self/status")
    return int(status.read_text().split("VmRSS:")[1].split()[0]) * 1024 if status.exists() else 0


def held(fit: Fit) -> tuple[int, int, Any]:
    """Memory released with a fitted forest, the size of its pickle, and the unpickled forest."""
    forest = fit()
    data = pickle.dumps(forest)
    full = resident()
    del forest
    return full - resident(), len(data), pickle.loads(data)


def ours(method: str, x: np.ndarray, y: np.ndarray, trees: int, threads: int, **options: Any) -> Fit:
    """Fit one of our forests."""
    return lambda: imbcore.fit(
        x, y, method=method, n_estimators=trees, n_threads=threads, random_state=0, **options
    )


# Our forests that are compared with the Intel extension.
BESIDE_INTEL: dict[str, dict[str, Any]] = {
    "gini": {},
    "gini, leaves of 5": {"min_samples_leaf": 5},
    "255 bins, gini": {"max_bins": 255},
    "255 bins alone, gini": {"max_bins": 255, "exact_split_max_rows": 0},
    "255 bins, hellinger, leaves of 5": {"max_bins": 255, "criterion": "hellinger", "min_samples_leaf": 5},
    "the same, 30 % of the rows": {
        "max_bins": 255,
        "criterion": "hellinger",
        "min_samples_leaf": 5,
        "max_samples": 0.3,
    },
}


def over_seeds(rows: int, trees: int, seeds: int) -> None:
    """Print average precision on as many test rows, means over tables and forests of several seeds."""
    found: dict[str, list[float]] = {}
    for seed in range(seeds):
        x, y = make(rows, 20, seed=2 * seed)
        x_test, y_test = make(rows, 20, seed=2 * seed + 1)
        fits = {
            name: imbcore.fit(
                x, y, "random_forest", n_estimators=trees, n_threads=1, random_state=seed, **given
            )
            for name, given in BESIDE_INTEL.items()
        }
        fits["Intel extension"] = IntelForest(trees, n_jobs=1, random_state=seed).fit(x, y)
        for name, forest in fits.items():
            p = forest.predict_proba(x_test)[:, 1]
            found.setdefault(name, []).append(float(average_precision_score(y_test, p)))
    for name, areas in found.items():
        print(
            f"{name:<34} AP {statistics.mean(areas):.4f} over {seeds} seeds: "
            + " ".join(f"{area:.4f}" for area in areas)
        )


# YDF with trees of equal depth and the same voting as the others.
DEEP = {"min_examples": 1, "max_depth": -1, "winner_take_all": False, "compute_oob_performances": False}


class YdfForest:
    """A forest of YDF."""

    def __init__(self, trees: int, given: dict[str, Any]) -> None:
        self.learner = ydf.RandomForestLearner(
            label="label", num_trees=trees, num_threads=1, random_seed=0, **given
        )

    def fit(self, x: np.ndarray, y: np.ndarray) -> YdfForest:
        """Train the forest."""
        self.model = self.learner.train({"x": x, "label": y}, verbose=0)
        del self.learner  # cannot be pickled
        return self

    def predict_proba(self, x: np.ndarray) -> np.ndarray:
        """Return probabilities of both classes."""
        p = np.asarray(self.model.predict({"x": x}, num_threads=1))
        return np.column_stack([1 - p, p])


def main() -> None:
    """Print one line per comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument(
        "--intel", action="store_true", help="compare with the Intel extension only, which must be installed"
    )
    parser.add_argument(
        "--seeds",
        type=int,
        metavar="N",
        help="average precision over this number of seeds compared with Intel's, no times",
    )
    options = parser.parse_args()
    if options.seeds:
        over_seeds(options.rows, options.trees, options.seeds)
        return
    x, y = make(options.rows, 20)
    x_test, y_test = make(options.rows, 20, seed=1)
    trees = options.trees
    size = f"{options.rows} x 20, 1 % positives, {trees} trees, {os.cpu_count()} cores"
    print(f"imbcore {imbcore.__version__}, {size}")
    print(f"{'':<62} {'first':>11} {'second':>11}   second / first")

    def random_forest(threads: int) -> Fit:
        return lambda: fit_peer("sklearn forest", x, y, threads=threads, n_estimators=trees)

    def balanced(threads: int) -> Fit:
        given = {"sampling_strategy": "all", "replacement": True, "bootstrap": False, "n_estimators": trees}
        return lambda: fit_peer("imblearn balanced forest", x, y, threads=threads, **given)

    def extra(threads: int) -> Fit:
        return lambda: fit_peer("sklearn extra trees", x, y, threads=threads, n_estimators=trees)

    fits: dict[str, Fit] = {}
    if not options.intel:
        fits = {
            "scikit-learn": random_forest(1),
            "imbalanced-learn": balanced(1),
            "scikit-learn's extra trees": extra(1),
        }
    ours("random_forest", x[:1000], y[:1000], 1, 1)()
    if IntelForest is not None:
        fits["Intel extension"] = lambda: IntelForest(trees, n_jobs=1, random_state=0).fit(x, y)
        for name, given in BESIDE_INTEL.items():
            fits[name] = ours("random_forest", x, y, trees, 1, **given)
            paired(f"{name} | Intel extension, 1 thread", fits[name], fits["Intel extension"], options.runs)
    if ydf is not None and not options.intel:
        fits["YDF"] = lambda: YdfForest(trees, DEEP).fit(x, y)
        fits["YDF, its defaults"] = lambda: YdfForest(trees, {}).fit(x, y)
        for name in ("YDF", "YDF, its defaults"):
            for given in ({}, {"max_bins": 255}):
                first = ours("random_forest", x, y, trees, 1, **given)
                label = f"{'255 bins, ' if given else ''}gini | {name}, 1 thread"
                paired(label, first, fits[name], options.runs)
    for threads in () if options.intel else (1, 2):
        for criterion in ("gini", "hellinger"):
            name = f"random forest, {criterion}"
            fits[name] = ours("random_forest", x, y, trees, threads, criterion=criterion)
            label = f"{name} | scikit-learn, {threads} thread{'s' * (threads > 1)}"
            paired(label, fits[name], random_forest(threads), options.runs)
        for criterion in ("gini", "hellinger"):
            name = f"balanced forest, {criterion}"
            fits[name] = ours("balanced_random_forest", x, y, trees, threads, criterion=criterion)
            label = f"{name} | imbalanced-learn, {threads} thread{'s' * (threads > 1)}"
            paired(label, fits[name], balanced(threads), options.runs)
        for criterion in ("gini", "hellinger"):
            name = f"extra trees, {criterion}"
            fits[name] = ours("extra_trees", x, y, trees, threads, criterion=criterion)
            label = f"{name} | scikit-learn, {threads} thread{'s' * (threads > 1)}"
            paired(label, fits[name], extra(threads), options.runs)
    if not options.intel:
        fits["beat"] = ours("beat", x, y, min(trees, 30), 1)
        boosting = [name for name in installed(CORE) if name != "sklearn extra trees"]
        fits |= {name: lambda name=name: fit_peer(name, x, y) for name in boosting}
    for name, fit in fits.items():
        grown, pickled, forest = held(fit)
        start = time.process_time()
        p = forest.predict_proba(x_test)[:, 1]
        seconds = time.process_time() - start
        auc, area = roc_auc_score(y_test, p), average_precision_score(y_test, p)
        print(
            f"{name:<28} held-out AUC {auc:.4f}, AP {area:.4f}; resident {grown / 2**20:6.2f} MB, pickle "
            f"{pickled / 2**20:6.2f} MB; predict {seconds:.2f} s CPU",
            flush=True,
        )


if __name__ == "__main__":
    main()
