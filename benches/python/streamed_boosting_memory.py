"""Memory of `boosted_trees` for each row of Parquet files, with and without a text column of 2,000 levels.

    python benches/python/streamed_boosting_memory.py FOLDER

Each fit runs in a separate process. The memory for each row is the difference between the peaks of fits to
the whole file and to its first half, divided by the difference in rows: constant terms, such as chunks,
cancel. Peaks are those of anonymous memory, read every millisecond from /proc.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np

import imbcore

LEVELS, NUMBERS, GROUP = 2000, [f"x{column}" for column in range(9)], 50_000
# Name: columns, parameters.
FITS = {
    "9 numeric columns": (NUMBERS, {}),
    "and a text column, subset": ([*NUMBERS, "shop"], {"categorical_split": "subset"}),
    "and a text column, target statistics": ([*NUMBERS, "shop"], {"categorical_split": "target"}),
}


def write(path: Path, n_rows: int) -> None:
    """Write float32 columns and a text column; about one row in a hundred is positive."""
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(0)
    effects = rng.normal(size=LEVELS)
    table = {name: rng.standard_normal(n_rows, dtype=np.float32) for name in NUMBERS}
    shop = rng.integers(0, LEVELS, n_rows)
    fraud = rng.random(n_rows) < 0.01 * np.exp(0.5 * table["x0"] + 0.5 * effects[shop])
    names = np.array([f"shop {level}" for level in range(LEVELS)])
    columns = {**table, "shop": names[shop], "fraud": fraud.astype(np.int8)}
    parquet.write_table(pa.table(columns), path, row_group_size=GROUP)


def anonymous_memory() -> int:
    """Anonymous memory of this process, in bytes."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon"))


def peak(path: Path, name: str, n_rounds: int | str) -> int:
    """Peak memory of a fit on one thread."""
    columns, parameters = FITS[name]
    largest, done = 0, threading.Event()

    def watch() -> None:
        nonlocal largest
        while not done.wait(0.001):
            largest = max(largest, anonymous_memory())

    watcher = threading.Thread(target=watch)
    watcher.start()
    rounds = {"n_rounds": n_rounds, "max_rounds": 10, "n_threads": 1, "random_state": 0}
    imbcore.fit(path, y="fraud", method="boosted_trees", columns=columns, **rounds, **parameters)
    done.set()
    watcher.join()
    return largest


def main() -> None:
    """Print the bytes for each row of every fit, or, in a process of its own, the peak of one fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=4_000_000)
    parser.add_argument("--fit", nargs=3, metavar=("FILE", "NAME", "ROUNDS"))
    chosen = parser.parse_args()
    if chosen.fit:
        file, name, rounds = chosen.fit
        print(peak(Path(file), name, "auto" if rounds == "auto" else int(rounds)))
        return
    sizes = (chosen.rows // 2, chosen.rows)
    paths = [chosen.folder / f"payments-{size}.parquet" for size in sizes]
    for path, size in zip(paths, sizes, strict=True):
        if not path.exists():
            write(path, size)
    for rounds in ("10", "auto"):
        for name in FITS:
            command = [sys.executable, __file__, str(chosen.folder), "--fit"]
            peaks = [
                int(subprocess.run([*command, str(path), name, rounds], stdout=-1, check=True).stdout)
                for path in paths
            ]
            each = (peaks[1] - peaks[0]) / (sizes[1] - sizes[0])
            print(f"n_rounds={rounds}, {name}: {each:.0f} bytes for each row, peaks {peaks}", flush=True)


if __name__ == "__main__":
    main()
