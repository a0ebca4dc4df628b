"""Exact trees compared with scikit-learn, on the same data in one run: CPU time, memory, held-out AUC.

Run it with ``make bench``, or alone with ``--rows`` and ``--runs``. Every line prints both figures and their
ratio; nothing is asserted because machines differ.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path

# One thread per fit, also in the libraries below scikit-learn.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier

import imbcore


def make(rows: int, features: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian features, of which a few shift the log-odds; 1 % positives with some noise."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, features))
    score = x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * x[:, 3] ** 2 + rng.normal(size=rows)
    return x, (score > np.quantile(score, 0.99)).astype(np.int64)


def cpu(job: Callable[[], object]) -> float:
    """CPU seconds of a call, over all threads."""
    start = time.process_time()
    job()
    return time.process_time() - start


def wall(job: Callable[[], object]) -> float:
    """Wall seconds of a call."""
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def against(case: str, jobs: dict[str, Callable[[], object]], peer: Callable[[], object], runs: int) -> None:
    """Time jobs and their slower counterpart in turn; print medians of CPU time and ratios."""
    rounds = [[cpu(job) for job in (*jobs.values(), peer)] for _ in range(runs + 1)][1:]
    second = statistics.median(times[-1] for times in rounds)
    for place, name in enumerate(jobs):
        first = statistics.median(times[place] for times in rounds)
        ratio = statistics.median(times[-1] / times[place] for times in rounds)
        label = f"{case}{name} | scikit-learn's Gini tree, CPU"
        print(f"{label:<58} {first * 1e3:>10.1f} ms {second * 1e3:>10.1f} ms   {ratio:>6.2f} x", flush=True)


def paired(
    label: str,
    ours: Callable[[], object],
    theirs: Callable[[], object],
    runs: int,
    clock: Callable[..., float],
) -> None:
    """Time both in turn after one warm-up each; print medians, and the median of the ratios."""
    ours()
    theirs()
    pairs = [(clock(ours), clock(theirs)) for _ in range(runs)]
    first = statistics.median(pair[0] for pair in pairs)
    second = statistics.median(pair[1] for pair in pairs)
    ratio = statistics.median(pair[1] / pair[0] for pair in pairs)
    print(f"{label:<58} {first * 1e3:>10.1f} ms {second * 1e3:>10.1f} ms   {ratio:>6.2f} x", flush=True)


def peak_beyond(job: Callable[[], object]) -> int:
    """Peak increase of the resident set in bytes (Linux)."""
    status = Path("/proc/self/status")
    if not status.exists():
        return -1
    Path("/proc/self/clear_refs").write_text("5")
    field = lambda name: int(status.read_text().split(f"{name}:")[1].split()[0]) * 1024  # noqa: E731
    before = field("VmRSS")
    job()
    return field("VmHWM") - before


def compare_fits(rows: int, features: int, runs: int) -> None:
    """Fits of one shape of data: time, threads, memory, and quality of the trees."""
    x, y = make(rows, features)
    x_test, y_test = make(rows, features, seed=1)
    case = f"d = {features}: "

    def ours(method: str, threads: int = 1, **options: float) -> Callable[[], imbcore.Model]:
        return lambda: imbcore.fit(x, y, method=method, n_threads=threads, random_state=0, **options)

    def peer() -> DecisionTreeClassifier:
        return DecisionTreeClassifier(random_state=0).fit(x, y)

    # The first large fit of a process is measured: later ones reuse its freed memory.
    beyond = peak_beyond(ours("cart")) / x.nbytes
    jobs = {
        "Gini tree": ours("cart"),
        "Hellinger tree": ours("hddt"),
        "alpha-tree, 0.5": ours("alpha_tree", alpha=0.5),
        "alpha-tree, 1.5": ours("alpha_tree", alpha=1.5),
        "C4.4 tree": ours("c44"),
    }
    against(case, jobs, peer, runs)
    paired(case + "Hellinger tree | our Gini tree, CPU", jobs["Hellinger tree"], jobs["Gini tree"], 5, cpu)
    for method in ("cart", "hddt"):
        paired(case + f"{method}, two threads | one, wall", ours(method, 2), ours(method), 5, wall)
    models = {"cart": ours("cart")(), "scikit-learn": peer(), "hddt": ours("hddt")(), "c44": ours("c44")()}
    for name, model in models.items():
        area = roc_auc_score(y_test, model.predict_proba(x_test)[:, 1])
        print(f"{case}held-out AUC of {name}: {area:.4f}")
    print(f"{case}peak memory of a fit beyond X: {beyond:.2f} times X")


def compare_predictions(rows: int) -> None:
    """Predict ten times as many rows as were fitted."""
    x, y = make(rows, 10)
    ours = imbcore.fit(x, y, method="cart", n_threads=1)
    theirs = DecisionTreeClassifier(random_state=0).fit(x, y)
    big, _ = make(10 * rows, 10, seed=2)
    case = f"{len(big)} rows | scikit-learn, "
    paired("predict " + case + "CPU", lambda: ours.predict(big), lambda: theirs.predict(big), 5, cpu)
    paired("predict " + case + "wall", lambda: ours.predict(big), lambda: theirs.predict(big), 5, wall)
    paired(
        "predict_proba " + case + "CPU",
        lambda: ours.predict_proba(big),
        lambda: theirs.predict_proba(big),
        5,
        cpu,
    )


def main() -> None:
    """Print one line per comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    imbcore.fit([[0.0], [1.0]], [0, 1])  # loads modules that are imported lazily
    print(f"imbcore {imbcore.__version__}, {options.rows} rows, 1 % positives, {os.cpu_count()} cores")
    print(f"{'':<58} {'first':>13} {'second':>13}   second / first")
    for features in (10, 100):
        compare_fits(options.rows, features, options.runs if features < 100 else 1)
    compare_predictions(options.rows)
    x, y = make(1000, 10)
    paired(
        "imbcore.fit 1000 x 10, whole call | scikit-learn, wall",
        lambda: imbcore.fit(x, y, method="cart"),
        lambda: DecisionTreeClassifier(random_state=0).fit(x, y),
        101,
        wall,
    )


if __name__ == "__main__":
    main()
