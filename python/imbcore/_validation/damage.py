"""Conversion of errors about damaged data to imbcore errors with a file name."""

from __future__ import annotations

import errno
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from imbcore.exceptions import DataError, ImbcoreError, OutOfMemoryError

# Messages of Arrow and DuckDB for memory or threads that the system refused, in errors of other classes.
_REFUSED = ("failed to launch worker thread", "cannot allocate memory", "bad_alloc", "out of memory")

# Packages that read tables; panics of polars come from pyo3_runtime.
_READERS = frozenset({"pyarrow", "duckdb", "_duckdb", "polars", "pyo3_runtime", "sqlite3", "fsspec"})


def is_system_error(error: BaseException) -> bool:
    """Whether an error is one of the file system; a lack of memory is not."""
    return isinstance(error, OSError) and error.errno not in (None, errno.ENOMEM)


def is_damaged_data_error(error: BaseException) -> bool:
    """Check whether an error reports unreadable data, not a system error or a wrong call."""
    if isinstance(error, ImbcoreError) or is_system_error(error):
        return False
    if isinstance(error, (OSError, EOFError, zlib.error, UnicodeError)):
        return True
    return type(error).__module__.partition(".")[0] in _READERS


def unreadable_data_error(error: BaseException, message: str) -> ImbcoreError:
    """Return the error for data that a library could not read.

    It is an OutOfMemoryError if the library may have lacked memory, and a DataError otherwise.
    """
    if isinstance(error, MemoryError) or any(text in str(error).lower() for text in _REFUSED):
        return OutOfMemoryError(
            f"the system refused memory or a thread to read the data ({first_error_line(error)}). Raise the "
            "memory limit, or use fewer columns"
        )
    return DataError(message)


def first_error_line(error: BaseException) -> str:
    """Return the first line of an error, at most 200 characters, without its period."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".")[:200] if lines else type(error).__name__


@contextmanager
def damage_as_data_error(what: str) -> Iterator[None]:
    """Convert errors about damaged data to a DataError that names the data.

    Raises
    ------
    DataError
        The data cannot be read; the message begins with ``what``.
    """
    try:
        yield
    except BaseException as error:
        if not is_damaged_data_error(error):
            raise
        message = f"{what}: the data cannot be read ({first_error_line(error)}); download or write them again"
        raise unreadable_data_error(error, message) from error


def validate_arrow(table: Any, what: str) -> Any:
    """Validate an Arrow object completely; reading a damaged one could crash the process.

    Raises
    ------
    DataError
        Offsets, codes, lengths or text are damaged.
    """
    with damage_as_data_error(what):
        table.validate(full=True)
    return table
