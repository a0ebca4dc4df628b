"""Standard input, output and error of a process that may have been started without them."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import Any, TextIO

import click

# Name of standard output, used as the file name in errors.
STANDARD_OUTPUT = "standard output"

_STREAMS = (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w"))


class OutputPipeClosedError(Exception):
    """The reader of standard output, such as `head`, stopped reading.

    Not an OSError: click exits with code 1 on a broken pipe.
    """


class _StdoutNamedInErrors(io.FileIO):
    """Descriptor of standard output whose errors carry its name."""

    def write(self, data: Any, /) -> Any:
        """Write bytes; errors carry the name of standard output, like errors of files carry theirs."""
        try:
            return super().write(data)
        except BrokenPipeError as error:
            raise OutputPipeClosedError from error
        except OSError as error:
            raise OSError(error.errno, error.strerror, STANDARD_OUTPUT) from error


def open_standard_streams() -> None:
    """Open the null device for closed standard streams, and name standard output in its errors.

    Otherwise the next file that the process opens gets the descriptor of a closed stream, and text for that
    stream goes into the file.
    """
    sys.stdout = _name_stream_in_errors(sys.stdout)
    for name, descriptor, mode in _STREAMS:
        if getattr(sys, name) is None:
            _open_null_at_descriptor(descriptor, mode)
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _open_null_at_descriptor(descriptor: int, mode: str) -> None:
    """Open the null device under a free descriptor."""
    try:
        os.fstat(descriptor)
    except OSError:
        null = os.open(os.devnull, os.O_RDONLY if mode == "r" else os.O_WRONLY)
        if null != descriptor:
            os.dup2(null, descriptor)
            os.close(null)


def _name_stream_in_errors(stream: TextIO | None) -> Any:
    """Wrap the descriptor of a stream; terminals cannot fill up and stay as they are."""
    if not isinstance(stream, io.TextIOWrapper) or stream.isatty():
        return stream
    with contextlib.suppress(OSError, ValueError):
        stream.flush()
        raw = _StdoutNamedInErrors(stream.fileno(), "wb", closefd=False)
        return io.TextIOWrapper(
            io.BufferedWriter(raw),
            encoding=stream.encoding,
            errors=stream.errors,
            line_buffering=stream.line_buffering,
        )
    return stream


def discard_output(stream: TextIO) -> None:
    """Redirect a stream to the null device, so that flushing it at exit cannot fail."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def write_error_line(text: str) -> None:
    """Write a line to standard error; if that fails, drop the line and continue."""
    try:
        click.echo(text, err=True)
    except (OSError, ValueError):
        discard_output(sys.stderr)
