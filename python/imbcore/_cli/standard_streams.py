"""Standard input, output and error of a command that may have been started without them."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import Any, TextIO

import click

__all__ = [
    "STANDARD_OUTPUT",
    "UnreadOutputError",
    "discard_output",
    "open_standard_streams",
    "write_error_line",
]

# Name of standard output in place of a file's.
STANDARD_OUTPUT = "standard output"

_STREAMS = (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w"))


class UnreadOutputError(Exception):
    """The reader of standard output, such as `head`, stopped reading.

    It is no OSError: click ends a command with code 1 when a pipe breaks.
    """


class _NamedOutput(io.FileIO):
    """Descriptor of standard output whose errors carry its name."""

    def write(self, data: Any, /) -> Any:
        """Write bytes; an error names the standard output, as one of a file names the file."""
        try:
            return super().write(data)
        except BrokenPipeError as error:
            raise UnreadOutputError from error
        except OSError as error:
            raise OSError(error.errno, error.strerror, STANDARD_OUTPUT) from error


def open_standard_streams() -> None:
    """Open the null device in place of closed standard streams, and name standard output in its errors.

    Without it the next file that the process opens gets the number of a closed stream, and text for that
    stream goes into the file.
    """
    sys.stdout = _with_named_errors(sys.stdout)
    for name, descriptor, mode in _STREAMS:
        if getattr(sys, name) is None:
            _reserve(descriptor, mode)
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _reserve(descriptor: int, mode: str) -> None:
    """Open the null device under a descriptor that is free."""
    try:
        os.fstat(descriptor)
    except OSError:
        null = os.open(os.devnull, os.O_RDONLY if mode == "r" else os.O_WRONLY)
        if null != descriptor:
            os.dup2(null, descriptor)
            os.close(null)


def _with_named_errors(stream: TextIO | None) -> Any:
    """Return a stream to the same descriptor; terminals, which do not fill, stay as they are."""
    if not isinstance(stream, io.TextIOWrapper) or stream.isatty():
        return stream
    with contextlib.suppress(OSError, ValueError):
        stream.flush()
        raw = _NamedOutput(stream.fileno(), "wb", closefd=False)
        return io.TextIOWrapper(
            io.BufferedWriter(raw),
            encoding=stream.encoding,
            errors=stream.errors,
            line_buffering=stream.line_buffering,
        )
    return stream


def discard_output(stream: TextIO) -> None:
    """Let the null device take what the interpreter would write to a stream at its end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def write_error_line(text: str) -> None:
    """Write a line to standard error; if it takes none, the line is lost and the command goes on."""
    try:
        click.echo(text, err=True)
    except (OSError, ValueError):
        discard_output(sys.stderr)
