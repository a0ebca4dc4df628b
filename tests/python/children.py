"""Child processes that run a piece of Python: they hear Ctrl-C, and none outlives its test."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# Whoever is started with Ctrl-C ignored (nohup, cron, the background of a script) hands that on to children.
HEARS = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"


@contextmanager
def running(text: str, *args: object, **options: object) -> Iterator[subprocess.Popen[str]]:
    """A child that runs this program; it and all that it started are killed on the way out."""
    command = [sys.executable, "-u", "-c", HEARS + textwrap.dedent(text), *map(str, args)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, start_new_session=True, **{**pipes, **options}) as child:
        try:
            yield child
        finally:
            with suppress(ProcessLookupError):  # the group may be gone already
                os.killpg(child.pid, signal.SIGKILL)


def run(text: str, *args: object, timeout: float = 60, **options: object) -> subprocess.CompletedProcess[str]:
    """What a child said and how it ended; it is killed after so many seconds."""
    with running(text, *args, **options) as child:
        said, complained = child.communicate(timeout=timeout)
        return subprocess.CompletedProcess(child.args, child.returncode, said, complained)


def run_script(text: str, *args: object, timeout: float = 60, **options: object) -> str:
    """What a child said, which must end well."""
    done = run(text, *args, timeout=timeout, **options)
    assert done.returncode == 0, f"{done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout
