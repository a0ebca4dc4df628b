"""A balanced forest from a Parquet file that need not fit into memory: time, and peak resident memory.

Writes the file once (``--rows`` rows of ``--columns`` float32, one in a thousand positive), and runs each way
in a process of its own: one bare reading by pyarrow, the forest from the file, and the external memory of
LightGBM and XGBoost. Of ours the seconds inside the growth are printed apart: the rest is what the file
takes. Nothing is asserted, since machines differ.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np


def write(path: Path, rows: int, columns: int) -> None:
    """Write the file, a million rows at a time."""
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(0)
    names = [f"x{at}" for at in range(columns)]
    schema = pa.schema([*((name, pa.float32()) for name in names), ("y", pa.int8())])
    with parquet.ParquetWriter(path, schema) as out:
        for start in range(0, rows, 1_000_000):
            n = min(1_000_000, rows - start)
            x = rng.standard_normal((columns, n), dtype=np.float32)
            score = x[0] + x[1] * x[2] + 0.5 * x[3] ** 2 + rng.standard_normal(n)
            # The one in a thousand that this score exceeds is found on the first rows.
            if start == 0:
                bound = np.quantile(score, 0.999)
            out.write_table(pa.table([*x, (score > bound).astype(np.int8)], schema=schema))


def reading(path: Path, columns: int, trees: int) -> dict[str, float]:
    """Read the whole file once, a piece at a time, and do nothing else."""
    from pyarrow import parquet

    n_rows = sum(batch.num_rows for batch in parquet.ParquetFile(path).iter_batches(1 << 17))
    return {"rows": n_rows}


def forest(path: Path, columns: int, trees: int) -> dict[str, float]:
    """Fit a balanced forest to the file."""
    import imbcore
    from imbcore._border import native

    grow, growing = native.models.fit, []

    def timed(*given: Any) -> Any:
        start = time.perf_counter()
        model = grow(*given)
        growing.append(time.perf_counter() - start)
        return model

    native.models.fit = timed
    model = imbcore.fit(str(path), y="y", method="balanced_random_forest", n_estimators=trees, random_state=0)
    return {"growing": sum(growing), "leaves": model.n_leaves_}


def lightgbm(path: Path, columns: int, trees: int) -> dict[str, float]:
    """Train LightGBM on pieces that it asks for, one after another."""
    import lightgbm as lgb
    from pyarrow import parquet

    file = parquet.ParquetFile(path)
    names = [f"x{at}" for at in range(columns)]

    class Pieces(lgb.Sequence):
        batch_size = 1 << 17

        def __init__(self, group: int) -> None:
            self.group, self.n = group, file.metadata.row_group(group).num_rows

        def __len__(self) -> int:
            return self.n

        def __getitem__(self, place: Any) -> np.ndarray:
            table = file.read_row_group(self.group, columns=names)
            rows = np.column_stack([column.to_numpy() for column in table.columns]).astype(np.float64)
            return rows[place]

    y = file.read(columns=["y"])["y"].to_numpy()
    pieces = [Pieces(group) for group in range(file.num_row_groups)]
    data = lgb.Dataset(pieces, y, params={"verbose": -1})
    settings = {"objective": "binary", "verbose": -1, "num_threads": os.cpu_count()}
    lgb.train(settings, data, num_boost_round=trees)
    return {}


def xgboost(path: Path, columns: int, trees: int) -> dict[str, float]:
    """Train XGBoost with its pages on disk."""
    import xgboost as xgb
    from pyarrow import parquet

    file = parquet.ParquetFile(path)

    class Pieces(xgb.DataIter):
        def __init__(self, folder: str) -> None:
            self.group = 0
            super().__init__(cache_prefix=os.path.join(folder, "pages"))

        def next(self, input_data: Any) -> bool:
            if self.group == file.num_row_groups:
                return False
            table = file.read_row_group(self.group)
            rows = np.column_stack([column.to_numpy() for column in table.columns[:-1]])
            input_data(data=rows, label=table["y"].to_numpy())
            self.group += 1
            return True

        def reset(self) -> None:
            self.group = 0

    with tempfile.TemporaryDirectory() as folder:
        data = xgb.ExtMemQuantileDMatrix(Pieces(folder))
        xgb.train({"objective": "binary:logistic"}, data, num_boost_round=trees)
    return {}


WAYS = {"reading": reading, "forest": forest, "lightgbm": lightgbm, "xgboost": xgboost}


def child(way: str, path: Path, columns: int, trees: int) -> None:
    """Run one way and print what it took."""
    start, begun = time.perf_counter(), time.process_time()
    found = WAYS[way](path, columns, trees)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    took = {"wall": time.perf_counter() - start, "cpu": time.process_time() - begun, "peak": peak}
    print(json.dumps({**took, **found}))


def main() -> None:
    """Write the file, run every way in turn, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--file", type=Path, default=None, help="where the file is, or is to be written")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--way", default=None, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.way:
        child(asked.way, asked.file, asked.columns, asked.trees)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = asked.file or Path(folder) / "rows.parquet"
        if not path.exists():
            write(path, asked.rows, asked.columns)
        print(
            f"{asked.rows:,} rows x {asked.columns}, {path.stat().st_size / 1e6:,.0f} MB, {asked.trees} trees"
        )
        for way in asked.ways.split(","):
            given = ["--way", way, "--file", str(path), "--columns", str(asked.columns)]
            command = [sys.executable, __file__, *given, "--trees", str(asked.trees)]
            found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            growing = f", {found['growing']:.1f} s of them growing" if "growing" in found else ""
            took = f"{found['wall']:>7.1f} s, {found['cpu']:>7.1f} s CPU, {found['peak']:>6.2f} GB at most"
            print(f"{way:<10} {took}{growing}", flush=True)


if __name__ == "__main__":
    main()
