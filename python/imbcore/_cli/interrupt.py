"""Repeat Ctrl-C until the command ends.

Python raises KeyboardInterrupt at any point of the program. If this happens in the callback of a weak
reference, Python prints and drops the exception; imports run many such callbacks. Some libraries catch every
exception during their imports. In both cases the command would continue.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

SECONDS = 0.05


@contextmanager
def repeat_interrupts() -> Iterator[None]:
    """Raise a repeated Ctrl-C every 50 ms unless the previous one is being handled.

    Active only if Ctrl-C would raise KeyboardInterrupt in this thread; custom signal handlers stay in place.
    """
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    reminder, hook = _InterruptRepeater(), sys.unraisablehook
    signal.signal(signal.SIGINT, reminder.handle_signal)
    sys.unraisablehook = lambda lost: None if lost.exc_type is KeyboardInterrupt else hook(lost)
    try:
        yield
    finally:
        reminder.end()
        sys.unraisablehook = hook
        signal.signal(signal.SIGINT, signal.default_int_handler)


class _InterruptRepeater:
    """Signal handler, and a thread that repeats the signal."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.asks_again = False
        self.thread: threading.Thread | None = None

    def handle_signal(self, _number: int, _frame: Any) -> None:
        """Raise KeyboardInterrupt, unless this is a repetition and one is already being handled."""
        again, self.asks_again = self.asks_again, False
        if self.over.is_set() or (again and _is_interrupt_pending(sys.exception())):
            return
        if self.thread is None:
            self.thread = threading.Thread(target=self._repeat_signal, daemon=True)
            self.thread.start()
        raise KeyboardInterrupt

    def _repeat_signal(self) -> None:
        while not self.over.wait(SECONDS):
            self.asks_again = True
            _send_interrupt()

    def end(self) -> None:
        """Stop repeating."""
        self.over.set()
        if self.thread is not None:
            self.thread.join()


def _send_interrupt() -> None:
    """Send Ctrl-C to the main thread; a real signal, if possible, also ends blocking calls."""
    main = threading.main_thread().ident
    if sys.platform == "win32" or main is None:
        _thread.interrupt_main()
    else:
        signal.pthread_kill(main, signal.SIGINT)


def _is_interrupt_pending(error: BaseException | None) -> bool:
    """Check whether the exception being handled, or one of its contexts, is a KeyboardInterrupt."""
    return error is not None and (
        isinstance(error, KeyboardInterrupt) or _is_interrupt_pending(error.__context__)
    )
