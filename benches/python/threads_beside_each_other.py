"""Python threads side by side: answers to one row while another thread fits, and fits of four threads.

Run with ``python benches/python/threads_beside_each_other.py [seconds]``. Prints the latency of
``predict_proba`` of one row, alone and beside a fit that uses all cores, and how much faster four threads
with one core each end four fits than one thread does; for imbcore and for scikit-learn.
"""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier

import imbcore

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
CORES = len(os.sched_getaffinity(0))
RNG = np.random.default_rng(0)
X = RNG.normal(size=(40_000, 20))
Y = (X[:, 0] + RNG.normal(size=len(X)) > 2).astype(int)


class EnoughError(Exception):
    """Ends a fit."""


def latencies(answer: Callable[[], Any], seconds: float) -> np.ndarray:
    """Milliseconds of single answers, one after the other with a pause, as requests come."""
    taken = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        answer()
        taken.append(1000 * (time.perf_counter() - start))
        time.sleep(0.002)
    return np.array(taken)


def beside(fit: Callable[[threading.Event], Any], answer: Callable[[], Any]) -> np.ndarray:
    """Latencies while another thread fits again and again."""
    over = threading.Event()

    def fits() -> None:
        while not over.is_set():
            fit(over)

    fitting = threading.Thread(target=fits)
    fitting.start()
    time.sleep(0.3)
    taken = latencies(answer, SECONDS)
    over.set()
    fitting.join()
    return taken


def show(name: str, taken: np.ndarray) -> None:
    """Print percentiles."""
    low, high = np.percentile(taken, [50, 99])
    print(f"  {name:<28} median {low:8.3f} ms   99 % {high:8.3f} ms   most {taken.max():8.3f} ms")


def gain(fit: Callable[[], Any]) -> float:
    """How much faster four threads end four fits than one thread does; the median of three rounds."""
    found = []
    for _ in range(3):
        start = time.perf_counter()
        for _ in range(4):
            fit()
        middle = time.perf_counter()
        threads = [threading.Thread(target=fit) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        found.append((middle - start) / (time.perf_counter() - middle))
    return float(np.median(found))


def ours(over: threading.Event) -> None:
    """Fit on all cores, and end soon after being told to."""

    def stop(*_: object) -> None:
        if over.is_set():
            raise EnoughError

    with contextlib.suppress(EnoughError):
        imbcore.fit(X, Y, "random_forest", n_estimators=100, n_threads=CORES, callback=stop)


def main() -> None:
    """Measure and print."""
    row = X[:1]
    print(f"imbcore, {CORES} cores")
    for method, options in (("hddt", {}), ("random_forest", {"n_estimators": 100})):
        model = imbcore.fit(X[:4000], Y[:4000], method, random_state=0, **options)

        def answer(model: imbcore.Model = model) -> Any:
            return model.predict_proba(row, n_threads=CORES)

        show(f"{method}, alone", latencies(answer, SECONDS / 4))
        show(f"{method}, beside a fit", beside(ours, answer))
    one = gain(lambda: imbcore.fit(X, Y, "random_forest", n_estimators=8, random_state=0, n_threads=1))
    print(f"  four threads with n_threads=1 gain {one:.2f} times")
    print("scikit-learn")
    forest = RandomForestClassifier(100, n_jobs=CORES, random_state=0).fit(X[:4000], Y[:4000])
    show("forest, alone", latencies(lambda: forest.predict_proba(row), SECONDS / 4))
    big = RandomForestClassifier(20, n_jobs=CORES)
    show("forest, beside a fit", beside(lambda _: big.fit(X, Y), lambda: forest.predict_proba(row)))
    one = gain(lambda: RandomForestClassifier(8, n_jobs=1, random_state=0).fit(X, Y))
    print(f"  four threads with n_jobs=1 gain {one:.2f} times")


if __name__ == "__main__":
    main()
