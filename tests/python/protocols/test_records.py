"""The record file of a run: finished work is neither lost nor repeated, however a run ends."""

import json
import os
import signal
import time

import numpy as np
import pytest
from children import run_script, running

from imbcore import evaluation
from imbcore.exceptions import DataError, ParameterError

# Fits that take about 0.01 seconds each, and a log of those that were started.
SLOW = """
    import sys, time
    from dataclasses import dataclass
    import numpy as np
    from imbcore import evaluation

    @dataclass(frozen=True)
    class Slow(evaluation.Learner):
        seconds: float = 0.01

        def fit(self, X, y, place):
            time.sleep(self.seconds)
            return evaluation.NamedMethod("cart", {"max_depth": 1}).fit(X, y, place)

    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] > 0.8).astype(int)
    def go(n_jobs=1, seconds=0.01, replicates=10):
        learners = {"S": Slow(seconds), "C": "cart"}
        return evaluation.run(learners, {"t": (X, y)}, f"{replicates}x3", file=FILE, n_jobs=n_jobs)
"""


def script(path, then):
    return SLOW + f"    FILE = {str(path)!r}\n    " + then


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# Number of kills per test; IMBCORE_KILLS=50 takes some minutes.
KILLS = int(os.environ.get("IMBCORE_KILLS", "1"))


@pytest.mark.timeout(120 + 20 * KILLS)
@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_run_killed_at_any_time_can_be_continued(tmp_path, n_jobs):
    path = tmp_path / "records.jsonl"
    rng = np.random.default_rng(n_jobs)
    before = []
    total = 12 * KILLS + 36
    call = f"go({n_jobs}, replicates={total // 6})"
    for _ in range(KILLS):
        with running(script(path, call)) as child:
            wanted = len(before) + int(rng.integers(0, 12))
            while (not path.exists() or path.read_bytes().count(b"\n") <= wanted) and child.poll() is None:
                time.sleep(0.001 * rng.random())
            child.send_signal(signal.SIGKILL)
            child.wait()
        text = path.read_bytes()
        whole = [json.loads(line) for line in text[: text.rfind(b"\n") + 1].splitlines()]
        now = [of for of in whole if "run" not in of]
        assert now[: len(before)] == before
        before = now
    with running(script(path, f"print(len({call}))")) as child:
        stdout, stderr = child.communicate(timeout=100)
    assert stdout == f"{total}\n", stderr
    found = [of for of in lines(path) if "run" not in of]
    assert found[: len(before)] == before
    keys = [(of["method"], of["replicate"], of["fold"]) for of in found]
    assert len(keys) == len(set(keys)) == total


def test_ctrl_c_keeps_records_and_the_process_is_usable(tmp_path):
    path = tmp_path / "records.jsonl"
    then = """
    import os, signal, threading
    def interrupt():
        while not os.path.exists(FILE) or open(FILE, "rb").read().count(b"\\n") < 4:
            time.sleep(0.01)
        global sent
        sent = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        go(2, 0.1, 5)
    except KeyboardInterrupt:
        print("stopped")
    print(len(go(2, 0.1, 5)))
    """
    with running(script(path, then)) as child:
        stdout, stderr = child.communicate(timeout=110)
    assert stdout == "stopped\n30\n", stderr
    keys = [(of["method"], of["replicate"], of["fold"]) for of in lines(path) if "run" not in of]
    assert len(keys) == len(set(keys)) == 30


@pytest.fixture
def kept(numbers, tmp_path):
    path = tmp_path / "deep" / "records.jsonl"
    records = evaluation.run({"C": "cart"}, {"n": numbers}, "2x2", file=path)
    return path, records


def test_later_run_reads_stored_records_and_may_add_more(kept, numbers):
    path, records = kept
    seen = []

    def note(*at):
        seen.append(at)

    again = evaluation.run(
        {"C": "cart"}, {"n": numbers}, "2x2", file=path, callback=lambda *at: seen.append(at)
    )
    assert (again, seen) == (records, [])
    more = evaluation.run({"C": "cart", "H": "hddt"}, {"n": numbers}, "2x2", file=path)
    assert [of for of in more if of["method"] == "C"] == records
    less = evaluation.run(
        {"C": "cart"}, {"n": numbers}, "2x2", file=path, callback=lambda *at: seen.append(at)
    )
    assert (less, seen) == (records, [])


def test_truncated_last_line_is_removed(kept, numbers):
    path, records = kept
    text = path.read_bytes()
    path.write_bytes(text[:-20])
    seen = []

    def note(*at):
        seen.append(at)

    again = evaluation.run(
        {"C": "cart"}, {"n": numbers}, "2x2", file=path, callback=lambda *at: seen.append(at)
    )
    assert seen == [("fits", 1, 1)]
    assert again[:3] == records[:3]
    assert len(lines(path)) == 5
    path.write_bytes(text.replace(b'"dataset"', b"dataset", 1))
    with pytest.raises(DataError, match="line 2 is not a record"):
        evaluation.run({"C": "cart"}, {"n": numbers}, "2x2", file=path)


def test_file_of_another_run_is_rejected(kept, numbers):
    path, _ = kept
    X, y = numbers
    cart, table = {"C": "cart"}, {"n": numbers}
    refused = [
        ((cart, table, "2x2", 1), "seed 0, not 1"),
        ((cart, table, "2x3", 0), "procedure .*'folds': 2"),
        ((cart, {"n": (X + 1, y)}, "2x2", 0), "table 'n' has other rows"),
        (({"C": "hddt"}, table, "2x2", 0), "method 'C' has other settings"),
    ]
    text = path.read_bytes()
    for (learners, tables, procedure, seed), message in refused:
        with pytest.raises(ParameterError, match=message):
            evaluation.run(learners, tables, procedure, seed=seed, file=path)
    assert path.read_bytes() == text


def test_replicates_are_added(kept, numbers):
    path, records = kept
    seen = []
    more = evaluation.run(
        {"C": "cart"}, {"n": numbers}, "3x2", file=path, callback=lambda *at: seen.append(at)
    )
    assert (more[:4], len(more), len(seen)) == (records, 6, 2)
    less = evaluation.run({"C": "cart"}, {"n": numbers}, "1x2", file=path)
    assert less == records[:2]


def test_two_runs_cannot_write_one_file(kept, numbers):
    path, _ = kept

    def nested(*_at):
        evaluation.run({"C": "cart"}, {"n": numbers}, "2x2", file=path)

    with pytest.raises(ParameterError, match="is being written by another run"):
        evaluation.run({"C": "cart", "H": "hddt"}, {"n": numbers}, "2x2", file=path, callback=nested)


def test_exception_of_a_callback_ends_the_run_and_keeps_the_record(numbers, tmp_path):
    def enough(_stage, done, _total):
        if done == 2:
            raise KeyboardInterrupt

    for n_jobs in (1, 2):
        path = tmp_path / f"{n_jobs}.jsonl"
        with pytest.raises(KeyboardInterrupt):
            evaluation.run({"C": "cart"}, {"n": numbers}, "2x2", file=path, n_jobs=n_jobs, callback=enough)
        assert len(lines(path)) == 3


DEEP = b"[" * 100_000 + b"]" * 100_000
# Foreign text in a file that is read back is a DataError with the file and the line.
FORGED = {
    "deep": DEEP,
    "deep value": b'{"dataset": ' + DEEP + b"}",
    "beyond float64": b'{"dataset": "n", "method": "C", "replicate": 0, "fold": 1e999}',
    "long integer": b'{"dataset": "n", "method": "C", "replicate": 0, "fold": ' + b"9" * 5000 + b"}",
    "no object": b"3",
    "a list": b'["run"]',
    "no measures": b'{"dataset": "n", "method": "C", "replicate": 0, "fold": 0}',
    "a run without tables": b'{"run": {"procedure": 1}}',
    "a run of other things": b'{"run": {"tables": {"n": 1}, "learners": {}}}',
    "no text": b"\xff\xfe\x00",
}


@pytest.mark.parametrize("line", FORGED.values(), ids=FORGED)
def test_foreign_line_is_rejected(kept, numbers, line):
    path, _ = kept
    text = path.read_bytes()
    path.write_bytes(text + line + b"\n")
    with pytest.raises(DataError, match=r"line 6 is not a record"):
        evaluation.run({"C": "cart"}, {"n": numbers}, "2x2", file=path)


@pytest.mark.parametrize(
    "text", [DEEP, b'{"t": [[1e999]]}', b'{"t": [[' + b"9" * 50 + b"]]}", b"[1]", b"\xff"]
)
def test_foreign_folds_are_rejected(tmp_path, text):
    path = tmp_path / "folds.json"
    path.write_bytes(text)
    with pytest.raises(DataError, match="contains no valid folds"):
        evaluation.read_folds(path)


def test_full_disk_names_the_file(tmp_path):
    """The error of a failing write names the file, for each file of a run."""
    resource = pytest.importorskip("resource", reason="limits of a process are POSIX")
    assert resource.RLIMIT_FSIZE
    found = run_script(
        f"""
    import resource, signal
    import numpy as np, imbcore
    from imbcore import evaluation
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = (X[:, 0] > 0.8).astype(int)
    tables = {{"n": (X, y)}}
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for limit in (0, 100, 700, 1500):
        path = {str(tmp_path)!r} + f"/{{limit}}.jsonl"
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        try:
            evaluation.run({{"C": "cart"}}, tables, "2x2", file=path)
        except OSError as error:
            print(error.filename == path)
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        print(len(evaluation.run({{"C": "cart"}}, tables, "2x2", file=path)))
    """
    )
    assert found.split() == ["True", "4"] * 4
