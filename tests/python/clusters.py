"""Local Dask clusters for tests."""

import contextlib

import pytest


@contextlib.contextmanager
def workers(n_workers, *, processes=True):
    """Start single-threaded workers, and return a client."""
    dask = pytest.importorskip("dask")
    distributed = pytest.importorskip("distributed")
    settings = {"threads_per_worker": 1, "processes": processes, "dashboard_address": None}
    with (
        # Requests to a dead worker time out quickly; the cluster tolerates any number of deaths.
        dask.config.set(
            {"distributed.comm.timeouts.connect": "3s", "distributed.deploy.lost-worker-timeout": "1h"}
        ),
        distributed.LocalCluster(n_workers=n_workers, **settings) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client
