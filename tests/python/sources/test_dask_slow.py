"""A worker that is slow: the model of one machine, byte for byte, by each road."""

import pytest
from alike import first
from payments_files import payments

import imbcore
import imbcore.dask

distributed = pytest.importorskip("distributed")
dataframe = pytest.importorskip("dask.dataframe")

# What Dask says of itself while processes come and go.
pytestmark = pytest.mark.filterwarnings("ignore")

COLUMNS = ["amount", "hour", "shop", "abroad"]
# All that workers do.
TASKS = ["_scan_metadata", "_scan", "_merge", "_call", "_grow", "_split", "_respond"]
BINS = {"max_bins": 255, "exact_rows": 0}
ROADS = [
    {"method": "balanced_random_forest", "n_estimators": 9},
    {"method": "under_bagging", "n_estimators": 3},
    {"method": "random_forest", "criterion": "hellinger", "n_estimators": 9, **BINS},
    {"method": "boosted_trees", "n_rounds": 5},
    {"method": "naive_bayes"},
    {"method": "tan"},
    {"method": "fast_boxes"},
]


def be_slow():
    """Sleep before every task, and count them; a function within another travels whole."""
    tasks = TASKS

    def set_brake():
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

    return set_brake


def how_slow():
    def count():
        import imbcore.streaming.dask

        return imbcore.streaming.dask.n_slow

    return count


@pytest.fixture(scope="module")
def table():
    return payments(3000).to_pandas()


@pytest.fixture(scope="module")
def half_slow():
    """A cluster of two workers, and the name of one that is slow."""
    settings = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster) as client:
        slow = min(client.nthreads())
        client.run(be_slow(), workers=[slow])
        yield client, slow


@pytest.mark.parametrize("given", first(4, ROADS), ids=lambda given: given["method"])
def test_a_slow_worker_changes_nothing(table, half_slow, given):
    client, slow = half_slow
    before = client.run(how_slow(), workers=[slow])[slow]
    frame = dataframe.from_pandas(table, npartitions=6, sort=False)
    fit = {"y": "fraud", "columns": COLUMNS, "random_state": 1, "client": client, **given}
    expected = imbcore.fit(table[COLUMNS], table["fraud"], random_state=1, **given)
    assert imbcore.dask.fit(frame, **fit).to_bytes() == expected.to_bytes()
    assert client.run(how_slow(), workers=[slow])[slow] > before, "the slow worker had no part in it"
