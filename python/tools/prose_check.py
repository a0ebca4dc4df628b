"""Count idioms of the old wording in comments, docstrings, messages, help and pages.

Usage: python python/tools/prose_check.py [CHECKOUT] [--worst N]. Ends with 1 if a rate is above its limit.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

WORDING = tomllib.loads((Path(__file__).parent / "wording.toml").read_text("utf-8"))
# Idiom: regular expression, and limit per 1,000 words.
LIMITS = {idiom["name"]: (idiom["pattern"], idiom["limit"]) for idiom in WORDING["idiom"]}
FEWEST_WORDS = 5
FOLDERS = ("crates", "python", "tests", "benches")
# License texts of others, and stored outputs, as paths in the checkout. Every other file in the folders is read.
SKIPPED = ("crates/py/licenses", "crates/solver/licenses", "tests/golden")

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


def project_files(root: Path, folders: tuple[str, ...] = FOLDERS) -> Iterator[Path]:
    """List the files of the project in these folders of a checkout, in order."""
    skipped = [root / folder for folder in SKIPPED]
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and not any(path.is_relative_to(other) for other in skipped):
                yield path


def files_of(root: Path) -> Iterator[Path]:
    """List the files of a checkout that are read, in order."""
    others = [
        *sorted(root.glob("*")),
        *sorted(root.glob("data/*.md")),
        *sorted((root / ".github").rglob("*")),
    ]
    for path in [*project_files(root), *(path for path in others if path.is_file())]:
        if path.suffix not in READERS or (not path.suffix and path.name != "Makefile"):
            continue
        # Templates of generated Rust code; other text files are tables and lists.
        if path.suffix == ".txt" and path.relative_to(root).parts[0] != "crates":
            continue
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
