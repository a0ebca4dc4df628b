"""Writing files so that a reader sees the old content or the new, never a part."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

__all__ = ["atomic_write"]


@contextlib.contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file for writing that appears under its name only when the block ends well.

    The bytes go to a hidden temporary file beside the target, are flushed to the disk, and take the
    target's place in one step. When anything fails, Ctrl-C included, the temporary file is removed
    and an older target stays as it was. A symbolic link is followed. A target that is not a regular
    file, such as a pipe or a terminal, is written to directly.

    Parameters
    ----------
    path
        File to write.

    Yields
    ------
    BinaryIO
        Open for writing in binary.

    Raises
    ------
    OSError
        The folder does not exist or is not writable, the disk is full, ...; ``filename`` is ``path``.
    """
    shown = os.fspath(path)
    target = Path(os.path.realpath(shown))
    if target.exists() and not target.is_file():
        with _named(shown, shown), open(shown, "wb") as file:
            yield file
        return
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")
    with _named(shown, os.fspath(temporary)):
        # 0o666 less the umask, as open() would give; tempfile would make the file private.
        descriptor = os.open(
            temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666
        )
        try:
            with os.fdopen(descriptor, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise


@contextlib.contextmanager
def _named(target: str, temporary: str) -> Iterator[None]:
    """Make an OSError of the block name ``target``, unless it speaks of another file."""
    try:
        yield
    except OSError as error:
        if error.filename not in (None, temporary):
            raise
        if error.errno is None:
            raise OSError(f"{target}: {error}") from error
        # OSError picks the subclass (FileNotFoundError, PermissionError, ...) by number.
        raise OSError(error.errno, error.strerror, target) from error
