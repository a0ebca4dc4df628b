"""Fast Boxes fitted on a cluster equal the model of one machine byte for byte."""

import contextlib
import os
from itertools import pairwise

import numpy as np
import pytest
from alike import first
from clusters import workers
from hypothesis import given, settings
from hypothesis import strategies as st
from payments_files import payments

import imbcore
import imbcore.dask
from imbcore.exceptions import DataError, UnsupportedError
from imbcore.streaming.summed import BLOCK, PartitionBlockLayout

pytest.importorskip("distributed")
dataframe = pytest.importorskip("dask.dataframe")

# Dask warns while worker processes start and stop.
pytestmark = pytest.mark.filterwarnings("ignore")

COLUMNS = ["amount", "hour", "shop", "abroad"]
PARAMETERS = [
    {"n_boxes": 2, "bound_rule": "program", "clustering": "program", "scale": "maxabs"},
    {"bound_rule": "expand", "missing": "inside", "scale": "none", "threshold": 0.3},
    {},
    {"bound_rule": "none", "eps": 0.0, "expansion": 0.0},
]
# Kinds of requests to the workers: first pass, deviations, sums, nearest rows, and support of boxes.
PROGRAM = {"n_boxes": 2, "clustering": "program"}
REQUESTS = [("Look", {}), ("Deviations", PROGRAM), ("Sums", {}), ("Nearest", {}), ("Support", {})]


@pytest.fixture(scope="module")
def table():
    """Make two_workers full blocks and a partial one."""
    return payments(40_000).to_pandas()


@pytest.fixture(scope="module")
def two_workers():
    with workers(2) as client:
        yield client


@pytest.fixture(scope="module")
def local_worker():
    """Start a worker in this process, which is faster than another process."""
    with workers(1, processes=False) as client:
        yield client


def in_memory(table, **given):
    return imbcore.fit(table[COLUMNS], table["fraud"], "fast_boxes", random_state=3, **given).to_bytes()


def cut(table, edges):
    return dataframe.from_map(lambda ends: table.iloc[slice(*ends)], list(pairwise(edges)), meta=table[:0])


def on_cluster(frame, client, columns=tuple(COLUMNS), **given):
    fit = {"y": "fraud", "method": "fast_boxes", "columns": list(columns), "random_state": 3, **given}
    return imbcore.dask.fit(frame, client=client, **fit).to_bytes()


@pytest.mark.parametrize("parameters", first(2, PARAMETERS))
def test_partitions_do_not_change_the_model(table, two_workers, parameters):
    expected = in_memory(table, **parameters)
    for edges in ([0, 40_000], [0, 0, 1, 1000, BLOCK, BLOCK, 25_000, 39_999, 40_000, 40_000]):
        assert on_cluster(cut(table, edges), two_workers, **parameters) == expected


@pytest.mark.parametrize("n_workers", first(1, [1, 4]))
def test_workers_do_not_change_the_model(table, n_workers):
    with workers(n_workers) as client:
        frame = dataframe.from_pandas(table, npartitions=6, sort=False)
        assert on_cluster(frame, client) == in_memory(table)


@given(inner=st.lists(st.integers(0, 40_000), max_size=9), at=st.integers(0, len(PARAMETERS) - 1))
@settings(max_examples=5)
def test_any_partitioning_gives_the_model_of_the_table_in_memory(table, local_worker, inner, at):
    found = on_cluster(cut(table, [0, *sorted(inner), 40_000]), local_worker, **PARAMETERS[at])
    assert found == in_memory(table, **PARAMETERS[at])


@given(sizes=st.lists(st.one_of(st.integers(0, 3), st.integers(0, 3 * BLOCK)), min_size=1, max_size=12))
def test_every_row_is_in_one_block(sizes):
    edges = np.cumsum([0, *sizes]).tolist()
    layout = PartitionBlockLayout.from_partition_starts(edges[:-1], edges[-1])
    blocks = layout.groups
    rows = [(edges[at] + low, edges[at] + high) for _, places in blocks for at, low, high in places]
    assert all(low < high for low, high in rows)
    assert [low for low, _ in rows] == [0, *(high for _, high in rows[:-1])][: len(rows)]
    assert edges[-1] == (rows[-1][1] if rows else 0)
    ends = [*(begin for begin, _ in blocks[1:]), *edges[-1:] * bool(blocks)]
    for (begin, places), end in zip(blocks, ends, strict=True):
        assert begin % BLOCK == 0
        assert sum(high - low for _, low, high in places) == end - begin
        # A group with rows of several partitions has at most one block.
        assert len(places) == 1 or end - begin <= BLOCK


@pytest.mark.filterwarnings("ignore:column 'x' alone separates the classes")
def test_distant_rows_whose_sums_underflow(local_worker):
    """Sums that underflow are computed again relative to their largest term."""
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.normal(size=30), 5000 + rng.normal(size=20_000)])
    fraud = np.repeat([1, 0], [30, 20_000])
    table = payments(len(x)).to_pandas()[[]].assign(x=x, z=rng.normal(size=len(x)), fraud=fraud)
    options = {"scale": "none", "n_boxes": 2}
    expected = imbcore.fit(table[["x", "z"]], table["fraud"], "fast_boxes", random_state=3, **options)
    frame = cut(table, [0, 7, 9000, len(x)])
    assert on_cluster(frame, local_worker, ["x", "z"], **options) == expected.to_bytes()


def deadly(kind, home):
    """Kill the process of the first response to a kind of request.

    Dask sends a nested function by value.
    """

    def set_trap():
        import os
        import signal

        from imbcore.streaming.summed import SummedFitPlan

        own = SummedFitPlan.respond_for_rows

        def dies(plan, question, *given):
            if kind.encode() in question[:20]:
                with contextlib.suppress(FileExistsError):
                    os.close(os.open(f"{home}/0", os.O_CREAT | os.O_EXCL))
                    os.kill(os.getpid(), signal.SIGKILL)
            return own(plan, question, *given)

        SummedFitPlan.respond_for_rows = dies

    return set_trap


@pytest.mark.parametrize(("kind", "parameters"), first(3, REQUESTS))
def test_a_worker_killed_in_a_round_does_not_change_the_model(table, two_workers, tmp_path, kind, parameters):
    two_workers.wait_for_workers(2)
    two_workers.run(deadly(kind, os.fspath(tmp_path)))
    frame = dataframe.from_pandas(table, npartitions=6, sort=False)
    assert on_cluster(frame, two_workers, **parameters) == in_memory(table, **parameters)
    assert os.listdir(tmp_path) == ["0"]


def test_errors_name_partition_column_or_option(table, local_worker):
    amount = table["amount"].where(np.arange(len(table)) != 33_000, np.inf)
    frame = cut(table.assign(amount=amount), [0, 20_000, 30_000, 40_000])
    with pytest.raises(DataError, match="partition 2: column 'amount': contains infinity"):
        on_cluster(frame, local_worker)
    with pytest.raises(DataError, match=r"column 'amount'.*missing values"):
        on_cluster(cut(table, [0, 9, 40_000]), local_worker, missing="error")
    for what in ({"ranking": "exact"}, {"class_weight": "balanced"}, {"calibrate": "sigmoid"}):
        with pytest.raises(UnsupportedError, match=r"needs? all rows in memory"):
            on_cluster(frame, local_worker, **what)


def test_a_frame_that_changes_between_requests_is_refused(table, local_worker, tmp_path):
    def rows(at):
        """Drop a row at the third read; files count the reads, as workers get copies of this function."""
        n_before = len(list(tmp_path.iterdir()))
        (tmp_path / str(n_before)).touch()
        return table if n_before < 2 else table.iloc[:-1]

    frame = dataframe.from_map(rows, [0], meta=table[:0])
    with pytest.raises(DataError, match="partition 0: has 39,999 rows, and had 40,000 when it was counted"):
        on_cluster(frame, local_worker)


def test_callback_reports_progress_and_can_stop_the_fit(table, local_worker):
    steps = []
    frame = cut(table, [0, 20_000, 40_000])
    on_cluster(frame, local_worker, callback=lambda *step: steps.append(step))
    assert ("answers", 3, 3) in steps

    def stop(stage, done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        on_cluster(frame, local_worker, callback=stop)
