"""Import of pyarrow, an optional dependency, and the kinds and types of its columns."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal

from imbcore._validation.optional import import_failure
from imbcore.exceptions import DataError

Kind = Literal["number", "text"]


def pyarrow(what: str) -> Any:
    """Import pyarrow; without it the error names ``what`` was to be read."""
    with _delay_ctrl_c():
        try:
            import pyarrow
        except ImportError as error:
            raise import_failure(
                error, f"reading {what} in batches needs pyarrow: pip install 'imbcore[parquet]'"
            ) from error
        # Imported here, because pyarrow would import it with the first numeric column.
        with suppress(ImportError):
            import pandas  # noqa: F401
    return pyarrow


@contextmanager
def _delay_ctrl_c() -> Iterator[None]:
    """Delay Ctrl-C until the end of an import, which may lose it or replace its error."""
    handler = signal.getsignal(signal.SIGINT)
    imported = sys.modules.keys() >= {"pyarrow", "pandas"}
    if imported or threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    received: list[tuple[int, Any]] = []
    signal.signal(signal.SIGINT, lambda number, frame: received.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if received:
            handler(*received[0])


def arrow_type_kind(type_: Any) -> Kind | None:
    """Find whether a type is numeric or text; None for others, such as dates."""
    types = pyarrow("columns").types
    if types.is_dictionary(type_):
        return None if arrow_type_kind(type_.value_type) is None else "text"
    if (
        types.is_boolean(type_)
        or types.is_integer(type_)
        or types.is_floating(type_)
        or types.is_decimal(type_)
    ):
        return "number"
    if types.is_null(type_):
        return "number"
    if types.is_string(type_) or types.is_large_string(type_) or str(type_) == "string_view":
        return "text"
    return None


def common_type(first: Any, second: Any) -> Any | None:
    """Find the type that holds the values of both types exactly; None for numbers and text."""
    pa = pyarrow("columns")
    if first.equals(second) or pa.types.is_null(second):
        return first
    if pa.types.is_null(first):
        return second
    if arrow_type_kind(first) is None or arrow_type_kind(first) != arrow_type_kind(second):
        return None
    integers = [pa.types.is_integer(type_) or pa.types.is_boolean(type_) for type_ in (first, second)]
    if all(integers):
        return pa.int64()
    if arrow_type_kind(first) == "number":
        return pa.float64()
    texts = [type_.value_type if pa.types.is_dictionary(type_) else type_ for type_ in (first, second)]
    return pa.string() if all(arrow_type_kind(text) == "text" for text in texts) else None


def replace_string_views(type_: Any) -> Any:
    """Replace string views by strings, which all functions of Arrow accept."""
    pa = pyarrow("columns")
    return pa.string() if str(type_) == "string_view" else type_


def cast_column(column: Any, type_: Any, name: str, where: str) -> Any:
    """Cast a column to its type in the whole source."""
    if column.type.equals(type_):
        return column
    pa = pyarrow("columns")
    try:
        return column.cast(type_)
    except pa.ArrowException as error:
        raise DataError(f"{where}: column {name!r} cannot be read as {type_}: {error}") from error
