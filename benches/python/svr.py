"""SVR-Trees: time of a fit on four sets of the paper, on large data, and its growth with the rows.

One thread. The authors' program is written in Python; its times, measured once on another machine, are
printed for the order of magnitude. If the package imbalanced-spdf, which contains a version of that program,
is installed, both are timed in turn on the same rows and settings.

Run it with ``make bench``, or alone with ``--rows`` and ``--runs``. Nothing is asserted because machines
differ. The data sets are found as in ``imbcore.datasets.load``, also in ../shared/data; unavailable ones are
skipped.
"""

from __future__ import annotations

import argparse
import importlib
import math
import os
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# One thread per fit.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import imbcore
from imbcore import datasets

# Set -> the target time and the time of the authors' program on another machine, in milliseconds.
SETS = {"ecoli-pp": (10, 600), "pima": (20, 2800), "yeast4": (20, 2000), "segment0": (100, 13700)}
# Settings of the authors' program at a node, and the middle of its penalties.
PROGRAM = {"pure_nodes": "freeze", "stop_rule": "dequeues"}
KAPPA = 0.008
BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"
Fit = Callable[[], Any]


def make(rows: int, features: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian features, of which a few shift the log-odds; 1 % positives with some noise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, features))
    score = x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * x[:, 3] ** 2 + rng.normal(size=rows)
    return x, (score > np.quantile(score, 0.99)).astype(np.int64)


def found_sets() -> Iterator[datasets.Dataset]:
    """Load the available data sets."""
    folder = BESIDE if "IMBCORE_DATA" not in os.environ and BESIDE.is_dir() else None
    for name in SETS:
        try:
            yield datasets.load(name, folder=folder)
        except ConnectionError as error:
            print(f"{name}: skipped ({error})")


def ours(x: Any, y: np.ndarray, **options: Any) -> Fit:
    """Fit our tree on one thread."""
    return lambda: imbcore.fit(x, y, method="svr_tree", n_threads=1, **options)


def cpu(job: Fit) -> float:
    """CPU seconds of a call, over all threads."""
    start = time.process_time()
    job()
    return time.process_time() - start


def of_sets(runs: int) -> None:
    """Time fits on all rows of the sets, with the default leaf limit."""
    print(f"{'one fit, all rows, CPU':<28} {'median':>10} {'target':>8} {'authors, elsewhere':>20}")
    for data in found_sets():
        aim, authors = SETS[data.name]
        fit = ours(data.X, data.y, penalty=KAPPA * len(data.y) ** (-1 / 3))
        fit()
        median = 1e3 * statistics.median(cpu(fit) for _ in range(runs))
        print(f"{data.name:<28} {median:>7.1f} ms {aim:>5} ms {authors:>17} ms", flush=True)


def of_program(runs: int) -> None:
    """Time ours and the authors' program in turn, on the same rows and settings."""
    try:
        program = importlib.import_module("imbalanced_spdf.tree").tree
    except ImportError as error:
        print(f"authors' program: skipped ({error})")
        return
    for data in found_sets():
        x = np.column_stack([data.X[column] for column in data.X.names])
        n, rare = len(data.y), int(data.y.sum())
        weight, leaves, penalty = float((n - rare) // rare), 2 * n**0.5, KAPPA * n ** (-1 / 3)
        fit = ours(x, data.y, penalty=penalty, minority_weight=weight, max_leaf_nodes=leaves, **PROGRAM)

        def theirs(settings: tuple[Any, ...] = (x, data.y, penalty, weight, leaves)) -> Any:
            x, y, penalty, weight, leaves = settings
            grown = program()
            grown.fit_sv(x, y, penalty, weight=weight, maximal_leaves=leaves)
            return grown

        unlike = int(np.sum(fit().predict(x) != theirs().predict(x)))
        pairs = [(cpu(fit), cpu(theirs)) for _ in range(runs)]
        first, second = (statistics.median(times) for times in zip(*pairs, strict=True))
        print(
            f"{data.name + ' | authors, CPU':<28} {1e3 * first:>7.1f} ms {1e3 * second:>7.0f} ms "
            f"{second / first:>6.0f} x, {unlike} of {n} predictions differ",
            flush=True,
        )


def of_sizes(largest: int, runs: int) -> None:
    """Time data of increasing size with 20 features, and print the slope of log time against log rows."""
    sizes = [largest // 8, largest // 4, largest // 2, largest]
    times = []
    for rows in sizes:
        fit = ours(*make(rows, 20))
        times.append(statistics.median(cpu(fit) for _ in range(runs)))
        leaves = fit().n_leaves_
        print(f"{f'{rows} x 20, CPU':<28} {1e3 * times[-1]:>7.0f} ms, {leaves} leaves", flush=True)
    slope = np.polyfit([math.log(rows) for rows in sizes], [math.log(spent) for spent in times], 1)[0]
    print(f"cost grows like rows to the power {slope:.2f}; the leaf limit grows with their square root")


def main() -> None:
    """Print one line per comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    print(f"imbcore {imbcore.__version__}, one thread of {os.cpu_count()} cores")
    of_sets(options.runs)
    of_program(1)
    of_sizes(options.rows, min(options.runs, 3))


if __name__ == "__main__":
    main()
