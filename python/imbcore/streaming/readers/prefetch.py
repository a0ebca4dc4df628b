"""Prefetching in a thread: the next item is read while the last one is used."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from queue import Empty, Full, Queue
from threading import Semaphore
from typing import Any, TypeVar
from weakref import WeakSet

from imbcore._bindings import native
from imbcore._validation.address_limit import may_use_arrow_threads
from imbcore._validation.unicode import reject_non_arrow_data
from imbcore.exceptions import OutOfMemoryError

Item = TypeVar("Item")

_REFUSED = (
    "the system refused memory or a thread to read the data. Raise the limit of the process, or use fewer "
    "columns"
)
# Addresses of a thread in addition to its stack: its thread-local data and the smallest buffers of Arrow.
# Streams that succeed need more: 25 MB for 40,000 rows of 5 columns.
_BESIDE_STACK = 12 << 20
# Size of a stack if the process has no limit on it.
_USUAL_STACK = 2 << 20
# Items in the queue, in addition to the one in use and the one being read.
_QUEUE_SIZE = 1
# Seconds between two checks whether the other side is alive.
_POLL_SECONDS = 0.05
# Threads with a stop request that have not ended yet.
_STOPPED: WeakSet[threading.Thread] = WeakSet()


def prefetch(read: Callable[[], Iterator[Item]]) -> Iterator[Item]:
    """Yield the items of ``read()``, which runs in its own thread.

    The caller never waits inside a library that does not handle signals, so Ctrl-C acts at once; the thread
    ends after the item that it is reading.
    """
    queue: Queue[tuple[str, Any]] = Queue(_QUEUE_SIZE)
    stop = threading.Event()

    # Under a limit on addresses, nothing is read while the caller computes: glibc ends the process if another
    # thread takes all memory while one starts.
    wanted = Semaphore(_QUEUE_SIZE + 1 if may_use_arrow_threads() else 0)

    def wait_for_demand() -> bool:
        while not stop.is_set():
            if wanted.acquire(timeout=_POLL_SECONDS):
                return True
        return False

    def put_unless_stopped(kind: str, value: object) -> bool:
        while not stop.is_set():
            try:
                queue.put((kind, value), timeout=_POLL_SECONDS)
                return True
            except Full:
                continue
        return False

    def work() -> None:
        try:
            # The first native call of a thread allocates its thread-local data, while there is memory.
            native.check_thread_memory(0)
            with reject_non_arrow_data():
                items = read()
                while wait_for_demand():
                    for item in items:
                        if not put_unless_stopped("item", item):
                            return
                        break
                    else:
                        put_unless_stopped("end", None)
                        return
        except BaseException as error:
            put_unless_stopped("error", error)

    reader = threading.Thread(target=work, name="imbcore-reader", daemon=True)
    try:
        # Within the try block, as Ctrl-C may arrive while the thread starts.
        try:
            _check_thread_can_start()
            reader.start()
        except RuntimeError as error:
            raise OutOfMemoryError(_REFUSED) from error
        wanted.release()
        while True:
            try:
                kind, value = queue.get(timeout=_POLL_SECONDS)
            except Empty:
                # A thread without memory for its own error ends without a message.
                if not reader.is_alive() and queue.empty():
                    raise OutOfMemoryError(_REFUSED) from None
                continue
            if kind == "item":
                yield value
                wanted.release()
            elif kind == "end":
                return
            else:
                raise value
    finally:
        stop.set()
        if reader.is_alive():
            _STOPPED.add(reader)


def _check_thread_can_start() -> None:
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


def wait_for_stopped_readers() -> None:
    """Wait for stopped threads that are still reading.

    A database connection runs one query at a time: a new query fails while such a thread reads.
    """
    while left := [reader for reader in _STOPPED if reader.is_alive()]:
        # Short waits, so that Ctrl-C acts.
        left[0].join(_POLL_SECONDS)
