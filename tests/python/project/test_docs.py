"""Every example of the README and the documentation runs, and prints the output on the page.

Those of Ray and Spark are marked `py`; sources/test_ray_spark.py runs them if these are installed.
"""

from __future__ import annotations

import inspect
import io
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from project_tools import tool

import imbcore
from imbcore._cli import cli
from imbcore._cli.console import run_command
from reproduce import names
from reproduce._command import command as papers

ROOT = Path(__file__).resolve().parents[3]
PAGES = tool("page_examples").PAGES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_print_the_output_on_the_page(page, tmp_path, monkeypatch):
    """Every example runs, and a block with its output follows it; `page_examples.py --write` writes these."""
    monkeypatch.chdir(tmp_path)
    examples = tool("page_examples").run(page, run_program)
    wrong = [f"{page.name}:{one.line}\n{one.printed}" for one in examples if not one.is_correct()]
    assert wrong == [], f"python python/tools/page_examples.py --write {page.relative_to(ROOT)}"


def run_program(program, args):
    """Run a command of a page in this process."""
    if program == "imbcore":
        assert run_command(cli, args) == 0, args
    else:
        with redirect_stdout(io.StringIO()):
            assert run_command(papers, arguments_of_papers(program, args)) == 0, args


PAGE = """# Page

```python
print("time: 1.25 s")
print(0.1 + 0.2)
```

```text
time: ... s
0.3
```

```python
x = 1
```

Text.
"""


@pytest.mark.parametrize(
    ("old", "new", "correct"),
    [
        ("", "", True),
        ("\n0.3\n", "\n0.31\n", False),
        ("x = 1\n", "print('more')\n", False),
        ("Text.\n", "```bash\nimbcore --version\n```\n", False),
        ("\n\nText.", "\n\n```text\nnot printed\n```\n\nText.", False),
    ],
)
def test_outputs_that_differ_are_found_and_written(old, new, correct, tmp_path, monkeypatch):
    """Kinds: another number, a missing output, a missing output of a command, an output of nothing."""
    monkeypatch.chdir(tmp_path)
    checker = tool("page_examples")
    page = tmp_path / "page.md"
    page.write_text(PAGE.replace(old, new), encoding="utf-8")
    examples = checker.run(page, run_program)
    assert all(one.is_correct() for one in examples) == correct
    page.write_text(checker.with_outputs(page.read_text(encoding="utf-8"), examples), encoding="utf-8")
    assert all(one.is_correct() for one in checker.run(page, run_program))
    assert ("time: ... s" in page.read_text(encoding="utf-8")) == (old != "\n0.3\n")


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
    for name in imbcore._HOME:
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
