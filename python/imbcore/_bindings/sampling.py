"""Native calls of samplers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from imbcore._bindings import native
from imbcore._bindings.options import Options
from imbcore._bindings.parameters import parameters_to_json
from imbcore._bindings.positive import labels_to_json
from imbcore._bindings.training import name_native_columns_in_errors
from imbcore._validation.frame import NativeFrame
from imbcore._validation.labels import Target


def resample(
    method: str,
    parameters: Mapping[str, Any],
    frame: NativeFrame | None,
    names: Collection[str],
    target: Target,
    options: Options,
) -> dict[str, Any]:
    """Compute a resampling plan as arrays; methods that only select rows need no ``frame``."""
    classes = (target.codes, labels_to_json(target.classes))
    with name_native_columns_in_errors(list(names)):
        return native.sampling.resample(
            method, parameters_to_json(method, parameters), frame, classes, options
        )
