"""Limits on the addresses of the process, which libraries with threads of their own do not survive.

Arrow ends the process if one of its threads lacks memory, and glibc does so if a new thread has no memory for
its thread-local data. Under such a limit, Arrow therefore starts no threads, and the memory of a reading
thread is checked first.
"""

from __future__ import annotations

import sys

__all__ = ["may_use_arrow_threads"]


def may_use_arrow_threads() -> bool:
    """Check that the process has no limit on its addresses."""
    if sys.platform == "win32":
        return True
    import resource

    limits = (resource.getrlimit(which)[0] for which in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
    return all(limit == resource.RLIM_INFINITY for limit in limits)
