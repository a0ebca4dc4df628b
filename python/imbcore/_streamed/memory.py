"""Sources that fit into memory, for methods that need all rows at once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from imbcore._sources.arrow import pyarrow
from imbcore._sources.source import Source

__all__ = ["available", "load", "needed"]

# Bytes of a value while a model is fitted to a table: as it is read, as it is learnt from, and sorted.
_VALUE = 24


def needed(source: Source) -> int:
    """Guess the bytes that a fit to all rows takes."""
    return _VALUE * source.n_rows * len(source.columns)


def available() -> int | None:
    """Count the bytes that this process may still take; None where the system does not say."""
    found = [_free(), _of_group()]
    return min((bytes_ for bytes_ in found if bytes_ is not None), default=None)


def _free() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        try:
            return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        except (AttributeError, OSError, ValueError):
            return None
    kilobytes = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)}
    return 1024 * kilobytes["MemAvailable"] if "MemAvailable" in kilobytes else None


def _of_group() -> int | None:
    """Memory that a container leaves."""
    home = Path("/sys/fs/cgroup")
    try:
        most = (home / "memory.max").read_text(encoding="ascii").strip()
        used = (home / "memory.current").read_text(encoding="ascii").strip()
        return None if most == "max" else int(most) - int(used)
    except (OSError, ValueError):
        return None


def load(source: Source) -> Any:
    """Read all rows as one Arrow table."""
    return pyarrow("a source").concat_tables([piece for _, piece in source.pieces()])
