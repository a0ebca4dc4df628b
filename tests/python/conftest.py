"""Fixtures that several test modules share, and the seeds of random examples."""

import gc
import os
import signal
import sys

import numpy as np
import pytest
from hypothesis import settings

# A shell that starts a job in the background makes it ignore Ctrl-C, which several tests send.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Workers of Dask are forked from a process that has imported their modules, so they start immediately.
os.environ.setdefault("DASK_DISTRIBUTED__WORKER__MULTIPROCESSING_METHOD", "forkserver")

# `make test` uses the same examples every time; `make fuzz` uses others and prints how to reproduce one.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("fuzz", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


def pytest_collection_finish():
    """Exclude the collected tests from garbage collection, which took a twentieth of the total time."""
    gc.freeze()


@pytest.fixture(autouse=True)
def _closed_figures():
    """Close the figures of a test: pyplot keeps figures, and warns if there are many."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


@pytest.fixture
def numbers():
    """A small noisy problem: 120 rows, 4 features, one row in six positive."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 4))
    y = (X[:, 0] + 0.5 * rng.normal(size=120) > 1.0).astype(int)
    return X, y


@pytest.fixture
def mixed():
    """Columns of every kind as Python and NumPy values, with missing values, and text labels."""
    rng = np.random.default_rng(1)
    n = 90
    columns = {
        "age": np.round(rng.normal(40, 10, n), 1),
        "children": rng.integers(0, 5, n),
        "member": rng.random(n) < 0.5,
        "job": rng.choice(["clerk", "farmer", "nurse"], n).astype(object),
        "level": rng.choice(["high", "low", "mid"], n).astype(object),
    }
    columns["age"][3] = np.nan
    columns["job"][5] = None
    columns["level"][7] = None
    y = np.where((columns["age"] > 45) & (columns["children"] > 1), "yes", "no")
    return columns, y
