"""Progress of a long call: a bar of tqdm in terminals and notebooks, else lines."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TextIO, TypeVar

import numpy as np

from imbcore._validation.value_text import value_text
from imbcore._validation.values import require_callback
from imbcore.exceptions import ParameterError

Part = TypeVar("Part")
Callback = Callable[[str, int, int], object]

# Refresh interval of a terminal line in seconds; without a terminal, number of lines per stage.
_SECONDS = 0.1
_PARTS = 10


class _ProgressLine:
    """Progress line; without a terminal, successive lines are written."""

    def __init__(self, who: str, out: TextIO) -> None:
        self.who, self.out, self.stays = who, out, not out.closed and out.isatty()
        self.begun = time.monotonic()
        self.written = float("-inf")
        self.stage, self.part, self.done, self.width = "", 0, 0, 0
        self.entered = self.begun

    def __call__(self, stage: str, done: int, total: int) -> None:
        # If the total is unknown, write a line whenever the count has doubled.
        now, part = time.monotonic(), _PARTS * done // total if total else done.bit_length()
        # Workers may report slightly out of order; a large step back means a new round.
        if stage != self.stage or 2 * done < self.done:
            self.stage, self.part, self.entered = stage, 0, now
        self.done = done
        due = now - self.written >= _SECONDS if self.stays else part > self.part
        if due or done == total:
            if self.stays or part > self.part:
                taken = now - self.entered
                # An estimate within the first second would be unreliable.
                left = (
                    f", {taken * (total - done) / done:.0f} s left" if taken > 1 and 0 < done < total else ""
                )
                of_all = f" of {total:,}" if total else ""
                self._write(f"{self.who}: {stage} {done:,}{of_all}, {now - self.begun:.1f} s{left}")
            self.written, self.part = now, part

    def _write(self, text: str) -> None:
        self._put("\r" + text.ljust(self.width) if self.stays else text + "\n")
        self.width = len(text)

    def _put(self, text: str) -> None:
        # A closed or full standard error must not stop a fit.
        with suppress(OSError, ValueError):
            self.out.write(text)
            self.out.flush()

    def end(self) -> None:
        """End the line, so that later output starts on a new one."""
        if self.stays and self.width:
            self._put("\n")


class _ProgressBar:
    """A bar of tqdm for every stage."""

    def __init__(self, who: str, new_bar: Callable[..., Any]) -> None:
        self.who, self.new_bar = who, new_bar
        self.stage, self.bar = "", None

    def __call__(self, stage: str, done: int, total: int) -> None:
        bar: Any = self.bar
        # Workers may report slightly out of order; a large step back means a new round.
        if bar is None or stage != self.stage or 2 * done < bar.n:
            self.end()
            bar = self.bar = self.new_bar(total=total or None, desc=f"{self.who}: {stage}", file=sys.stderr)
            self.stage = stage
        # A closed or full standard error must not stop a fit.
        with suppress(OSError, ValueError):
            bar.update(max(0, done - bar.n))

    def end(self) -> None:
        """Close the bar, which stays visible."""
        if self.bar is not None:
            with suppress(OSError, ValueError):
                self.bar.close()
        self.bar = None


def _make_progress_reporter(who: str, out: TextIO) -> _ProgressLine | _ProgressBar:
    """Return a bar for terminals and notebooks, and lines for logs or without tqdm."""
    in_notebook = "ipykernel" in sys.modules
    if in_notebook or (not out.closed and out.isatty()):
        with suppress(ImportError):
            return _ProgressBar(who, importlib.import_module("tqdm.auto").tqdm)
    return _ProgressLine(who, out)


@contextmanager
def progress_callback(
    who: str, verbose: object, callback: Callback | None = None
) -> Iterator[Callback | None]:
    """Yield the user's progress callback, with ``verbose`` also a bar or lines.

    Parameters
    ----------
    who : str
        Prefix of the bar or line.
    verbose : int
        Whether to show progress: 0 or False for none.
    callback : callable or None
        Called first; an exception stops the call.

    Yields
    ------
    callable or None
        Takes the stage, the number of steps done and their total.
    """
    if not isinstance(verbose, (bool, int, np.integer, np.bool_)) or verbose < 0:
        raise ParameterError(f"verbose must be 0, 1 or more, True or False, got {value_text(verbose)}")
    require_callback(callback)
    if not verbose or sys.stderr is None:
        yield callback
        return
    report = _make_progress_reporter(who, sys.stderr)

    def both(stage: str, done: int, total: int) -> None:
        if callback is not None:
            callback(stage, done, total)
        report(stage, done, total)

    try:
        yield both
    finally:
        report.end()


def print_if_verbose(who: str, verbose: object, text: str) -> None:
    """Write a line about a call to standard error with ``verbose``."""
    if verbose and sys.stderr is not None:
        # A closed or full standard error must not stop a fit.
        with suppress(OSError, ValueError):
            sys.stderr.write(f"{who}: {text}\n")
            sys.stderr.flush()


def iterate_with_progress(parts: Sequence[Part], who: str, verbose: object) -> Iterator[Part]:
    """Iterate over folds and report progress with ``verbose``."""
    with progress_callback(who, verbose) as callback:
        for done, part in enumerate(parts):
            yield part
            if callback is not None:
                callback("folds", done + 1, len(parts))
