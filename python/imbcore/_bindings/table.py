"""Reader of text tables, shared by the command line, in-memory tables and streaming."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from imbcore._bindings import native
from imbcore._validation.columns import Column, Nominal
from imbcore._validation.dates import to_days_since_epoch
from imbcore._validation.parquet import read_parquet
from imbcore._validation.table import PARQUET, Table
from imbcore._validation.text_format import MISSING_WORDS, PLAIN, TextFormat
from imbcore._validation.unicode import reject_unsupported_path
from imbcore._validation.user_warnings import warn_user
from imbcore._validation.value_text import value_text
from imbcore.exceptions import DataError, ParameterError

# Role of a column: "number" requires numbers; "text" is verbatim text; "key" (codes, groups, times) is
# numeric if all values are, else verbatim text; "label" may contain dates; "skip" is not read.
Role = Literal["feature", "label", "number", "text", "key", "skip"]
Progress = Callable[[str, int, int], object]


@dataclass(frozen=True)
class TextColumns:
    """Columns of a text file, their kinds, and the mapping from rows to lines."""

    columns: dict[str, Column]
    # integer, float, boolean, text or empty.
    kinds: dict[str, str]
    # Describes the position of a row, counted from 0.
    place: Callable[[int], str]


def open_text(paths: Sequence[str | os.PathLike[str]], text_format: TextFormat) -> native.data.TextTable:
    """Open text files and read their headers; "-" is standard input.

    Raises
    ------
    DataError
        A file is not a table; the message has the file name and the line number.
    ParameterError
        A format option is outside its valid range.
    OSError
        A file cannot be read.
    """
    inputs: list[tuple[str, bytes | None]] = [
        ("standard input", _read_standard_input()) if os.fspath(path) == "-" else (os.fspath(path), None)
        for path in paths
    ]
    return native.data.TextTable(inputs, text_format.native())


def _read_standard_input() -> bytes:
    if sys.stdin is None:
        raise DataError("standard input is closed; give a file name instead of '-'")
    return sys.stdin.buffer.read()


def read_columns(
    table: native.data.TextTable,
    roles: Mapping[str, Role],
    *,
    default: Role = "feature",
    text_format: TextFormat = PLAIN,
    what: str,
    callback: Progress | None = None,
) -> TextColumns:
    """Read the columns of an opened text file.

    Parameters
    ----------
    table : TextTable
        One file, opened by :func:`open_text`.
    roles : mapping
        Roles of columns by name.
    default : Role
        Role of all other columns.
    text_format : TextFormat
        Text format; its date columns are read as days.
    what : str
        Name of the file, for errors.
    callback : callable or None
        Called as ``callback(stage, done, total)``; an exception stops the reading.
    """
    names = table.names
    for name in text_format.dates:
        if name not in names:
            raise DataError(f"{what} has no column {name!r}, which is given in `dates`")
    chosen: dict[str, Role] = {name: roles.get(name, default) for name in names}
    dated = [name for name in text_format.dates if chosen[name] in ("feature", "number", "key")]
    chosen |= dict.fromkeys(dated, "text")
    warn_of_unnamed_columns(table, chosen, what)
    scan = table.scan(list(chosen.values()), callback)
    wanted = [at for at, role in enumerate(chosen.values()) if role != "skip"]
    columns: dict[str, Column] = {}
    for at, part in zip(wanted, scan.read_all(wanted, callback), strict=True):
        name = names[at]
        columns[name] = Nominal(*part) if isinstance(part, tuple) else part
        if name in dated:
            columns[name] = _dates_to_days(columns[name], name, text_format.date_format, what)
    every = scan.kinds
    kinds = {names[at]: every[at] for at in wanted}
    kinds |= dict.fromkeys(dated, "float")
    return TextColumns(columns, kinds, lambda row: f"line {scan.line(0, row)}")


def warn_of_unnamed_columns(table: native.data.TextTable, roles: Mapping[str, str], what: str) -> None:
    """Warn of columns without a header name that become features."""
    for name in table.unnamed:
        if roles.get(name) == "feature":
            warn_user(
                f"{what}: a column without a name in the header is read as {name!r}; if it only contains row "
                f"numbers, leave it out (--drop {name!r}, or give the other columns as `columns`)"
            )


def _dates_to_days(column: Column, name: str, date_format: str | None, what: str) -> Column:
    assert isinstance(column, Nominal)
    days = np.append(to_days_since_epoch(column.levels, name, date_format, what), np.nan)
    return days[np.minimum(column.codes, np.uint32(len(column.levels)))]


def read_table(
    path: str | os.PathLike[str],
    *,
    separator: str | None = None,
    header: bool = True,
    missing: Sequence[str] = MISSING_WORDS,
    text: Sequence[str] = (),
    numeric: Sequence[str] = (),
    callback: Progress | None = None,
    **reading: Any,
) -> Table:
    """Read a text file (plain or gzip) or a Parquet file.

    A column of a text file is numeric if all non-missing fields are numbers or all are booleans, and nominal
    otherwise. The levels of a nominal column are sorted, so they do not depend on the order of the rows.
    Spaces around a field are ignored.

    Parameters
    ----------
    path : path-like
        A name that ends in ``.parquet`` or ``.pq`` is Parquet, whose columns have types, so that only
        ``text`` and ``numeric`` apply; everything else is text.
    separator : str or None, default=None
        One ASCII character. None uses the one that splits all rows equally.
    header : bool, default=True
        Whether the first line has the names; otherwise columns are called ``x0``, ``x1``, ...
    missing : sequence of str
        Texts of a missing value.
    text, numeric : sequence of str, default=()
        Columns to read as nominal although they look numeric; columns in which text is an error.
    callback : callable or None, default=None
        Called as ``callback(stage, done, total)``; an exception stops the reading.
    **reading
        As in :func:`imbcore.fit`: ``decimal``, ``thousands``, ``na_values``, ``encoding``, ``dates``,
        ``date_format``.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        The file is not a table; the message has the file name and the line number.
    ParameterError
        An option is outside its valid range, or a name in ``text`` or ``numeric`` is not in the file.
    OSError
        The file cannot be read.
    """
    reject_unsupported_path(path)
    what = os.fspath(path)
    for option, given in (("missing", missing), ("text", text), ("numeric", numeric)):
        if isinstance(given, str):
            raise ParameterError(
                f"read_table: parameter `{option}` must be a list of texts, got {value_text(given)}"
            )
    text_format = TextFormat.from_options({"separator": separator, **reading})
    if Path(path).suffix.lower() in PARQUET:
        replace(text_format, header=header, missing=tuple(missing)).reject_unsupported_options(what)
        return Table(read_parquet(path, text, numeric))
    table = open_text([path], replace(text_format, header=header, missing=tuple(missing)))
    known = set(table.names)
    for option, given in (("text", text), ("numeric", numeric)):
        for name in given:
            if name not in known:
                raise ParameterError(
                    f"read_table: `{option}` contains column {name!r}, which is not in {what}"
                )
    roles: dict[str, Role] = {**dict.fromkeys(text, "text"), **dict.fromkeys(numeric, "number")}
    return Table(read_columns(table, roles, text_format=text_format, what=what, callback=callback).columns)
