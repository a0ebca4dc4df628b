"""A slow worker does not change a byte of the model, for each kind of fit."""

import pytest
from alike import first
from payments_files import payments

import imbcore
import imbcore.dask

distributed = pytest.importorskip("distributed")
dataframe = pytest.importorskip("dask.dataframe")

# Dask warns while worker processes start and stop.
pytestmark = pytest.mark.filterwarnings("ignore")

COLUMNS = ["amount", "hour", "shop", "abroad"]
# All tasks of workers.
TASKS = ["_scan_metadata", "_scan", "_merge", "_call", "_grow", "_split", "_respond"]
BINS = {"max_bins": 255, "exact_split_max_rows": 0}
METHODS = [
    {"method": "balanced_random_forest", "n_estimators": 9},
    {"method": "under_bagging", "n_estimators": 3},
    {"method": "random_forest", "criterion": "hellinger", "n_estimators": 9, **BINS},
    {"method": "boosted_trees", "n_rounds": 5},
    {"method": "naive_bayes"},
    {"method": "tan"},
    {"method": "fast_boxes"},
]


def slow_down():
    """Sleep before every task, and count the tasks. Dask sends a nested function by value."""
    tasks = TASKS

    def patch_tasks():
        import time

        import imbcore.streaming.dask as module

        def slowly(task):
            def slow(*given, **named):
                time.sleep(0.1)
                module.n_slow += 1
                return task(*given, **named)

            return slow

        module.n_slow = 0
        for name in tasks:
            setattr(module, name, slowly(getattr(module, name)))

    return patch_tasks


def count_slow_tasks():
    def count():
        import imbcore.streaming.dask

        return imbcore.streaming.dask.n_slow

    return count


@pytest.fixture(scope="module")
def table():
    return payments(3000).to_pandas()


@pytest.fixture(scope="module")
def half_slow():
    """Start a cluster of two workers; also return the name of the slow one."""
    settings = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster) as client:
        slow = min(client.nthreads())
        client.run(slow_down(), workers=[slow])
        yield client, slow


@pytest.mark.parametrize("given", first(4, METHODS), ids=lambda given: given["method"])
def test_a_slow_worker_does_not_change_the_model(table, half_slow, given):
    client, slow = half_slow
    before = client.run(count_slow_tasks(), workers=[slow])[slow]
    frame = dataframe.from_pandas(table, npartitions=6, sort=False)
    fit = {"y": "fraud", "columns": COLUMNS, "random_state": 1, "client": client, **given}
    expected = imbcore.fit(table[COLUMNS], table["fraud"], random_state=1, **given)
    assert imbcore.dask.fit(frame, **fit).to_bytes() == expected.to_bytes()
    assert client.run(count_slow_tasks(), workers=[slow])[slow] > before, "the slow worker ran no task"
