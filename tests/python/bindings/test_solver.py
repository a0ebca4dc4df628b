"""The solver process of the formulations "compact" and "paper": lifetime, failures, and fits."""

import contextlib
import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import children
import numpy as np
import pytest
from alike import first

import imbcore
from imbcore import ExactBoxesClassifier, _imbcore
from imbcore._bindings import solver as _solver
from imbcore.exceptions import SolverError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and scripts as programs")

PROGRAMS = ["compact", "paper"]
# A problem that takes far longer than any test, and one that takes no time.
HARD = """
import numpy as np
from imbcore import ExactBoxesClassifier
from imbcore.exceptions import SolverError
rng = np.random.default_rng(1)
X, y = rng.normal(size=(400, 6)), rng.random(400) < 0.3
boxes = ExactBoxesClassifier(n_boxes=4, negative_weight=0.3, formulation="compact", random_state=0)
"""
EASY = [[float(i)] for i in range(8)], [0, 0, 0, 1, 1, 0, 0, 0]


def hard(formulation):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(400, 6)), rng.random(400) < 0.3
    return ExactBoxesClassifier(n_boxes=4, negative_weight=0.3, formulation=formulation, random_state=0), X, y


def easy(formulation, **options):
    return ExactBoxesClassifier(n_boxes=1, formulation=formulation, random_state=0, **options).fit(*EASY)


def solvers(parent):
    """Solver processes of a process, including those that ended and were not reaped."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("processes are listed by /proc only")
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text().rpartition(")")
            words = stat.with_name("cmdline").read_text()
        except OSError:  # it has ended
            continue
        if int(rest.split()[1]) == parent and ("_bindings/solver.py" in words or rest.split()[0] == "Z"):
            found.append(int(name.split()[0]))
    return found


def open_files():
    """Open file descriptors of this process."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(FileNotFoundError):  # the descriptor of the folder itself
            os.stat(f"/proc/self/fd/{name}")
            found.append(int(name))
    return found


def wait_for(what, seconds=30.0):
    until = time.monotonic() + seconds
    while not (value := what()):
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.01)
    return value


@pytest.fixture
def placeholder_rows(tmp_path, monkeypatch):
    """Replaces the solver process by a program whose script has the greeting and the real command."""
    real = _solver.solver_process_command()
    greeted = subprocess.run(
        real, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=60
    ).stdout
    greeting = greeted[: greeted.index(b"\n") + 1]
    assert greeting.startswith(b"imbcore-solver ")

    def put(script):
        path = tmp_path / "stand-in"
        head = f"#!{sys.executable}\nimport os, sys, time\nGREETING, REAL = {greeting!r}, {real!r}\n"
        path.write_text(head + textwrap.dedent(script))
        path.chmod(0o755)
        monkeypatch.setenv("IMBCORE_SOLVER", str(path))

    return put


GREETS = "os.write(1, GREETING); os.read(0, 100)\n"
DEATHS = {
    "killed": (GREETS + "os.kill(os.getpid(), 9)", r"died before it sent a result \(signal: 9"),
    "closed": (GREETS + "os.close(1); time.sleep(60)", "closed its pipe"),
    "garbage": (GREETS + "os.write(1, bytes(range(256))); time.sleep(60)", "invalid result .*mark"),
    "aborted": (
        GREETS + "os.write(2, b'Assertion `lower <= upper` failed.\\n'); os.abort()",
        r"died before it sent a result \(signal: 6.*Assertion `lower <= upper` failed",
    ),
    "another version": (
        "print('imbcore-solver 0.0.7-1', flush=True); time.sleep(60)",
        r"version is 0\.0\.7-1, this is",
    ),
    "dead at once": ("sys.exit(1)", "died before it sent a result .*IMBCORE_SOLVER"),
    "exited": (GREETS + "sys.exit(3)", r"died before it sent a result \(exit status: 3\)"),
    "huge": (GREETS + "os.write(1, b'IMBA' + b'\\xff' * 8); time.sleep(60)", "invalid result .*bytes"),
    "wrong": (GREETS + "os.write(1, b'IMBA' + bytes([1] + [0] * 7 + [9]))", "invalid result .*inconsistent"),
    "another program": (
        "print('Hello, world!', flush=True); time.sleep(60)",
        "not a solver process of this imbcore.*greeting",
    ),
}


# Both formulations call the solver through the same code.
@pytest.mark.parametrize("formulation", first(1, PROGRAMS))
@pytest.mark.parametrize("death", first(6, DEATHS))
def test_failing_solver_raises_an_error_and_keeps_the_best_drawing(
    death, formulation, placeholder_rows, monkeypatch
):
    script, message = DEATHS[death]
    placeholder_rows("import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n" + script)
    boxes, X, y = hard(formulation)
    with pytest.raises(SolverError, match=f'(?s){message}.*formulation="columns"'):
        boxes.fit(X, y)
    assert boxes.status_ == "interrupted"
    assert boxes.bound_ > boxes.objective_ > 0
    assert boxes.predict(X).shape == (400,)
    with pytest.raises(SolverError, match=message):
        boxes.weight_path(X, y, [0.5, 1.0])
    with pytest.raises(SolverError, match=message):
        imbcore.evaluate(*EASY, "exact_boxes", formulation=formulation, folds=2)
    assert solvers(os.getpid()) == []
    monkeypatch.delenv("IMBCORE_SOLVER")
    assert easy(formulation).status_ == "optimal"


def test_default_formulation_needs_no_solver(placeholder_rows):
    placeholder_rows("sys.exit(1)")
    rng = np.random.default_rng(3)
    X = rng.uniform(size=(120, 2))
    y = (np.abs(X - 0.5).sum(axis=1) < 0.25) ^ (rng.random(120) < 0.1)
    boxes = ExactBoxesClassifier(n_boxes=3, negative_weight=0.3, random_state=0).fit(X, y)
    assert boxes.status_ == "optimal"
    # Dual values exist: linear programs were solved.
    assert boxes.certificate()["prices"]


@pytest.mark.parametrize("formulation", first(1, PROGRAMS))
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGABRT, signal.SIGTERM])
def test_killed_solver_raises_an_error(number, formulation):
    # From now on a solver inherits the limit, and leaves no core dump.
    limits = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, limits[1]))
    boxes, X, y = hard(formulation)
    with ThreadPoolExecutor(1) as thread:
        fit = thread.submit(boxes.fit, X, y)
        (pid,) = wait_for(lambda: solvers(os.getpid()))
        time.sleep(0.3)
        os.kill(pid, number)
        with pytest.raises(SolverError, match=rf"signal: {int(number)}\b"):
            fit.result(timeout=30)
    resource.setrlimit(resource.RLIMIT_CORE, limits)
    assert boxes.bound_ > boxes.objective_ > 0
    assert solvers(os.getpid()) == []
    assert easy(formulation).status_ == "optimal"


def test_two_fits_in_two_threads_solve_concurrently(placeholder_rows, tmp_path):
    # Each solver waits for the other one: run one after the other, they would wait forever.
    room = tmp_path / "room"
    room.mkdir()
    placeholder_rows(f"""
        room = {str(room)!r}
        inherited = " ".join(os.listdir("/proc/self/fd"))
        with open(os.path.join(room, f"{{os.getpid()}}"), "w") as file:
            file.write(inherited)
        while len(os.listdir(room)) < 2:
            time.sleep(0.01)
        os.execv(REAL[0], REAL)
    """)
    gate = threading.Barrier(2)

    def fit(formulation):
        gate.wait()
        return easy(formulation, time_limit=40.0)

    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(fit, PROGRAMS))
    assert [boxes.status_ for boxes in found] == ["optimal"] * 2
    assert found[0].objective_ == pytest.approx(7.5)
    assert found[1].objective_ == pytest.approx(7.5)
    # Standard input, output and error, descriptors that every child process inherits, and the folder that was
    # read; no others of this process or of the other solver.
    inherited = {0, 1, 2}.union(fd for fd in open_files() if os.get_inheritable(fd))
    for path in room.iterdir():
        assert len({int(fd) for fd in path.read_text().split()} - inherited) <= 1


def test_fit_that_runs_out_of_time_ends_its_solver(placeholder_rows):
    placeholder_rows(GREETS + "time.sleep(600)")
    boxes = ExactBoxesClassifier(formulation="compact", time_limit=0.5, random_state=0)
    started = time.monotonic()
    boxes.fit(*hard("compact")[1:])
    assert time.monotonic() - started < 5.0
    assert boxes.status_ == "time_limit"
    assert solvers(os.getpid()) == []


@pytest.mark.parametrize("formulation", first(2, ["columns", *PROGRAMS]))
def test_ctrl_c_returns_immediately_and_leaves_no_solver(formulation):
    script = f"""{HARD}
import time
boxes.set_params(formulation="{formulation}")
before = signal.getsignal(signal.SIGINT)
print("fitting")
try:
    boxes.fit(X, y)
except KeyboardInterrupt:
    print(time.time())
assert boxes.status_ == "interrupted", boxes.status_
assert boxes.bound_ > boxes.objective_
assert boxes.predict(X).shape == (400,)
assert signal.getsignal(signal.SIGINT) is before
# Another fit and another Ctrl-C work as usual.
again = ExactBoxesClassifier(n_boxes=1, formulation="{formulation}", random_state=0).fit(X[:8, :1], y[:8])
assert again.status_ == "optimal"
try:
    print("waiting")
    # Python misses a signal between its last check and the system's sleep, so no sleep is long.
    for _ in range(600):
        time.sleep(0.1)
except KeyboardInterrupt:
    raise SystemExit(0)
raise AssertionError("the second signal did not arrive")
"""
    taken = []
    # On a busy machine a signal may be late; the test is that it can be in time.
    while len(taken) < 3 and not (taken and min(taken) < 0.1):
        with children.running(script) as child:
            assert child.stdout.readline() == "fitting\n", child.stderr.read()
            time.sleep(1.0)
            pressed = time.time()
            child.send_signal(signal.SIGINT)
            line = child.stdout.readline()
            assert line, child.stderr.read()
            taken.append(float(line) - pressed)
            assert child.stdout.readline() == "waiting\n", child.stderr.read()
            wait_for(lambda pid=child.pid: not solvers(pid), 1.0)
            child.send_signal(signal.SIGINT)
            _, stderr = child.communicate(timeout=60)
            assert child.returncode == 0, stderr
    assert min(taken) < 0.1
    assert max(taken) < 1.0


def test_ctrl_c_of_a_terminal_does_not_reach_the_solver():
    script = f"{HARD}\nprint('fitting')\nboxes.fit(X, y)"
    with children.running(script) as child:
        assert child.stdout.readline() == "fitting\n", child.stderr.read()
        (solver,) = wait_for(lambda: solvers(child.pid))
        assert os.getpgid(solver) != os.getpgid(child.pid)
        child.kill()


def test_solver_ends_with_its_parent_process():
    with children.running(f"{HARD}\nprint('fitting')\nboxes.fit(X, y)") as child:
        assert child.stdout.readline() == "fitting\n", child.stderr.read()
        (solver,) = wait_for(lambda: solvers(child.pid))
        time.sleep(0.3)
        child.kill()
        child.communicate(timeout=30)

    def is_gone():
        try:
            # A process that ended stays listed until its new parent reaps it.
            return Path(f"/proc/{solver}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except FileNotFoundError:
            return True

    wait_for(is_gone, 5.0)


def test_program_with_default_sigpipe_handler_survives(placeholder_rows):
    placeholder_rows("os.write(1, GREETING); os.close(0); time.sleep(0.2)")
    script = f"""{HARD}
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
try:
    boxes.fit(X, y)
except SolverError:
    print("survived")
"""
    with children.running(script) as child:
        stdout, stderr = child.communicate(timeout=60)
    assert (child.returncode, stdout) == (0, "survived\n"), stderr


def test_isolated_interpreter_finds_its_solver():
    script = f"""
import sys
sys.path.insert(0, {str(Path(imbcore.__file__).parent.parent)!r})
from imbcore import ExactBoxesClassifier
print(ExactBoxesClassifier(n_boxes=1, formulation="compact").fit({EASY[0]}, {EASY[1]}).status_)
"""
    command = [sys.executable, "-I", "-c", script]
    found = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd="/")
    assert found.stdout == "optimal\n", found.stderr


def test_environment_variable_names_the_solver(monkeypatch, tmp_path):
    monkeypatch.setenv("IMBCORE_SOLVER", f"{sys.executable} -m imbcore._bindings.solver")
    assert easy("compact").status_ == "optimal"
    monkeypatch.setenv("IMBCORE_SOLVER", str(tmp_path / "absent"))
    with pytest.raises(SolverError, match=r"could be started: .*absent: No such file.*IMBCORE_SOLVER"):
        easy("compact")
    # A program started as a solver by mistake does not start others in turn.
    monkeypatch.delenv("IMBCORE_SOLVER")
    monkeypatch.setenv("IMBCORE_SOLVER_PROCESS", "1")
    with pytest.raises(SolverError, match="was started as a solver process"):
        easy("compact")


def test_unknown_interpreter_is_an_error_with_the_remedy(monkeypatch):
    command = _solver.solver_process_command()
    assert command[0] == sys.executable
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert _solver.solver_process_command() == []
    monkeypatch.delattr(sys, "frozen")
    monkeypatch.setattr(sys, "executable", None)
    assert _solver.solver_process_command() == []
    monkeypatch.delenv("CARGO", raising=False)
    _imbcore.solver.set_command([])
    try:
        with pytest.raises(
            SolverError, match=r"no solver process can be started.*imbcore\._bindings\.solver"
        ):
            easy("compact")
    finally:
        _imbcore.solver.set_command(command)
    assert easy("compact").status_ == "optimal"
