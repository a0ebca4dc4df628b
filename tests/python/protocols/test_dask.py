"""A Dask cluster gives the same records; a killed worker loses none."""

import json

import pytest
from children import run_script

from imbcore import evaluation
from imbcore.exceptions import ParameterError

pytest.importorskip("distributed", reason="distributed is not installed")

# In a separate process: the cluster's threads and warnings are not ours.
CLUSTER = """
    import json, os, signal, sys, time, warnings
    warnings.simplefilter("ignore")
    from dataclasses import dataclass
    import numpy as np
    from distributed import Client, LocalCluster
    from imbcore import evaluation

    @dataclass(frozen=True)
    class Slow(evaluation.Learner):
        def fit(self, X, y, place):
            time.sleep(0.05)
            return evaluation.NamedMethod("cart", {"max_depth": 2}).fit(X, y, place)

    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] > 0.8).astype(int)
    learners = {"slow": Slow(), "hddt": "hddt"}
    def go(**options):
        return evaluation.run(learners, {"t": (X, y)}, "5x2", **options)
    if __name__ == "__main__":
        with LocalCluster(2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
            with Client(cluster) as client:
                pids = list(client.run(os.getpid).values())
                killed = []
                def kill(stage, done, total):
                    if done == 5 and not killed:
                        killed.append(os.kill(pids[0], signal.SIGKILL))
                found = go(file=sys.argv[1], callback=kill, dask=client)
                assert killed
                again = go(file=sys.argv[1], dask=cluster.scheduler_address)
                assert again == found
        alone = go()
        strip = lambda of: {k: v for k, v in of.items() if not k.endswith("_seconds")}
        assert [*map(strip, found)] == [*map(strip, alone)]
        print("same")
"""


def test_killed_worker_loses_no_record(tmp_path):
    path = tmp_path / "records.jsonl"
    assert run_script(CLUSTER, path, timeout=110).endswith("same\n")
    records = [json.loads(line) for line in path.read_text().splitlines()][1:]
    keys = [(of["method"], of["replicate"], of["fold"]) for of in records]
    assert len(keys) == len(set(keys)) == 20
    assert {of["failure"] for of in records} == {None}


def test_invalid_clusters_are_rejected(numbers):
    with pytest.raises(ParameterError, match=r"distributed\.Client or an address"):
        evaluation.run({"C": "cart"}, {"n": numbers}, "1x2", dask=3)
    with pytest.raises(ParameterError, match="time_limit is not available"):
        evaluation.run({"C": "cart"}, {"n": numbers}, "1x2", dask=3, time_limit=1.0)


def test_interrupted_handshake_is_repeated(numbers, monkeypatch):
    import distributed

    calls = []

    class Disturbed:
        def __init__(self, address, timeout):
            calls.append(address)
            raise AssertionError if len(calls) < 3 else OSError("nothing is listening")

    monkeypatch.setattr(distributed, "Client", Disturbed)
    with pytest.raises(
        ParameterError, match="cannot connect to a Dask scheduler at 'tcp://here:1': nothing is listening"
    ):
        evaluation.run({"C": "cart"}, {"n": numbers}, "1x2", dask="tcp://here:1")
    assert calls == ["tcp://here:1"] * 3
