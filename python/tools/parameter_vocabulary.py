"""Write the parameter names of scikit-learn, imbalanced-learn and LightGBM to one file.

A test that runs without these libraries reads the file.

Usage: python python/tools/parameter_vocabulary.py > python/tools/parameter_vocabulary.txt
(in an environment with the three libraries; versions are in the first line of the output)
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
            yield importlib.import_module(info.name)
        except ImportError:
            continue


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
    warnings.simplefilter("ignore")
    versions = ", ".join(f"{library} {version(library)}" for library in LIBRARIES)
    print(f"# Parameter names of {versions}; written by python/tools/parameter_vocabulary.py.")
    print("\n".join(sorted(set().union(*map(vocabulary, LIBRARIES.values())))))


if __name__ == "__main__":
    main()
