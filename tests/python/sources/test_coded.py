"""Binned trees and forests fitted to a source equal the model of the table byte for byte."""

import errno
import os
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from alike import first
from payments_files import payments, ragged
from pyarrow import parquet

import imbcore
from imbcore.exceptions import DataError, DataWarning, ParameterError, UnsupportedError
from imbcore.streaming.code_store import BinCodeFile

FOREST = {
    "method": "random_forest",
    "n_estimators": 4,
    "criterion": "hellinger",
    "max_bins": 255,
    "random_state": 1,
}


@pytest.fixture(autouse=True)
def _no_loading(monkeypatch):
    """Make loading all rows fail."""
    monkeypatch.setattr("imbcore.streaming.memory.load", lambda source: pytest.fail("all rows were loaded"))


@pytest.fixture(scope="module")
def table():
    return payments()


@pytest.fixture(scope="module")
def folder(table, tmp_path_factory):
    return ragged(table, tmp_path_factory.mktemp("payments"))


def methods_of_page():
    """Methods and parameters in the table of the page on data larger than memory."""
    page = Path(__file__).parents[3] / "python" / "docs" / "larger-than-memory.md"
    heading = "| method | parameters for a fit in chunks to all rows |\n|---|---|\n"
    table = page.read_text(encoding="utf-8").split(heading)[1].split("\n\n")[0]
    for line in table.splitlines():
        methods, parameters = line.strip("| ").split(" | ")
        given = ", ".join(code for code in re.findall("`([^`]+)`", parameters) if "=" in code)
        for method in re.findall(r"`(\w+)`", methods):
            yield method, eval(f"dict({given})")


def of_source(source, *, batch_size=700, **parameters):
    return imbcore.fit(source, "fraud", batch_size=batch_size, **parameters).to_bytes()


@pytest.mark.parametrize(("method", "parameters"), list(methods_of_page()))
def test_methods_of_the_page_do_not_load_all_rows(folder, method, parameters):
    size = {"n_rounds": 2} if method == "boosted_trees" else {}
    if "n_estimators" in imbcore.fit([[0.0], [1.0]] * 9, [0, 1] * 9, method, **size).params:
        size = {"n_estimators": 2}
    of_source(folder, method=method, random_state=0, **parameters, **size)


def in_memory(table, *, weight=None, **parameters):
    if parameters["method"] != "boosted_trees":
        # The value of "auto" if the source keeps no column values.
        parameters.setdefault("exact_split_max_rows", 0)
    if weight is not None:
        parameters["sample_weight"] = table[weight].to_numpy()
        table = table.drop_columns([weight])
    return imbcore.fit(table.drop_columns(["fraud"]), table["fraud"], **parameters).to_bytes()


METHODS = [
    ("cart", {"max_bins": 255}),
    ("hddt", {"max_bins": 20, "max_leaf_nodes": 12}),
    ("c44", {"max_bins": 64, "missing": "direction", "class_weight": "balanced"}),
    ("alpha_tree", {"max_bins": 255, "threshold": 0.2}),
    ("random_forest", {"max_bins": 255, "n_estimators": 5, "criterion": "hellinger"}),
    ("weighted_random_forest", {"max_bins": 30, "n_estimators": 5, "max_depth": 5}),
    (
        "balanced_random_forest",
        # Few rows are sampled, and their values are kept.
        {
            "max_bins": 30,
            "exact_split_max_rows": 90,
            "n_estimators": 3,
            "sampling_strategy": 1.0,
            "max_samples": None,
        },
    ),
    ("beat", {"max_bins": 100, "n_estimators": 3, "cost_matrix": [[0, 1], [9, 0]]}),
    ("boosted_trees", {"n_rounds": 6}),
    ("boosted_trees", {"max_rounds": 12, "objective": "balanced"}),
]


@pytest.mark.parametrize(("method", "parameters"), METHODS)
def test_a_source_gives_the_model_of_the_table(folder, table, method, parameters):
    given = {"method": method, "random_state": 3, **parameters}
    assert of_source(folder, **given) == in_memory(table, **given)


@pytest.mark.parametrize(("batch_size", "n_threads"), [(61, 1), (1000, 2), (10**6, 7)])
def test_batches_files_and_threads_do_not_change_the_model(folder, table, tmp_path, batch_size, n_threads):
    expected = in_memory(table, **FOREST)
    assert of_source(folder, batch_size=batch_size, n_threads=n_threads, **FOREST) == expected
    parquet.write_table(table, tmp_path / "one.parquet")
    assert of_source(tmp_path / "one.parquet", batch_size=batch_size, **FOREST) == expected


def test_auto_bins_depend_on_the_source(folder, table):
    for given in ({"method": "hddt"}, {"method": "random_forest", "n_estimators": 3, "random_state": 3}):
        model = imbcore.fit(folder, "fraud", max_bins="auto", batch_size=700, **given)
        assert (model.params["max_bins"], model.params["exact_split_max_rows"]) == (255, 0)
        assert model.to_bytes() == in_memory(table, max_bins=255, **given)
    with pytest.raises(ParameterError, match="if only part of the rows is read"):
        imbcore.fit(folder, "fraud", "balanced_random_forest", max_bins="auto")
    assert (
        imbcore.fit(table.drop_columns(["fraud"]), table["fraud"], "hddt", max_bins=255).params[
            "exact_split_max_rows"
        ]
        == 1024
    )


@pytest.mark.parametrize("method", ["c44", "random_forest"])
def test_fractional_rows_use_values_instead_of_bins(folder, table, method, monkeypatch):
    """`max_bins="auto"` was 255 for the reader and None for the trees, which became single leaves."""
    monkeypatch.undo()
    given = {"method": method, "missing": "fraction", "random_state": 3, "max_depth": 5}
    few = {} if method == "c44" else {"n_estimators": 3}
    frame = table.drop_columns(["fraud"])
    expected = imbcore.fit(frame, table["fraud"], max_bins=None, **given, **few)
    model = imbcore.fit(folder, "fraud", max_bins="auto", batch_size=700, **given, **few)
    assert model.params["max_bins"] is None
    assert model.predict_proba(frame).tolist() == expected.predict_proba(frame).tolist()


def test_random_batches_do_not_change_the_model(table):
    expected = in_memory(table, **FOREST)
    for seed in range(6):
        rng = np.random.default_rng(seed)
        edges = [0, *np.sort(rng.integers(0, len(table), rng.integers(1, 40))), len(table)]
        batches = [batch for low, high in pairwise(edges) for batch in table[low:high].to_batches()]

        def again(batches=batches):
            return pa.RecordBatchReader.from_batches(table.schema, batches)

        assert of_source(again, batch_size=int(rng.integers(1, 3000)), **FOREST) == expected


def test_a_table_with_more_rows_than_the_bin_sample():
    table = payments(2**18 + 40_000, seed=4).select(["amount", "hour", "fraud"])
    given = {"method": "hddt", "max_bins": 255, "max_leaf_nodes": 60, "random_state": 0}
    expected = in_memory(table, **given)
    for batch_size in (50_000, 10**6):
        assert of_source(table, batch_size=batch_size, **given) == expected


def test_weights_are_rounded_to_one_grid(table):
    rng = np.random.default_rng(2)
    weights = np.where(rng.random(len(table)) < 0.1, 0.0, rng.random(len(table)) * 3)
    for scale in (1.0, 1e-3):
        weighed = table.append_column("weight", pa.array(weights * scale))
        expected = in_memory(weighed, weight="weight", **FOREST)
        for batch_size in (77, 5000):
            assert of_source(weighed, sample_weight="weight", batch_size=batch_size, **FOREST) == expected


def test_several_classes_many_levels_and_codes(table):
    rng = np.random.default_rng(5)
    labels = np.where(table["fraud"].to_numpy() == 1, "fraud", "fine").astype(object)
    labels[::97] = "unclear"
    towns = pa.array([f"t{code}" for code in rng.integers(0, 700, len(table))])
    named = (
        table.drop_columns(["fraud"]).append_column("fraud", pa.array(labels)).append_column("town", towns)
    )
    given = {"categorical_features": ["hour"], "categorical_split": "subset", **FOREST}
    assert of_source(named, **given) == in_memory(named, **given)


def test_a_column_without_values(table):
    empty = table.append_column("nothing", pa.array([None] * len(table), pa.float64()))
    with pytest.warns(DataWarning, match="column 'nothing' has no value in any row"):
        expected = in_memory(empty, **FOREST)
    with pytest.warns(DataWarning, match="column 'nothing' has no value in any row"):
        found = of_source(empty, **FOREST)
    assert found == expected


def test_options_that_need_values_or_all_rows_are_refused(table, monkeypatch):
    monkeypatch.setattr("imbcore.streaming.memory.available", lambda: 0)
    for method, parameters, words in [
        ("cart", {}, "with max_bins=255 it reads one byte per value"),
        ("c44", {"max_bins": "auto"}, 'max_bins=255 and missing="direction" it reads one byte per value'),
        (
            "cart",
            {"max_bins": 20, "exact_split_max_rows": 9},
            'exact_split_max_rows` must be "auto" or 0 for streamed data',
        ),
        ("c45", {"max_bins": 20}, "c45 reads the values of all rows at once"),
        ("random_forest", {"max_bins": 20, "oob_score": True}, "oob_score needs predictions for every row"),
        ("random_forest", {"max_bins": 20, "calibrate": "sigmoid"}, "rows that the model did not see"),
        ("cart", {"max_bins": 20, "class_weight": {0: 0.0, 1: 1.0}}, "a class of weight 0|one class"),
    ]:
        with pytest.raises((UnsupportedError, DataError, ParameterError), match=words):
            imbcore.fit(table, "fraud", method, **parameters)


def test_an_infinite_value_is_named(tmp_path, table):
    amount = table["amount"].to_pylist()
    amount[4321] = float("inf")
    wrong = table.set_column(0, "amount", pa.array(amount))
    parquet.write_table(wrong, tmp_path / "rows.parquet", row_group_size=1000)
    with pytest.raises(
        DataError, match=r"^\S*rows\.parquet: row group 0, .*: column 'amount': contains infinity"
    ):
        imbcore.fit(tmp_path, "fraud", "cart", max_bins=9)


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """An empty folder for temporary files."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", os.fspath(folder))
    return folder


def test_a_full_disk_is_named_before_rows_are_read(table, scratch, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    # A byte for each of the four columns, and four for the codes of the shops.
    with pytest.raises(OSError, match=rf"No space.*{8 * len(table):,} bytes.*TMPDIR.*{scratch}"):
        imbcore.fit(table, "fraud", **FOREST)
    assert not list(scratch.iterdir())


def test_a_disk_that_fills_while_codes_are_written_is_named(scratch):
    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    resource = pytest.importorskip("resource")
    program = """
        import numpy as np, os
        from imbcore.streaming.code_store import BinCodeFile

        del os.posix_fallocate
        with BinCodeFile(5000, 2, 0) as file:
            file.write(0, np.zeros((5000, 2), np.uint8), [])
            file.read()
    """
    ended = python(program, scratch, preexec_fn=limited)
    assert ended.returncode == 1
    assert "10,000 bytes are needed" in ended.stderr
    assert os.fspath(scratch) in ended.stderr
    assert not list(scratch.iterdir())


def python(program, scratch, **more):
    path = os.pathsep.join(path for path in sys.path if path)
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env={**os.environ, "TMPDIR": os.fspath(scratch), "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        **more,
    )


def test_a_file_system_without_reservations_will_do(table, scratch, monkeypatch):
    def unknown(*_):
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    expected = in_memory(table, **FOREST)
    monkeypatch.setattr(os, "posix_fallocate", unknown, raising=False)
    assert of_source(table, **FOREST) == expected
    assert not list(scratch.iterdir())


# One after another while rows are counted, coded, and trees grow.
@pytest.mark.parametrize(
    ("stage", "at"), first(2, [("rows", 60), ("trees", 1), ("rows", 5), ("rows", 115), ("trees", 40)])
)
@pytest.mark.skipif(sys.platform == "win32", reason="there the system ends a process in another way")
def test_a_killed_process_leaves_no_codes(folder, scratch, stage, at):
    program = f"""
        import os, signal, imbcore

        calls = {{}}
        def kill(stage, done, total):
            calls[stage] = calls.get(stage, 0) + 1
            if stage == {stage!r} and calls[stage] == {at}:
                print("killed", flush=True)
                os.kill(os.getpid(), signal.SIGKILL)

        given = dict(n_estimators=60, max_bins=255, batch_size=100, callback=kill)
        imbcore.fit({os.fspath(folder)!r}, "fraud", "random_forest", **given)
    """
    ended = python(program, scratch)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    assert ended.stdout == "killed\n"
    assert not list(scratch.iterdir())


@pytest.mark.parametrize(("stage", "at"), [("rows", 60), ("rows", 115), ("trees", 1)])
def test_ctrl_c_leaves_no_codes(folder, scratch, stage, at):
    calls = {}

    def interrupt(reported, done, total):
        calls[reported] = calls.get(reported, 0) + 1
        if reported == stage and calls[reported] == at:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        imbcore.fit(folder, "fraud", **{**FOREST, "n_estimators": 60}, batch_size=100, callback=interrupt)
    assert not list(scratch.iterdir())


def test_codes_of_any_shape_come_back(scratch):
    rng = np.random.default_rng(0)
    for n_rows, width, n_nominal in [(1, 1, 0), (7, 3, 2), (5, 0, 1), (1000, 5, 0)]:
        codes = rng.integers(0, 256, (n_rows, width), dtype=np.uint8)
        levels = [rng.integers(0, 2**32, n_rows, dtype=np.uint32) for _ in range(n_nominal)]
        with BinCodeFile(n_rows, width, n_nominal) as file:
            for low, high in [(0, n_rows // 2), (n_rows // 2, n_rows)]:
                file.write(low, codes[low:high], [column[low:high] for column in levels])
            found, nominal = file.read()
        assert np.array_equal(found, codes)
        assert len(nominal) == n_nominal
        assert all(np.array_equal(a, b) for a, b in zip(nominal, levels, strict=True))
