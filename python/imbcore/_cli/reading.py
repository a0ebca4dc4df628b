"""Options that describe text files, shared by all commands that read tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from imbcore._validation.text_format import READING, TextFormat

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS: list[Callable[[Any], Any]] = [
    click.option(
        "--separator",
        metavar="SIGN",
        help="Field separator of text files.  [default: found in the file]",
    ),
    click.option(
        "--decimal",
        metavar="SIGN",
        help="Decimal mark, '.' or ','.  [default: found in the file]",
    ),
    click.option("--thousands", metavar="SIGN", help="Thousands separator.  [default: found in the file]"),
    click.option(
        "--na-values",
        "na_values",
        multiple=True,
        metavar="TEXT",
        help="Text that means a missing value, in addition to NA and others; repeatable.",
    ),
    click.option(
        "--encoding",
        metavar="NAME",
        help="Encoding of text files, such as latin-1, cp1252, gbk or utf-16.  [default: utf-8]",
    ),
    click.option(
        "--dates",
        multiple=True,
        metavar="COLUMN",
        help="Column of dates to read as days since 1970-01-01; repeatable.",
    ),
    click.option(
        "--date-format",
        metavar="FORMAT",
        help="Format of dates, such as %d.%m.%Y.  [default: ISO 8601]",
    ),
]


def add_text_file_options(command: Command) -> Command:
    """Add the options that describe text files."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def given_text_file_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Select the text file options that were given."""
    return {name: options[name] for name in READING if options.get(name) not in (None, ())}


def text_format_from_options(options: Mapping[str, Any]) -> TextFormat:
    """Convert the text file options to a format."""
    return TextFormat.from_options(given_text_file_options(options))
