"""Forests fitted to sampled rows of a source equal the model of the table byte for byte."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from payments_files import payments, ragged
from pyarrow import parquet

import imbcore
from imbcore._validation.options import pop_fit_options
from imbcore.exceptions import DataError, DataWarning, ParameterError, UnsupportedError
from imbcore.streaming import sampled
from imbcore.streaming.local import LocalExecutor
from imbcore.streaming.metadata import SourceSummary
from imbcore.streaming.readers.open import open_source
from imbcore.streaming.request import FitRequest


def of_source(
    source, method="balanced_random_forest", y="fraud", *, weight=None, batch_size=700, **parameters
):
    """Return the bytes of a model fitted to a source."""
    given = pop_fit_options(parameters)
    opened = open_source(source, y, sample_weight=weight, batch_size=batch_size)
    summary = SourceSummary.from_source(opened, method, given)
    return sampled.fit(
        LocalExecutor(opened, summary), FitRequest(method, parameters, given, summary)
    ).to_bytes()


def in_memory(table, method="balanced_random_forest", y="fraud", *, weight=None, **parameters):
    """Return the bytes of a model fitted to a table."""
    if weight is not None:
        parameters["sample_weight"] = table[weight].to_numpy()
        table = table.drop_columns([weight])
    model = imbcore.fit(table.drop_columns([y]), table[y], method=method, **parameters)
    return model._native.to_bytes()


@pytest.fixture(scope="module")
def table():
    return payments()


@pytest.fixture(scope="module")
def folder(table, tmp_path_factory):
    return ragged(table, tmp_path_factory.mktemp("payments"))


DRAWING = ["balanced_random_forest", "under_bagging", "balanced_bagging", "easy_ensemble"]
FORESTS = [
    ("balanced_random_forest", {"n_estimators": 12}),
    (
        "balanced_random_forest",
        {"n_estimators": 5, "replacement": False, "criterion": "hellinger", "max_bins": 32},
    ),
    ("balanced_random_forest", {"n_estimators": 5, "class_weight": "balanced", "threshold": 0.2}),
    ("random_forest", {"n_estimators": 6, "max_samples": 0.1}),
    ("beat", {"n_estimators": 4, "max_samples": 400}),
    ("svr_forest", {"n_estimators": 3, "max_samples": 200}),
    ("bagging", {"n_estimators": 4, "max_samples": 0.1, "max_features": 0.5}),
    ("bagging", {"n_estimators": 3, "max_samples": 300, "bootstrap": False, "estimator": "fast_boxes"}),
    ("under_bagging", {"n_estimators": 4}),
    (
        "under_bagging",
        {"n_estimators": 3, "replacement": False, "bootstrap_minority": True, "estimator": "naive_bayes"},
    ),
    ("balanced_bagging", {"n_estimators": 4}),
    (
        "balanced_bagging",
        {
            "n_estimators": 3,
            "bootstrap": False,
            "sampling_strategy": 0.7,
            "replacement": True,
            "max_features": 0.5,
        },
    ),
    ("balanced_bagging", {"n_estimators": 2, "max_samples": 0.3, "estimator": "naive_bayes"}),
    ("easy_ensemble", {"n_estimators": 3, "n_rounds_per_subset": 2}),
    (
        "easy_ensemble",
        {"n_estimators": 2, "combine": "proba", "sampling_strategy": 0.8, "replacement": True},
    ),
]


@pytest.mark.parametrize(("method", "parameters"), FORESTS)
def test_a_source_gives_the_model_of_the_table(folder, table, method, parameters):
    expected = in_memory(table, method, random_state=3, **parameters)
    assert of_source(folder, method, random_state=3, **parameters) == expected


def test_fit_does_not_load_all_rows(folder, table, monkeypatch):
    monkeypatch.setattr("imbcore.streaming.memory.load", lambda source: pytest.fail("all rows were loaded"))
    model = imbcore.fit(folder, "fraud", "balanced_random_forest", n_estimators=3, random_state=0)
    assert model.to_bytes() == in_memory(table, n_estimators=3, random_state=0)
    weighed = table.append_column("weight", pa.array(np.arange(1.0, len(table) + 1)))
    parameters = {"method": "balanced_random_forest", "n_estimators": 3, "random_state": 0}
    model = imbcore.fit(weighed, "fraud", sample_weight="weight", **parameters)
    assert model.to_bytes() == in_memory(weighed, weight="weight", **parameters)


@pytest.mark.parametrize("batch_size", [13, 1000, 10**6])
def test_batches_files_and_threads_do_not_change_the_model(folder, table, tmp_path, batch_size):
    expected = in_memory(table, n_estimators=5, random_state=0)
    assert of_source(folder, batch_size=batch_size, n_estimators=5, random_state=0) == expected
    one = tmp_path / "one.parquet"
    parquet.write_table(table, one)
    threads = {13: 1, 1000: 2, 10**6: 7}[batch_size]
    found = of_source(one, batch_size=batch_size, n_estimators=5, random_state=0, n_threads=threads)
    assert found == expected


def test_random_batches_do_not_change_the_model(table):
    expected = in_memory(table, n_estimators=3, random_state=1)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        edges = [0, *np.sort(rng.integers(0, len(table), rng.integers(1, 40))), len(table)]
        batches = [batch for low, high in pairwise(edges) for batch in table[low:high].to_batches()]

        def again(batches=batches):
            return pa.RecordBatchReader.from_batches(table.schema, batches)

        batch_size = int(rng.integers(1, 3000))
        assert of_source(again, batch_size=batch_size, n_estimators=3, random_state=1) == expected


@pytest.mark.parametrize("method", DRAWING)
def test_weights_are_added_up_in_the_order_of_the_rows(table, method):
    rng = np.random.default_rng(2)
    weights = np.where(rng.random(len(table)) < 0.1, 0.0, rng.random(len(table)) * 3)
    weighed = table.append_column("weight", pa.array(weights))
    options = {"weight": "weight", "n_estimators": 4, "random_state": 5}
    expected = in_memory(weighed, method, **options)
    for batch_size in (77, 5000):
        assert of_source(weighed, method, batch_size=batch_size, **options) == expected


@pytest.mark.parametrize("method", DRAWING)
def test_several_classes_and_labels_of_text(table, method):
    labels = np.where(table["fraud"].to_numpy() == 1, "fraud", "fine").astype(object)
    labels[::97] = "unclear"
    named = table.drop_columns(["fraud"]).append_column("fraud", pa.array(labels))
    parameters = {"n_estimators": 4, "random_state": 2, "positive": "unclear"}
    assert of_source(named, method, **parameters) == in_memory(named, method, **parameters)


def test_numbers_declared_nominal(table):
    parameters = {"n_estimators": 4, "random_state": 2, "categorical_features": ["hour"]}
    assert of_source(table, **parameters) == in_memory(table, **parameters)


def test_numeric_tables_and_an_empty_nominal_column(table):
    plain = table.select(["amount", "hour", "fraud"])
    parameters = {"n_estimators": 4, "random_state": 2}
    assert of_source(plain, **parameters) == in_memory(plain, **parameters)
    empty = plain.append_column("shop", pa.nulls(len(plain), pa.string()))
    with pytest.warns(DataWarning, match="'shop' has no value"):
        expected = in_memory(empty, **parameters)
    with pytest.warns(DataWarning, match="'shop' has no value"):
        assert of_source(empty, **parameters) == expected


def test_the_target_is_read_exactly_twice(table):
    readings = []

    def again():
        readings.append(1)
        return table.to_reader()

    imbcore.fit(again, "fraud", "balanced_random_forest", n_estimators=3, random_state=0)
    # One more read counts the rows, which a stream does not report.
    assert len(readings) == 1 + 2


def test_options_that_need_all_rows_are_refused(table):
    with pytest.raises(UnsupportedError, match="all rows at once"):
        of_source(table, "hddt")
    with pytest.raises(UnsupportedError, match="max_samples"):
        of_source(table, "random_forest", n_estimators=2)
    with pytest.raises(UnsupportedError, match="oob_score"):
        of_source(table, oob_score=True)
    with pytest.raises(UnsupportedError, match="calibrate"):
        of_source(table, calibrate="sigmoid")
    with pytest.raises(UnsupportedError, match="did not see"):
        of_source(table, threshold="f1")
    with pytest.raises(UnsupportedError, match="each member uses more than a quarter"):
        of_source(table, "bagging", n_estimators=2)
    with pytest.raises(UnsupportedError, match="does not support oob_score"):
        of_source(table, "under_bagging", bootstrap_minority=True, oob_score=True)
    with pytest.raises(UnsupportedError, match="class weights"):
        of_source(table, "easy_ensemble", class_weight="balanced")
    with pytest.raises(UnsupportedError, match="balanced_bagging trains on all rows"):
        of_source(table, "balanced_bagging", sampler="smote")
    for method in ("rusboost", "balance_cascade", "over_bagging", "exact_boxes", "svr_tree"):
        with pytest.raises(UnsupportedError, match=f"{method} (learns from|trains on) all rows at once"):
            of_source(table, method)
    with pytest.raises(ParameterError, match="column of the source"):
        of_source(table, y=None)


@pytest.mark.parametrize("gap", [False, True])
def test_plain_numeric_columns_give_the_same_model(gap, tmp_path):
    rng = np.random.default_rng(5)
    columns = {
        "half": rng.normal(size=4000).astype(np.float16),
        "single": np.where(rng.random(4000) < 0.1, np.nan, rng.normal(size=4000)).astype(np.float32),
        "double": rng.normal(size=4000),
        "whole": rng.integers(-(2**31), 2**31, 4000).astype(np.int32),
        "small": rng.integers(0, 256, 4000).astype(np.uint8),
    }
    if gap:
        columns["gap"] = pa.array(columns["double"], mask=rng.random(4000) < 0.1)
    table = pa.table({**columns, "fraud": (columns["small"] + 99 * rng.random(4000) < 40).astype(np.int64)})
    folder = ragged(table, tmp_path / "plain")
    expected = in_memory(table, n_estimators=5, random_state=3)
    assert of_source(folder, n_estimators=5, random_state=3) == expected
    infinite = columns["single"].copy()
    infinite[:] = np.inf
    parquet.write_table(table.set_column(1, "single", pa.array(infinite)), tmp_path / "infinite.parquet")
    with pytest.raises(
        DataError, match=r"infinite\.parquet: row group 0.*column 'single': contains infinity"
    ):
        of_source(tmp_path / "infinite.parquet", n_estimators=2)


def test_a_source_that_changes_between_passes_is_refused(table):
    flipped = table.set_column(4, "fraud", pa.array(1 - table["fraud"].to_numpy()))
    readings = iter([table, table, flipped])

    def other():
        return next(readings).to_reader()

    with pytest.raises(DataError, match="was read before"):
        of_source(other, n_estimators=2, random_state=0)


def test_a_missing_label_is_named(table, tmp_path):
    broken = table.slice(0, 3000)
    gap = pa.array([None if at == 1500 else value for at, value in enumerate(broken["fraud"].to_pylist())])
    path = tmp_path / "gap.parquet"
    parquet.write_table(broken.set_column(4, "fraud", gap), path)
    with pytest.raises(DataError, match=r"gap\.parquet.*NaN"):
        of_source(path)


def test_ctrl_c_leaves_no_model(table):
    def stop(stage, done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        of_source(table, callback=stop)


def test_merged_forests_average_their_trees():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(600, 4)), rng.random(600) < 0.1
    parts = [
        imbcore.fit(X[at::3], y[at::3], method="balanced_random_forest", n_estimators=4, random_state=at)
        for at in range(3)
    ]
    whole = imbcore.merge(parts)
    assert len(whole.estimators_) == 12
    first = imbcore.merge(
        [imbcore.fit(X, y, method="random_forest", n_estimators=1, random_state=s) for s in (1, 2)]
    )
    tree_mean = np.mean([tree.predict_proba(X) for tree in first.estimators_], axis=0)
    assert np.allclose(first.predict_proba(X), tree_mean)
    with pytest.raises(DataError, match="parameters"):
        imbcore.merge([parts[0], imbcore.fit(X, y, method="balanced_random_forest", max_depth=2)])
    with pytest.raises(ParameterError, match="list of at least one model"):
        imbcore.merge([])
