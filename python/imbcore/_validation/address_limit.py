"""Check for limits on the address space, under which threads can end the process.

Arrow ends the process if one of its threads lacks memory, and glibc does so if a new thread has no memory for
its thread-local data. If a limit is set, Arrow therefore starts no threads, and the memory for a reading
thread is checked before the thread starts.
"""

from __future__ import annotations

import sys

__all__ = ["may_use_arrow_threads"]


def may_use_arrow_threads() -> bool:
    """Return whether the address space of the process is unlimited."""
    if sys.platform == "win32":
        return True
    import resource

    limits = (resource.getrlimit(which)[0] for which in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
    return all(limit == resource.RLIM_INFINITY for limit in limits)
