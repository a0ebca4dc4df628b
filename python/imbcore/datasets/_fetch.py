"""Fetching files over the network, and the folder they are kept in."""

from __future__ import annotations

import os
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path

__all__ = ["cache_folder", "download"]

Progress = Callable[[str, int, int], object]

_RAW = "https://raw.githubusercontent.com"
# Files that a repository keeps in Git's large file storage.
_LARGE = "https://media.githubusercontent.com/media"
_TIMEOUT = 30.0
# Far above any source file; stops a wrong address from filling the memory.
_MOST_BYTES = 100_000_000
_PIECE = 1 << 16


def cache_folder() -> Path:
    """Return the folder for fetched data: IMBCORE_CACHE, or ``imbcore`` in the user's cache folder."""
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
    """Fetch one file of a public repository at a fixed commit; ``large``: from large file storage.

    Raises
    ------
    ConnectionError
        The server cannot be reached, refuses, or stops half-way. The message says how to do without.
    """
    url = "/".join([_LARGE if large else _RAW, repository, commit, urllib.parse.quote(file)])
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT) as answer:
            total = int(answer.headers.get("Content-Length") or 0)
            pieces: list[bytes] = []
            done = 0
            while piece := answer.read(_PIECE):
                pieces.append(piece)
                done += len(piece)
                if done > _MOST_BYTES:
                    raise _failed(url, f"sent more than {_MOST_BYTES} bytes")
                if callback is not None:
                    callback("bytes", done, max(total, done))
    except urllib.error.HTTPError as error:
        error.close()
        raise _failed(url, f"was answered with {error.code} {error.reason}") from error
    except (urllib.error.URLError, TimeoutError, HTTPException, ConnectionError) as error:
        if isinstance(error, _UnavailableError):
            raise
        reason = getattr(error, "reason", None) or error
        raise _failed(url, f"could not be reached ({reason})") from error
    if done < total:
        raise _failed(url, f"broke off after {done} of {total} bytes")
    return b"".join(pieces)


class _UnavailableError(ConnectionError):
    """A ConnectionError whose message is already complete."""


def _failed(url: str, problem: str) -> _UnavailableError:
    return _UnavailableError(
        f"{url} {problem}; try again later, or put the file into the folder IMBCORE_DATA names "
        "(data/README.md says which files)"
    )
