"""Stored outputs of the studies have the wording of the scripts that write them.

The kind of defect: a script is reworded, and the page that it wrote months ago keeps the old text.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
STORED = sorted((ROOT / "python" / "docs" / "reproduction").glob("*/table.md"))
FIELD = "\ue000"
# Lists of results and facts of the run, figures, code, and titles, which stored pages may word differently.
OTHERS = re.compile(r"[|#!`-]|\s*$")


def triples(text):
    """All sequences of three words, without numbers and signs."""
    words = re.findall(rf"[A-Za-z]+|{FIELD}", text)
    return set(zip(words, words[1:], words[2:], strict=False))


@cache
def written():
    """Sequences of three words in the string literals of the scripts; the field of an f-string is a word."""
    found = set()
    for path in sorted((ROOT / "python" / "papers").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = [one.value if isinstance(one, ast.Constant) else FIELD for one in node.values]
                found |= triples("".join(parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= triples(node.value)
    return found


def is_written(triple):
    """Whether a script writes the three words, one of them possibly in a field."""
    a, b, c = triple
    return not written().isdisjoint({triple, (FIELD, b, c), (a, FIELD, c), (a, b, FIELD)})


def clauses(page):
    """Clauses of captions and paragraphs with at least six words, without lists of names and numbers."""
    for block in re.split(r"\n\s*\n", page):
        if not OTHERS.match(block):
            for clause in re.split(r"[.;:,] |[*]+", " ".join(block.split())):
                if len(re.findall(r"\b[a-z]{2,}\b", clause)) >= 6:
                    yield clause


def is_outdated(text):
    """Whether fewer than half of its sequences of three words occur in the scripts."""
    found = [is_written(triple) for triple in triples(text)]
    return sum(found) < len(found) / 2


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.parent.name)
def test_texts_are_those_of_the_scripts(path):
    page = path.read_text(encoding="utf-8")
    found = [text for text in clauses(page) if is_outdated(text)]
    assert found == [], "reword the page as the script does, or run the script again"


def test_an_outdated_text_is_found():
    assert not is_outdated("Fraction of the data sets on which ours is at least as good")
    assert is_outdated("Proportion of sets for which ours was not any worse")
