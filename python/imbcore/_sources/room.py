"""Memory that pieces leave behind."""

from __future__ import annotations

import contextlib
import ctypes

from imbcore._sources.arrow import pyarrow

__all__ = ["give_back"]


def give_back() -> None:
    """Have allocators give memory back that nobody uses: of many pieces they keep what those took."""
    pyarrow("a source").default_memory_pool().release_unused()
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
