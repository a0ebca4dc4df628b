"""Ctrl-C that is not lost: it comes back until the command ends by it.

Python raises it wherever the program is at that moment. In the callback of a weak reference, of which
importing has many, it is printed and forgotten; some libraries catch whatever ends their imports. A command
would go on.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["insistent"]

SECONDS = 0.05


@contextmanager
def insistent() -> Iterator[None]:
    """Raise a Ctrl-C anew, every 50 ms, where nobody is busy with the one before.

    Only where Ctrl-C would raise KeyboardInterrupt in this thread: whoever hears it in another way keeps it.
    """
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    reminder, hook = _Reminder(), sys.unraisablehook
    signal.signal(signal.SIGINT, reminder.heard)
    sys.unraisablehook = lambda lost: None if lost.exc_type is KeyboardInterrupt else hook(lost)
    try:
        yield
    finally:
        reminder.end()
        sys.unraisablehook = hook
        signal.signal(signal.SIGINT, signal.default_int_handler)


class _Reminder:
    """What was heard, and a thread that asks again."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.asks_again = False
        self.thread: threading.Thread | None = None

    def heard(self, _number: int, _frame: Any) -> None:
        """Raise KeyboardInterrupt, unless one is on its way and nobody pressed Ctrl-C again."""
        again, self.asks_again = self.asks_again, False
        if self.over.is_set() or (again and _on_its_way(sys.exception())):
            return
        if self.thread is None:
            self.thread = threading.Thread(target=self._ask, daemon=True)
            self.thread.start()
        raise KeyboardInterrupt

    def _ask(self) -> None:
        while not self.over.wait(SECONDS):
            self.asks_again = True
            _send()

    def end(self) -> None:
        """Stop asking."""
        self.over.set()
        if self.thread is not None:
            self.thread.join()


def _send() -> None:
    """Send Ctrl-C to the main thread, as a signal where that can be: it ends a wait for the system too."""
    main = threading.main_thread().ident
    if sys.platform == "win32" or main is None:
        _thread.interrupt_main()
    else:
        signal.pthread_kill(main, signal.SIGINT)


def _on_its_way(error: BaseException | None) -> bool:
    """Tell whether what is being handled, or what it came from, is a Ctrl-C."""
    return error is not None and (isinstance(error, KeyboardInterrupt) or _on_its_way(error.__context__))
