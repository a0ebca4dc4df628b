"""The texts of a fresh reading follow from the hash of a commit."""

import shutil
import subprocess

import pytest
from project_tools import tool
from rust_source import root


def test_equal_hashes_draw_equal_samples():
    reading = tool("reading_sample")
    texts = [(f"{place}.md", f"The text number {number}") for place in "ab" for number in range(100)]
    first, again, other = (reading.draw(seed, iter(texts), 30, 0) for seed in ("1f0e", "1f0e", "77aa"))
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


def git(folder, *args):
    """Output of git in a folder, with an identity of its own."""
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    command = ["git", "-C", str(folder), *identity, *args]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_commits_are_named_by_their_full_hash(tmp_path):
    """Names and prefixes of a commit draw its sample; other words are used as they are."""
    reading = tool("reading_sample")
    git(tmp_path, "init", "--quiet")
    for title in ("one", "two"):
        git(tmp_path, "commit", "--quiet", "--allow-empty", "--message", title)
    one, two = git(tmp_path, "rev-parse", "HEAD~1"), git(tmp_path, "rev-parse", "HEAD")
    assert len({one, two}) == 2
    assert [len(one), len(two)] == [40, 40]
    assert reading.full_hash(tmp_path, "HEAD") == two
    assert reading.full_hash(tmp_path, one[:12]) == one
    assert reading.full_hash(tmp_path, "no such commit") == "no such commit"
