"""Time and peak memory of fits to a file that is read in pieces, beside one bare reading of it.

Each runs in a process of its own, so that peaks are its own:

    python benches/python/larger_than_memory.py write payments.parquet --rows 30_000_000
    python benches/python/larger_than_memory.py read payments.parquet
    python benches/python/larger_than_memory.py fit payments.parquet --method naive_bayes
    python benches/python/larger_than_memory.py fit payments.parquet --method random_forest --parameters '{
        "criterion": "hellinger", "max_bins": 255, "n_estimators": 50}'

``fit`` also says how much of the time came after the last reading: the growth of trees.
"""

import argparse
import json
import resource
import sys
import time

import numpy as np
import pyarrow as pa
from pyarrow import parquet

COLUMNS, TELLING, SHARE, GROUP = 20, 8, 0.001, 1_000_000


def write(path, n_rows):
    """Twenty columns of float32, of which eight tell something of one row in a thousand."""
    rng = np.random.default_rng(0)
    names = [f"x{column}" for column in range(COLUMNS)]
    schema = pa.schema([*((name, pa.float32()) for name in names), ("fraud", pa.int8())])
    with parquet.ParquetWriter(path, schema) as writer:
        for start in range(0, n_rows, GROUP):
            size = min(GROUP, n_rows - start)
            fraud = rng.random(size) < SHARE
            table = {}
            for column, name in enumerate(names):
                values = rng.standard_normal(size, dtype=np.float32)
                table[name] = values + np.float32(column < TELLING) * fraud
            writer.write_table(pa.table({**table, "fraud": fraud.astype(np.int8)}, schema=schema))


def read(path):
    """Read every value once, and keep none."""
    with parquet.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20) as file:
        return sum(batch.num_rows for batch in file.iter_batches(1 << 16))


def fit(path, method, parameters):
    """Fit a method to the file."""
    import imbcore

    last_row = 0.0

    def tell(stage, done, total):
        nonlocal last_row
        if stage == "rows":
            last_row = time.perf_counter()

    model = imbcore.fit(path, "fraud", method, random_state=0, callback=tell, **parameters)
    sys.stdout.write(f"{time.perf_counter() - last_row:.1f} s after the last row was read\n")
    return len(model.to_bytes())


def main():
    """Do one thing, and say what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["write", "read", "fit"])
    parser.add_argument("path")
    parser.add_argument("--rows", type=int, default=30_000_000)
    parser.add_argument("--method", default="naive_bayes")
    parser.add_argument("--parameters", type=json.loads, default={})
    given = parser.parse_args()
    work = {
        "write": lambda: write(given.path, given.rows),
        "read": lambda: read(given.path),
        "fit": lambda: fit(given.path, given.method, given.parameters),
    }[given.what]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, used = time.monotonic(), time.process_time()
    work()
    seconds, used = time.monotonic() - start, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sys.stdout.write(
        f"{given.what} {given.method}: {seconds:.1f} s, of processors {used:.1f} s, "
        f"peak {peak / 1e6:.2f} GB ({before / 1e6:.2f} before)\n"
    )


if __name__ == "__main__":
    main()
