"""Native calls of samplers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from imbcore._border import native
from imbcore._border.options import Options
from imbcore._border.parameters import params_text
from imbcore._border.positive import labels_text
from imbcore._border.training import named_columns
from imbcore._input.frame import BorderFrame
from imbcore._input.labels import Target


def resample(
    method: str,
    parameters: Mapping[str, Any],
    frame: BorderFrame | None,
    names: Collection[str],
    target: Target,
    options: Options,
) -> dict[str, Any]:
    """Compute a resampling plan as arrays; methods that only select rows need no ``frame``."""
    classes = (target.codes, labels_text(target.classes))
    with named_columns(list(names)):
        return native.sampling.resample(method, params_text(method, parameters), frame, classes, options)
