"""Warnings that point to the line that called imbcore."""

from __future__ import annotations

import sys
import warnings
from typing import Any

from imbcore.exceptions import DataWarning

# Topics and lines of the warnings shown so far. Python's own record is cleared by `warnings.catch_warnings`,
# which pandas enters in conversions, and scikit-learn in fits.
_shown: set[tuple[str, type[Warning], str, int]] = set()
_MOST_SHOWN = 10_000


def warn_user(message: str, category: type[Warning] = DataWarning, topic: str | None = None) -> None:
    """Emit a warning at the caller outside imbcore; by default once for each topic and line.

    ``topic`` is None for the message itself.
    """
    frame, depth = sys._getframe(1), 2
    # Code on entering a context manager of imbcore is called by contextlib.
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(
        ("imbcore.", "contextlib")
    ):
        frame, depth = frame.f_back, depth + 1
    if _is_shown_once(message, category, frame.f_globals.get("__name__", ""), frame.f_lineno):
        place = (topic or message, category, frame.f_code.co_filename, frame.f_lineno)
        if place in _shown:
            return
        if len(_shown) >= _MOST_SHOWN:
            _shown.clear()
        _shown.add(place)
    warnings.warn(message, category, stacklevel=depth)


def _is_shown_once(message: str, category: type[Warning], module: str, line: int) -> bool:
    """Check whether Python's filters show such a warning once for each text and line."""
    # The type of the patterns depends on the filter, and is wrong in typeshed.
    filters: Any = warnings.filters
    for action, text, kind, where, at in filters:
        matches = _matches(text, message) and _matches(where, module) and at in (0, line)
        if matches and issubclass(category, kind):
            return bool(action == "default")
    return True


def _matches(pattern: Any, text: str) -> bool:
    return pattern is None or (pattern == text if isinstance(pattern, str) else bool(pattern.match(text)))
