"""What does not fit into memory ends in MemoryError with the size asked for, not the process."""

import os

import pytest
from children import run_script

pytest.importorskip("resource", reason="limits of a process are POSIX")

# Room is limited only after everything is imported and warm: a road then finds a few megabytes more.
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

    def refused(road, megabytes=8):
        try:
            with room(megabytes):
                road()
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
    # Large blocks come from the system each time, and not out of what glibc holds in reserve.
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
def test_answers_that_do_not_fit(method, options):
    said = limited(
        """
    refused(lambda: model.predict_proba(large, n_threads=1))
    print(model.predict_proba(large[:100], n_threads=1).shape)
    """,
        method,
        options,
    )
    assert said[0].startswith("cannot allocate ")
    assert int(said[0].split()[2]) >= 2_000_000
    assert said[1] == "(100, 40)"


@STATM
def test_answers_of_boxes_that_do_not_fit():
    said = limited(
        """
    boxes = imbcore.fit(small, labels > 30, "fast_boxes", n_threads=1)
    refused(lambda: boxes.predict_proba(large, n_threads=1))
    print(boxes.predict(large[:100], n_threads=1).shape)
    """
    )
    assert said == ["cannot allocate 32000000 bytes for answers", "(100,)"]


@STATM
def test_training_data_that_do_not_fit():
    said = limited(
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
    for line in said[:-1]:
        assert line.startswith("cannot allocate ")
    assert len(said) == 5
    assert said[-1] == "cart"


@STATM
def test_files_that_do_not_fit(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("a,b\n" + "1,x\n" * 2_000_000)
    said = limited(
        f"""
    from imbcore._border.table import read_table
    refused(lambda: read_table({str(path)!r}))
    table = read_table({str(path)!r})
    print(table.n_rows)
    """
    )
    assert said[0].startswith("cannot allocate ")
    assert said[0].endswith(" bytes for a column of the file")
    assert said[1] == "2000000"


@STATM
def test_numbers_of_rows_that_do_not_fit():
    said = limited(
        """
    network = BayesianNetwork.learn(rng.integers(0, 2, (200, 4)).astype(str), n_threads=1)
    network.sample(5, n_threads=1)
    refused(lambda: network.sample(2 * 10**9, n_threads=1))
    refused(lambda: network.sample(2 * 10**9, evidence={network.variables[0]: "1"}, n_threads=1))
    refused(lambda: imbcore.datasets.make_four_gaussians([10**9, 1, 1, 1]))
    print(len(network.sample(5, n_threads=1)))
    """
    )
    assert said == [
        "cannot allocate 32000000000 bytes for random rows",
        "cannot allocate 32000000000 bytes for random rows",
        "cannot allocate 16000000048 bytes for points",
        "5",
    ]
