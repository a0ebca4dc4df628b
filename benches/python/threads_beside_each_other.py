"""Concurrent Python threads: predictions of one row during a fit, and fits in four threads.

Run it with ``python benches/python/threads_beside_each_other.py [seconds]``. It prints the latency of
``predict_proba`` of one row, alone and during a fit that uses all cores, and the speedup of four fits in four
threads with one core each over one thread; for imbcore, scikit-learn, CatBoost and LightGBM.
"""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from shared_peers import CORE, fit_peer, installed

import imbcore

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
CORES = len(os.sched_getaffinity(0))
RNG = np.random.default_rng(0)
X = RNG.normal(size=(40_000, 20))
Y = (X[:, 0] + RNG.normal(size=len(X)) > 2).astype(int)


class EnoughError(Exception):
    """Ends a fit."""


def latencies(predict: Callable[[], Any], seconds: float) -> np.ndarray:
    """Milliseconds of single predictions, one after the other with a pause, like incoming requests."""
    taken = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        predict()
        taken.append(1000 * (time.perf_counter() - start))
        time.sleep(0.002)
    return np.array(taken)


def latencies_during_fit(fit: Callable[[threading.Event], Any], predict: Callable[[], Any]) -> np.ndarray:
    """Latencies while another thread repeats fits."""
    over = threading.Event()

    def fits() -> None:
        while not over.is_set():
            fit(over)

    fitting = threading.Thread(target=fits)
    fitting.start()
    time.sleep(0.3)
    taken = latencies(predict, SECONDS)
    over.set()
    fitting.join()
    return taken


def show(name: str, taken: np.ndarray) -> None:
    """Print percentiles."""
    low, high = np.percentile(taken, [50, 99])
    print(f"  {name:<28} median {low:8.3f} ms   99 % {high:8.3f} ms   most {taken.max():8.3f} ms")


def gain(fit: Callable[[], Any]) -> float:
    """Speedup of four fits in four threads over one thread; the median of three rounds."""
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
    """Fit on all cores, and stop soon after a request."""

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

        def predict(model: imbcore.Model = model) -> Any:
            return model.predict_proba(row, n_threads=CORES)

        show(f"{method}, alone", latencies(predict, SECONDS / 4))
        show(f"{method}, during a fit", latencies_during_fit(ours, predict))
    one = gain(lambda: imbcore.fit(X, Y, "random_forest", n_estimators=8, random_state=0, n_threads=1))
    print(f"  four threads with n_threads=1 gain {one:.2f} times")
    for name in installed(("sklearn forest", *CORE)):
        peer(name, row)


def peer(name: str, row: np.ndarray) -> None:
    """Measure another library."""
    print(name)
    size = "iterations" if name == "CatBoost" else "n_estimators"
    model = fit_peer(name, X[:4000], Y[:4000], threads=CORES, **{size: 100})
    show("alone", latencies(lambda: model.predict_proba(row), SECONDS / 4))

    def fit(_: threading.Event) -> None:
        fit_peer(name, X, Y, threads=CORES, **{size: 20})

    show("during a fit", latencies_during_fit(fit, lambda: model.predict_proba(row)))
    one = gain(lambda: fit_peer(name, X, Y, threads=1, **{size: 8}))
    print(f"  four threads with one core each gain {one:.2f} times")


if __name__ == "__main__":
    main()
