"""Download of files, and the cache folder."""

from __future__ import annotations

import os
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from queue import Empty, Queue
from typing import Any

Progress = Callable[[str, int, int], object]

_RAW = "https://raw.githubusercontent.com"
# Host of files in Git's large file storage.
_LARGE = "https://media.githubusercontent.com/media"
# Timeout of one read, and of a whole file, in seconds.
_TIMEOUT = 30.0
_MOST_SECONDS = 600.0
# Far above any source file; prevents a wrong address from filling the memory.
_MOST_BYTES = 100_000_000
_PIECE = 1 << 16


def cache_folder() -> Path:
    """Return the download folder: IMBCORE_CACHE, or ``imbcore`` in the user's cache folder."""
    chosen = os.environ.get("IMBCORE_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "imbcore"


def download(
    repository: str, commit: str, file: str, callback: Progress | None = None, *, large: bool = False
) -> bytes:
    """Download a file of a public repository at a commit; ``large``: from large file storage.

    Raises
    ------
    ConnectionError
        The server cannot be reached, refuses, stops half-way, or takes too long for the whole file. The
        message suggests an alternative.
    """
    url = "/".join([_LARGE if large else _RAW, repository, commit, urllib.parse.quote(file)])
    # Read in a thread, so that the limit also holds for a server that sends single bytes slowly.
    events: Queue[tuple[str, Any]] = Queue()
    stop = threading.Event()
    threading.Thread(
        target=_download_into_queue, args=(url, events, stop), name="imbcore-download", daemon=True
    ).start()
    end = time.monotonic() + _MOST_SECONDS
    try:
        while True:
            try:
                kind, value = events.get(timeout=max(end - time.monotonic(), 0.0))
            except Empty:
                raise _download_error(url, f"took more than {_MOST_SECONDS:g} seconds") from None
            if kind == "file":
                return bytes(value)
            if kind == "error":
                raise value
            if callback is not None:
                callback("bytes", *value)
    finally:
        stop.set()


def _download_into_queue(url: str, events: Queue[tuple[str, Any]], stop: threading.Event) -> None:
    """Read a file and put its progress, its bytes or the error into the queue."""
    try:
        events.put(("file", _download_bytes(url, lambda *progress: events.put(("progress", progress)), stop)))
    except BaseException as error:
        events.put(("error", error))


def _download_bytes(url: str, report: Callable[[int, int], None], stop: threading.Event) -> bytes:
    """Read a file until it ends or the download is stopped."""
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT) as response:
            total = int(response.headers.get("Content-Length") or 0)
            pieces: list[bytes] = []
            done = 0
            # One read waits for at most one packet.
            while not stop.is_set() and (piece := response.read1(_PIECE)):
                pieces.append(piece)
                done += len(piece)
                if done > _MOST_BYTES:
                    raise _download_error(url, f"sent more than {_MOST_BYTES} bytes")
                report(done, max(total, done))
    except urllib.error.HTTPError as error:
        error.close()
        raise _download_error(url, f"returned {error.code} {error.reason}") from error
    except (urllib.error.URLError, TimeoutError, HTTPException, ConnectionError, ValueError) as error:
        if isinstance(error, _UnavailableError):
            raise
        reason = getattr(error, "reason", None) or error
        raise _download_error(url, f"could not be reached ({reason})") from error
    if done < total:
        raise _download_error(url, f"broke off after {done} of {total} bytes")
    return b"".join(pieces)


class _UnavailableError(ConnectionError):
    """A ConnectionError whose message is already complete."""


def _download_error(url: str, problem: str) -> _UnavailableError:
    return _UnavailableError(
        f"{url} {problem}; try again later, or put the file into the folder IMBCORE_DATA "
        "(see data/README.md for the file names)"
    )
