"""Discretizers compared with scikit-learn's quantile binning: one column, one thread, fit and transform.

Run it alone; ``--rows`` and ``--runs`` set the size. scikit-learn samples 200,000 rows by default; both that
and all rows are timed. Only equal frequency does the same task: the other methods use the classes.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.preprocessing import KBinsDiscretizer

from imbcore import discretization


def make(rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """One Gaussian column and 5 % positives with higher values, all distinct."""
    rng = np.random.default_rng(seed)
    y = (rng.random(rows) < 0.05).astype(np.int64)
    return (rng.normal(size=rows) + 1.5 * y)[:, None], y


def milliseconds(job: Callable[[], Any], runs: int) -> float:
    """Median time of a call."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        job()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def main() -> None:
    """Print one line per method."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    chosen = parser.parse_args()
    x, y = make(chosen.rows)
    binned = {"n_bins": 5, "encode": "ordinal", "strategy": "quantile"}
    methods: dict[str, Any] = {
        name: getattr(discretization, name)(n_threads=1) for name in discretization.__all__
    }
    methods["KBinsDiscretizer, 200,000 rows"] = KBinsDiscretizer(**binned, random_state=0)
    methods["KBinsDiscretizer, all rows"] = KBinsDiscretizer(**binned, subsample=None)
    print(f"{chosen.rows:,} rows, milliseconds: fit, transform, bins")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        for name, method in methods.items():
            fit = milliseconds(lambda method=method: method.fit(x, y), chosen.runs)
            transform = milliseconds(lambda method=method: method.transform(x), chosen.runs)
            print(f"{name:32} {fit:8.1f} {transform:8.1f} {method.n_bins_[0]:6}")


if __name__ == "__main__":
    main()
