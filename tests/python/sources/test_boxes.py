"""Fast Boxes fitted to a source equal the model of the table in memory byte for byte."""

import numpy as np
import pyarrow as pa
import pytest
from alike import first
from payments_files import payments, ragged

import imbcore
from imbcore.exceptions import DataError, UnsupportedError
from imbcore.streaming import memory

# More rows than one block of sums, and a batch that ends inside a block.
TABLE = payments(40_000)
# Enough rows that a fit to a table in memory looks up a sample first.
LARGE = payments(70_000, seed=3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return ragged(TABLE, tmp_path_factory.mktemp("boxes") / "parts", 5)


@pytest.fixture
def no_loading(monkeypatch):
    """Make loading all rows fail."""
    monkeypatch.setattr(memory, "available", lambda: 0)


def in_memory(table, **parameters):
    X = table.drop_columns(["fraud"])
    return imbcore.fit(X, table["fraud"], "fast_boxes", random_state=3, **parameters).to_bytes()


PARAMETERS = [
    {"n_boxes": 2, "bound_rule": "program", "clustering": "program", "scale": "maxabs"},
    {"bound_rule": "expand", "missing": "inside", "scale": "none", "threshold": 0.3},
    {},
    {"bound_rule": "none", "eps": 0.0, "expansion": 0.0},
]


@pytest.mark.parametrize("parameters", first(2, PARAMETERS))
def test_batches_give_the_model_of_the_table(folder, parameters, no_loading):
    expected = in_memory(TABLE, **parameters)
    for batch_size, n_threads in ((3000, 1), (20_000, 2), (10**6, 7)):
        found = imbcore.fit(
            folder,
            "fraud",
            "fast_boxes",
            batch_size=batch_size,
            n_threads=n_threads,
            random_state=3,
            **parameters,
        )
        assert found.to_bytes() == expected


def test_tables_large_enough_for_a_sample_lookup(no_loading):
    found = imbcore.fit(LARGE, "fraud", "fast_boxes", random_state=3, n_boxes=2)
    assert found.to_bytes() == in_memory(LARGE, n_boxes=2)


@pytest.mark.filterwarnings("ignore:column 'x' alone separates the classes")
def test_distant_rows_whose_sums_underflow(no_loading):
    """Sums that underflow are computed again relative to their largest term."""
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(size=30), 5000 + rng.normal(size=20_000)])
    table = pa.table({"x": x, "z": rng.normal(size=len(x)), "fraud": [1] * 30 + [0] * 20_000})
    options = {"scale": "none", "n_boxes": 2}
    found = imbcore.fit(table, "fraud", "fast_boxes", random_state=3, **options)
    assert found.to_bytes() == in_memory(table, **options)


def test_options_that_need_all_rows_are_refused(folder, no_loading):
    for parameters in ({"ranking": "exact"}, {"class_weight": "balanced"}, {"calibrate": "sigmoid"}):
        with pytest.raises(UnsupportedError, match=r"40,000 rows.*sample=100_000"):
            imbcore.fit(folder, "fraud", "fast_boxes", **parameters)
    for method in ("exact_boxes", "svr_tree", "prim"):
        with pytest.raises(
            UnsupportedError, match=rf"^{method} learns from all rows at once.*sample=100_000"
        ):
            imbcore.fit(folder, "fraud", method)
        assert imbcore.fit(folder, "fraud", method, sample=60, columns=["hour"], random_state=0)


def test_missing_and_infinite_values_are_named(no_loading):
    with pytest.raises(DataError, match=r"column 'amount'.*missing values"):
        imbcore.fit(TABLE, "fraud", "fast_boxes", missing="error")
    amount = TABLE["amount"].to_pylist()
    amount[33_000] = float("inf")
    with pytest.raises(DataError, match=r"column 'amount'.*infinit"):
        imbcore.fit(TABLE.set_column(0, "amount", pa.array(amount)), "fraud", "fast_boxes")


def test_a_source_that_changes_between_passes_is_refused(no_loading):
    readings = iter([TABLE, TABLE, TABLE.slice(0, 39_999)])
    with pytest.raises(DataError, match="gave 40,000 rows when it was counted and 39,999 now"):
        imbcore.fit(lambda: next(readings).to_reader(), "fraud", "fast_boxes")


def test_callback_reports_progress_and_can_stop_the_fit(folder):
    steps = []
    imbcore.fit(folder, "fraud", "fast_boxes", callback=lambda *step: steps.append(step))
    assert ("rows", 40_000, 40_000) in steps

    def stop(stage, done, total):
        if len(steps) > 3:
            raise KeyboardInterrupt
        steps.append(stage)

    steps.clear()
    with pytest.raises(KeyboardInterrupt):
        imbcore.fit(folder, "fraud", "fast_boxes", batch_size=100, callback=stop)
