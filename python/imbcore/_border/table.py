"""Reading tables from files."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from imbcore._border import native
from imbcore._input.columns import Nominal
from imbcore._input.parquet import read_parquet
from imbcore._input.table import MISSING_WORDS, PARQUET, Table
from imbcore.exceptions import ParameterError

__all__ = ["read_table"]


def read_table(
    path: str | os.PathLike[str],
    *,
    delimiter: str | None = None,
    header: bool = True,
    missing: Sequence[str] = MISSING_WORDS,
    text: Sequence[str] = (),
    numeric: Sequence[str] = (),
    callback: Callable[[str, int, int], object] | None = None,
) -> Table:
    """Read a text file (plain or gzip) or a Parquet file.

    A column of a text file is numeric when every field that is not missing is a number, and nominal
    otherwise. The levels of a nominal column are sorted, so that they do not depend on the order of the
    rows. Blanks around a field do not belong to it.

    Parameters
    ----------
    path : path-like
        A name that ends in ``.parquet`` or ``.pq`` is Parquet; everything else is text.
    delimiter : str or None, default=None
        One ASCII character. None takes what the first line has most of: commas, semicolons or tabs, the first
        of these where it has as many.
    header : bool, default=True
        Whether the first line holds the names; without, columns are called ``x0``, ``x1``, ...
    missing : sequence of str
        Words that stand for a missing value.
    text, numeric : sequence of str, default=()
        Columns to read as nominal although they look like numbers; columns in which a word is an error.
    callback : callable or None, default=None
        Called as ``callback("bytes", done, total)``; an exception it raises stops the reading.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        The file is not a table; the message has the file name and the line number.
    ParameterError
        ``delimiter`` is not one ASCII character, or a name in ``text`` or ``numeric`` is not in the file.
    OSError
        The file cannot be read.
    """
    if Path(path).suffix.lower() in PARQUET:
        return Table(read_parquet(path, text))

    for name, given in (("missing", missing), ("text", text), ("numeric", numeric)):
        if isinstance(given, str):
            raise ParameterError(f"read_table: parameter `{name}` must be a list of words, got {given!r}")
    reading = {
        "delimiter": delimiter,
        "has_header": header,
        "missing": list(missing),
        "text": list(text),
        "numeric": list(numeric),
    }
    columns = native.data.read_table(path, reading, callback=callback)
    return Table({name: Nominal(*part) if isinstance(part, tuple) else part for name, part in columns})
