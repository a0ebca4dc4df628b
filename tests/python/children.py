"""Child processes that run a Python script; they receive Ctrl-C, and none outlives its test."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# A process started with Ctrl-C ignored (nohup, cron, background of a script) passes this on to its children.
RESTORE_SIGINT = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"


@contextmanager
def running(text: str, *args: object, **options: object) -> Iterator[subprocess.Popen[str]]:
    """A child process that runs this script; it and all its descendants are killed on exit."""
    command = [sys.executable, "-u", "-c", RESTORE_SIGINT + textwrap.dedent(text), *map(str, args)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, start_new_session=True, **{**pipes, **options}) as child:
        try:
            yield child
        finally:
            with suppress(ProcessLookupError):  # the group may have ended already
                os.killpg(child.pid, signal.SIGKILL)


def run(text: str, *args: object, timeout: float = 60, **options: object) -> subprocess.CompletedProcess[str]:
    """Output and exit code of a child; it is killed after `timeout` seconds."""
    with running(text, *args, **options) as child:
        stdout, stderr = child.communicate(timeout=timeout)
        return subprocess.CompletedProcess(child.args, child.returncode, stdout, stderr)


def run_script(text: str, *args: object, timeout: float = 60, **options: object) -> str:
    """Standard output of a child, which must succeed."""
    done = run(text, *args, timeout=timeout, **options)
    assert done.returncode == 0, f"{done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout
