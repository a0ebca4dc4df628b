"""Detection of lone surrogates, which UTF-8, JSON and model files do not support."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from imbcore._validation.value_text import value_text
from imbcore.exceptions import DataError, ParameterError

_REMEDY = "Replace it, for example with text.encode(errors='replace').decode()."


def is_valid_unicode(value: Any) -> bool:
    """Check whether a value is not text, or text without lone surrogates."""
    if not isinstance(value, str) or value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def reject_invalid_unicode(what: str, values: Iterable[Any]) -> None:
    """Reject invalid Unicode in data; ``what`` begins the message, as in "y has the label"."""
    for value in values:
        if not is_valid_unicode(value):
            raise DataError(
                f"{what} {value!r} with a lone surrogate, which is not a Unicode character and cannot be "
                f"stored. {_REMEDY}"
            )


@contextmanager
def reject_non_arrow_data() -> Iterator[None]:
    """Reject data that Arrow does not support, during a conversion by another library."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise DataError(
            f"the data contain {error.object!r}, a name, level or label with a lone surrogate, which is not "
            f"a Unicode character. {_REMEDY}"
        ) from error


def reject_non_unicode_parameter(name: str, value: str) -> None:
    """Reject a parameter with invalid Unicode."""
    if not is_valid_unicode(value):
        raise ParameterError(
            f"{name} must be Unicode text, "
            f"got {value_text(value)}, which contains a lone surrogate; remove it"
        )


def reject_unsupported_path(path: Any) -> None:
    """Reject a path that the file system does not support; undecodable bytes are allowed."""
    if not isinstance(path, (str, bytes, os.PathLike)) or not os.fspath(path):
        raise ParameterError(f"path must be the name of a file, got {value_text(path)}")
    try:
        os.fsencode(path)
    except UnicodeEncodeError as error:
        raise ParameterError(
            f"path must be a valid file name, got {value_text(path)}; remove the lone surrogate"
        ) from error
