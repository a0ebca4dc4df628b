"""Data read, sent and held by a fit on a Dask cluster, compared with the cost model of the page.

Writes files of ``--rows`` rows with ``--columns`` float32 columns, one row in a thousand positive, and fits a
balanced forest, a binned Hellinger forest, a Bayesian network and Fast Boxes on local clusters of 1, 2 and 4
worker processes, which read the files. Sent bytes are counted at the sender: in the TCP connections of every
worker, and in those of client and scheduler, which share a process here. Bytes read are those of files: each
cluster has fitted a small model before, so that all code is loaded. ``--extrapolate`` prints the model's
prediction for a billion rows instead. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

FILES = 8
FITS: dict[str, dict[str, Any]] = {
    "drawn": {"method": "balanced_random_forest"},
    "coded": {"method": "random_forest", "criterion": "hellinger", "max_bins": 255},
    "counted": {"method": "tan"},
    "summed": {"method": "fast_boxes"},
}
# Bytes of a value in a file, and of one in the training data.
ON_FILE, SEEN = 4, 8
# Bytes per partition and column of a sketch for bins: at most 2^18 rows, each a value and its row hash.
SKETCH = 12 * 2**18
# Bytes of a counted value with its count, and of a count alone; number of states of a column.
COUNT, OF_ROW, STATES = 8, 4, 10
# Number of parts that are joined at a time.
FAN_IN = 8
# Rows per partial sum, number of boxes, passes over all rows, and settings that need the rows next to a box.
BLOCK, BOXES, LOOKS, SETTINGS = 2**14, 3, 4, 12
# Bytes of a number in a response, and of a positive row's index and cluster in a request.
NUMBER_BYTES, POSITIVE = 9, 6


class Cost(NamedTuple):
    """Bytes read from files, sent by workers, sent by client and scheduler, and held by a worker's rows."""

    read: float
    moved: float
    steered: float
    held: float


class Shape(NamedTuple):
    """A table, its files, and the number of rows that the trees use.

    For counts: the distinct values of a column, and which columns are informative. For sums: the number of
    positive rows.
    """

    rows: float
    columns: int
    drawn: float
    parts: int
    values: float
    telling: int
    positives: float


def model(kind: str, shape: Shape, workers: int) -> Cost:
    """Predict the costs: parts are sent to the worker that joins them, and the result to all others."""
    n, d, drawn, parts, values, telling, positives = shape
    labels, table = n, n * (d * ON_FILE + 1)
    away = 1 - 1 / workers
    if kind == "drawn":
        held = drawn * (SEEN * d + 4)
        return Cost(labels + table, held * (away + workers - 1), 4 * drawn, held)
    if kind == "counted":
        moved, held = 0.0, float(n * telling)
        # Distinct values of all columns, and rows by the states of the informative ones.
        for width, most in ((COUNT * d, values), (telling + OF_ROW, min(n, STATES**telling))):
            held += width * most
            moved += away * climbed(width * min(most, n / parts), width * most, parts)
        return Cost(labels + 2 * table, moved, 0, held)
    if kind == "summed":
        # If two workers hold parts of a block, the smaller part is sent to the worker with the larger one:
        # neighboring partitions are read by different workers.
        borders = (workers > 1) * LOOKS * (parts - 1) * BLOCK / 4 * (SEEN * d + 4)
        sums, steps = n / BLOCK * 2 * BOXES * d, 2 * parts * 4 * SETTINGS * BOXES * d
        sent = NUMBER_BYTES * (positives * d + sums + steps)
        return Cost(labels + LOOKS * table, borders + sent, (LOOKS - 1) * POSITIVE * positives, 0)
    # Codes of all rows, and of their classes.
    held = n * (d + 4)
    # Sketches are joined in a tree, and classes at every level of it; then codes are collected and
    # distributed.
    sketch, most = min(SKETCH, 12 * n / parts) * d, SKETCH * d
    moved = away * (climbed(sketch, most, parts) + 4 * n * levels(parts) + n * d) + (workers - 1) * held
    return Cost(labels + 2 * table, moved, 0, max(held, 2 * FAN_IN * sketch))


def levels(parts: int) -> int:
    """Count the levels of the tree that joins parts."""
    return 0 if parts == 1 else 1 + levels(-(-parts // FAN_IN))


def climbed(part: float, most: float, parts: int) -> float:
    """Sum the bytes of parts over the levels of the joining tree; ``most`` limits joined parts."""
    if parts == 1:
        return 0.0
    return part * parts + climbed(min(most, FAN_IN * part), most, -(-parts // FAN_IN))


def write(folder: Path, rows: int, columns: int) -> None:
    """Write the files uncompressed, so that file bytes are value bytes."""
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(0)
    names = [f"x{at}" for at in range(columns)]
    folder.mkdir()
    for part in range(FILES):
        n = rows // FILES
        x = rng.standard_normal((columns, n), dtype=np.float32)
        y = (rng.random(n) < 0.001 * np.exp(x[0])).astype(np.int8)
        kept = {"compression": "none", "use_dictionary": False}
        parquet.write_table(pa.table([*x, y], names=[*names, "y"]), folder / f"part-{part}.parquet", **kept)


def count_sent() -> None:
    """Count the bytes that the TCP connections of this process send."""
    from distributed.comm import tcp

    write = tcp.TCP.write
    tcp.imbcore_sent = 0  # type: ignore[attr-defined]

    async def counted(self: Any, *given: Any, **named: Any) -> Any:
        sent = await write(self, *given, **named)
        tcp.imbcore_sent += sent  # type: ignore[attr-defined]
        return sent

    tcp.TCP.write = counted  # type: ignore[method-assign]


def of_process() -> tuple[int, int, int]:
    """Bytes that this process sent by TCP, bytes it read, and its peak resident memory."""
    from distributed.comm import tcp

    read = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    status = Path("/proc/self/status").read_text().splitlines()
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    return tcp.imbcore_sent, int(read["rchar"]), 1024 * peak  # type: ignore[attr-defined]


def drawn_rows(folder: Path, trees: int) -> int:
    """Count the rows that at least one tree of the balanced forest uses."""
    from imbcore._validation.options import pop_fit_options
    from imbcore.streaming.metadata import SourceSummary
    from imbcore.streaming.readers import open_source
    from imbcore.streaming.request import FitRequest
    from imbcore.streaming.sampled import plan_sample

    parameters = {"n_estimators": trees, "random_state": 0}
    given = pop_fit_options(parameters)
    method = FITS["drawn"]["method"]
    summary = SourceSummary.from_source(open_source(folder, "y"), method, given)
    with plan_sample(FitRequest(method, parameters, given, summary)) as (plan, _):
        return sum(map(len, plan.ranks))


def positives(folder: Path) -> int:
    """Count the positive rows."""
    from pyarrow import parquet

    return int(parquet.read_table(folder, columns=["y"])["y"].to_numpy().sum())


def measured(folder: Path, n_workers: int, trees: int, kind: str) -> tuple[float, Cost]:
    """Seconds and costs of a fit; held is the memory growth of the largest worker."""
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    import imbcore.dask

    settings: dict[str, Any] = {"threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(n_workers=n_workers, **settings) as cluster, Client(cluster) as client:
        client.run(lambda: __import__("imbcore.dask") and None)
        client.run(count_sent)
        count_sent()
        options = {"y": "y", "random_state": 0, "client": client, **FITS[kind]}
        # From here on all code is loaded.
        grown = {} if kind in ("counted", "summed") else {"n_estimators": trees}
        imbcore.dask.fit(dd.read_parquet(str(folder / "first")), **options, **dict.fromkeys(grown, n_workers))
        frame = dd.read_parquet(str(folder / "all"))
        before, ours = client.run(of_process), of_process()
        start = time.perf_counter()
        imbcore.dask.fit(frame, **options, **grown)
        seconds = time.perf_counter() - start
        after, steered = client.run(of_process), of_process()[0] - ours[0]
    sent, read = (sum(after[of][at] - before[of][at] for of in after) for at in (0, 1))
    return seconds, Cost(read, sent, steered, max(after[of][2] - before[of][2] for of in after))


def line(name: str, cost: Cost, other: Cost | None = None) -> str:
    """Format the costs in megabytes, with those of the model in brackets."""
    found = []
    for what, value in cost._asdict().items():
        predicted = "" if other is None else f" ({getattr(other, what) / 1e6:,.0f})"
        found.append(f"{what} {value / 1e6:,.0f}{predicted}")
    return f"{name}: " + ", ".join(found)


def extrapolated() -> None:
    """Predict the costs of a billion rows of 20 columns in 1,000 files, with 100,000 positives and 100 trees.

    For counts, each column has 100,000 distinct values and is informative, and no two rows are equal.
    """
    rows, positives, trees = 1e9, 1e5, 100
    # All rows of the smallest class, and the samples of the trees from the other, with few repetitions.
    drawn = positives + rows * -np.expm1(-trees * positives / rows)
    shape = Shape(rows, 20, float(drawn), 1000, 1e5, 20, positives)
    for kind in FITS:
        for workers in (4, 16, 64):
            print(line(f"{kind}, {workers} workers", model(kind, shape, workers)))


def main() -> None:
    """Fit on clusters of 1, 2 and 4 workers, and print one line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=400_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--trees", type=int, default=20)
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--kinds", default=",".join(FITS))
    parser.add_argument("--extrapolate", action="store_true")
    options = parser.parse_args()
    if options.extrapolate:
        extrapolated()
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "all", options.rows, options.columns)
        write(folder / "first", 16_000, options.columns)
        drawn = drawn_rows(folder / "all", options.trees)
        # Nearly all values of a column are distinct, and only the first column is informative.
        shape = Shape(options.rows, options.columns, drawn, FILES, options.rows, 1, positives(folder / "all"))
        print(
            f"{shape.rows:,} rows x {shape.columns}, {options.trees} trees, {shape.drawn:,} drawn; MB (model)"
        )
        for kind in options.kinds.split(","):
            for n_workers in (int(number) for number in options.workers.split(",")):
                seconds, cost = measured(folder, n_workers, options.trees, kind)
                name = f"{kind}, {n_workers} workers, {seconds:.1f} s"
                print(line(name, cost, model(kind, shape, n_workers)), flush=True)


if __name__ == "__main__":
    main()
