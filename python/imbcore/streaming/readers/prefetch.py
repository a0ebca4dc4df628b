"""Reading ahead: a thread fetches the next piece while the last is worked on; Ctrl-C waits for nobody."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from queue import Empty, Full, Queue
from typing import Any, TypeVar
from weakref import WeakSet

from imbcore._input.unicode import to_arrow

__all__ = ["ahead", "wait_for_stopped_readers"]

Piece = TypeVar("Piece")

# Pieces that wait to be used, beside the one in use and the one being read.
_WAITING = 1
# Seconds between two looks at whether the other side still lives.
_LOOK = 0.05
# Threads that were told to stop, until they end.
_STOPPED: WeakSet[threading.Thread] = WeakSet()


def ahead(pieces: Callable[[], Iterator[Piece]]) -> Iterator[Piece]:
    """Yield what ``pieces()`` yields, which runs in a thread of its own.

    The caller never waits inside a library that does not look for signals, so Ctrl-C is seen at once; the
    thread then ends by itself after the batch in its hands.
    """
    waiting: Queue[tuple[str, Any]] = Queue(_WAITING)
    stop = threading.Event()

    def offer(kind: str, what: object) -> bool:
        while not stop.is_set():
            try:
                waiting.put((kind, what), timeout=_LOOK)
                return True
            except Full:
                continue
        return False

    def work() -> None:
        try:
            with to_arrow():
                for piece in pieces():
                    if not offer("piece", piece):
                        return
            offer("end", None)
        except BaseException as error:
            offer("error", error)

    reader = threading.Thread(target=work, name="imbcore-reader", daemon=True)
    try:
        # Starting waits for the thread, and so is a place where Ctrl-C may come.
        reader.start()
        while True:
            try:
                kind, what = waiting.get(timeout=_LOOK)
            except Empty:
                continue
            if kind == "piece":
                yield what
            elif kind == "end":
                return
            else:
                raise what
    finally:
        stop.set()
        if reader.is_alive():
            _STOPPED.add(reader)


def wait_for_stopped_readers() -> None:
    """Wait for threads that were stopped and still hold a batch.

    A connection of a database serves one query at a time: a new one fails while such a thread reads.
    """
    while left := [reader for reader in _STOPPED if reader.is_alive()]:
        # Short waits, so that Ctrl-C is seen.
        left[0].join(_LOOK)
