"""Files are written completely or not at all."""

from __future__ import annotations

import errno
import io
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import children
import pytest

from imbcore._validation import files as _files
from imbcore._validation.files import atomic_write


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_content_is_written_and_no_temporary_file_remains(tmp_path: Path) -> None:
    with atomic_write(tmp_path / "a.bin") as file:
        file.write(b"abc")
        assert names(tmp_path) != ["a.bin"]
    assert (tmp_path / "a.bin").read_bytes() == b"abc"
    assert names(tmp_path) == ["a.bin"]


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt()])
def test_failure_keeps_the_old_file(tmp_path: Path, error: BaseException) -> None:
    target = tmp_path / "a.bin"
    target.write_bytes(b"old")

    def write() -> None:
        with atomic_write(target) as file:
            file.write(b"new")
            raise error

    with pytest.raises(type(error)):
        write()
    assert target.read_bytes() == b"old"
    assert names(tmp_path) == ["a.bin"]


def test_full_disk_names_the_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "model.imb"

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(_files.os, "fsync", full)
    with pytest.raises(OSError, match=r"model\.imb") as caught, atomic_write(target) as file:
        file.write(b"x" * 100_000)
    assert caught.value.errno == errno.ENOSPC
    assert caught.value.filename == str(target)
    assert names(tmp_path) == []


def test_failing_write_names_the_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.FileIO):
        def write(self, _data: object) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(_files.os, "fdopen", lambda descriptor, _mode: Full(descriptor, "wb"))
    with pytest.raises(OSError, match=r"out\.csv"), atomic_write(tmp_path / "out.csv") as file:
        file.write(b"abc")
    assert names(tmp_path) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a Linux device")
def test_device_is_written_to_and_not_replaced() -> None:
    with pytest.raises(OSError, match="/dev/full") as caught, atomic_write("/dev/full") as file:
        file.write(b"abc")
    assert caught.value.errno == errno.ENOSPC
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_missing_folder_is_named(tmp_path: Path) -> None:
    target = tmp_path / "none" / "a.bin"
    with pytest.raises(FileNotFoundError) as caught, atomic_write(target):
        pass
    assert caught.value.filename == str(target)


def test_folder_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=tmp_path.name), atomic_write(tmp_path):
        pass


def test_error_about_another_file_is_unchanged(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught, atomic_write(tmp_path / "a.bin"):
        (tmp_path / "other").read_bytes()
    assert caught.value.filename == str(tmp_path / "other")


@pytest.mark.skipif(os.name != "posix", reason="umask")
def test_umask_determines_the_permissions(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with atomic_write(tmp_path / "a.bin") as file:
            file.write(b"abc")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.bin").stat().st_mode) == 0o640


@pytest.mark.skipif(os.name != "posix", reason="symbolic links")
def test_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with atomic_write(tmp_path / "link") as file:
        file.write(b"abc")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"abc"


KILLED = """
import os, signal, sys
from imbcore._validation.files import atomic_write
with atomic_write(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def aged(folder: Path) -> list[str]:
    """Temporary files whose modification time is a minute ago."""
    found = [entry for entry in folder.iterdir() if entry.suffix == ".tmp"]
    for entry in found:
        os.utime(entry, (time.time() - 60, time.time() - 60))
    return [entry.name for entry in found]


# One process for each Python step of writing a file, interrupted there as by Ctrl-C.
STOPPED_AT_EVERY_STEP = """
import atexit, contextlib, os, sys
from imbcore._validation.files import atomic_write

WATCHED = {atomic_write.__wrapped__.__code__.co_filename, contextlib.__file__}
step = 0
while True:
    step += 1
    child = os.fork()
    if child == 0:
        left = step

        def trace(frame, event, arg):
            global left
            if frame.f_code.co_filename not in WATCHED:
                return None
            frame.f_trace_opcodes = True
            if event == "opcode":
                left -= 1
                if left == 0:
                    sys.settrace(None)
                    raise KeyboardInterrupt
            return trace

        sys.stderr = open(os.devnull, "w")
        sys.settrace(trace)
        try:
            with atomic_write(sys.argv[1] + "/out") as file:
                file.write(b"new")
        except KeyboardInterrupt:
            # Steps of the interpreter at exit, while its last traceback still holds the writer.
            atexit._run_exitfuncs()
            os._exit(1)
        sys.settrace(None)
        os._exit(7)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    for name in sorted(os.listdir(sys.argv[1])):
        if name != "out":
            print(step, name)
            os.remove(os.path.join(sys.argv[1], name))
    if ended == 7:
        print("steps", step)
        break
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_ctrl_c_at_any_step_leaves_no_partial_file(tmp_path: Path) -> None:
    *left, steps = children.run_script(STOPPED_AT_EVERY_STEP, tmp_path).splitlines()
    assert left == []
    assert int(steps.split()[1]) > 200


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_next_write_removes_files_of_a_killed_writer(tmp_path: Path) -> None:
    target = tmp_path / "a.bin"
    subprocess.run([sys.executable, "-c", KILLED, str(target)], check=False, timeout=60)
    assert len(aged(tmp_path)) == 1
    for name in (".b.bin.0123456789ab.tmp", ".a.bin.mine.tmp"):
        (tmp_path / name).touch()
    aged(tmp_path)
    with atomic_write(target) as file:
        file.write(b"abc")
    # Temporary files of another target, and files not named like ours, remain.
    assert names(tmp_path) == [".a.bin.mine.tmp", ".b.bin.0123456789ab.tmp", "a.bin"]


@pytest.mark.skipif(os.name != "posix", reason="locks")
def test_two_writers_of_one_file_do_not_interfere(tmp_path: Path) -> None:
    target = tmp_path / "a.bin"
    with atomic_write(target) as first:
        first.write(b"first")
        assert len(aged(tmp_path)) == 1
        with atomic_write(target) as second:
            second.write(b"second")
        assert target.read_bytes() == b"second"
    assert target.read_bytes() == b"first"
    assert names(tmp_path) == ["a.bin"]
