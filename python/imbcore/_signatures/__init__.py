"""Bases that declare the types of constructors, and classes of the values of parameters.

``make generate`` writes the types to the stub in this folder, from the registry of methods. At run time the
bases are empty: ``imbcore._signatures.constructors`` builds the constructors.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from imbcore._signatures.names import CHOICES, ESTIMATORS

__all__ = ["CHOICES", "ESTIMATORS", "MethodName"]


def __getattr__(name: str) -> Any:
    """Build a base class, the class of a parameter value, or a type, on first use."""
    built: Any
    if name.endswith("Parameters"):
        built = type(name, (), {"__module__": __name__, "__slots__": ()})
    elif name in CHOICES:
        from imbcore._signatures.constructors import build_variant_class

        built = build_variant_class(name)
    elif name == "MethodName":
        from imbcore._bindings import native

        built = Literal[tuple(entry["name"] for entry in json.loads(native.models.methods()))]
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = built
    return built
