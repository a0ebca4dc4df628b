"""The estimator classes as their sources tell: which method each is, and what it adds to the registry."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["GENERATED", "Entry", "EstimatorClass", "estimator_classes"]

# Folders of what is written from the registry, in those of the families.
GENERATED = ("_parameters", "_choices")


@dataclass(frozen=True)
class Entry:
    """A parameter as the ``Parameters`` section of a class describes it; a default of None was not given."""

    name: str
    type: str
    default: str | None
    doc: str


@dataclass(frozen=True)
class EstimatorClass:
    """An estimator class: where it is, its method, and what its bases and itself say of parameters."""

    name: str
    folder: Path
    module: str
    method: str
    sets: frozenset[str]
    without: frozenset[str]
    entries: dict[str, Entry]

    @property
    def signature(self) -> str:
        """Name of the generated class with the constructor."""
        return f"{self.name.replace('Classifier', '')}Parameters"


def estimator_classes(package: Path) -> list[EstimatorClass]:
    """Find the classes that have a method, in the order of their folders and names."""
    nodes: dict[str, tuple[Path, ast.ClassDef]] = {}
    for path in sorted(package.rglob("*.py")):
        if path.parent.name in GENERATED:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        nodes |= {node.name: (path, node) for node in tree.body if isinstance(node, ast.ClassDef)}
    found = []
    for name, (path, _) in nodes.items():
        line = [known for known in _lineage(name, nodes) if known in nodes]
        own = [nodes[known][1] for known in reversed(line)]
        constants = {key: value for cls in own for key, value in _constants(cls)}
        if "_method" not in constants or name.startswith("_") or path.stem.startswith("_"):
            continue
        entries = {entry.name: entry for cls in own for entry in _entries(ast.get_docstring(cls) or "")}
        found.append(
            EstimatorClass(
                name=name,
                folder=path.parent,
                module=path.stem,
                method=constants["_method"],
                sets=frozenset(constants.get("_decides", ())),
                without=frozenset(constants.get("_without", ())),
                entries=entries,
            )
        )
    return sorted(found, key=lambda cls: (cls.folder, cls.name))


def _lineage(name: str, nodes: dict[str, tuple[Path, ast.ClassDef]]) -> Iterator[str]:
    yield name
    for base in nodes[name][1].bases if name in nodes else ():
        yield from _lineage(ast.unparse(base), nodes)


def _constants(node: ast.ClassDef) -> Iterator[tuple[str, object]]:
    """List assignments of literals in the body of a class; a frozenset counts as one."""
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and statement.value is not None:
            target, value = statement.target, statement.value
        elif isinstance(statement, ast.Assign):
            target, value = statement.targets[0], statement.value
        else:
            continue
        if not isinstance(target, ast.Name) or target.id not in ("_method", "_decides", "_without"):
            continue
        # frozenset({...}), or frozenset() for none.
        literal = (value.args or [ast.Tuple([])])[0] if isinstance(value, ast.Call) else value
        yield target.id, ast.literal_eval(literal)


def _entries(docstring: str) -> Iterator[Entry]:
    """Part the section of parameters into entries."""
    _, heading, rest = docstring.partition("Parameters\n----------\n")
    if not heading:
        return
    section = re.split(r"\n\n(?=\S[^\n]*\n---)|\Z", rest)[0].rstrip()
    for text in re.split(r"\n(?=\S)", section):
        head, _, body = text.partition("\n")
        name, _, words = head.partition(" : ")
        words, given, default = words.partition(", default=")
        yield Entry(name, words, default if given else None, textwrap.dedent(body).strip())
