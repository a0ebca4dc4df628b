"""Peak memory of a fit in addition to its table, in a separate process per method.

The peak of the resident set during the fit minus the resident memory before it, as a multiple of X; wall and
CPU seconds. 1 % positives. X is row-major, as NumPy arrays are, or column-major with ``--order F``. Run it
with ``make bench``, or alone with ``--rows``, ``--columns``, ``--threads`` and ``--methods``. The peak comes
from the kernel (Linux); nothing is asserted because machines differ.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from shared_peers import fit_peer, installed

import imbcore

METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "exact tree": ("cart", {}),
    "binned tree": ("cart", {"max_bins": 255}),
    "exact forest of four": ("random_forest", {"n_estimators": 4}),
    "binned forest of four": ("random_forest", {"n_estimators": 4, "max_bins": 255}),
    "extra trees of four": ("extra_trees", {"n_estimators": 4}),
    "balanced forest of fifty": ("balanced_random_forest", {"n_estimators": 50}),
    "ten boosted trees": ("boosted_trees", {"n_rounds": 10}),
    "SVR-Tree": ("svr_tree", {"max_leaf_nodes": 30}),
}
# Other libraries: name among the peers and settings, of about the size of ours.
PEERS: dict[str, tuple[str, dict[str, Any]]] = {
    "CatBoost, ten rounds": ("CatBoost", {"iterations": 10}),
    "LightGBM, ten rounds": ("LightGBM", {"n_estimators": 10}),
    "LightGBM, quantized, ten": ("LightGBM, quantized", {"n_estimators": 10}),
    "sklearn extra trees of four": ("sklearn extra trees", {"n_estimators": 4}),
}


def fitted(label: str, x: np.ndarray, y: np.ndarray, threads: int) -> None:
    """Fit one of our methods or another library."""
    if label in PEERS:
        name, given = PEERS[label]
        fit_peer(name, x, y, threads=threads, **given)
        return
    method, given = METHODS[label]
    imbcore.fit(x, y, method=method, n_threads=threads, random_state=0, **given)


def status(name: str) -> int:
    """Bytes in a line of the process's status."""
    return int(Path("/proc/self/status").read_text().split(name + ":")[1].split()[0]) * 1024


def measured(label: str, size: tuple[int, int], order: Any, threads: int) -> dict[str, float]:
    """Fit in this process; return the peak above the resident memory before."""
    rng = np.random.default_rng(0)
    (rows, columns), x = size, np.empty(size, order=order)
    for column in range(columns):
        x[:, column] = rng.normal(size=rows)
    score = x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * x[:, 3] ** 2 + rng.normal(size=rows)
    y = (score > np.quantile(score, 0.99)).astype(np.int64)
    fitted(label, x[:500], (np.arange(500) < 5).astype(np.int64), threads)
    del score
    # Reset the peak counter of the kernel.
    Path("/proc/self/clear_refs").write_text("5")
    before, cpu, wall = status("VmRSS"), time.process_time(), time.perf_counter()
    fitted(label, x, y, threads)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {"beyond": (status("VmHWM") - before) / x.nbytes, "wall": wall, "cpu": cpu}


def main() -> None:
    """Print one line per method."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--order", choices=("C", "F"), default="C")
    parser.add_argument(
        "--methods", default=";".join([*METHODS, *PEERS]), help="labels, separated by semicolons"
    )
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        size = options.rows, options.columns
        print(json.dumps(measured(options.inside, size, options.order, options.threads)))
        return
    megabytes = options.rows * options.columns * 8 / 1e6
    table = f"{options.rows} x {options.columns} ({megabytes:.0f} MB, order {options.order})"
    print(f"imbcore {imbcore.__version__}, {table}, {options.threads} threads")
    print(f"{'':<28} {'beyond X':>10} {'wall':>10} {'CPU':>10}")
    names = ("rows", "columns", "threads", "order")
    sizes = [f"--{name}={getattr(options, name)}" for name in names]
    for label in options.methods.split(";"):
        if label in PEERS and not installed([PEERS[label][0]]):
            continue
        command = [sys.executable, __file__, f"--inside={label}", *sizes]
        found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        print(
            f"{label:<28} {found['beyond']:>8.2f} X {found['wall']:>8.2f} s {found['cpu']:>8.2f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
