"""Samplers compared with imbalanced-learn, on the same data in one run.

Normal columns, of which five are higher by 1 in the rare class of 1 %. CPU time of ``fit_resample`` with one
thread: the minimum of ``--repeats`` consecutive runs of each, and again with both in turn. In turn, the
system clears the pages freed by one side again for the other, which takes as long as SMOTE. Every line prints
the figures and their ratio; nothing is asserted because machines differ. ``--slow`` includes runs of the
other library that take half a minute or more.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

# One thread, also in the libraries below scikit-learn.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from imblearn import over_sampling, under_sampling

import imbcore
from imbcore import sampling

SLOW = ("TomekLinks", "OneSidedSelection")
# The other library does not finish within 900 s.
ENDLESS = ("CondensedNearestNeighbour",)


def make(rows: int, features: int) -> tuple[np.ndarray, np.ndarray]:
    """Make the table."""
    rng = np.random.default_rng(0)
    y = (np.arange(rows) % 100 == 0).astype(np.int64)
    x = rng.normal(size=(rows, features))
    x[y == 1, :5] += 1.0
    return x, y


def seconds(sampler: Any, x: np.ndarray, y: np.ndarray) -> tuple[float, int]:
    """CPU seconds over all threads, and number of resulting rows."""
    start = time.process_time()
    rows = len(sampler.fit_resample(x, y)[1])
    return time.process_time() - start, rows


def main() -> None:
    """Print one line per sampler."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--slow", action="store_true")
    options = parser.parse_args()
    x, y = make(options.rows, 20)
    print(f"imbcore {imbcore.__version__}, {options.rows} x 20, 1 % rare, 1 thread, CPU s")
    peers = {name: getattr(over_sampling, name) for name in ("SMOTE", "BorderlineSMOTE", "ADASYN")}
    peers |= {name: getattr(under_sampling, name) for name in (*SLOW, *ENDLESS)}
    for name, peer in peers.items():
        drawn = {} if name == "TomekLinks" else {"random_state": 0}
        repeats = 1 if name in SLOW and options.slow else options.repeats
        both = [getattr(sampling, name)(**drawn, n_jobs=1)]
        if name not in ENDLESS and (options.slow or name not in SLOW):
            both.append(peer(**drawn))
        in_rows = [min(seconds(of, x, y) for _ in range(repeats)) for of in both]
        turns = [[seconds(of, x, y) for of in both] for _ in range(repeats)]
        in_turn = [min(times) for times in zip(*turns, strict=True)]
        for how, found in (("in a row", in_rows), ("in turn", in_turn)):
            names = ("ours", "imbalanced-learn")[: len(found)]
            words = [
                f"{who} {spent:7.3f} ({rows} rows)" for who, (spent, rows) in zip(names, found, strict=True)
            ]
            ratio = f"  ratio {found[1][0] / found[0][0]:6.2f}" if len(found) > 1 else ""
            print(f"{name:26} {how:9} {'  '.join(words)}{ratio}", flush=True)


if __name__ == "__main__":
    main()
