"""Write the parameter names of scikit-learn, imbalanced-learn and LightGBM to one file.

Tests that run without these libraries read the file.

Usage: python python/tools/parameter_vocabulary.py > python/tools/parameter_vocabulary.txt
(in an environment with the three libraries; each has a section that starts with its version)
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import warnings
from collections.abc import Iterator
from importlib.metadata import version
from types import ModuleType

LIBRARIES = {"scikit-learn": "sklearn", "imbalanced-learn": "imblearn", "lightgbm": "lightgbm"}


def vocabulary(package: str) -> set[str]:
    """Collect the parameters of all public functions, classes and methods of a package."""
    found: set[str] = set()
    for module in _modules(package):
        for name in getattr(module, "__all__", None) or [one for one in vars(module) if one[0] != "_"]:
            value = getattr(module, name, None)
            if not (getattr(value, "__module__", None) or "").startswith(package):
                continue
            found |= _parameters(value)
            if inspect.isclass(value):
                members = inspect.getmembers(value, inspect.isfunction)
                found.update(*(_parameters(member) for own, member in members if own[0] != "_"))
    return found


def _modules(package: str) -> Iterator[ModuleType]:
    """Yield the public modules of a package, without tests and those that need other libraries."""
    top = importlib.import_module(package)
    yield top
    for info in pkgutil.walk_packages(top.__path__, f"{package}.", onerror=lambda _: None):
        parts = info.name.split(".")
        if any(part.startswith("_") or part in ("tests", "conftest", "externals") for part in parts):
            continue
        try:
            with warnings.catch_warnings(action="ignore"):
                module = importlib.import_module(info.name)
        except ImportError:
            continue
        yield module


def _parameters(value: object) -> set[str]:
    if not callable(value):
        return set()
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return set()
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {one.name for one in parameters if one.kind not in variadic and one.name[0] != "_"}


def main() -> None:
    """Print the names in order."""
    print(
        "# Parameter names of public functions, by library; written by python/tools/parameter_vocabulary.py."
    )
    for library, package in LIBRARIES.items():
        print(f"# {library} {version(library)}", *sorted(vocabulary(package)), sep="\n")


if __name__ == "__main__":
    main()
