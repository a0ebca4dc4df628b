"""Diagram of the architecture: crates and Python packages by layer, read from their sources."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Mapping
from pathlib import Path

__all__ = ["crate_dependencies", "diagram", "package_dependencies"]

Dependencies = Mapping[str, set[str]]


def crate_dependencies(crates: Path) -> dict[str, set[str]]:
    """List the crates that each crate depends on, by its manifest."""
    names = {folder.name for folder in crates.iterdir() if (folder / "Cargo.toml").exists()}
    dependencies = {}
    for name in sorted(names):
        manifest = tomllib.loads((crates / name / "Cargo.toml").read_text(encoding="utf-8"))
        taken = {package.removeprefix("imbcore-") for package in manifest.get("dependencies", {})}
        dependencies[name] = (taken & names) - {name}
    return dependencies


def package_dependencies(package: Path) -> dict[str, set[str]]:
    """List the packages that each Python package imports, lazily or not.

    A package is a folder or a file at the top level; imports for type checkers count, too. The top-level
    ``__init__`` re-exports names and is not counted.
    """
    packages = {
        path.stem for path in package.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    packages.discard("__init__")
    dependencies: dict[str, set[str]] = {package_name: set() for package_name in sorted(packages)}
    for package_name in dependencies:
        inside = package / package_name
        for path in sorted(inside.rglob("*.py")) if inside.is_dir() else [package / f"{package_name}.py"]:
            for name in _imported(ast.parse(path.read_text(encoding="utf-8"))):
                parts = name.split(".")
                if parts[0] == package.name and len(parts) > 1 and parts[1] in packages - {package_name}:
                    dependencies[package_name].add(parts[1])
    return dependencies


def _imported(tree: ast.AST) -> set[str]:
    """List every imported module or name, with its full path."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def diagram(package: Path, crates: Path) -> str:
    """Draw both as one Mermaid flowchart; arrows that follow from two others are omitted."""
    lines = ["```mermaid", "flowchart BT"]
    dependencies: dict[str, set[str]] = {}
    for title, prefix, part in (
        ("Rust: crates", "crates/", crate_dependencies(crates)),
        ("Python: python/imbcore", "", package_dependencies(package)),
    ):
        lines += [f'  subgraph "{title}"'] + [
            f'    {_node(prefix + name)}["{prefix}{name}"]' for name in part
        ]
        lines.append("  end")
        dependencies |= {prefix + name: {prefix + low for low in lows} for name, lows in part.items()}
    dependencies["_bindings"] = dependencies.get("_bindings", set()) | {"crates/py"}
    for high in dependencies:
        for low in sorted(_direct(high, dependencies)):
            lines.append(f"  {_node(low)} --> {_node(high)}")
    return "\n".join([*lines, "```"])


def _node(name: str) -> str:
    return name.replace("/", "_").replace("-", "_").strip("_")


def _direct(high: str, dependencies: Dependencies) -> set[str]:
    """List direct dependencies that do not follow from others."""
    return dependencies[high] - {low for other in dependencies[high] for low in _below(other, dependencies)}


def _below(name: str, dependencies: Dependencies) -> set[str]:
    """List all direct and indirect dependencies of a package; cycles are listed once."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = dependencies[waiting.pop()] - found
        found |= new
        waiting += new
    return found
