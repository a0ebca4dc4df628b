"""Sweep of runs under address-space limits; also a command that prints one line per run.

A line has the method, the action, the limit as a fraction of the need, this need in bytes, the outcome, and
the seconds since the start. The need is the least room in which the action succeeds, found by bisection,
beyond the addresses of the process just before it: peaks of addresses consist mostly of reservations that
shrink if there is less room. An outcome is "result", "memory" (a MemoryError), "abort:N" (the process ended
because N bytes could not be allocated), or "other:...".
"""

import argparse
import ast
import faulthandler
import importlib
import math
import os
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, BinaryIO, NamedTuple

LIMITS = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5]
METHODS: dict[str, dict[str, Any]] = {
    "cart": {},
    "hddt": {},
    "c45": {},
    "random_forest": {"n_estimators": 100},
    "balanced_random_forest": {"n_estimators": 10},
    "boosted_trees": {"n_rounds": 5},
    "naive_bayes": {},
    "tan": {},
    "fast_boxes": {},
    "smote_bagging": {"n_estimators": 1},
    "adaboost": {"n_estimators": 5},
}
ACTIONS = ["fit", "predict_proba", "load", "to_sql", "to_c", "to_json", "to_pmml", "to_onnx", "stream"]
ABORT = re.compile(r"memory allocation of (\d+) bytes failed")
# glibc ends the process without the size, which is a few kilobytes.
THREAD_ABORT = "cannot allocate memory for thread-local data"


# Bisections of a need, from about 200 MB down to 1 MB: the last one changes it by less than a tenth.
STEPS = 6


class LimitedRun(NamedTuple):
    method: str
    action: str
    part: float
    need: int
    outcome: str

    @property
    def aborted_at(self) -> int | None:
        """Bytes of the allocation that ended the process; 0 for thread-local data."""
        kind, _, size = self.outcome.partition(":")
        return int(size) if kind == "abort" else None


def status(key: str) -> int:
    """Return a size of this process in bytes."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith(key))


def in_child(body: Callable[[], str], seconds: int) -> str:
    """Run `body` in a forked process; return its text, or "end:CODE:STDERR" if the process ended itself."""
    with tempfile.TemporaryFile() as errors:
        return _in_child(body, seconds, errors)


def _in_child(body: Callable[[], str], seconds: int, errors: BinaryIO) -> str:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        os.dup2(errors.fileno(), 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(seconds)
        faulthandler.enable()
        try:
            os.write(write, body().encode())
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    os.close(write)
    with open(read, "rb") as pipe:
        text = pipe.read().decode()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    errors.seek(0)
    return text if code == 0 and text else f"end:{code}:{errors.read().decode(errors='replace')[:4000]}"


def run(
    action: Callable[[Any], object], room: int | None, prepare: Callable[[], Any], seconds: int = 300
) -> tuple[str, int]:
    """Return the outcome of an action in a new process with `room` bytes of addresses, and its peak.

    A forked process has its own limit and peak. The parent runs nothing of the library, because its children
    could use the stacks and arenas of its threads without a request to the system.
    """

    def limited(prepared: Any) -> str:
        size, outcome = status("VmSize:"), "result"
        if room is not None:
            resource.setrlimit(resource.RLIMIT_AS, (size + room, resource.RLIM_INFINITY))
        try:
            action(prepared)
        except MemoryError:
            outcome = "memory"
        except BaseException as error:
            outcome = f"other:{error!r}"[:300]
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        return f"{status('VmPeak:') - size} {outcome}"

    def prepared_run() -> str:
        prepared = prepare()
        return in_child(lambda: limited(prepared), seconds)

    text = in_child(prepared_run, 2 * seconds)
    if text.startswith("end:"):
        found = ABORT.search(text)
        if THREAD_ABORT in text:
            return "abort:0", 0
        return (f"abort:{found[1]}" if found else "other:" + text), 0
    peak, outcome = text.split(" ", 1)
    return outcome, int(peak)


# Rooms below this one are not tried: no action succeeds in it.
LEAST_ROOM = 1 << 18


def smallest_room(run_in: Callable[[int], str], peak: int, steps: int) -> tuple[int, list[tuple[int, str]]]:
    """Return the least room with a result, and all rooms that were tried with their outcomes.

    Each of the `steps` halves the range in logarithms. The peak of addresses is its upper end.
    """
    low, high, tried = LEAST_ROOM, max(peak, 2 * LEAST_ROOM), []
    for _ in range(steps):
        room = math.isqrt(low * high)
        tried.append((room, run_in(room)))
        low, high = (low, room) if tried[-1][1] == "result" else (room, high)
    return high, tried


def warm_up(X: Any, y: Any, table: str, settings: dict[str, Any], actions: list[str]) -> None:
    """Run every action on few rows, and write the file for streams."""
    import imbcore

    small = imbcore.fit(X[:2000], y[:2000], **settings)
    small.predict_proba(X[:2000])
    for export in (name for name in actions if name.startswith("to_")):
        with suppress(imbcore.ImbcoreError):
            getattr(small, export)()
    if "stream" in actions:
        import pyarrow as pa
        import pyarrow.parquet

        # More levels than bins: boosted trees replace the column by target statistics.
        columns = {f"x{i}": X[:, i] for i in range(5)} | {"level": [f"l{x:.2f}" for x in X[:, 0]]}
        pa.parquet.write_table(pa.table(columns | {"y": y}), table)
        with suppress(imbcore.ImbcoreError):
            imbcore.fit(table, y="y", **settings)


def imports(body: Callable[[], object]) -> str:
    """Return the names of the modules that are loaded after `body`."""
    body()
    return " ".join(name for name in sys.modules if "__" not in name)


def sweep(
    folder: str,
    methods: dict[str, dict[str, Any]],
    n_rows: int,
    limits: list[float],
    actions: list[str],
    steps: int = STEPS,
    seconds: int = 300,
) -> Iterator[LimitedRun]:
    """Run every action of every method under limits that are fractions of its least room.

    The runs that find the least room are included. Without steps, the need is the peak of addresses.
    A run may take `seconds`.
    """
    import numpy as np

    import imbcore

    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 5))
    y = (X[:, 0] + rng.normal(size=n_rows) > 1.8).astype(int)
    table = os.path.join(folder, "rows.parquet")

    for method, options in methods.items():
        path = os.path.join(folder, method)
        settings = dict(method=method, random_state=0, n_threads=2, **options)

        def fit(settings=settings):
            return imbcore.fit(X, y, **settings)

        def load(path=path):
            return imbcore.load(path)

        def nothing():
            return None

        bodies: dict[str, tuple[Callable[[Any], object], Callable[[], Any]]] = {
            "fit": (lambda _, fit=fit: fit(), nothing),
            "predict_proba": (lambda model: model.predict_proba(X, n_threads=2), load),
            "load": (lambda _, load=load: load(), nothing),
            "to_sql": (lambda model: model.to_sql("t"), load),
            "to_c": (lambda model: model.to_c(), load),
            "to_json": (lambda model: model.to_json(), load),
            "to_pmml": (lambda model: model.to_pmml(), load),
            "to_onnx": (lambda model: model.to_onnx(), load),
            "stream": (lambda _, settings=settings: imbcore.fit(table, y="y", **settings), nothing),
        }
        # Imports are not part of a need.
        names = in_child(partial(imports, partial(warm_up, X, y, table, settings, actions)), seconds)
        for name in names.split():
            with suppress(ImportError):
                importlib.import_module(name)
        saved, _ = run(lambda _, fit=fit, path=path: fit().save(path), None, nothing, seconds)
        assert saved == "result", (method, saved)
        for name in actions:
            action, prepare = bodies[name]
            outcome, peak = run(action, None, prepare, seconds)
            if "Unsupported" in outcome or "all rows in memory" in outcome:
                continue
            assert outcome == "result", (method, name, outcome)

            def run_in(room, action=action, prepare=prepare):
                return run(action, room, prepare, seconds)[0]

            need, tried = smallest_room(run_in, peak, steps)
            for room, outcome in tried:
                yield LimitedRun(method, name, round(room / need, 3), need, outcome)
            for part in limits:
                yield LimitedRun(method, name, part, need, run_in(int(part * need)))


def print_sweep(*args: Any, **options: Any) -> None:
    """Print one line per run of a sweep."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for found in sweep(folder, *args, **options):
            print(*found[:4], repr(found.outcome), round(time.monotonic() - start, 1), sep="\t", flush=True)


def parsed(line: str) -> LimitedRun:
    """Return the run of a printed line."""
    method, action, part, need, outcome, _ = line.split("\t")
    return LimitedRun(method, action, float(part), int(need), ast.literal_eval(outcome))


def main() -> None:
    """Run the sweep of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=40_000)
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS))
    parser.add_argument("--actions", nargs="+", default=ACTIONS, choices=ACTIONS)
    parser.add_argument("--limits", nargs="+", type=float, default=LIMITS)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--seconds", type=int, default=300, help="time limit of a run")
    parser.add_argument("--trees", type=int, help="number of trees of random_forest")
    given = parser.parse_args()
    methods = {name: METHODS[name] for name in given.methods}
    if given.trees and "random_forest" in methods:
        methods["random_forest"] = {"n_estimators": given.trees}
    print_sweep(methods, given.rows, given.limits, given.actions, given.steps, given.seconds)


if __name__ == "__main__":
    main()
