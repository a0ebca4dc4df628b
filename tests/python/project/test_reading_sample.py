"""The texts of a fresh reading follow from the hash of a commit."""

from project_tools import tool
from rust_source import root


def test_equal_hashes_draw_equal_samples():
    reading = tool("reading_sample")
    texts = {
        place: list(found)
        for place, found in (("pages", reading.paragraphs(root())), ("names", reading.names(root())))
    }
    for found in texts.values():
        first, again, other = (reading.draw(seed, iter(found), 30, 0) for seed in ("1f0e", "1f0e", "77aa"))
        assert first == again
        assert first != other
        assert len({text for text, _ in first}) == 30


def test_a_sample_has_all_kinds_of_text_and_no_code():
    """Fenced code and tables are left out; entries of docstrings and blocks of comments are single texts."""
    reading = tool("reading_sample")
    found = reading.sample(root(), "1f0e")
    assert {title: len(texts) for title, texts in found.items()} == {
        "Pages": 30,
        "Docstrings": 30,
        "Rust comments": 30,
        "Names": 40,
    }
    for title in ("Pages", "Docstrings", "Rust comments"):
        for text, _ in found[title]:
            assert "```" not in text, text
            assert not text.startswith("|"), text


def test_descriptions_and_entries_of_a_docstring_are_separate():
    reading = tool("reading_sample")
    text = (
        "Fit a model.\n\nParameters\n----------\nX : table\n    Rows.\ny : list\n    Labels."
        "\n\nExamples\n--------\n>>> 1\n1\n"
    )
    assert [entry.strip() for entry in reading._entries(text)] == [
        "Fit a model.",
        "X : table\n    Rows.",
        "y : list\n    Labels.",
    ]


def test_an_unknown_commit_is_used_as_it_is():
    reading = tool("reading_sample")
    assert reading.full_hash(root(), "no such commit") == "no such commit"
    assert len(reading.full_hash(root(), "HEAD")) in (4, 40)
