"""Collect the names of public parameters, and those that no established library uses.

Usage: python python/tools/parameter_names.py   (prints the names that parameter_names.toml must list)
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import imbcore

TOOLS = Path(__file__).resolve().parent
VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def public_parameters() -> dict[str, str]:
    """Map every parameter of the public functions, classes and methods to one place that has it."""
    found: dict[str, str] = {}
    for where, value in public_values():
        if not inspect.isclass(value):
            _add(found, where, value)
            continue
        # Records are made by the library; their fields are attributes.
        if any(hasattr(value, name) for name in ("get_params", "split", "fit")):
            _add(found, where, value)
        for name, member in inspect.getmembers(value, callable):
            function = getattr(member, "__func__", member)
            if name[0] != "_" and (getattr(function, "__module__", None) or "").startswith("imbcore"):
                _add(found, f"{where}.{name}", member)
    return found


def libraries() -> dict[str, set[str]]:
    """Read the stored parameter names by library and version, as in "scikit-learn 1.9.1"."""
    text = (TOOLS / "parameter_vocabulary.txt").read_text(encoding="utf-8")
    sections = [section.split("\n") for section in text.strip().split("# ")[2:]]
    return {title: {name for name in names if name} for title, *names in sections}


def vocabulary() -> set[str]:
    """Return the stored parameter names of scikit-learn, imbalanced-learn and LightGBM together."""
    return set().union(*libraries().values())


def listed() -> dict[str, str]:
    """Read the names that no established library has, each with a reason."""
    text = (TOOLS / "parameter_names.toml").read_text(encoding="utf-8")
    sections: dict[str, dict[str, str]] = tomllib.loads(text)
    names = [name for section in sections.values() for name in section]
    if len(names) != len(set(names)):
        repeated = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"parameter_names.toml lists names twice: {repeated}")
    return {name: reason for section in sections.values() for name, reason in section.items()}


def public_values() -> Iterator[tuple[str, Any]]:
    """List the public names of the top level and of the public modules, with their values."""
    for name in imbcore._HOME:
        yield name, getattr(imbcore, name)
    for info in pkgutil.iter_modules(imbcore.__path__):
        if info.name[0] != "_":
            module = importlib.import_module(f"imbcore.{info.name}")
            for name in getattr(module, "__all__", ()):
                yield f"{info.name}.{name}", getattr(module, name)


def _add(found: dict[str, str], where: str, value: Any) -> None:
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return
    for one in parameters:
        if one.kind not in VARIADIC and one.name[0] != "_" and one.name not in ("self", "cls"):
            found.setdefault(one.name, where)


def main() -> None:
    """Print the names outside the vocabulary, each with one place that has it."""
    known = vocabulary()
    for name, where in sorted(public_parameters().items()):
        if name not in known:
            print(f"{name} = {where}")


if __name__ == "__main__":
    main()
