"""Text form of learners that identifies their settings in the file of a run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import numpy as np

from imbcore._validation.labelled import pandas_index_of


def describe_learner(value: Any) -> str:
    """Format a learner with all its settings; equal learners give equal text in every process.

    Dataclass fields with ``compare=False`` are left out: they depend on the tables, which the file of a run
    identifies separately.
    """
    if value is None or isinstance(value, (bool, int, float, str, np.generic)):
        return repr(value.item() if isinstance(value, np.generic) else value)
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return f"array{value.shape} {describe_learner(value.tolist())}"
        digest = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()[:12]
        return f"array{value.shape} {digest}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name!r}: {describe_learner(of)}" for name, of in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(describe_learner, value)) + "]"
    if isinstance(value, (set, frozenset)):
        # The order of a set of text differs between processes.
        return "[" + ", ".join(sorted(map(describe_learner, value))) + "]"
    if isinstance(value, partial):
        return f"partial({describe_learner([value.func, value.args, value.keywords])})"
    if pandas_index_of(value) is not None:
        return f"{type(value).__name__}({describe_learner(value.to_dict())})"
    if isinstance(value, type) or (callable(value) and hasattr(value, "__qualname__")):
        return f"{value.__module__}.{value.__qualname__}"
    kind = type(value).__name__
    if is_dataclass(value):
        settings = {field.name: getattr(value, field.name) for field in fields(value) if field.compare}
    elif hasattr(value, "get_params"):
        settings = value.get_params(deep=False)
    else:
        settings = {
            name: of for name, of in getattr(value, "__dict__", {}).items() if not name.startswith("__")
        }
    return (
        f"{kind}("
        + ", ".join(f"{name}={describe_learner(of)}" for name, of in sorted(settings.items()))
        + ")"
    )
