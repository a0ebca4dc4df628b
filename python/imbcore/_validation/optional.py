"""Errors of imports of optional packages."""

from __future__ import annotations

from imbcore.exceptions import OutOfMemoryError

__all__ = ["import_failure"]

# Messages of the dynamic linker for memory that the system refused.
_REFUSED = ("failed to map segment", "cannot allocate memory", "cannot map zero-fill pages")


def import_failure(error: ImportError, message: str) -> Exception:
    """Return the error for a failed import; ``message`` applies if the package is not installed."""
    if any(text in str(error).lower() for text in _REFUSED):
        return OutOfMemoryError(
            f"the system refused memory to load a package ({error}). Raise the limit of the process"
        )
    return ImportError(message)
