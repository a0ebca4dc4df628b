"""Atomic file writing: a reader sees the old content or the new, never a part."""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from imbcore._validation.unicode import reject_unsupported_path

try:
    import fcntl
except ImportError:  # Windows, which does not allow removing an open file
    fcntl = None  # type: ignore[assignment]


# Seconds during which a new temporary file may not be locked yet.
_YOUNG = 5.0

# Temporary files with the process that creates them. Ctrl-C may come between two steps of Python outside the
# block that removes them, so they are registered before creation, and the rest is removed at exit.
_UNFINISHED: set[tuple[int, Path]] = set()


@atexit.register
def _remove_unfinished_files() -> None:
    for process, path in _UNFINISHED:
        if process == os.getpid():
            with contextlib.suppress(OSError):
                path.unlink()


@contextlib.contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file for writing that appears under its name only if the block succeeds.

    The bytes go to a hidden temporary file next to the target, are flushed to the disk, and replace the
    target in one step. On any failure, including Ctrl-C, the temporary file is removed and an existing
    target is unchanged. Leftovers of a killed process are removed by the next process that writes the same
    file. Symbolic links are followed. A target that is not a regular file, such as a pipe or a terminal, is
    written to directly.

    Parameters
    ----------
    path
        File to write.

    Yields
    ------
    BinaryIO
        Binary file, open for writing.

    Raises
    ------
    OSError
        The folder does not exist or is not writable, the disk is full, ...; ``filename`` is ``path``.
    """
    reject_unsupported_path(path)
    shown = os.fspath(path)
    target = Path(os.path.realpath(shown))
    if target.exists() and not target.is_file():
        with name_file_in_errors(shown), open(shown, "wb") as file:
            yield file
        return
    prefix = f".{target.name[:100]}."
    temporary = target.with_name(f"{prefix}{secrets.token_hex(6)}.tmp")
    _remove_leftovers(target.parent, prefix)
    unfinished = (os.getpid(), temporary)
    with name_file_in_errors(shown, os.fspath(temporary)):
        _UNFINISHED.add(unfinished)
        try:
            # 0o666 minus the umask, as open() would use; tempfile would make the file private.
            descriptor = os.open(
                temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666
            )
            # The lock is released when the process ends: it distinguishes a file in use from a leftover. It
            # must outlive the file object, because Windows renames only closed files.
            with _lock_file(descriptor):
                with os.fdopen(descriptor, "wb") as file:
                    yield file
                    file.flush()
                    os.fsync(file.fileno())
                if target.exists():
                    temporary.chmod(stat.S_IMODE(target.stat().st_mode))
                os.replace(temporary, target)
            _UNFINISHED.discard(unfinished)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            _UNFINISHED.discard(unfinished)
            raise


@contextlib.contextmanager
def _lock_file(descriptor: int) -> Iterator[None]:
    """Lock an open file for the duration of the block, even if the descriptor is closed inside."""
    if fcntl is None:
        yield
        return
    kept = os.dup(descriptor)
    try:
        # File systems without locks are used without a lock; their leftovers stay.
        with contextlib.suppress(OSError):
            fcntl.flock(kept, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(kept)


def _remove_leftovers(folder: Path, prefix: str) -> None:
    """Remove temporary files of earlier writes that no process uses."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if re.fullmatch(re.escape(prefix) + r"[0-9a-f]{12}\.tmp", name):
                with contextlib.suppress(OSError):
                    _remove_if_unlocked(folder / name)


def _remove_if_unlocked(path: Path) -> None:
    if fcntl is None:
        path.unlink()
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        # A file is locked within a moment of its creation.
        if time.time() - os.fstat(descriptor).st_mtime > _YOUNG:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def name_file_in_errors(target: str, temporary: str | None = None) -> Iterator[None]:
    """Make an OSError of the block name ``target``, unless it names another file."""
    try:
        yield
    except OSError as error:
        if error.filename not in (None, temporary):
            raise
        if error.errno is None:
            raise OSError(f"{target}: {error}") from error
        # OSError picks the subclass (FileNotFoundError, PermissionError, ...) by number.
        raise OSError(error.errno, error.strerror, target) from error
