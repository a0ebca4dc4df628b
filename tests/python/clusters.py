"""Dask clusters of this machine for tests."""

import contextlib

import pytest


@contextlib.contextmanager
def workers(n_workers, *, processes=True):
    """Start so many workers of one thread each, and give their client."""
    dask = pytest.importorskip("dask")
    distributed = pytest.importorskip("distributed")
    settings = {"threads_per_worker": 1, "processes": processes, "dashboard_address": None}
    with (
        # Who asks a dead worker for data soon gives up; a local cluster does not, however often one dies.
        dask.config.set(
            {"distributed.comm.timeouts.connect": "3s", "distributed.deploy.lost-worker-timeout": "1h"}
        ),
        distributed.LocalCluster(n_workers=n_workers, **settings) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client
