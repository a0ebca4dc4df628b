"""Prediction compared with scikit-learn, LightGBM, CatBoost and YDF, on the same data in one run.

CPU time of ``predict_proba`` with one thread for many rows, and for one row at a time: a deep tree, and
forests of 100 trees, LightGBM's with as many leaves as ours. CatBoost and LightGBM with their default
settings have other numbers of trees and leaves. Memory of the fitted forests, and size of their files. Run it
with ``make bench``, or alone with ``--rows`` and ``--runs``. Every line prints the figures and their ratio;
nothing is asserted because machines differ.
"""

from __future__ import annotations

import argparse
import gc
import os
import pickle
import statistics
import time
from collections.abc import Callable
from typing import Any

# One thread per worker, also in the other libraries.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from forests_against_peers import DEEP, YdfForest, make, resident, ydf
from shared_peers import CORE, fit_peer, installed
from sklearn.tree import DecisionTreeClassifier

import imbcore

TREES = 100
Job = Callable[[], Any]


def cpu(job: Job) -> float:
    """CPU seconds over all threads."""
    gc.collect()
    start = time.process_time()
    job()
    return time.process_time() - start


def paired(label: str, jobs: dict[str, Job], runs: int) -> None:
    """Time the jobs in turn; print the medians, and those of the ratios to the first."""
    for job in jobs.values():
        job()
    timed = [[cpu(job) for job in jobs.values()] for _ in range(runs)]
    ours = statistics.median(run[0] for run in timed)
    print(f"{label:<52} {'imbcore':>29} {ours:>10.4f} s", flush=True)
    for at, name in enumerate(jobs):
        if at > 0:
            seconds = statistics.median(run[at] for run in timed)
            ratio = statistics.median(run[at] / run[0] for run in timed)
            print(f"{'':<52} {name:>29} {seconds:>10.4f} s   {ratio:>6.2f} x", flush=True)


def one_by_one(label: str, models: dict[str, Any], X: np.ndarray, runs: int) -> None:
    """Microseconds of a call with a single row, for consecutive calls."""
    for name, model in models.items():
        times = []
        for row in range(runs):
            single = X[row : row + 1]
            start = time.perf_counter()
            model.predict_proba(single)
            times.append(time.perf_counter() - start)
        print(f"{label:<52} {name:>12} {statistics.median(times) * 1e6:>10.1f} us", flush=True)


def as_large(x: np.ndarray, y: np.ndarray, leaves: int) -> Any:
    """LightGBM's random forest with the given number of leaves per tree, as far as the rows allow."""
    options = {"boosting_type": "rf", "subsample_freq": 1, "subsample": 0.632, "n_estimators": TREES}
    options |= {"num_leaves": leaves, "min_child_samples": 1, "min_child_weight": 0.0}
    options |= {"feature_fraction_bynode": x.shape[1] ** -0.5, "min_split_gain": 0.0}
    return fit_peer("LightGBM", x, y, **options).fitted.booster_


def held(model: Any) -> int:
    """Memory of a model: the decrease when a copy of it is deleted."""
    copy = pickle.loads(pickle.dumps(model))
    full = resident()
    del copy
    return full - resident()


def mb(size: int) -> str:
    """Format megabytes."""
    return f"{size / 2**20:.1f} MB"


def compare(rows: int, columns: int, runs: int, fitted_on: int) -> None:
    """Fit on some rows, predict many."""
    x, y = make(fitted_on, columns)
    y = np.where(np.random.default_rng(1).random(len(y)) < 0.1, 1 - y, y)  # noise makes trees deep
    X = make(rows, columns, seed=1)[0]
    size = f"{rows} x {columns}"
    tree = imbcore.fit(x, y, "cart", n_threads=1)
    peer = DecisionTreeClassifier(random_state=0).fit(x, y)
    print(f"a tree of {tree.n_leaves_} leaves, scikit-learn's has {peer.get_n_leaves()}")
    paired(
        f"one tree, {size}",
        {
            "imbcore": lambda: tree.predict_proba(X, n_threads=1),
            "scikit-learn": lambda: peer.predict_proba(X),
        },
        runs,
    )
    one_by_one("one tree, a row at a time", {"imbcore": tree, "scikit-learn": peer}, X, 2000)
    forest = imbcore.fit(x, y, "random_forest", n_estimators=TREES, random_state=0, n_threads=1)
    peers = fit_peer("sklearn forest", x, y, n_estimators=TREES).fitted
    leaves = round(sum(member.n_leaves_ for member in forest.estimators_) / TREES)
    print(f"{TREES} trees of {leaves} leaves")
    jobs: dict[str, Job] = {
        "imbcore": lambda: forest.predict_proba(X, n_threads=1),
        "scikit-learn": lambda: peers.predict_proba(X),
    }
    boosted = as_large(x, y, leaves) if installed(["LightGBM"]) else None
    if boosted is not None:
        theirs = sum(tree["num_leaves"] for tree in boosted.dump_model()["tree_info"]) / TREES
        print(f"LightGBM's have {theirs:.0f}")
        jobs["LightGBM"] = lambda: boosted.predict(X, num_threads=1)
    for name in installed(CORE):
        given = {"n_estimators": TREES} if name == "sklearn extra trees" else {}
        model = fit_peer(name, x, y, **given)
        jobs[f"{name}, defaults"] = lambda model=model: model.predict_proba(X)
    if ydf is not None:
        another = YdfForest(TREES, DEEP).fit(x, y)
        print(f"YDF's have {(another.model.num_nodes() / TREES + 1) / 2:.0f}")
        jobs["YDF"] = lambda: another.predict_proba(X)
    paired(f"a forest of {TREES}, {size}", jobs, runs)
    one_by_one(f"a forest of {TREES}, a row at a time", {"imbcore": forest}, X, 500)
    one_by_one(f"a forest of {TREES}, a row at a time", {"scikit-learn": peers}, X, 50)
    size, peer_size = held(forest), held(peers)
    print(f"memory: imbcore {mb(size)}, scikit-learn {mb(peer_size)}, {size / peer_size:.2f}")
    if boosted is None:
        return
    file, peer_file = len(forest.to_bytes()), len(boosted.model_to_string())
    print(f"file: imbcore {mb(file)}, LightGBM {mb(peer_file)}, {file / peer_file:.2f}")


def main() -> None:
    """Print one line per comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, nargs="*", default=[10, 100])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--fitted-on", type=int, default=20_000)
    options = parser.parse_args()
    print(f"imbcore {imbcore.__version__}, one thread, {os.cpu_count()} cores")
    for columns in options.columns:
        compare(options.rows, columns, options.runs, options.fitted_on)


if __name__ == "__main__":
    main()
