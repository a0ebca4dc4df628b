"""The picture of the house: crates and wings on their floors, read from the code itself."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Mapping
from pathlib import Path

__all__ = ["crate_needs", "picture", "wing_needs"]

Needs = Mapping[str, set[str]]


def crate_needs(crates: Path) -> dict[str, set[str]]:
    """List for each crate the crates that it depends on, by its manifest."""
    names = {folder.name for folder in crates.iterdir() if (folder / "Cargo.toml").exists()}
    needs = {}
    for name in sorted(names):
        manifest = tomllib.loads((crates / name / "Cargo.toml").read_text(encoding="utf-8"))
        taken = {package.removeprefix("imbcore-") for package in manifest.get("dependencies", {})}
        needs[name] = (taken & names) - {name}
    return needs


def wing_needs(package: Path) -> dict[str, set[str]]:
    """List for each wing of the Python package those that its modules import, lazily or not.

    A wing is a folder or a file at the top; what only a type checker reads counts too. The package's own
    ``__init__`` hands names on and is no wing.
    """
    wings = {
        path.stem for path in package.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    wings.discard("__init__")
    needs: dict[str, set[str]] = {wing: set() for wing in sorted(wings)}
    for wing in needs:
        inside = package / wing
        for path in sorted(inside.rglob("*.py")) if inside.is_dir() else [package / f"{wing}.py"]:
            for name in _imported(ast.parse(path.read_text(encoding="utf-8"))):
                parts = name.split(".")
                if parts[0] == package.name and len(parts) > 1 and parts[1] in wings - {wing}:
                    needs[wing].add(parts[1])
    return needs


def _imported(tree: ast.AST) -> set[str]:
    """List every module or name that is imported, with its whole path."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def picture(package: Path, crates: Path) -> str:
    """Draw both as one Mermaid flowchart; an arrow that follows from two others is left out."""
    lines = ["```mermaid", "flowchart BT"]
    needs: dict[str, set[str]] = {}
    for title, prefix, part in (
        ("Rust: crates", "crates/", crate_needs(crates)),
        ("Python: python/imbcore", "", wing_needs(package)),
    ):
        lines += [f'  subgraph "{title}"'] + [
            f'    {_node(prefix + name)}["{prefix}{name}"]' for name in part
        ]
        lines.append("  end")
        needs |= {prefix + name: {prefix + low for low in lows} for name, lows in part.items()}
    needs["_border"] = needs.get("_border", set()) | {"crates/py"}
    for high in needs:
        for low in sorted(_direct(high, needs)):
            lines.append(f"  {_node(low)} --> {_node(high)}")
    return "\n".join([*lines, "```"])


def _node(name: str) -> str:
    return name.replace("/", "_").strip("_")


def _direct(high: str, needs: Needs) -> set[str]:
    """Leave out what a need of the room needs anyway."""
    return needs[high] - {low for other in needs[high] for low in _below(other, needs)}


def _below(name: str, needs: Needs) -> set[str]:
    """List everything that a room needs, at any depth; rooms in a circle are listed once."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = needs[waiting.pop()] - found
        found |= new
        waiting += new
    return found
