"""Count shared type names, type names that are no nouns, and functions named `of` or `at`.

Usage: python python/tools/type_names.py [CHECKOUT] [--list]. Ends with 1 if a count is above its limit.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from prose_check import WORDING

# Percentage of visible types that may share their name with another one.
MOST_SHARED = 5.0
REPEATED = {"Params", "Learner", "Model", "Error", "Node", "Split", "Step"}
# Participles, pronouns, adverbs and prepositions that have no meaning alone.
NO_NOUNS = frozenset(WORDING["no_nouns"])
PREPOSITIONS = frozenset(WORDING["prepositions"])

_TYPE = re.compile(r"^\s*(pub(?:\([a-z ]+\))? )?(?:struct|enum|trait|union|type) ([A-Z]\w*)", re.MULTILINE)
_FUNCTION = re.compile(r"\bfn ([a-z_]\w*)")
# Associated types repeat the name that their trait gives them.
_ASSOCIATED = re.compile(r"^\s+type \w+( =|:|;).*$", re.MULTILINE)
_OWNER = re.compile(
    r"(?:unsafe )?(?:impl(?:<.*?>)? (?:.* for )?|(?:pub(?:\([a-z ]+\))? )?trait )&?(?:\w+::)*([A-Z]\w*)"
)
_TESTS = re.compile(r"^#\[cfg\(test\)\]\nmod \w+ \{", re.MULTILINE)


@dataclass(frozen=True)
class Name:
    """A type or a function, the file that defines it, and the type of a method."""

    name: str
    path: Path
    visible: bool = False
    owner: str = ""


def _rust(path: Path, *, tests: bool) -> str:
    text = path.read_text(encoding="utf-8")
    return text if tests else _TESTS.split(text, maxsplit=1)[0]


def rust_types(root: Path) -> Iterator[Name]:
    """List the types of all crates outside tests."""
    for path in sorted((root / "crates").rglob("*.rs")):
        for visible, name in _TYPE.findall(_ASSOCIATED.sub("", _rust(path, tests=False))):
            yield Name(name, path.relative_to(root), bool(visible))


def rust_functions(root: Path, *, tests: bool = True) -> Iterator[Name]:
    """List the functions and methods of all Rust files, with or without those of tests."""
    for folder in ("crates", "tests", "benches") if tests else ("crates",):
        for path in sorted((root / folder).rglob("*.rs")):
            owner = ""
            for line in _rust(path, tests=tests).split("\n"):
                if line.startswith("}"):
                    owner = ""
                elif found := _OWNER.match(line):
                    owner = found[1]
                for name in _FUNCTION.findall(line):
                    yield Name(name, path.relative_to(root), owner=owner)


@cache
def python_definitions(root: Path) -> tuple[tuple[Name, bool], ...]:
    """List the classes and functions of all Python files, and whether each is a function."""
    return tuple(_definitions(root))


def _definitions(root: Path) -> Iterator[tuple[Name, bool]]:
    for folder in ("python", "tests", "benches"):
        for path in sorted((root / folder).rglob("*.py")):
            owners: dict[ast.AST, str] = {}
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    owners |= dict.fromkeys(node.body, node.name)
                if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                    visible = not node.name.startswith("_")
                    found = Name(node.name, path.relative_to(root), visible, owners.get(node, ""))
                    yield found, not isinstance(node, ast.ClassDef)


def shared_types(root: Path) -> tuple[dict[str, list[Path]], int]:
    """Visible type names that occur more than once, with files, and the number of all types."""
    homes: dict[str, list[Path]] = defaultdict(list)
    for found in rust_types(root):
        if found.visible and found.name not in REPEATED:
            homes[found.name].append(found.path)
    return {name: paths for name, paths in homes.items() if len(paths) > 1}, sum(map(len, homes.values()))


def no_nouns(root: Path) -> list[Name]:
    """Rust types and Python classes whose name is on the list of words that are no nouns."""
    classes = [found for found, is_function in python_definitions(root) if not is_function]
    return [found for found in [*rust_types(root), *classes] if found.name.strip("_") in NO_NOUNS]


def prepositions(root: Path) -> list[Name]:
    """Functions that are named after a preposition."""
    functions = [found for found, is_function in python_definitions(root) if is_function]
    return [found for found in [*rust_functions(root), *functions] if found.name.strip("_") in PREPOSITIONS]


def main() -> int:
    """Print the three counts, and with ``--list`` the names; return 1 if one is above its limit."""
    root = Path(next((one for one in sys.argv[1:] if not one.startswith("--")), "."))
    shared, total = shared_types(root)
    n_shared = sum(map(len, shared.values()))
    percentage = 100 * n_shared / max(total, 1)
    odd, functions = no_nouns(root), prepositions(root)
    print(f"visible types: {total}; with the name of another: {n_shared} ({percentage:.1f} %)")
    print(f"types on the list of words that are no nouns: {len(odd)}")
    print(f"functions named after a preposition: {len(functions)}")
    if "--list" in sys.argv:
        for name, paths in sorted(shared.items(), key=lambda item: (-len(item[1]), item[0])):
            print(f"  {name}: {', '.join(map(str, paths))}")
        print("\n".join(f"  {found.name}: {found.path}" for found in [*odd, *functions]))
    return int(percentage > MOST_SHARED or bool(odd) or bool(functions))


if __name__ == "__main__":
    sys.exit(main())
