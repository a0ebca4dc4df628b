"""Count idioms of the old wording in comments, docstrings, messages, help and pages.

Usage: python python/tools/prose_check.py [CHECKOUT] [--worst N]. Ends with 1 if a rate is above its limit.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Callable, Iterator, Mapping
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
FOLDERS = ("crates", "python", "tests", "benches")
# Texts of others, outputs of builds, and the file of these patterns.
SKIPPED = {"licenses", "target", "node_modules", "golden", "data", "__pycache__", "prose_check.py"}

_RUST = re.compile(
    r'//[/!]?(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/|b?r(?P<hashes>#*)"(?P<raw>.*?)"(?P=hashes)'
    r'|b?"(?P<text>(?:\\.|[^"\\])*)"|b?\'(?:\\[^\n]+?|[^\\\n])\'',
    re.DOTALL,
)
_SCRIPT = re.compile(
    r"(?<!:)//(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/"
    r"|(?P<hashes>[\"'`])(?P<text>(?:\\.|(?!(?P=hashes))[^\\])*)(?P=hashes)",
    re.DOTALL,
)


def prose(text: str) -> str:
    """Leave out code blocks, doctest lines and inline code."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    text = re.sub(r"^[\s|]*(>>>|\.\.\.).*$", "", text, flags=re.MULTILINE)
    return re.sub(r"`+[^`\n]*`+", "", text)


def _is_sentence(text: str) -> bool:
    return len(text.split()) >= FEWEST_WORDS


def _matches(pattern: re.Pattern[str], text: str) -> str:
    """Comments, then string literals of at least five words: parameter texts and messages."""
    comments, strings = [], []
    for found in pattern.finditer(text):
        part = found.groupdict()
        comment = part["line"] if part["line"] is not None else part["block"]
        literal = part["text"] if part["text"] is not None else part.get("raw")
        if comment is not None:
            comments.append(comment)
        elif literal is not None and _is_sentence(literal):
            strings.append(re.sub(r"\\\n\s*", "", literal))
    return prose("\n".join(comments)) + "\n" + prose("\n".join(strings))


def of_rust(text: str) -> str:
    """Comments and string literals of a Rust file."""
    return _matches(_RUST, text)


def of_script(text: str) -> str:
    """Comments and string literals of a JavaScript or CSS file."""
    return _matches(_SCRIPT, text)


def of_python(text: str) -> str:
    """Comments, docstrings, and string literals of at least five words after joining."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    found = [token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT]
    parts: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.JoinedStr):
            constants = [one for one in node.values if isinstance(one, ast.Constant)]
            parts |= {id(one) for one in constants}
            literal = "".join(str(one.value) if one in constants else "0" for one in node.values)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            parts.add(id(node.value))
            found.append(str(node.value.value))
            continue
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            literal = node.value
        else:
            continue
        if _is_sentence(literal):
            found.append(literal)
    return prose("\n".join(found))


def of_configuration(text: str) -> str:
    """Comments of a Makefile, and of TOML and YAML files."""
    return prose("\n".join(re.findall(r"(?:^|\s)#+ (.*)$", text, re.MULTILINE)))


READERS: Mapping[str, tuple[str, Callable[[str], str]]] = {
    ".rs": ("Rust", of_rust),
    ".py": ("Python", of_python),
    ".pyi": ("Python", of_python),
    ".md": ("pages", prose),
    ".rst": ("pages", prose),
    ".html": ("pages", prose),
    ".js": ("pages", of_script),
    ".css": ("pages", of_script),
    ".txt": ("Rust", of_rust),
    ".toml": ("pages", of_configuration),
    ".yml": ("pages", of_configuration),
    "": ("pages", of_configuration),
}


def files_of(root: Path) -> Iterator[Path]:
    """List the files of a checkout that are read, in order."""
    places = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*"))]
    places += [*sorted(root.glob("*")), *sorted((root / ".github").rglob("*"))]
    for path in places:
        inside = path.relative_to(root)
        if path.suffix not in READERS or SKIPPED & set(inside.parts) or not path.is_file():
            continue
        if path.suffix == ".txt" and inside.parts[0] != "crates":
            continue
        if path.suffix or path.name == "Makefile":
            yield path


def texts(root: Path) -> Iterator[tuple[str, Path, str]]:
    """Group, path and prose of every file."""
    for path in files_of(root):
        group, reader = READERS[path.suffix]
        yield group, path, reader(path.read_text("utf-8"))


def n_words(text: str) -> int:
    """Count words, at least one."""
    return len(re.findall(r"[A-Za-z']+", text)) or 1


def rate(pattern: str, text: str) -> float:
    """Count matches per 1,000 words."""
    return 1000 * len(re.findall(pattern, text)) / n_words(text)


def above_limits(text: str) -> dict[str, float]:
    """Rates of a text that are above their limits, by idiom."""
    rates = {name: rate(pattern, text) for name, (pattern, _) in LIMITS.items()}
    return {name: found for name, found in rates.items() if found > LIMITS[name][1]}


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
    print(f"{'per 1,000 words':32}" + "".join(f"{name:>10}" for name in groups) + f"{'limit':>10}")
    for name, (pattern, limit) in LIMITS.items():
        rates = [rate(pattern, text) for text in groups.values()]
        shown = "".join(f"{found:9.2f}{'*' if found > limit else ' '}" for found in rates)
        print(f"{name:32}{shown}{limit:10.2f}")
    rated = [
        (sum(rate(pattern, text) for pattern, _ in LIMITS.values()), path)
        for _, path, text in files
        if n_words(text) > 80
    ]
    for found, path in sorted(rated, key=lambda one: -one[0])[:n_worst]:
        print(f"{found:7.1f}  {path}")
    above = sum(len(above_limits(text)) for text in groups.values())
    print(f"{above} of {len(LIMITS) * len(groups)} rates are above their limits (*)")
    return int(above > 0)


if __name__ == "__main__":
    sys.exit(main())
