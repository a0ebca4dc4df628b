"""Dependencies between the Rust files of a crate, derived from the text of the sources."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

_SKIPPED = re.compile(
    r"//[^\n]*|/\*.*?\*/"  # comments
    r'|b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?\'(?:\\[^\n]+?|[^\\\n])\'',  # strings, then characters
    re.DOTALL,
)
_DEFINED = re.compile(
    r"(?:^|[;{}\]\s])(?:fn|struct|enum|trait|type|const|static|union|macro_rules!)\s+(?:mut\s+)?(\w+)"
)
_USE = re.compile(r"^\s*(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);", re.MULTILINE)
_PATH = re.compile(r"(?<![\w:.])(\w+(?:::\w+)+)")
_MODULE = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;", re.MULTILINE)
_TEST = re.compile(r"#\[cfg\((?:test|all\(test[^\]]*)\)\]\s*(?:#\[[^\]]*\]\s*)*")


def root() -> Path:
    """Return the folder of the repository."""
    return Path(__file__).resolve().parents[2]


@dataclass
class RustFile:
    """One source file: its module path, the names that it defines, and those that it re-exports."""

    path: Path
    module: tuple[str, ...]
    text: str
    defined: set[str] = field(default_factory=set)
    named: dict[str, tuple[str, ...]] = field(default_factory=dict)
    globs: list[tuple[str, ...]] = field(default_factory=list)
    used: list[tuple[str, ...]] = field(default_factory=list)


def _without_tests(text: str) -> str:
    """The text without test-only code."""
    while found := _TEST.search(text):
        end = re.compile(r"[;{]").search(text, found.end())
        assert end is not None
        stop = end.end()
        if end.group() == "{":
            depth = 1
            while depth:
                depth += {"{": 1, "}": -1}.get(text[stop], 0)
                stop += 1
        text = text[: found.start()] + text[stop:]
    return text


def source(path: Path) -> str:
    """The code of one file, without comments, strings and tests."""
    text = _SKIPPED.sub(
        lambda found: " " if found.group()[0] == "/" else '""', path.read_text(encoding="utf-8")
    )
    return _without_tests(text)


@cache
def words_of(path: Path) -> frozenset[str]:
    """All identifiers of a file, without comments and strings."""
    return frozenset(re.findall(r"\w+", _SKIPPED.sub(" ", path.read_text(encoding="utf-8"))))


def _leaves(tree: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """All paths of a `use` tree, with the names that they bind."""
    tree = tree.strip()
    if "{" not in tree:
        path, _, alias = tree.partition(" as ")
        parts = tuple(part.strip() for part in path.split("::") if part.strip())
        if parts and parts[-1] == "self":
            parts = parts[:-1]
        if parts:
            yield parts, alias.strip() or parts[-1]
        return
    head, _, rest = tree.partition("{")
    stem = tuple(part.strip() for part in head.split("::") if part.strip())
    depth, start = 0, 0
    inner = rest.rsplit("}", 1)[0]
    for place, sign in enumerate(inner + ","):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if sign == "," and depth == 0:
            branch = inner[start:place].strip()
            if branch == "self":
                yield stem, stem[-1]
            elif branch:
                for path, name in _leaves(branch):
                    yield stem + path, name
            start = place + 1


class Crate:
    """The files of one crate, by module."""

    def __init__(self, folder: Path) -> None:
        self.files: dict[tuple[str, ...], RustFile] = {}
        self._read(folder / "src" / "lib.rs", ())
        for file in self.files.values():
            self._names(file)

    def _read(self, path: Path, module: tuple[str, ...]) -> None:
        text = source(path)
        self.files[module] = RustFile(path, module, text)
        inside = path.parent if path.name in ("lib.rs", "mod.rs", "main.rs") else path.with_suffix("")
        for child in _MODULE.findall(text):
            flat, folder = inside / f"{child}.rs", inside / child / "mod.rs"
            self._read(flat if flat.exists() else folder, (*module, child))

    def _names(self, file: RustFile) -> None:
        file.defined = set(_DEFINED.findall(file.text))
        for hands_on, tree in _USE.findall(file.text):
            for path, name in _leaves(tree):
                absolute = self._absolute(file.module, path)
                if absolute is None:
                    continue
                if name == "*":
                    file.globs.append(absolute[:-1])
                else:
                    file.named[name] = absolute
                if not hands_on:
                    # A name of the whole module is used; otherwise it would not be imported.
                    file.used.append(absolute if name != "*" else (*absolute[:-1], "*"))
        for path in _PATH.findall(_USE.sub("", file.text)):
            first, *rest = path.split("::")
            absolute = self._absolute(file.module, (first, *rest))
            if first in file.named:
                absolute = (*file.named[first], *rest)
            if absolute is not None:
                file.used.append(absolute)

    def _absolute(self, module: tuple[str, ...], path: tuple[str, ...]) -> tuple[str, ...] | None:
        """The path from the crate's root, or nothing for paths of other crates."""
        if path[0] == "crate":
            return path[1:]
        if path[0] == "self":
            return module + path[1:]
        while path and path[0] == "super":
            module, path = module[:-1], path[1:]
            if not path or path[0] != "super":
                return module + path
        if (*module, path[0]) in self.files:
            return module + path
        return None

    def home(self, path: tuple[str, ...], seen: frozenset[tuple[str, ...]] = frozenset()) -> RustFile | None:
        """The file that defines `path`, following re-exports."""
        depth = next(n for n in range(len(path), -1, -1) if path[:n] in self.files)
        file = self.files[path[:depth]]
        if depth == len(path) or path[depth] in file.defined or path[depth] == "*":
            return file
        if path in seen:
            return None
        for target in (file.named.get(path[depth]), *((*glob, path[depth]) for glob in file.globs)):
            if target is not None and (found := self.home(target + path[depth + 1 :], seen | {path})):
                return found
        return None

    def arrows(self) -> dict[Path, dict[Path, set[str]]]:
        """For every file, the other files that it takes names from, with these names."""
        arrows: dict[Path, dict[Path, set[str]]] = {}
        for file in self.files.values():
            taken = arrows.setdefault(file.path, {})
            for path in file.used:
                # A bare module is only a prefix; the names used through it are listed separately.
                home = None if path in self.files else self.home(path)
                if home is not None and home is not file:
                    taken.setdefault(home.path, set()).add(path[-1])
        return arrows


def circles(arrows: dict[Path, dict[Path, set[str]]]) -> list[list[Path]]:
    """Strongly connected components of more than one file (Tarjan 1972)."""
    index: dict[Path, int] = {}
    low: dict[Path, int] = {}
    stack: list[Path] = []
    found: list[list[Path]] = []

    def visit(node: Path) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in arrows.get(node, {}):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            ring = [stack.pop()]
            while ring[-1] != node:
                ring.append(stack.pop())
            if len(ring) > 1:
                found.append(sorted(ring))

    for node in arrows:
        if node not in index:
            visit(node)
    return found
