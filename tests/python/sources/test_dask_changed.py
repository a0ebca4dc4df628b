"""Failed fits on a cluster: release of tasks, and partitions that change between two passes."""

import threading
import time
from collections import Counter
from itertools import count

import numpy as np
import pytest
from clusters import workers

import imbcore
import imbcore.dask
from imbcore.exceptions import DataError

pandas = pytest.importorskip("pandas")
distributed = pytest.importorskip("distributed")
dataframe = pytest.importorskip("dask.dataframe")

pytestmark = pytest.mark.filterwarnings("ignore")

# At least one method for each kind of fit on a cluster: counts, sampled rows, bins, and sums.
METHODS = {
    "naive_bayes": {},
    "tan": {},
    "balanced_random_forest": {"n_estimators": 3},
    "boosted_trees": {"n_rounds": 2},
    "fast_boxes": {"n_boxes": 2},
}
ROWS = 60


@pytest.fixture(scope="module")
def cluster():
    with workers(2, processes=False) as client:
        yield client


def rows(part):
    rng = np.random.default_rng(part)
    label = np.where(np.arange(ROWS) % 10 == 0, "fraud", "fine")
    amount = rng.normal(size=ROWS) + 2 * (label == "fraud")
    return pandas.DataFrame({"amount": amount, "hour": rng.normal(size=ROWS), "label": label})


# Number of computations of each partition of each frame; the workers are threads of this process.
PASSES = Counter()
LOCK = threading.Lock()
NUMBERS = count()


def make_part(part, number, change, first_pass):
    """Make a partition; partition 1 differs from pass ``first_pass`` on."""
    with LOCK:
        PASSES[number, part] += 1
        changed = part == 1 and PASSES[number, part] >= first_pass
    return CHANGES[change](rows(part)) if changed else rows(part)


def changing_frame(change, first_pass):
    given = {"number": next(NUMBERS), "change": change, "first_pass": first_pass}
    return dataframe.from_map(make_part, range(3), meta=rows(0).iloc[:0], **given)


CHANGES = {
    "shorter": lambda table: table.iloc[:-1],
    "longer": lambda table: pandas.concat([table, table.iloc[:1]], ignore_index=True),
    "reversed": lambda table: table.iloc[::-1].reset_index(drop=True),
    "empty": lambda table: table.iloc[:0],
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("change", CHANGES)
def test_a_partition_that_changes_is_refused(cluster, method, change):
    """Every method raises DataError if a partition has other rows at a later pass."""
    frame = changing_frame(change, first_pass=2)
    with pytest.raises(DataError, match=r"partition 1: (has|holds) .*whenever it is computed"):
        imbcore.dask.fit(frame, "label", method, client=cluster, random_state=0, **METHODS[method])


@pytest.mark.parametrize("method", ["tan", "boosted_trees"])
def test_a_partition_that_changes_at_the_third_pass_is_refused(cluster, method):
    frame = changing_frame("shorter", first_pass=3)
    with pytest.raises(DataError, match="partition 1: has 59 rows"):
        imbcore.dask.fit(frame, "label", method, client=cluster, random_state=0, **METHODS[method])


def left_on(client):
    """List the tasks of the scheduler and the futures of the client."""
    tasks = client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.tasks))
    return [*tasks, *client.futures]


def check_nothing_left(client):
    end = time.monotonic() + 10
    while left_on(client) and time.monotonic() < end:
        time.sleep(0.05)
    assert left_on(client) == []


@pytest.mark.parametrize("method", METHODS)
def test_a_fit_leaves_nothing_on_the_cluster(cluster, method):
    """A fit releases its tasks, results and futures, even if it fails and the error is kept."""
    check_nothing_left(cluster)
    frame = dataframe.from_map(rows, range(3), meta=rows(0).iloc[:0])
    imbcore.dask.fit(frame, "label", method, client=cluster, random_state=0, **METHODS[method])
    check_nothing_left(cluster)

    def stop(*_progress):
        raise KeyError("stopped by the caller")

    with pytest.raises(KeyError) as kept:
        imbcore.dask.fit(frame, "label", method, client=cluster, callback=stop, **METHODS[method])
    check_nothing_left(cluster)
    with pytest.raises(DataError) as failed:
        imbcore.dask.fit(changing_frame("shorter", 2), "label", method, client=cluster, **METHODS[method])
    check_nothing_left(cluster)
    assert kept.tb is not None
    assert failed.tb is not None


def test_data_persisted_by_the_user_stays(cluster):
    frame = dataframe.from_map(rows, range(3), meta=rows(0).iloc[:0]).persist()
    before = set(cluster.futures)
    with pytest.raises(DataError, match="infinity"):
        imbcore.dask.fit(frame.assign(hour=np.inf), "label", "naive_bayes", client=cluster)
    end = time.monotonic() + 10
    while set(cluster.futures) != before and time.monotonic() < end:
        time.sleep(0.05)
    assert set(cluster.futures) == before
    assert len(frame) == 3 * ROWS
