"""Time and peak memory of fits to a file that need not fit into memory, compared with other libraries.

The table of the page "Larger than memory", of which every line is measured in a separate process:

    python benches/python/larger_than_memory.py table FOLDER

The file is written to the folder first: 30 million rows of 20 float32 columns, one row in a thousand
positive. Measurements are stored in FOLDER, so that a stopped run can be continued. ``--again NAME`` repeats
a line, ``--only NAME ...`` omits other lines, and ``--page PATH`` writes the table between the marks of a
page. One line, or any other fit:

    python benches/python/larger_than_memory.py run FOLDER --name balanced
    python benches/python/larger_than_memory.py fit FOLDER --method hddt --parameters '{"max_bins": 255}'

Fits of the same rows in memory, as float64 columns, need 12 GB, and must give the same model.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

COLUMNS, TELLING, SHARE, GROUP = 20, 8, 0.001, 1_000_000
NAMES = [f"x{column}" for column in range(COLUMNS)]
MARKS = (
    "<!-- table: benches/python/larger_than_memory.py writes it -->\n",
    "<!-- end of table -->\n",
)

HELLINGER = {"criterion": "hellinger", "max_bins": 255, "exact_split_max_rows": 0, "n_estimators": 50}
# Name: label in the table, method, parameters.
FITS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "balanced": ("balanced forest, 100 trees", "balanced_random_forest", {"n_estimators": 100}),
    "hellinger": ("Hellinger forest, 255 bins, 50 trees", "random_forest", HELLINGER),
    "naive_bayes": ("naive Bayes", "naive_bayes", {}),
    "tan": ("network: tree-augmented naive Bayes", "tan", {}),
}
PEERS = {
    "lightgbm": "LightGBM `Sequence`, 100 rounds, 31 leaves",
    "lightgbm_quantized": "LightGBM `Sequence`, 100 rounds, 31 leaves, quantized gradients",
    "lightgbm_forest": "LightGBM `Sequence`, forest of 50 trees, 31 leaves",
    "xgboost": "XGBoost `ExtMemQuantileDMatrix`, 100 rounds, depth 6",
    "xgboost_forest": "XGBoost `ExtMemQuantileDMatrix`, forest of 50 trees, depth 6",
}
# Other boosting and forests of the studies, and why they have no line.
LEFT_OUT = "left out: CatBoost and scikit-learn's extra trees, which train on tables in memory only\n"


def write(path: Path, n_rows: int) -> None:
    """Write twenty float32 columns, of which eight are informative; one row in a thousand is positive."""
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(0)
    schema = pa.schema([*((name, pa.float32()) for name in NAMES), ("fraud", pa.int8())])
    part = path.with_suffix(".part")
    with parquet.ParquetWriter(part, schema) as writer:
        for start in range(0, n_rows, GROUP):
            size = min(GROUP, n_rows - start)
            fraud = rng.random(size) < SHARE
            table = {}
            for column, name in enumerate(NAMES):
                values = rng.standard_normal(size, dtype=np.float32)
                table[name] = values + np.float32(column < TELLING) * fraud
            writer.write_table(pa.table({**table, "fraud": fraud.astype(np.int8)}, schema=schema))
    part.rename(path)


def opened(path: Path) -> Any:
    """Open the file as a source."""
    from pyarrow import parquet

    return parquet.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20)


def read(path: Path) -> dict[str, Any]:
    """Read every value once, and keep none."""
    with opened(path) as file:
        return {"rows": sum(batch.num_rows for batch in file.iter_batches(1 << 16))}


def fit(path: Path, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Fit a method to the file, and time only that, including imports."""
    import imbcore

    start, begun = time.perf_counter(), time.process_time()
    last_row = start

    def callback(stage: str, done: int, total: int) -> None:
        nonlocal last_row
        if stage == "rows":
            last_row = time.perf_counter()

    model = imbcore.fit(str(path), "fraud", method, random_state=0, callback=callback, **parameters)
    end = time.perf_counter()
    took = {"wall": end - start, "cpu": time.process_time() - begun, "after the last row": end - last_row}
    return {**took, "model": hashlib.sha256(model.to_bytes()).hexdigest()}


def fit_in_memory(path: Path, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Fit a method to the rows in memory, and time only that."""
    import pandas as pd

    import imbcore

    with opened(path) as file:
        x, y = np.empty((file.metadata.num_rows, COLUMNS), order="F"), np.empty(file.metadata.num_rows, "i1")
        at = 0
        for batch in file.iter_batches(1 << 16):
            rows = slice(at, at := at + batch.num_rows)
            for column in range(COLUMNS):
                x[rows, column] = batch.column(column).to_numpy()
            y[rows] = batch.column(COLUMNS).to_numpy()
    table = pd.DataFrame(x, columns=NAMES, copy=False)
    start, begun = time.perf_counter(), time.process_time()
    model = imbcore.fit(table, pd.Series(y, name="fraud"), method, random_state=0, **parameters)
    took = {"wall": time.perf_counter() - start, "cpu": time.process_time() - begun}
    return {**took, "model": hashlib.sha256(model.to_bytes()).hexdigest()}


def lightgbm(path: Path, rounds: int, settings: dict[str, Any]) -> dict[str, Any]:
    """Train LightGBM on row groups on demand; one is cached, because it also requests single rows."""
    import lightgbm as lgb

    file = opened(path)
    held: list[Any] = [None, None]

    class Group(lgb.Sequence):
        batch_size = 1 << 17

        def __init__(self, group: int) -> None:
            self.group, self.n = group, file.metadata.row_group(group).num_rows

        def __len__(self) -> int:
            return self.n

        def __getitem__(self, place: Any) -> np.ndarray:
            if held[0] != self.group:
                table = file.read_row_group(self.group, columns=NAMES)
                held[:] = self.group, np.column_stack([column.to_numpy() for column in table.columns])
            return held[1][place].astype(np.float64)

    y = file.read(columns=["fraud"])["fraud"].to_numpy()
    groups = [Group(group) for group in range(file.num_row_groups)]
    threads = {"objective": "binary", "verbose": -1, "num_threads": os.cpu_count()}
    lgb.train({**threads, **settings}, lgb.Dataset(groups, y, params={"verbose": -1}), rounds)
    return {}


def xgboost(path: Path, rounds: int, settings: dict[str, Any]) -> dict[str, Any]:
    """Train XGBoost with its pages on disk, next to the file."""
    import xgboost as xgb

    file = opened(path)

    class Groups(xgb.DataIter):
        def __init__(self, folder: str) -> None:
            self.group = 0
            super().__init__(cache_prefix=os.path.join(folder, "pages"))

        def next(self, input_data: Any) -> bool:
            if self.group == file.num_row_groups:
                return False
            table = file.read_row_group(self.group)
            rows = np.column_stack([table[name].to_numpy() for name in NAMES])
            input_data(data=rows, label=table["fraud"].to_numpy())
            self.group += 1
            return True

        def reset(self) -> None:
            self.group = 0

    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        data = xgb.ExtMemQuantileDMatrix(Groups(folder))
        xgb.train({"objective": "binary:logistic", "nthread": os.cpu_count(), **settings}, data, rounds)
        # Its pages must be deleted before the folder.
        del data
    return {}


def jobs() -> dict[str, Callable[[Path], dict[str, Any]]]:
    """Commands for every line, and for the fits in memory."""
    of_node = {"bagging_freq": 1, "bagging_fraction": 0.632, "feature_fraction_bynode": 0.2}
    of_forest = {"subsample": 0.632, "colsample_bynode": 0.2, "num_parallel_tree": 50, "learning_rate": 1}
    found: dict[str, Callable[[Path], dict[str, Any]]] = {"reading": read}
    for name, (_, method, parameters) in FITS.items():
        found[name] = lambda path, m=method, p=parameters: fit(path, m, p)
        found[f"{name}_in_memory"] = lambda path, m=method, p=parameters: fit_in_memory(path, m, p)
    found["lightgbm"] = lambda path: lightgbm(path, 100, {})
    found["lightgbm_quantized"] = lambda path: lightgbm(path, 100, {"use_quantized_grad": True})
    found["lightgbm_forest"] = lambda path: lightgbm(path, 50, {"boosting": "rf", **of_node})
    found["xgboost"] = lambda path: xgboost(path, 100, {})
    found["xgboost_forest"] = lambda path: xgboost(path, 1, of_forest)
    return found


def measured(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Run some work, and return its resource usage in this process."""
    start, begun = time.perf_counter(), time.process_time()
    found = work()
    took = {"wall": time.perf_counter() - start, "cpu": time.process_time() - begun}
    return {**took, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9, **found}


def all_measured(folder: Path, path: Path, again: list[str], only: list[str]) -> dict[str, dict[str, Any]]:
    """Measure missing lines, each in a separate process."""
    wanted = {"reading", *only, *(f"{name}_in_memory" for name in only)}
    known, rows = folder / f"measured-{path.stem}.json", path.stem
    found = json.loads(known.read_text()) if known.exists() else {}
    for name in jobs():
        if name not in wanted or (name in found and name not in again):
            continue
        command = [sys.executable, __file__, "run", str(folder), "--name", name, "--rows", rows]
        line = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        found[name] = json.loads(line)
        known.write_text(json.dumps(found, indent=1))
        sys.stdout.write(f"{name}: {line}")
        sys.stdout.flush()
    return found


def lines(found: dict[str, dict[str, Any]], only: list[str]) -> list[str]:
    """Format the table, optionally only some lines."""
    reading = found["reading"]

    def line(what: str, of: dict[str, Any], memory: str, beyond: str) -> str:
        took = f"{of['peak']:.2f} | {of['wall']:.0f} | {of['cpu']:.0f}"
        return f"| {what} | {took} | {memory} | {beyond} |\n"

    table = [
        (
            f"| {reading['rows']:,} rows of {COLUMNS} columns | peak, GB | wall-clock seconds "
            "| processor seconds | in memory, wall-clock seconds | additional time, reads |\n"
        ),
        "|---|---|---|---|---|---|\n",
        line("one plain read by pyarrow", reading, "", "1"),
    ]
    for name, (what, _, _) in FITS.items():
        if name not in only:
            continue
        of, memory = found[name], found[f"{name}_in_memory"]
        if of["model"] != memory["model"]:
            raise SystemExit(f"{name}: the model of the file differs from that of the rows in memory")
        beyond = (of["wall"] - memory["wall"]) / reading["wall"]
        table.append(line(what, of, f"{memory['wall']:.0f}", f"{beyond:.1f}"))
    return table + [line(what, found[name], "", "") for name, what in PEERS.items() if name in only]


def put(page: Path, table: list[str]) -> None:
    """Write the table between the marks of a page."""
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(MARKS[0])
    _, after = rest.split(MARKS[1])
    page.write_text("".join([before, MARKS[0], *table, MARKS[1], after]), encoding="utf-8")


def main() -> None:
    """Run one command, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["table", "run", "fit"])
    parser.add_argument("folder", type=Path, help="folder of the file, which is written if missing")
    parser.add_argument("--rows", type=int, default=30_000_000)
    parser.add_argument("--name", choices=list(jobs()), default="reading")
    parser.add_argument("--again", nargs="*", default=[], choices=list(jobs()))
    every = [*FITS, *PEERS]
    parser.add_argument("--only", nargs="+", default=every, choices=every)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--method", default="naive_bayes")
    parser.add_argument("--parameters", type=json.loads, default={})
    given = parser.parse_args()
    path = given.folder / f"{given.rows}.parquet"
    if not path.exists():
        given.folder.mkdir(parents=True, exist_ok=True)
        write(path, given.rows)
    if given.what == "table":
        sys.stdout.write(LEFT_OUT)
        table = lines(all_measured(given.folder, path, given.again, given.only), given.only)
        sys.stdout.writelines(table)
        if given.page:
            put(given.page, table)
        return
    work = (
        jobs()[given.name] if given.what == "run" else lambda path: fit(path, given.method, given.parameters)
    )
    sys.stdout.write(json.dumps(measured(lambda: work(path))) + "\n")


if __name__ == "__main__":
    main()
