"""Count lines of code by layer: no comments, docstrings, blank lines or tests.

Usage: python python/tools/code_size.py [CHECKOUT]
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from pathlib import Path

LAYOUT_TOKENS = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}


def python_lines(text: str) -> int:
    """Count the lines of Python that contain code."""
    docstrings = set()
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            first = body[0]
            if isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
                docstrings |= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT_TOKENS and token.type != tokenize.ENDMARKER:
            lines |= set(range(token.start[0], token.end[0] + 1))
    return len(lines - docstrings)


def rust_lines(text: str) -> int:
    """Count the lines of Rust that contain code, up to the unit tests at the end of a file."""
    code = re.split(r"^#\[cfg\(test\)\]\nmod \w+ \{", text, maxsplit=1, flags=re.MULTILINE)[0]
    lines = (line.strip() for line in code.splitlines())
    return sum(bool(line) and not line.startswith("//") for line in lines)


def layers(root: Path) -> Counter[str]:
    """Lines of code of each crate, Python package and folder of scripts."""
    counts: Counter[str] = Counter()
    for path in sorted((root / "crates").rglob("*.rs")):
        parts = path.relative_to(root).parts
        if parts[1] != "tests" and "tests" not in parts and path.stem != "tests":
            counts["/".join(parts[:2])] += rust_lines(path.read_text(encoding="utf-8"))
    for folder in ("python/imbcore", "python/tools", "python/papers", "python/examples"):
        for path in sorted((root / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            inner = path.relative_to(root / folder).parts
            layer = f"{folder}/{inner[0]}" if folder == "python/imbcore" and len(inner) > 1 else folder
            if text.startswith("# Written by `make generate`"):
                layer = "generated Python"
            counts[layer] += python_lines(text)
    for path in sorted((root / "python" / "imbcore" / "_signatures").glob("*.pyi")):
        counts["type stub (all lines)"] += len(path.read_text(encoding="utf-8").splitlines())
    return counts


def main() -> None:
    """Print the lines of each layer and the sum of the hand-written ones."""
    counts = layers(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    for layer, lines in counts.items():
        print(f"{lines:7d}  {layer}")
    apart = ("generated Python", "type stub (all lines)")
    print(f"{sum(lines for layer, lines in counts.items() if layer not in apart):7d}  hand-written")


if __name__ == "__main__":
    main()
