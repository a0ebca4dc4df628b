"""List every public name with its parameters, one per line, to compare two checkouts.

Usage: python python/tools/public_names.py > FILE
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator

import imbcore

MODULES = (
    "costs",
    "dask",
    "datasets",
    "decisions",
    "exceptions",
    "metrics",
    "mlflow",
    "networks",
    "plotting",
)
MODULES += (
    "evaluation",
    "sampling",
    "stats",
    "bayes",
    "boxes",
    "decompositions",
    "discretization",
    "ensembles",
    "linear",
    "trees",
)


def names(prefix: str, value: object) -> Iterator[str]:
    """List a name, its parameters, and the public methods and properties of a class."""
    yield prefix
    try:
        parameters = inspect.signature(value).parameters  # type: ignore[arg-type]
    except (TypeError, ValueError):
        parameters = {}  # type: ignore[assignment]
    yield from (f"{prefix}({name})" for name in parameters)
    if inspect.isclass(value):
        for name, member in inspect.getmembers(value):
            if not name.startswith("_") and "imbcore" in (getattr(member, "__module__", None) or "imbcore"):
                yield f"{prefix}.{name}"
                if inspect.isfunction(member):
                    yield from (
                        f"{prefix}.{name}({one})"
                        for one in inspect.signature(member).parameters
                        if one != "self"
                    )


def public_objects() -> dict[str, object]:
    """Return all public objects by name: the top level, then the public modules."""
    found = {f"imbcore.{name}": getattr(imbcore, name) for name in imbcore.__all__}
    for name in MODULES:
        module = importlib.import_module(f"imbcore.{name}")
        found |= {f"imbcore.{name}.{one}": getattr(module, one) for one in getattr(module, "__all__", ())}
    return found


def main() -> None:
    """Print the names in order."""
    found = {line for name, value in public_objects().items() for line in names(name, value)}
    print("\n".join(sorted(found)))


if __name__ == "__main__":
    main()
