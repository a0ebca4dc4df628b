"""What sources need of Arrow: the library, which is an extra, and what a column of it is to us."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal

from imbcore.exceptions import DataError

__all__ = ["Kind", "common_type", "kind_of", "plain_type", "pyarrow", "recast"]

Kind = Literal["number", "text"]


def pyarrow(what: str) -> Any:
    """Import pyarrow, or say who needs it."""
    with _ctrl_c_waits():
        try:
            import pyarrow
        except ImportError as error:
            raise ImportError(
                f"reading {what} piece by piece needs pyarrow: pip install imbcore[parquet]"
            ) from error
        # The first column of numbers would have pyarrow import it.
        with suppress(ImportError):
            import pandas  # noqa: F401
    return pyarrow


@contextmanager
def _ctrl_c_waits() -> Iterator[None]:
    """Keep a Ctrl-C until the end of an import, which may lose it, or raise something else in its place."""
    handler = signal.getsignal(signal.SIGINT)
    known = sys.modules.keys() >= {"pyarrow", "pandas"}
    if known or threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    heard: list[tuple[int, Any]] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if heard:
            handler(*heard[0])


def kind_of(type_: Any) -> Kind | None:
    """Tell numbers from names; None for what cannot be a feature, such as dates."""
    is_ = pyarrow("columns").types
    if is_.is_dictionary(type_):
        return None if kind_of(type_.value_type) is None else "text"
    if is_.is_boolean(type_) or is_.is_integer(type_) or is_.is_floating(type_) or is_.is_decimal(type_):
        return "number"
    if is_.is_null(type_):
        return "number"
    if is_.is_string(type_) or is_.is_large_string(type_) or str(type_) == "string_view":
        return "text"
    return None


def common_type(first: Any, second: Any) -> Any | None:
    """Find the type that holds the values of both exactly; None where numbers meet names."""
    pa = pyarrow("columns")
    if first.equals(second) or pa.types.is_null(second):
        return first
    if pa.types.is_null(first):
        return second
    if kind_of(first) is None or kind_of(first) != kind_of(second):
        return None
    whole = [pa.types.is_integer(type_) or pa.types.is_boolean(type_) for type_ in (first, second)]
    if all(whole):
        return pa.int64()
    if kind_of(first) == "number":
        return pa.float64()
    names = [type_.value_type if pa.types.is_dictionary(type_) else type_ for type_ in (first, second)]
    return pa.string() if all(kind_of(name) == "text" for name in names) else None


def plain_type(type_: Any) -> Any:
    """Give text in the one form that all of Arrow's functions take."""
    pa = pyarrow("columns")
    return pa.string() if str(type_) == "string_view" else type_


def recast(column: Any, type_: Any, name: str, where: str) -> Any:
    """Give a column the type that it has in the whole source."""
    if column.type.equals(type_):
        return column
    pa = pyarrow("columns")
    try:
        return column.cast(type_)
    except pa.ArrowException as error:
        raise DataError(f"{where}: column {name!r} cannot be read as {type_}: {error}") from error
