"""Any files, row groups, batches and threads give the model of the table in memory byte for byte."""

import os
import tempfile
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from payments_files import payments
from pyarrow import csv, dataset, parquet

import imbcore

BINNED = {"criterion": "hellinger", "max_bins": 40, "exact_split_max_rows": 0, "n_estimators": 3}
# Method, parameters, number of rows, and whether the method accepts row weights.
METHODS = {
    "balanced forest": ("balanced_random_forest", {"n_estimators": 4}, 1200, True),
    "binned forest": ("random_forest", BINNED, 1200, True),
    "boosted trees": ("boosted_trees", {"n_rounds": 3}, 1200, True),
    "bags": ("balanced_bagging", {"n_estimators": 3}, 1200, True),
    "tan": ("tan", {}, 1200, False),
    "naive Bayes": ("naive_bayes", {}, 1200, False),
    "network": ("full_bayes", {}, 1200, False),
    # More rows than one block of sums.
    "boxes": ("fast_boxes", {}, (1 << 14) + 300, False),
}


@cache
def table(n_rows, weighed):
    # Text files store booleans as text.
    rows = payments(n_rows, seed=n_rows).drop_columns(["abroad"])
    if not weighed:
        return rows
    weights = np.random.default_rng(n_rows).integers(0, 9, n_rows) / 7
    return rows.append_column("weight", pa.array(weights))


@cache
def in_memory(name, weighed):
    method, parameters, n_rows, _ = METHODS[name]
    rows = table(n_rows, weighed)
    weights = rows["weight"].to_numpy() if weighed else None
    X = rows.select(["amount", "hour", "shop"])
    fitted = imbcore.fit(X, rows["fraud"], method, sample_weight=weights, random_state=5, **parameters)
    return fitted.to_bytes()


def as_files(rows, edges, group, home, ending):
    for part, (low, high) in enumerate(pairwise(edges)):
        path = os.fspath(home / f"part-{part}.{ending}")
        if ending == "csv":
            csv.write_csv(rows[low:high], path)
        else:
            parquet.write_table(rows[low:high], path, row_group_size=group)
    return home


def as_stream(rows, edges, group, home):
    pieces = [batch for low, high in pairwise(edges) for batch in rows[low:high].to_batches(group)]
    return lambda: pa.RecordBatchReader.from_batches(rows.schema, pieces)


def as_data_set(rows, edges, group, home):
    files = sorted(
        as_files(rows, edges, group, home, "parquet").iterdir(), key=lambda path: int(path.stem[5:])
    )
    return dataset.dataset([os.fspath(path) for path in files])


KINDS = {
    "parquet": lambda *cut: as_files(*cut, "parquet"),
    "csv": lambda *cut: as_files(*cut, "csv"),
    "stream": as_stream,
    "data set": as_data_set,
    "polars": lambda rows, *_: pl.from_arrow(rows).lazy(),
}


@st.composite
def cuts(draw, n_rows):
    inner = draw(st.lists(st.integers(0, n_rows), max_size=12))
    return {
        "edges": [0, *sorted(inner), n_rows],
        "group": draw(st.integers(1, n_rows)),
        "kind": draw(st.sampled_from(sorted(KINDS))),
        "batch_size": draw(st.integers(max(20, n_rows // 100), 2 * n_rows)),
        "n_threads": draw(st.sampled_from([1, 2, 7])),
        "weighed": draw(st.booleans()),
    }


@pytest.mark.parametrize("name", METHODS)
@given(data=st.data())
@settings(max_examples=6)
def test_any_layout_gives_the_model_of_the_table_in_memory(name, data):
    method, parameters, n_rows, may_weigh = METHODS[name]
    cut = data.draw(cuts(n_rows))
    weighed = may_weigh and cut["weighed"]
    asked = {"sample_weight": "weight"} if weighed else {}
    with tempfile.TemporaryDirectory() as home, pytest.MonkeyPatch.context() as patched:
        source = KINDS[cut["kind"]](table(n_rows, weighed), cut["edges"], cut["group"], Path(home))
        patched.setattr("imbcore.streaming.memory.load", lambda source: pytest.fail("all rows were loaded"))
        asked |= {name: cut[name] for name in ("batch_size", "n_threads")}
        model = imbcore.fit(source, "fraud", method, random_state=5, **asked, **parameters)
    assert model.to_bytes() == in_memory(name, weighed)
