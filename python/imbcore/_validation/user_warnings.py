"""Warnings that point to the line that called imbcore."""

from __future__ import annotations

import sys
import warnings

from imbcore.exceptions import DataWarning


def warn_user(message: str, category: type[Warning] = DataWarning) -> None:
    """Emit a warning at the caller outside imbcore."""
    frame, depth = sys._getframe(1), 2
    # Code on entering a context manager of imbcore is called by contextlib.
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(
        ("imbcore.", "contextlib")
    ):
        frame, depth = frame.f_back, depth + 1
    warnings.warn(message, category, stacklevel=depth)
