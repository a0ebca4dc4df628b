"""Errors and warnings. The native module raises these same classes."""

from __future__ import annotations

from typing import Any

__all__ = [
    "AbsentError",
    "ColumnTypeError",
    "DataError",
    "DataWarning",
    "ImbcoreError",
    "InternalError",
    "ModelFormatError",
    "OutOfMemoryError",
    "ParameterError",
    "SolverError",
    "UnsupportedError",
]


class ImbcoreError(Exception):
    """Base class of all errors that imbcore raises itself."""


class ParameterError(ImbcoreError, ValueError):
    """A method, parameter or option is unknown, or its value is outside the valid range."""


class DataError(ImbcoreError, ValueError):
    """The data are invalid.

    Parameters
    ----------
    message : str
        Problem and remedy.
    column : int or None, default=None
        Position of the invalid column, if there is one.
    """

    def __init__(self, message: str = "", column: int | None = None) -> None:
        super().__init__(message)
        self.column = column

    def __reduce__(self) -> tuple[Any, ...]:
        """Include the column when pickling; ``args`` does not contain it."""
        return type(self), (*self.args, self.column)


class ColumnTypeError(DataError, TypeError):
    """A column, label or weight has a type that no method can use."""


class UnsupportedError(ImbcoreError, NotImplementedError):
    """A valid request that the method or the model does not support."""


class AbsentError(UnsupportedError, AttributeError):
    """A model lacks the requested attribute; ``hasattr`` is then False."""


class ModelFormatError(ImbcoreError, ValueError):
    """A model file is damaged, is not an imbcore model, or has an unknown version."""


class OutOfMemoryError(MemoryError, ImbcoreError):
    """The memory that the process may use is too small for the request."""


class SolverError(ImbcoreError, RuntimeError):
    """The solver process could not be started, or ended before it returned a result."""


class InternalError(ImbcoreError, RuntimeError):
    """An internal inconsistency: a defect of imbcore; please report it."""


class DataWarning(UserWarning):
    """The data were used with a restriction or a change that the message describes."""
