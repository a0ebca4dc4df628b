"""Draw texts and names for a fresh reading of the documentation, from the hash of a commit.

Usage: PYTHONPATH=python python python/tools/reading_sample.py [COMMIT]. Any word works in place of a commit.

Prints 30 paragraphs of pages, 30 docstrings and 30 Rust comments, with page, public name or file, and
40 names with their module path, all without code. A reader writes one sentence of meaning for each.
"""

from __future__ import annotations

import inspect
import random
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from prose_check import prose
from public_names import public_objects
from type_names import python_definitions, rust_functions, rust_types

N_TEXTS = 30
N_NAMES = 40
FEWEST_WORDS = 7

Sample = list[tuple[str, str]]

_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_SECTION = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}$", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*//[/!]? ?(.*)$")
_LISTS = {"Parameters", "Attributes", "Returns", "Yields", "Raises"}


def paragraphs(root: Path) -> Iterator[tuple[str, str]]:
    """List the paragraphs and list items of the pages, with their file."""
    for path in [*sorted((root / "python" / "docs").glob("*.md")), root / "README.md"]:
        text = _FENCE.sub("", path.read_text(encoding="utf-8"))
        for block in re.split(r"\n\s*\n|\n(?=\s*[-*] )", text):
            if not re.match(r"\s*([#|<!:]|---)", block):
                yield f"{path.relative_to(root)}", textwrap.dedent(block).strip()


def _entries(docstring: str) -> Iterator[str]:
    """Split a docstring into its description and the entries of its lists."""
    parts = _SECTION.split(inspect.cleandoc(docstring))
    yield parts[0]
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        if title in _LISTS:
            yield from re.split(r"\n(?=\S)", body.strip("\n"))


def docstrings() -> Iterator[tuple[str, str]]:
    """List the descriptions and the entries of all public docstrings, registry texts included."""
    for name, found in public_objects().items():
        if not callable(found):
            continue
        members = [(name, found)]
        if inspect.isclass(found):
            public = [one for one in vars(found) if not one.startswith("_")]
            members += [(f"{name}.{one}", inspect.getattr_static(found, one)) for one in public]
        for place, member in members:
            documented = isinstance(member, (type, property, classmethod, staticmethod)) or callable(member)
            docstring = getattr(member, "__doc__", None) if documented else None
            yield from ((place, entry) for entry in _entries(docstring or ""))


def comments(root: Path) -> Iterator[tuple[str, str]]:
    """List the comments of the crates, each block of lines as one, without headings of sections."""
    for path in sorted((root / "crates").rglob("*.rs")):
        block: list[str] = []
        for number, line in enumerate([*path.read_text(encoding="utf-8").split("\n"), ""]):
            found = _COMMENT.match(line)
            if found and not found[1].startswith("#"):
                block.append(found[1])
            elif block:
                yield f"{path.relative_to(root)}:{number}", "\n".join(block).strip()
                block = []


def names(root: Path) -> Iterator[tuple[str, str]]:
    """List types, functions and methods with their module path, outside tests."""
    python = [found for found, _ in python_definitions(root) if found.path.parts[:2] == ("python", "imbcore")]
    rust = (*rust_types(root), *rust_functions(root, tests=False))
    for found in (*python, *rust):
        parts = [one for one in found.path.with_suffix("").parts[1:] if one not in ("src", "mod", "lib")]
        separator = "." if found.path.suffix == ".py" else "::"
        if not found.name.startswith("__") and not {"tests", "oracle"} & set(parts):
            yield str(found.path), separator.join(filter(None, [*parts, found.owner, found.name]))


def draw(seed: str, texts: Iterator[tuple[str, str]], size: int, fewest_words: int) -> Sample:
    """Draw distinct texts with enough words outside code; equal seeds draw equal texts."""
    places = {
        text: place for place, text in texts if len(re.findall(r"[A-Za-z]{2,}", prose(text))) >= fewest_words
    }
    drawn = random.Random(seed).sample(sorted(places), min(size, len(places)))
    return [(text, places[text]) for text in drawn]


def sample(root: Path, commit: str) -> dict[str, Sample]:
    """Draw all texts and names, by title."""
    texts = {"Pages": paragraphs(root), "Docstrings": docstrings(), "Rust comments": comments(root)}
    found = {title: draw(f"{commit} {title}", some, N_TEXTS, FEWEST_WORDS) for title, some in texts.items()}
    return found | {"Names": draw(f"{commit} Names", names(root), N_NAMES, 0)}


def full_hash(root: Path, commit: str) -> str:
    """Return the full hash of a commit; the word itself if git does not know it."""
    command = ["git", "-C", str(root), "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.strip() or commit


def main() -> None:
    """Print the sample, numbered."""
    root = Path(__file__).resolve().parents[2]
    commit = full_hash(root, sys.argv[1] if len(sys.argv) > 1 else "HEAD")
    print(f"Sample of {commit}")
    for title, texts in sample(root, commit).items():
        print(f"\n## {title}\n")
        for number, (text, place) in enumerate(texts, 1):
            heading = "" if title == "Names" else f"{place}\n    "
            print(f"{number}. {heading}{textwrap.indent(text, '    ').strip()}")


if __name__ == "__main__":
    main()
