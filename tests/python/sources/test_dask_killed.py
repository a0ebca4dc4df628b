"""Workers killed during a fit on a cluster do not change a byte of the model."""

import os
import signal

import pytest
from alike import first
from clusters import workers
from payments_files import payments

import imbcore
import imbcore.dask

pytest.importorskip("distributed")
dataframe = pytest.importorskip("dask.dataframe")

# Dask warns while worker processes start and stop.
pytestmark = pytest.mark.filterwarnings("ignore")

COLUMNS = ["amount", "hour", "shop", "abroad"]
# Workers keep bin codes, but no values.
BINS = {"max_bins": 255, "exact_split_max_rows": 0}
BINNED = {"method": "random_forest", "criterion": "hellinger", "n_estimators": 8, **BINS}
BOOSTED = {"method": "boosted_trees", "n_rounds": 5}
COUNTED = {"method": "tan"}
SUMMED = {"method": "fast_boxes"}
DRAWN = {"method": "balanced_random_forest", "n_estimators": 8}


@pytest.fixture(scope="module")
def table():
    return payments(3000).to_pandas()


def in_memory(table, **given):
    return imbcore.fit(table[COLUMNS], table["fraud"], random_state=1, **given).to_bytes()


def on_cluster(table, client, **given):
    frame = dataframe.from_pandas(table, npartitions=6, sort=False)
    fit = {"y": "fraud", "columns": COLUMNS, "random_state": 1, "client": client, **given}
    return imbcore.dask.fit(frame, **fit).to_bytes()


def kill_in_task(task, home, deaths):
    """Kill the process in the first calls of a task, such as "_scan CodePass".

    The second word is part of the representation of an argument. Dask sends a nested function by value.
    """

    def set_trap():
        import os
        import signal

        import imbcore.streaming.dask as tasks

        name, _, part = task.partition(" ")
        own = getattr(tasks, name)

        def kill_first_calls(*given, **named):
            chosen = not part or any(part in f"{type(one).__name__} {one!r:.200}" for one in given)
            for death in range(deaths if chosen else 0):
                try:
                    os.close(os.open(f"{home}/{death}", os.O_CREAT | os.O_EXCL))
                except FileExistsError:
                    continue
                os.kill(os.getpid(), signal.SIGKILL)
            return own(*given, **named)

        setattr(tasks, name, kill_first_calls)

    return set_trap


# A task of each pass and the merge of codes, then tasks that resemble these.
KILLED = [
    *(("_scan SketchPass", BINNED), ("_merge CodePass", BINNED), ("_scan CountPass", COUNTED)),
    *(("_respond", SUMMED), ("_grow", BOOSTED), ("_scan SamplePass", DRAWN)),
    *((task, BINNED) for task in ("_scan_metadata", "_merge SketchPass", "_scan CodePass", "_grow")),
    *((task, BINNED) for task in ("_call make_bins", "_call attrgetter")),
    *((task, COUNTED) for task in ("_scan ColumnStates", "_merge CountPass", "_call learn_states", "_grow")),
    *((task, BOOSTED) for task in ("_scan CodePass", "_merge CodePass")),
    *((task, DRAWN) for task in ("_merge SamplePass", "_grow")),
    ("_split", SUMMED),
]


@pytest.fixture(scope="module")
def two_workers():
    with workers(2) as client:
        yield client


@pytest.mark.parametrize(("task", "given"), first(6, KILLED))
def test_a_killed_worker_does_not_change_the_model(table, two_workers, tmp_path, task, given):
    two_workers.wait_for_workers(2)
    two_workers.run(kill_in_task(task, os.fspath(tmp_path), 1))
    assert on_cluster(table, two_workers, **given) == in_memory(table, **given)
    assert os.listdir(tmp_path) == ["0"]


@pytest.mark.parametrize("given", first(1, [BINNED, BOOSTED]))
def test_two_of_four_workers_are_killed(table, tmp_path, given):
    expected = in_memory(table, **given)
    with workers(4) as client:
        assert on_cluster(table, client, **given) == expected
        client.run(kill_in_task("_scan CodePass", os.fspath(tmp_path), 2))
        assert on_cluster(table, client, **given) == expected
    assert sorted(os.listdir(tmp_path)) == ["0", "1"]


ALONE = [("_merge CodePass", BINNED), ("_respond", SUMMED), ("_grow", BINNED), ("_grow", COUNTED)]


@pytest.mark.parametrize(("task", "given"), first(1, ALONE))
def test_the_only_worker_is_killed(table, tmp_path, task, given):
    with workers(1) as client:
        client.run(kill_in_task(task, os.fspath(tmp_path), 1))
        assert on_cluster(table, client, **given) == in_memory(table, **given)
    assert os.listdir(tmp_path) == ["0"]


@pytest.mark.parametrize("method", first(1, ["tan", "naive_bayes"]))
def test_local_fit_to_dask_partitions_survives_a_killed_worker(table, two_workers, method):
    two_workers.wait_for_workers(2)
    frame = dataframe.from_pandas(table, npartitions=6, sort=False)
    killed = []

    def kill(stage, done, total):
        if stage == "values" and not killed and done > total // 4:
            killed.append(next(iter(two_workers.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    given = {"columns": COLUMNS, "random_state": 1, "batch_size": 400, "callback": kill}
    assert imbcore.fit(frame, "fraud", method, **given).to_bytes() == in_memory(table, method=method)
    assert killed
