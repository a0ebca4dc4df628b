"""The time limit and Ctrl-C of Exact Boxes hold in every phase of a fit, for tables with many columns.

Kind: a limit that is checked in the search only, or after steps whose cost grows with the table.
Times are CPU seconds of this process and its solver process: other processes slow down the wall clock.
"""

import os
import resource
import signal
import threading

import numpy as np
import pytest

from imbcore import ExactBoxesClassifier

FORMULATIONS = ["columns", "compact", "paper"]


def table(n_columns, n_rows=60):
    X = np.random.default_rng(0).normal(size=(n_rows, n_columns))
    return X, (np.arange(n_rows) % 5 == 0).astype(int)


def cpu_seconds():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_time_limit_holds_for_many_columns(formulation):
    """The starting boxes, the encoding of the rows and nodes of the search took 12 s with a limit of 2 s."""
    X, y = table(12_000)
    model = ExactBoxesClassifier(formulation=formulation, time_limit=0.3, n_threads=1, random_state=0)
    start = cpu_seconds()
    model.fit(X, y)
    assert cpu_seconds() - start < 2.5
    assert model.status_ == "time_limit"
    assert model.objective_ <= model.bound_
    assert model.predict_proba(X[:3]).shape == (3, 2)


@pytest.mark.parametrize("init", ["fast_boxes", "none"])
@pytest.mark.parametrize("limit", [1e-9, 0.01, 0.05])
def test_limits_before_the_search_give_a_drawing_with_a_valid_bound(limit, init):
    """If the rows are not encoded in time, the drawing is empty; its bound counts every row as correct."""
    X, y = table(2_000)
    weights = np.where(y == 1, 2.0, 1.0)
    model = ExactBoxesClassifier(
        time_limit=limit, init=init, negative_weight=0.5, n_threads=1, random_state=0
    )
    model.fit(X, y, sample_weight=weights)
    assert model.status_ == "time_limit"
    n_negatives = (y == 0).sum()
    assert 0.5 * n_negatives <= model.objective_ <= model.bound_ <= 2.0 * y.sum() + 0.5 * n_negatives + 1e-9


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_ctrl_c_ends_a_fit_of_many_columns(formulation):
    """After the signal, only the model of the boxes so far is built, which is proportional to the table.

    This took 0.05 to 0.12 CPU seconds in a build without optimization. The bound is five times as large,
    because caches are shared with other processes. A phase without checks takes several seconds.
    """
    X, y = table(12_000)
    sent = []

    def interrupt():
        sent.append(cpu_seconds())
        os.kill(os.getpid(), signal.SIGINT)

    model = ExactBoxesClassifier(formulation=formulation, time_limit=60, n_threads=1, random_state=0)
    timer = threading.Timer(0.5, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    timer.join()
    assert cpu_seconds() - sent[0] < 0.6
