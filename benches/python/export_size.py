"""Size and memory of exports of a forest with a column of 5,000 levels.

    python benches/python/export_size.py [rows] [folder]

Fits the default forest to 200,000 rows, saves it, and prints the size of every format and its ratio to the
model file. For DuckDB, SQLite and ONNX Runtime, each in a separate process, it prints the time and the peak
memory for 10,000 rows and the largest difference from ``predict_proba``. A model in the folder is reused.
"""

import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

import imbcore

LEVELS, N_PREDICTED = 5_000, 10_000


def fit(folder, n_rows):
    """Fit and save the model, and rows to predict; the seed is fixed."""
    rng = np.random.default_rng(0)
    level = rng.integers(0, LEVELS, n_rows)
    effect = rng.normal(size=LEVELS)
    X = pd.DataFrame({f"x{at}": rng.normal(size=n_rows) for at in range(5)})
    X["merchant"] = np.array([f"merchant_{at:04d}" for at in range(LEVELS)])[level]
    score = 2 * X["x0"] + 2 * effect[level] + X["x1"] + 0.3 * rng.normal(size=n_rows)
    y = np.where(score > np.quantile(score, 0.98), "fraud", "ok")
    imbcore.fit(X, y, "random_forest", random_state=0).save(folder / "model.imb")
    X.head(N_PREDICTED).to_pickle(folder / "rows.pickle")


def run(form, folder):
    """Predict the rows with one format, and print its time, memory and difference."""
    X = pd.read_pickle(folder / "rows.pickle")
    table = X.rename_axis("id").reset_index()
    start = time.perf_counter()
    if form == "onnx":
        import onnxruntime

        session = onnxruntime.InferenceSession(folder / "export.onnx", providers=["CPUExecutionProvider"])
        inputs = {name: X[[name]].to_numpy(dtype=object if name == "merchant" else float) for name in X}
        found = session.run(["probabilities"], inputs)[0]
    else:
        query = (folder / f"export.{form}").read_text(encoding="utf-8")
        if form == "duckdb":
            import duckdb

            database = duckdb.connect(config={"memory_limit": "2GB"})
            database.register("frame", table)
            database.execute('CREATE TABLE "rows" AS SELECT * FROM frame')
        else:
            database = sqlite3.connect(":memory:")
            table.to_sql("rows", database, index=False)
        found = np.array(sorted(database.execute(query).fetchall()))[:, 1:]
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    away = np.abs(found - imbcore.load(folder / "model.imb").predict_proba(X)).max()
    print(f"{form:>8}: {seconds:6.1f} s, peak {peak:.2f} GB, largest difference {away:.1e}", flush=True)


def main(n_rows, folder):
    """Fit if there is no model yet, write every format, and run each."""
    if not (folder / "model.imb").exists():
        fit(folder, n_rows)
    size = (folder / "model.imb").stat().st_size
    model = imbcore.load(folder / "model.imb")
    print(f"   model: {size / 1e6:6.1f} MB")
    for form in ("sqlite", "duckdb", "onnx", "json", "c"):
        path = folder / f"export.{form}"
        if form in ("sqlite", "duckdb"):
            path.write_text(model.to_sql(dialect=form, output="proba", keep="id"), encoding="utf-8")
        else:
            getattr(model, f"to_{form}")(path)
        written = path.stat().st_size
        print(f"{form:>8}: {written / 1e6:6.1f} MB, {written / size:.2f} times the model file", flush=True)
    for form in ("sqlite", "duckdb", "onnx"):
        subprocess.run([sys.executable, __file__, "run", form, str(folder)], check=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"]:
        run(sys.argv[2], Path(sys.argv[3]))
    else:
        rows = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
        main(rows, Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp(prefix="imbcore-")))
