"""Verification of certificates."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from imbcore._bindings.options import Options
from imbcore._bindings.training import NativeTrainingData, name_native_columns_in_errors
from imbcore._validation.frame import NativeFrame
from imbcore._validation.labels import Target
from imbcore._validation.schema import Schema
from imbcore.exceptions import DataError


def certificate_to_json(certificate: Any, needed: str) -> str | None:
    """Convert a certificate to JSON; None stands for the certificate of the model itself."""
    if certificate is None:
        return None
    if not isinstance(certificate, dict) or needed not in certificate:
        raise DataError(f"certificate must be the dict that certificate() returns: it has no {needed!r}")
    try:
        return json.dumps(certificate, allow_nan=False)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        message = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise DataError(
            f"certificate must be the dict that certificate() returns, of JSON values: {message}"
        ) from error


def verify_certificate_on_rows(
    verify: Callable[..., dict[str, Any]],
    frame: NativeFrame,
    target: Target,
    schema: Schema,
    *,
    seconds: float,
    threads: tuple[Any, Any],
    **given: Any,
) -> dict[str, Any]:
    """Verify a certificate on the training data with the model's own verifier."""
    with name_native_columns_in_errors(schema.names):
        training = NativeTrainingData.from_options(frame, target, schema, **given)
        return verify(training, seconds, Options.from_options(0, *threads))
