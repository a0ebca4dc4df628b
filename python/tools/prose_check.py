"""Count idioms of the old wording per 1,000 words in comments, docstrings, messages, help texts and pages.

Usage: python python/tools/prose_check.py [CHECKOUT] [--worst N]. Ends with 1 if a rate is above its limit.
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

# Idiom: regular expression, and limit per 1,000 words, about twice the rate of linfa and scikit-learn.
LIMITS = {
    "free relative (what a/is/the)": (
        r"(?i)(?<![a-z])what (?!if|about)(a|an|the|all|every|each|it|they|is|are|was|follows|some|single|costs?"
        r"|one"
        r"|rows?|this|of|those)\b",
        0.6,
    ),
    "where instead of if": (
        r"\b[Ww]here (there|they|it|a|an|the|no|all|one|nobody|somebody|that|these|each|every|rows?|classes)\b",
        1.0,
    ),
    "say/tell/hear/ask": (r"(?i)\b(says?|said|tells?|told|hears?|heard|asks?|asked|speaks?|spoken)\b", 0.8),
    "whoever/whatever/whichever": (r"(?i)\b(whoever|whatever|whichever|wherever)\b", 0.4),
    "nobody/somebody": (r"(?i)\b(nobody|somebody)\b", 0.1),
    "beside/besides": (r"(?i)\bbesides?\b", 0.2),
    "answer for predict": (r"(?i)\banswer\w*\b", 0.2),
    "law for distribution": (
        r"(?i)(?<!power )(?<!power-)(?<!strong )(?<!Pastur )\blaws?\b(?! of (large|total|iterated|succession))",
        0.1,
    ),
    "share for proportion": (
        r"(?i)\b(the|a|an|this|which|what|as|in|by|of|no|its|their|class|equal|large|small|larger|smaller)"
        r" shares?\b"
        r"|\bshares? of\b",
        0.1,
    ),
    "architecture metaphors": (
        r"(?i)\b(doors?|wings?|roads?|parcels?|crew|lessons?|ballots?|jury|(?<!high-)(?<!high )stakes?|tongues?"
        r"|front desk)\b",
        0.1,
    ),
}
FEWEST_WORDS = 5


def prose(text: str) -> str:
    """Leave out code blocks, doctest lines and inline code."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    text = re.sub(r"^\s*(>>>|\.\.\.).*$", "", text, flags=re.MULTILINE)
    return re.sub(r"`+[^`\n]*`+", "", text)


def of_rust(text: str) -> str:
    """Comments, and string literals of at least five words: parameter texts and messages."""
    lines = text.split("\n")
    comments = [re.sub(r"^\s*//[/!]?", "", line) for line in lines if re.match(r"\s*//", line)]
    code = "\n".join(line for line in lines if not re.match(r"\s*//", line))
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', code, re.DOTALL)
    return prose("\n".join([*comments, *(one for one in strings if len(one.split()) >= FEWEST_WORDS)]))


def of_python(text: str) -> str:
    """Comments, docstrings, and string literals of at least five words."""
    found = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        docstring = token.string.lstrip("rRuUbBfF").startswith(('"""', "'''"))
        if token.type == tokenize.COMMENT:
            found.append(token.string.lstrip("# "))
        elif token.type == tokenize.STRING and (docstring or len(token.string.split()) >= FEWEST_WORDS):
            found.append(token.string)
    return prose("\n".join(found))


def texts(root: Path) -> Iterator[tuple[str, Path, str]]:
    """Group, path and prose of every file; the file of these patterns is left out."""
    for folder in ("crates", "tests", "benches"):
        yield from (
            ("Rust", path, of_rust(path.read_text("utf-8"))) for path in (root / folder).rglob("*.rs")
        )
    for folder in ("python", "tests", "benches"):
        for path in (root / folder).rglob("*.py*"):
            if path.suffix in (".py", ".pyi") and path.name != "prose_check.py":
                yield "Python", path, of_python(path.read_text("utf-8"))
    for path in [*(root / "python" / "docs").rglob("*.md"), *root.glob("*.md")]:
        yield "pages", path, prose(path.read_text("utf-8"))
    templates = (root / "python" / "imbcore").rglob("*.html")
    yield from (("pages", path, prose(path.read_text("utf-8"))) for path in templates)


def n_words(text: str) -> int:
    """Count words, at least one."""
    return len(re.findall(r"[A-Za-z']+", text)) or 1


def main() -> int:
    """Print the rates; return 1 if one is above its limit."""
    arguments = sys.argv[1:]
    n_worst = int(arguments.pop(arguments.index("--worst") + 1)) if "--worst" in arguments else 0
    root = Path(next((one for one in arguments if not one.startswith("--")), "."))
    files = list(texts(root))
    groups = {
        name: "\n".join(text for group, _, text in files if group == name)
        for name in ("Rust", "Python", "pages")
    }
    above = 0
    print(f"{'per 1,000 words':32}" + "".join(f"{name:>10}" for name in groups) + f"{'limit':>10}")
    for name, (pattern, limit) in LIMITS.items():
        rates = [1000 * len(re.findall(pattern, text)) / n_words(text) for text in groups.values()]
        above += sum(rate > limit for rate in rates)
        shown = "".join(f"{rate:9.2f}{'*' if rate > limit else ' '}" for rate in rates)
        print(f"{name:32}{shown}{limit:10.2f}")
    rated = [
        (1000 * sum(len(re.findall(pattern, text)) for pattern, _ in LIMITS.values()) / n_words(text), path)
        for _, path, text in files
        if n_words(text) > 80
    ]
    for rate, path in sorted(rated, key=lambda one: -one[0])[:n_worst]:
        print(f"{rate:7.1f}  {path}")
    print(f"{above} of {len(LIMITS) * len(groups)} rates are above their limits (*)")
    return int(above > 0)


if __name__ == "__main__":
    sys.exit(main())
