"""Behavior of the command line: exit codes, one-line errors, progress bars, parameter text."""

from __future__ import annotations

import contextlib
import difflib
import io
import json
import os
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click

from imbcore._cli.interrupt import repeat_interrupts
from imbcore._cli.standard_streams import (
    STANDARD_OUTPUT,
    OutputPipeClosedError,
    discard_output,
    write_error_line,
)
from imbcore._validation.digits import bytes_text
from imbcore._validation.value_text import value_text
from imbcore.exceptions import ImbcoreError, ParameterError

OK, DATA_PROBLEM, USAGE_PROBLEM, FOUND, INTERRUPTED = 0, 1, 2, 3, 130

Progress = Callable[[str, int, int], object]

# Arguments that messages recommend, without a value or with that of a column.
_COLUMN_OPTION = re.compile(r"\b(groups|time)=(?:'([^']*)'|(?![^\s,;.)]))")
_OPTION = re.compile(r"\b(alerts|threshold)=(?=[\s,;.)])")
_THRESHOLD = re.compile(r"\bthreshold=(\{(?:[^{}]|\{[^{}]*\})*\})")

# Progress stage -> label shown to the user.
STAGES = {"bytes": "reading", "rows": "reading rows", "values": "reading values"}


def run_command(
    command: click.Command, args: Sequence[str] | None = None, *, program: str = "imbcore"
) -> int:
    """Run a command and map every outcome to an exit code.

    Parameters
    ----------
    command
        The click command or group.
    args
        Arguments without the program name; ``None`` uses those of the process.
    program
        Name of the program in usage messages.

    Returns
    -------
    int
        0 success, 1 data or file error, 2 usage or parameter error, 3 a check found a result that ``--fail``
        names, 130 stopped by Ctrl-C. It is not an error
        if the reader of standard output stops reading. Errors are one line on standard error; the environment
        variable IMBCORE_DEBUG=1 adds the traceback.
    """
    _set_utf8_output()
    with warnings.catch_warnings():
        warnings.showwarning = _make_once_warning_printer()
        try:
            with repeat_interrupts():
                result = command.main(
                    args=None if args is None else list(args), prog_name=program, standalone_mode=False
                )
            sys.stdout.flush()
            return result if isinstance(result, int) else OK
        except (KeyboardInterrupt, click.Abort):
            return _print_error("stopped", INTERRUPTED)
        except click.UsageError as error:
            where = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
            return _print_error(error.format_message().rstrip(".") + where, USAGE_PROBLEM)
        except ParameterError as error:
            return _print_error(str(error), USAGE_PROBLEM)
        except OutputPipeClosedError:
            # All files are already written when text is printed.
            discard_output(sys.stdout)
            return OK
        except click.ClickException as error:
            return _print_error(error.format_message(), DATA_PROBLEM)
        except (ImbcoreError, ImportError) as error:
            return _print_error(str(error), DATA_PROBLEM)
        except OSError as error:
            if error.filename == STANDARD_OUTPUT:
                discard_output(sys.stdout)
            return _print_error(_describe_os_error(error), DATA_PROBLEM)
        except MemoryError as error:
            return _print_error(str(error) or "not enough memory", DATA_PROBLEM)
        except Exception as error:  # report a defect of imbcore in one line, too
            text = f"unexpected {type(error).__name__}: {error} (please report; IMBCORE_DEBUG=1 shows where)"
            return _print_error(text, DATA_PROBLEM)


def _set_utf8_output() -> None:
    """Write UTF-8 in every locale, to pipes as well as to files."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _message_with_option_names(message: str) -> str:
    """Write the arguments of a function in a message as options of the command line."""
    text = _COLUMN_OPTION.sub(
        lambda found: f"--{found[1]} {found[2] or 'COLUMN'}", _OPTION.sub(r"--\1", " ".join(message.split()))
    )
    return threshold_as_option(text.replace("omit groups or time", "omit --groups or --time"))


def threshold_as_option(text: str) -> str:
    """Write the threshold rules in a text as options of the command line."""
    return _THRESHOLD.sub(_write_threshold_option, text)


def _write_threshold_option(found: re.Match[str]) -> str:
    try:
        rule = json.loads(found[1])
    except ValueError:
        return found[0]
    if any(isinstance(value, dict) for value in rule.values()):
        return f"--threshold '{found[1]}'"
    return "--threshold " + ",".join(
        f"{name}={value:.15g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in rule.items()
    )


def _print_error(message: str, code: int) -> int:
    if os.environ.get("IMBCORE_DEBUG", "0") not in ("", "0"):
        with contextlib.suppress(OSError, ValueError):
            traceback.print_exc()
    write_error_line(f"imbcore: error: {_message_with_option_names(message)}")
    return code


def _describe_os_error(error: OSError) -> str:
    if error.filename is None or error.strerror is None:
        return str(error)
    return f"{os.fsdecode(error.filename)}: {error.strerror}"


def _make_once_warning_printer() -> Callable[..., None]:
    """Show each distinct warning as one line, even if several fits of a command emit it."""
    shown: set[str] = set()

    def show(message: Warning | str, *_where: object, **_more: object) -> None:
        line = _message_with_option_names(str(message))
        if line not in shown:
            shown.add(line)
            write_error_line(f"imbcore: warning: {line}")

    return show


def file_size_text(path: str) -> str:
    """Return the size of a file as text, such as 4.2 MB."""
    return bytes_text(os.path.getsize(path))


@contextlib.contextmanager
def progress_bar_callback() -> Iterator[Progress | None]:
    """Yield a callback that updates a bar on standard error, or ``None`` without a terminal.

    Yields
    ------
    callable or None
        Takes the stage, the steps done and their total, as ``imbcore.fit(callback=...)`` calls it.
    """
    if not sys.stderr.isatty():
        yield None
        return
    with contextlib.ExitStack() as bars:
        current: list[Any] = ["", None]

        def step(stage: str, done: int, total: int) -> None:
            # A closed terminal must not stop a fit.
            with contextlib.suppress(OSError):
                draw(stage, done, total)

        def draw(stage: str, done: int, total: int) -> None:
            if stage != current[0] or 2 * done < current[1].pos:
                bars.close()
                bar = click.progressbar(length=max(total, 1), label=STAGES.get(stage, stage), file=sys.stderr)
                current[:] = [stage, bars.enter_context(bar)]
            current[1].update(done - current[1].pos)

        yield step


def parse_parameters(pairs: Sequence[str], *, reserved: dict[str, str]) -> dict[str, Any]:
    """Parse ``name=value`` pairs; a value is JSON if it parses as JSON, else text.

    Parameters
    ----------
    pairs
        Such as ``max_depth=4``, ``criterion=gini`` or ``criterion={"name": "alpha", "alpha": 0.5}``.
    reserved
        Names that have an option of their own, mapped to that option.

    Returns
    -------
    dict
        Values by name.

    Raises
    ------
    click.UsageError
        Malformed, given twice, or reserved.
    """
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        name = name.strip().replace("-", "_").replace(".", "__")
        if not equals or not name.isidentifier():
            raise click.UsageError(f"-p takes name=value, got {value_text(pair)}")
        if name in reserved:
            raise click.UsageError(f"-p {name}=... is not a method parameter; use {reserved[name]}")
        if name in found:
            raise click.UsageError(f"parameter {name} is given twice")
        found[name] = parse_value(text.strip())
    return found


def parse_value(text: str) -> Any:
    """Parse a value as JSON, also accepting None, True and False; else keep the text.

    Raises
    ------
    click.UsageError
        The JSON is nested too deeply to be read.
    """
    python = {"None": None, "True": True, "False": False}
    if text in python:
        return python[text]
    try:
        return json.loads(text)
    except ValueError:
        return text
    except RecursionError:
        raise click.UsageError(f"the JSON value {text[:20]}... is nested too deeply") from None


def closest_names_hint(name: str, names: Sequence[str]) -> str:
    """Format a hint with the closest of ``names``."""
    by_lower = {known.lower(): known for known in reversed(names)}
    close = [by_lower[key] for key in difflib.get_close_matches(name.lower(), by_lower, n=3, cutoff=0.5)]
    if close:
        return f"nearest: {', '.join(close)}"
    shown = ", ".join(names[:8])
    return f"there are: {shown}" + (f" and {len(names) - 8} more" if len(names) > 8 else "")
