"""Errors and warnings. The native module raises these same classes, so they are written once."""

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
    """Base of all errors that imbcore raises itself."""


class ParameterError(ImbcoreError, ValueError):
    """A method, parameter or option is unknown or lies outside its domain."""


class DataError(ImbcoreError, ValueError):
    """The data cannot be used as they are.

    Parameters
    ----------
    message : str
        What is wrong and what to do.
    column : int or None, default=None
        Position of the offending column, where there is one.
    """

    def __init__(self, message: str = "", column: int | None = None) -> None:
        super().__init__(message)
        self.column = column

    def __reduce__(self) -> tuple[Any, ...]:
        """Rebuild with the column, which ``args`` does not hold."""
        return type(self), (*self.args, self.column)


class ColumnTypeError(DataError, TypeError):
    """A column, label or weight has a type that no method can use."""


class UnsupportedError(ImbcoreError, NotImplementedError):
    """A valid request that this method does not serve."""


class AbsentError(UnsupportedError, AttributeError):
    """A model lacks what was asked for, which ``hasattr`` then tells too."""


class ModelFormatError(ImbcoreError, ValueError):
    """A model file is damaged, foreign or from an unknown version."""


class OutOfMemoryError(MemoryError, ImbcoreError):
    """The memory that the process may use is too small for the request."""


class SolverError(ImbcoreError, RuntimeError):
    """The solver process could not be started, or died before it answered."""


class InternalError(ImbcoreError, RuntimeError):
    """A state that should be impossible: a defect of imbcore, please report it."""


class DataWarning(UserWarning):
    """The data were used, but not quite as given."""
