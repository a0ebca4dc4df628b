"""Allocations that do not fit into memory raise MemoryError with the requested size."""

import os
import re

import pytest
from children import run_script

pytest.importorskip("resource", reason="limits of a process are POSIX")

# Memory is limited only after imports and a warm-up: the call then finds a few megabytes more.
LIMITED = """
    import resource, sys
    from contextlib import contextmanager
    import numpy as np, imbcore
    from imbcore.networks import BayesianNetwork

    @contextmanager
    def room(megabytes):
        with open("/proc/self/statm") as sizes:
            size = int(sizes.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + (megabytes << 20), resource.RLIM_INFINITY))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def refused(call, megabytes=8):
        try:
            with room(megabytes):
                call()
        except MemoryError as error:
            print(str(error).split(": ")[0])
        else:
            raise AssertionError("there was room")

    rng = np.random.default_rng(0)
    small, labels = rng.normal(size=(200, 2)), np.arange(200) % 40
    large = np.zeros((1_000_000, 2))
    model = imbcore.fit(small, labels, METHOD, n_threads=1, **OPTIONS)
    model.predict_proba(large[:100], n_threads=1)
"""

STATM = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="reads its size from /proc")


def limited(then, method="cart", options="{}"):
    text = LIMITED.replace("METHOD", repr(method)).replace("OPTIONS", options) + then
    # Large blocks come from the system each time, not from the reserves of glibc.
    strict = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_ARENA_MAX": "1"}
    return run_script(text, env={**os.environ, **strict}).splitlines()


@STATM
@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("cart", "{}"),
        ("random_forest", "{'n_estimators': 3}"),
        ("ova", "{}"),
        ("tan", "{'discretizer': 'equal_freq', 'discretizer__n_bins': 2}"),
    ],
)
def test_predictions_that_do_not_fit_raise(method, options):
    output = limited(
        """
    refused(lambda: model.predict_proba(large, n_threads=1))
    print(model.predict_proba(large[:100], n_threads=1).shape)
    """,
        method,
        options,
    )
    assert output[0].startswith("cannot allocate ")
    assert int(output[0].split()[2]) >= 2_000_000
    assert output[1] == "(100, 40)"


@STATM
def test_predictions_of_boxes_that_do_not_fit_raise():
    output = limited(
        """
    boxes = imbcore.fit(small, labels > 30, "fast_boxes", n_threads=1)
    refused(lambda: boxes.predict_proba(large, n_threads=1))
    print(boxes.predict(large[:100], n_threads=1).shape)
    """
    )
    assert output == ["cannot allocate 32000000 bytes for predictions", "(100,)"]


@STATM
def test_training_data_that_do_not_fit_raise():
    output = limited(
        """
    wide = np.zeros((250_000, 40))
    y = np.arange(250_000) % 2
    refused(lambda: imbcore.fit(wide, y, "cart", n_threads=1), 24)
    columns = np.asfortranarray(wide)
    for bins in (None, 255):
        refused(lambda: imbcore.fit(columns, y, "cart", max_bins=bins, n_threads=1), 9)
    refused(lambda: imbcore.fit(wide, y > 0, "fast_boxes", n_threads=1), 24)
    print(imbcore.fit(wide[:100], y[:100], "cart", n_threads=1).method)
    """
    )
    # A fit compares its known memory needs with the limit before it allocates.
    for line in output[:-1]:
        assert line.startswith(("cannot allocate ", "cart needs at least "))
    assert len(output) == 5
    assert output[-1] == "cart"


@STATM
def test_files_that_do_not_fit_raise(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("a,b\n" + "1,x\n" * 2_000_000)
    output = limited(
        f"""
    from imbcore._border.table import read_table
    refused(lambda: read_table({str(path)!r}))
    table = read_table({str(path)!r})
    print(table.n_rows)
    """
    )
    assert output[0].startswith("cannot allocate ")
    assert output[0].endswith(" bytes for a column of the file")
    assert output[1] == "2000000"


@STATM
def test_numbers_of_rows_that_do_not_fit_raise():
    output = limited(
        """
    network = BayesianNetwork.learn(rng.integers(0, 2, (200, 4)).astype(str), n_threads=1)
    network.sample(5, n_threads=1)
    refused(lambda: network.sample(2 * 10**9, n_threads=1))
    refused(lambda: network.sample(2 * 10**9, evidence={network.variables[0]: "1"}, n_threads=1))
    refused(lambda: imbcore.datasets.make_four_gaussians([10**9, 1, 1, 1]))
    print(len(network.sample(5, n_threads=1)))
    """
    )
    assert output == [
        "cannot allocate 32000000000 bytes for random rows",
        "cannot allocate 32000000000 bytes for random rows",
        "cannot allocate 16000000048 bytes for points",
        "5",
    ]


# A limit of some megabytes above the size of the process, before a fit.
REFUSED = """
    import time
    def refused_by_estimate(megabytes, X, y, method, **options):
        start = time.perf_counter()
        try:
            with room(megabytes):
                imbcore.fit(X, y, method, random_state=0, n_threads=1, **options)
        except imbcore.exceptions.OutOfMemoryError as error:
            assert time.perf_counter() - start < 5
            print(error)
        else:
            raise AssertionError("the fit was not refused")
"""


@STATM
def test_fits_with_known_needs_above_a_limit_fail_immediately():
    """A fit whose minimum memory (rows, trees, classes, threads) exceeds the limit fails immediately."""
    lines = limited(
        REFUSED
        + """
    refused_by_estimate(300, small, labels % 2, "random_forest", n_estimators=50_000_000)
    refused_by_estimate(300, small, labels % 2, "bagging", n_estimators=50_000_000)
    refused_by_estimate(300, np.zeros((30_000, 2)), np.arange(30_000) % 3000, "boosted_trees", n_rounds=2)
    y = np.arange(1_000_000) % 2
    refused_by_estimate(300, large, y, "random_forest", n_estimators=5000, oob_score=True)
    """
    )
    purposes = [
        "50000000 trees and 2 classes",
        "50000000 members",
        "scores of 30000 rows and 3000 classes",
        "5000 trees",
    ]
    assert len(lines) == len(purposes)
    for line, purpose in zip(lines, purposes, strict=True):
        assert re.search(
            r"needs at least \d+ MB of memory, most of it for .*, but \d+ MB are available under ", line
        ), line
        assert purpose in line
        assert "RLIMIT_AS" in line
        assert "Raise this limit, or use fewer" in line


@STATM
def test_forest_fails_after_its_first_trees():
    """The size of trees depends on the data, so a forest extrapolates its memory from its first trees."""
    (line,) = limited(
        REFUSED
        + """
    X = rng.normal(size=(10_000, 4))
    refused_by_estimate(300, X, rng.integers(0, 2, 10_000), "random_forest", n_estimators=20_000)
    """
    )
    assert re.match(
        r"random_forest needs at least \d+ MB of memory, most of it for 20000 trees of about \d+ leaves", line
    )
    assert "min_samples_leaf" in line


SWEEP = """
    import os, resource, sys, tempfile, warnings
    import numpy as np, imbcore

    warnings.simplefilter("ignore")
    IMPORTS

    def status(key):
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) << 10 for line in file if line.startswith(key))

    def run(action, room, prepare=lambda: None):
        # A forked child has no threads of its parent, and its own limit. The parent fits nothing large:
        # it would keep memory that its children could reuse without a request to the system.
        read, write = os.pipe()
        errors = tempfile.TemporaryFile()
        child = os.fork()
        if child == 0:
            os.dup2(errors.fileno(), 2)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            prepared = prepare()
            size, outcome = status("VmSize:"), "other"
            if room is not None:
                resource.setrlimit(resource.RLIMIT_AS, (size + room, size + room))
            try:
                action(prepared)
                outcome = "result"
            except imbcore.exceptions.OutOfMemoryError:
                outcome = "memory"
            except MemoryError:
                outcome = "memory"
            except BaseException as error:
                outcome = repr(error)[:200].replace(" ", "_")
            try:
                os.write(write, f"{outcome} {status('VmPeak:') - size}".encode())
            finally:
                os._exit(0)
        os.close(write)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said = os.read(read, 1000).decode()
        os.close(read)
        errors.seek(0)
        return said.split() if code == 0 and said else [f"{code}:{errors.read().decode()[-200:]!r}", "0"]

    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, 5))
    y = (X[:, 0] + rng.normal(size=ROWS) > 1.8).astype(int)
    aborts = 0
    for method, options in METHODS.items():
        def fit(rows=slice(None)):
            return imbcore.fit(X[rows], y[rows], method, random_state=0, n_threads=2, **options)
        small = fit(slice(2000))
        path = os.path.join(sys.argv[1], method)
        assert run(lambda _: fit().save(path), None)[0] == "result", method
        load = lambda: imbcore.load(path)
        actions = {
            "fit": (lambda _: fit(), lambda: None),
            "predict_proba": (lambda model: model.predict_proba(X, n_threads=2), load),
            "load": (lambda _: load(), lambda: None),
            "to_sql": (lambda model: model.to_sql("t"), load),
            MORE
        }
        for name, (action, prepare) in actions.items():
            try:
                getattr(small, name, str)()
            except TypeError:
                pass
            except imbcore.ImbcoreError:
                continue
            outcome, need = run(action, None, prepare)
            assert outcome == "result", (method, name, outcome)
            for part in LIMITS:
                outcome, _ = run(action, int(part * int(need)), prepare)
                print(method, name, part, outcome)
"""
METHODS = {
    "cart": {},
    "random_forest": {"n_estimators": 12},
    "boosted_trees": {"n_rounds": 5},
    "naive_bayes": {},
}
MORE_METHODS = {
    "hddt": {},
    "c45": {},
    "balanced_random_forest": {"n_estimators": 50},
    "tan": {},
    "fast_boxes": {},
    "smote_bagging": {"n_estimators": 3},
    "adaboost": {"n_estimators": 5},
    **METHODS,
    "random_forest": {"n_estimators": 100},
}
MORE = """
    "to_onnx": (lambda model: model.to_onnx(), load),
    "stream": (
        lambda _: imbcore.fit(table, y="y", method=method, random_state=0, n_threads=2, **options),
        lambda: None,
    ),
"""
IMPORTS = """
    import onnx
    import pyarrow as pa, pyarrow.parquet
    table = sys.argv[1] + "/rows.parquet"
"""


def sweep(folder, methods, rows, limits, more="", imports=""):
    text = SWEEP.replace("IMPORTS", imports.strip()).replace("MORE", " ".join(more.split()))
    text = text.replace("ROWS", str(rows)).replace("METHODS", repr(methods)).replace("LIMITS", repr(limits))
    if more:
        write = 'pa.parquet.write_table(pa.table({**{f"x{i}": X[:, i] for i in range(5)}, "y": y}), table)'
        text = text.replace("    aborts = 0\n", f"    {write}\n")
    else:
        text = text.replace("    aborts = 0\n", "")
    return [line.split(maxsplit=3) for line in run_script(text, folder, timeout=3000).splitlines()]


@STATM
def test_runs_under_any_limit_end_in_a_result_or_memory_error(tmp_path):
    """If any allocation fails in a fit, a prediction, a load or an export, the process continues."""
    found = sweep(tmp_path, METHODS, 20_000, [0.02, 0.1, 0.3, 0.6])
    assert len(found) >= 42
    assert [line for line in found if line[3] not in ("result", "memory")] == []
    assert "memory" in {line[3] for line in found}


@STATM
def test_fit_succeeds_with_its_measured_memory(tmp_path):
    """An estimate above the need would reject a fit that succeeds, so it must be a lower bound."""
    methods = {
        "cart": {"max_depth": 1},
        "hddt": {"max_depth": 1, "max_bins": 16},
        "random_forest": {"n_estimators": 2, "max_depth": 1, "oob_score": True},
        "extra_trees": {"n_estimators": 2, "max_depth": 1},
        "boosted_trees": {"n_rounds": 1, "max_leaf_nodes": 2},
    }
    found = sweep(tmp_path, methods, 60_000, [1.05])
    assert {(line[0], line[3]) for line in found if line[1] == "fit"} == {
        (name, "result") for name in methods
    }


@STATM
@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_many_runs_under_limits(tmp_path):
    """Twelve limits from 0.2 to 1.5 times the need: methods, loads, exports and streaming."""
    pytest.importorskip("onnx")
    limits = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5]
    found = sweep(tmp_path, MORE_METHODS, 40_000, limits, MORE, IMPORTS)
    failed = [line for line in found if line[3] not in ("result", "memory")]
    assert len(found) >= 300
    assert len(failed) <= 3, failed
