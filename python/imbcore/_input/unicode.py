"""Text that is no Unicode: lone surrogates, which UTF-8, JSON and model files cannot hold."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from imbcore.exceptions import DataError, ParameterError

__all__ = ["is_unicode", "require_parameter", "require_path", "require_texts", "to_arrow"]

_REMEDY = "Replace it, for example with text.encode(errors='replace').decode()."


def is_unicode(value: Any) -> bool:
    """Whether a value is no text, or text without lone surrogates."""
    if not isinstance(value, str) or value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def require_texts(what: str, values: Iterable[Any]) -> None:
    """Refuse data with a text that is no Unicode; ``what`` begins the sentence, as in "y holds the label"."""
    for value in values:
        if not is_unicode(value):
            raise DataError(
                f"{what} {value!r} with a lone surrogate, which is no Unicode character and cannot be "
                f"stored. {_REMEDY}"
            )


@contextmanager
def to_arrow() -> Iterator[None]:
    """Refuse data that Arrow cannot hold, for the length of a conversion by another library."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise DataError(
            f"the data hold {error.object!r}, a name, level or label with a lone surrogate, which is no "
            f"Unicode character. {_REMEDY}"
        ) from error


def require_parameter(name: str, value: str) -> None:
    """Refuse a parameter that is no Unicode."""
    if not is_unicode(value):
        raise ParameterError(
            f"{name} must be Unicode text, got {value!r}, which holds a lone surrogate; remove it"
        )


def require_path(path: str | bytes | os.PathLike[Any]) -> None:
    """Refuse a path that the file system cannot hold; undecodable bytes of names of files can be held."""
    try:
        os.fsencode(path)
    except UnicodeEncodeError as error:
        raise ParameterError(
            f"path must be a name that the file system can hold, got {path!r}; remove the lone surrogate"
        ) from error
