"""Checks of what a fit has proven."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from imbcore._border.options import Options
from imbcore._border.training import Training, named_columns
from imbcore._input.frame import BorderFrame
from imbcore._input.labels import Target
from imbcore._input.schema import Schema

__all__ = ["verified"]


def verified(
    verify: Callable[..., dict[str, Any]],
    frame: BorderFrame,
    target: Target,
    schema: Schema,
    *,
    seconds: float,
    threads: tuple[Any, Any],
    **said: Any,
) -> dict[str, Any]:
    """Check a certificate anew on the training rows, by what its model has for it."""
    with named_columns(schema.names):
        training = Training.of(frame, target, schema, **said)
        return verify(training, seconds, Options.of(0, *threads))
