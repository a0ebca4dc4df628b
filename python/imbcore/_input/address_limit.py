"""Limits on the addresses of the process, which libraries with threads of their own do not survive.

Arrow ends the process if one of its threads lacks memory, and glibc does so if a new thread has no memory for
its thread-local data. Under such a limit, Arrow therefore starts no threads, and the memory of a reading
thread is checked first.
"""

from __future__ import annotations

import sys

from imbcore._border import native

__all__ = ["check_reading_thread", "may_use_arrow_threads"]

# Addresses of a thread in addition to its stack: its thread-local data and the smallest buffers of Arrow.
# Streams that succeed need more: 25 MB for 40,000 rows of 5 columns.
_BESIDE_STACK = 12 << 20
# Size of a stack if the process has no limit on it.
_USUAL_STACK = 2 << 20


def may_use_arrow_threads() -> bool:
    """Check that the process has no limit on its addresses."""
    if sys.platform == "win32":
        return True
    import resource

    limits = (resource.getrlimit(which)[0] for which in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
    return all(limit == resource.RLIM_INFINITY for limit in limits)


def check_reading_thread() -> None:
    """Check that a thread of Python can start.

    Raises
    ------
    OutOfMemoryError
        A limit leaves less than its stack.
    """
    if may_use_arrow_threads():
        return
    import resource

    stack = resource.getrlimit(resource.RLIMIT_STACK)[0]
    native.check_thread_memory((_USUAL_STACK if stack == resource.RLIM_INFINITY else stack) + _BESIDE_STACK)
