"""If a disk fills during a write, the error names the file, and no part of a file stays."""

import os
import sys

import children
import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs resource limits")

# A limit on the file size simulates a full disk: the write fails at the same place.
WRITES = """
import os, resource, sys
import numpy as np, pyarrow as pa
from pyarrow import parquet
import imbcore

rng = np.random.default_rng(0)
n = 20_000
label = np.where(rng.random(n) < 0.1, "p", "n")
rows = pa.table({"a": rng.normal(size=n), "b": rng.normal(size=n), "y": label})
parquet.write_table(rows, "rows.parquet")
model = imbcore.fit("rows.parquet", "y", "naive_bayes")
os.mkdir("out")
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, 2_000))
for name in ("out.parquet", "out.csv", "out.csv.gz"):
    path = os.path.join("out", name)
    try:
        model.predict_to_file(path, "rows.parquet", proba=True, batch_size=1000)
    except BaseException as error:
        print(type(error).__name__, getattr(error, "filename", None), error)
    else:
        print("written")
    print(os.listdir("out"))
"""


def test_a_disk_that_fills_leaves_no_part_of_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = children.run_script(WRITES).splitlines()
    for name, outcome, left in zip(
        ("out.parquet", "out.csv", "out.csv.gz"), lines[::2], lines[1::2], strict=True
    ):
        path = os.path.join("out", name)
        assert outcome == f"OSError {path} [Errno 27] File too large: '{path}'"
        assert left == "[]"
