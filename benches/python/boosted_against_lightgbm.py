"""Boosted trees compared with LightGBM and others in one run: time, average precision, log loss.

LightGBM gets the NumPy array and the same leaves, bins, rounds, learning rate and limits; fits include the
binning. CatBoost has as many rounds of symmetric trees with 32 leaves, and scikit-learn's extra trees have as
many trees; their other settings are the defaults. With ``--auto`` ours also chooses its rounds, as by
default. With ``--memory`` each side fits in a separate process, first a small table, and the script prints
its peak memory in addition to table and libraries. Run it alone: ``--rows``, ``--columns``, ``--rounds``,
``--threads`` and ``--runs`` set the size.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from shared_peers import CORE, fit_peer, installed
from sklearn.metrics import average_precision_score, log_loss

import imbcore

SHAPE = {
    "max_leaf_nodes": 31,
    "max_bins": 255,
    "learning_rate": 0.1,
    "min_samples_leaf": 20,
    "reg_lambda": 0.0,
}
PLAIN = {"subsample": 1.0, "colsample_bytree": 1.0}


def make(rows: int, columns: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian features, of which a few shift the log-odds; 1 % positives with some noise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, columns))
    score = x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * x[:, 3] ** 2 + rng.normal(size=rows)
    return x, (score > np.quantile(score, 0.99)).astype(np.int64)


def clocked(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """CPU and wall seconds of some work, and its result."""
    cpu, wall = time.process_time(), time.perf_counter()
    found = work()
    return time.process_time() - cpu, time.perf_counter() - wall, found


def peak(fit: Callable[..., Any], x: np.ndarray, y: np.ndarray) -> float:
    """Peak memory of a fit in MB, in addition to the table and the libraries, in a separate process."""

    def measure(pipe: Any) -> None:
        # Memory of a first small fit stays allocated and is not counted.
        fit(x[:2000], y[:2000])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        fit(x, y)
        pipe.send((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)

    here, there = multiprocessing.get_context("fork").Pipe()
    child = multiprocessing.get_context("fork").Process(target=measure, args=(there,))
    child.start()
    found: float = here.recv()
    child.join()
    return found


def main() -> None:
    """Fit both in turn; print medians, the ratio of theirs to ours, and the quality on test rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument(
        "--auto",
        action="store_true",
        help="also ours with default settings, which choose the number of rounds",
    )
    parser.add_argument("--memory", action="store_true", help="peak memory instead of time")
    parser.add_argument("--by-column", action="store_true", help="column-major tables")
    chosen = parser.parse_args()
    x, y = make(chosen.rows, chosen.columns, 0)
    x = np.asfortranarray(x) if chosen.by_column else x
    unseen = make(100_000, chosen.columns, 1)
    threads = chosen.threads

    def ours(**options: Any) -> Callable[..., Any]:
        return lambda x, y: imbcore.fit(x, y, "boosted_trees", random_state=0, n_threads=threads, **options)

    def theirs(name: str) -> Callable[..., Any]:
        given = (
            {"iterations": chosen.rounds, "depth": 5}
            if name == "CatBoost"
            else {"n_estimators": chosen.rounds}
        )
        return lambda x, y: fit_peer(name, x, y, threads=threads, **given)

    sides = {"imbcore": ours(n_rounds=chosen.rounds, **SHAPE, **PLAIN)}
    sides |= {name: theirs(name) for name in installed(CORE)}
    if chosen.auto:
        sides["imbcore, defaults"] = ours()
    if chosen.memory:
        print(f"{chosen.rows:,} x {chosen.columns}, {threads} threads: a table of {x.nbytes / 2**20:.0f} MB")
        for name, fit in sides.items():
            print(f"{name:<20} peak {peak(fit, x, y):7.0f} MB above the table")
        return
    runs = [
        {name: clocked(lambda fit=fit: fit(x, y)) for name, fit in sides.items()} for _ in range(chosen.runs)
    ]
    print(
        f"{chosen.rows:,} x {chosen.columns}, {chosen.rounds} rounds, {threads} threads of {os.cpu_count()}"
    )
    for name in sides:
        cpu, wall = (statistics.median(run[name][clock] for run in runs) for clock in (0, 1))
        # NaN without LightGBM.
        ratio = statistics.median(
            run["LightGBM"][0] / run[name][0] if "LightGBM" in run else np.nan for run in runs
        )
        model = runs[0][name][2]
        extra = {"n_threads": threads} if name.startswith("imbcore") else {}
        predict_cpu, _, proba = clocked(
            lambda model=model, extra=extra: model.predict_proba(unseen[0], **extra)[:, 1]
        )
        print(
            f"{name:<20} fit {cpu:7.2f} s CPU {wall:7.2f} s wall, {ratio:5.2f} x LightGBM's speed; "
            f"100,000 rows {predict_cpu:5.2f} s CPU; AP {average_precision_score(unseen[1], proba):.4f}, "
            f"log loss {log_loss(unseen[1], proba):.5f}"
        )


if __name__ == "__main__":
    main()
