"""Reasons on the pages about the papers are backed by a run or by a source, named next to them.

A number on these pages comes from a command. A reason for a number does too: without a run that shows it,
the page states the observation only.
"""

import re
from pathlib import Path

import pytest

from reproduce import names

DOCS = Path(__file__).parents[3] / "python" / "docs"

PAGES = [
    "alpha-trees-and-beat.md",
    "bayes-fidelity.md",
    "bayes-gaps.md",
    "bayes-null-results.md",
    "bayes-resampling.md",
    "bayes.md",
    "boxes.md",
    "decompositions.md",
    "hddt-and-decompositions.md",
    "pruning.md",
    "reproduction-boxes.md",
    "reproduction-thesis.md",
    "reproduction.md",
    "svr-tree.md",
]

# "so that" states a purpose, and "explains codes" a topic of a page.
REASON = re.compile(
    r"\b(because|since|com(?:es?|ing) from|came from|due to|owing to|thanks to|results? from|stems? from|"
    r"therefore|hence|thus|as a result|which is why|(?:likely|possible|main) (?:cause|reason)|"
    r"the (?:cause|reason) is|caused? by|explains? (?:this|that|why|the|most|some)|explained by|"
    r"accounts? for)\b|, so (?!that\b)",
    re.IGNORECASE,
)

# A command, script or test in a code span, or a stored output of a command.
RUN = re.compile(
    r"`(?:python )?(?:make [a-z]|python/papers/|benches/|tests/)[^`]*`|\]\(reproduction/",
)

# A place in the literature: a number of an equation, or author and year.
SOURCE = re.compile(
    r"\b(?:[Ee]quations?|eq\.|section|chapter|proposition|theorem|algorithm|[Tt]able|part) \d|"
    r"\b[A-Z]\w+(?: et al\.)?,? \(?(?:19|20)\d\d"
)


def statements(text):
    """Split a page without code and headers of tables into paragraphs, list items and rows of tables."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^\|.*\n(?=\|[-| :]+\|$)|^#+ .*$", "", text, flags=re.MULTILINE)
    blocks = re.split(r"\n\s*\n|\n(?=\s*(?:[-*] |\d+\. |\|))", text)
    return [" ".join(block.split()) for block in blocks if block.strip()]


def unbacked(text):
    """Find the statements that give a reason without a run or a source."""
    return [
        (found[0], statement)
        for statement in statements(text)
        if (found := REASON.search(statement)) and not RUN.search(statement) and not SOURCE.search(statement)
    ]


@pytest.mark.parametrize("page", PAGES)
def test_reasons_are_backed_by_a_run_or_a_source(page):
    assert unbacked((DOCS / page).read_text(encoding="utf-8")) == []


def sections_with_results(text):
    """Sections of a page that link to stored results."""
    return [section for section in re.split(r"\n(?=#+ )", text) if "](reproduction/" in section]


@pytest.mark.parametrize("page", sorted({page.name for page in DOCS.glob("*.md")} - set(PAGES)))
def test_reasons_in_sections_with_stored_results_are_backed(page):
    """Other pages describe methods, too; their sections with results of studies follow the same rule."""
    sections = sections_with_results((DOCS / page).read_text(encoding="utf-8"))
    assert [found for section in sections for found in unbacked(section)] == []


def test_every_page_with_results_of_papers_is_checked():
    """A page that compares with print is in the list, for every experiment that reruns a paper."""
    compares = re.compile(
        rf"(?:reproduce |NAME=\"?|\]\(reproduction/)(?:{'|'.join(map(re.escape, names()))})\b"
    )
    found = {page.name for page in DOCS.glob("*.md") if compares.search(page.read_text(encoding="utf-8"))}
    assert len(found) >= 8
    assert found - {"command-line.md", "compare.md", "architecture.md"} <= set(PAGES)


def test_reasons_are_recognized():
    bare = "F is better by 0.1, because trees are small."
    assert unbacked(bare)
    assert unbacked("- The numbers come from folds.\n- A run: `make paper NAME=svr-table3`.")
    assert unbacked("The leaf limit is the likely cause.\n\n`make paper NAME=svr-table3` draws it.")
    assert not unbacked(bare[:-1] + " (`make paper NAME=svr-table3`).")
    assert not unbacked(
        "A path contains all of them, because they are nested (Breiman et al. 1984, chapter 3)."
    )
    assert unbacked("Leaves are small (0.5 of the rows), because the limit is low.")
    assert not unbacked("```python\n# because\n```\nText.")
