"""Memory: how much a source needs, how much is free, and its release after a pass."""

from __future__ import annotations

import contextlib
import ctypes
import os
from pathlib import Path
from typing import Any

from imbcore.streaming.readers.arrow import pyarrow
from imbcore.streaming.readers.source import Source

# Bytes of a value during a fit to a table: three copies of 8 bytes (read, converted, sorted).
_VALUE_BYTES = 24


def estimate_memory(source: Source) -> int:
    """Estimate the bytes that a fit to all rows needs."""
    return _VALUE_BYTES * source.n_rows * len(source.columns)


def available() -> int | None:
    """Count the bytes that this process may still allocate; None if unknown."""
    found = [_free_system_memory(), _container_memory_left()]
    return min((bytes_ for bytes_ in found if bytes_ is not None), default=None)


def _free_system_memory() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        try:
            return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        except (AttributeError, OSError, ValueError):
            return None
    kilobytes = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)}
    return 1024 * kilobytes["MemAvailable"] if "MemAvailable" in kilobytes else None


def _container_memory_left() -> int | None:
    home = Path("/sys/fs/cgroup")
    try:
        most = (home / "memory.max").read_text(encoding="ascii").strip()
        used = (home / "memory.current").read_text(encoding="ascii").strip()
        return None if most == "max" else int(most) - int(used)
    except (OSError, ValueError):
        return None


def load(source: Source) -> Any:
    """Read all rows as one Arrow table."""
    return pyarrow("a source").concat_tables([table for _, table in source.batches()])


def release_memory() -> None:
    """Return unused memory to the system; allocators keep as much as the batches took."""
    pyarrow("a source").default_memory_pool().release_unused()
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
