"""Every example of the README and the documentation runs as printed.

Those of Ray and Spark are marked `py`; sources/test_ray_spark.py runs them if these are installed.
"""

from __future__ import annotations

import inspect
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import imbcore
from imbcore._cli import cli
from imbcore._cli.console import run_command
from reproduce import names
from reproduce._command import command as papers

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "python" / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    whole = page.read_text(encoding="utf-8")
    for block in BLOCK.finditer(whole):
        language, text = block.groups()
        if language == "python":
            # Blank lines above, so that a traceback shows the line of the page.
            above = "\n" * whole.count("\n", 0, block.start(2))
            exec(compile(above + text, str(page), "exec"), names)
        elif language == "bash":
            for line in filter(None, text.splitlines()):
                program, *args = shlex.split(line, comments=True)
                if program == "imbcore":
                    assert run_command(cli, args) == 0, line
                else:
                    assert run_command(papers, arguments_of_papers(program, args)) == 0, line


def arguments_of_papers(program, args):
    """Arguments that ``make paper NAME=... ARGS=...`` passes on, without those for all cores."""
    assert (program, args[0]) == ("make", "paper"), "only these commands can be tested"
    given = dict(word.split("=", 1) for word in args[1:])
    assert given.keys() <= {"NAME", "ARGS"}
    return [*shlex.split(given.get("NAME", "all --quick")), *shlex.split(given.get("ARGS", ""))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_the_text_exist(page):
    """A command that moves or disappears is not left on a page."""
    text = re.sub(r"\s+", " ", page.read_text(encoding="utf-8"))
    assert set(re.findall(r"`imbcore ([a-z][\w-]*)", text)) <= set(cli.commands)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert set(re.findall(r"`make ([a-z]\S*?)[` ]", text)) <= set(
        re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)
    )
    named = re.findall(r'make paper NAME=(?:"([^"]+)"|([\w-]+))', text)
    assert {name for words in named for name in " ".join(words).split()} <= set(names())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_resolve(page):
    """The file of a link exists, and so does the heading that its anchor names."""
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if not target.startswith(("https://", "mailto:")):
            path, _, anchor = target.partition("#")
            linked = page.parent / path if path else page
            assert linked.exists(), target
            assert not anchor or anchor in anchors(linked), target


def anchors(page):
    """Anchors of the headings of a page, as GitHub and MyST derive them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^#{1,3} (.*)$", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text), re.MULTILINE)
    found = [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles]
    return {f"{name}-{n}" if (n := found[:at].count(name)) else name for at, name in enumerate(found)}


def test_anchors_are_derived_from_headings(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "# A `b`: c\n## Cost, by class\n```python\n# no heading\n```\n## A `b`: c\n", encoding="utf-8"
    )
    assert anchors(page) == {"a-b-c", "cost-by-class", "a-b-c-1"}


@pytest.mark.parametrize("page", sorted((ROOT / "python" / "docs").rglob("*.md")), ids=lambda page: page.name)
def test_pages_contain_no_registry_hosts_or_local_paths(page):
    own = r"(?:pypi|files\.pythonhosted|crates|anaconda|npmjs)\.(?:org|io|com)|(?<![\w.])/(?:tmp|home|root)/"
    assert re.findall(own, page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("page", sorted((ROOT / "python" / "docs").rglob("*.md")), ids=lambda page: page.name)
def test_every_page_has_a_title(page):
    assert re.match(r"# \S", page.read_text(encoding="utf-8"))


def test_contribution_page_names_every_crate():
    page = (ROOT / "python" / "docs" / "add-a-criterion-or-method.md").read_text(encoding="utf-8")
    for crate in (ROOT / "crates").iterdir():
        assert f"`crates/{crate.name}`" in page


def test_every_page_is_in_the_index():
    index = (ROOT / "python" / "docs" / "index.md").read_text(encoding="utf-8")
    for page in PAGES[1:]:
        assert page.name == "index.md" or f"({page.name})" in index


def test_every_public_name_has_a_page(tmp_path):
    """Families are linked from the top page; public modules must be on the site, too."""
    script = ROOT / "python" / "tools" / "api_pages.py"
    subprocess.run([sys.executable, script, tmp_path], check=True, timeout=110)
    pages = "".join(page.read_text(encoding="utf-8") for page in (tmp_path / "api").iterdir())
    listed = set(re.findall(r"^   (imbcore\..+)$", pages, re.MULTILINE))
    for name in imbcore.__all__:
        value = getattr(imbcore, name)
        if inspect.ismodule(value):
            inside = [inner for inner in value.__all__ if callable(getattr(value, inner))]
            # An object of the top level has its page there.
            shared = {inner for inner in inside if getattr(imbcore, inner, None) is getattr(value, inner)}
            assert {f"imbcore.{name}.{inner}" for inner in inside if inner not in shared} <= listed, name
            assert all({f"imbcore.{inner}", f"imbcore.{name}.{inner}"} & listed for inner in shared), name
            assert value.__doc__.splitlines()[0] in pages
        elif callable(value) and not hasattr(value, "__args__"):
            assert {f"imbcore.{name}", f"imbcore.exceptions.{name}"} & listed, name


def test_demo_writes_its_report(tmp_path):
    """`make demo` is not part of `make test`, and no test imports its script."""
    script = ROOT / "python" / "examples" / "demo.py"
    subprocess.run(
        [sys.executable, script, "--output", tmp_path], check=True, timeout=110, capture_output=True
    )
    assert "<html" in (tmp_path / "report.html").read_text(encoding="utf-8")
