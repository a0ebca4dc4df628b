"""Wording of comments, docstrings, messages, help texts and pages: rates of the idioms of the style guide."""

import json
import re
import subprocess
import sys
import tomllib

import pytest
from project_tools import all_texts, command_help, is_banned, printed_help, tool
from rust_source import root

SCRIPT = root() / "python" / "tools" / "prose_check.py"
# Idioms of six kinds in one sentence; one such sentence in a short file is above the limits. Its parts are
# too short to be read as prose of this file.
PLANTED = " ".join(
    ["Whoever asks", "beside the door", "hears what", "the leaf says", "where it has", "no law."]
)


def check(checkout):
    command = [sys.executable, str(SCRIPT), str(checkout)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_idioms_stay_below_their_limits():
    """The limits are below those of linfa, LightGBM and scikit-learn, and close to the present rates."""
    check = tool("prose_check")
    for group in ("Rust", "Python", "pages"):
        text = "\n".join(text for found, _, text in all_texts() if found == group)
        assert check.n_words(text) > 50_000
        assert check.above_limits(text) == {}, f"{group}: see python/tools/prose_check.py --worst 20"


def test_prose_has_no_banned_word():
    """Neither do comments, docstrings, messages and pages have one, except in terms such as "power law"."""
    usual = re.compile(rf"(?i)\b({'|'.join(tool('prose_check').WORDING['usual_terms'])})\b")
    assert [
        f"{path.relative_to(root())}: {word}"
        for _, path, text in all_texts()
        for word in re.findall(r"[a-z]+", usual.sub("", text).lower())
        if is_banned(word)
    ] == []


@pytest.mark.parametrize("texts", [printed_help, command_help], ids=["help", "--help"])
def test_printed_help_stays_below_the_limits(texts):
    """Texts composed at run time, such as those of the registry, are read as they are printed."""
    check = tool("prose_check")
    found = texts()
    assert len(found) > 10
    assert check.above_limits(check.prose("\n".join(found.values()))) == {}


WORDS = PLANTED.split()
SOURCES = {
    "crates/trees/src/doc.rs": f"/// {PLANTED}\nfn leaf() {{}}\n",
    "crates/trees/src/trailing.rs": f"const QUOTE: char = '\"'; // {PLANTED}\n",
    "crates/trees/src/block.rs": f"/* {PLANTED} */\n",
    "crates/trees/src/params.rs": f'params! {{ depth: u32 = 3, "1 to 9", "{PLANTED}"; }}\n',
    "crates/trees/src/continued.rs": 'const TEXT: &str = "' + " \\\n    ".join(WORDS) + '";\n',
    "crates/trees/src/raw.rs": f'const TEXT: &str = r#"{PLANTED}"#;\n',
    "crates/trees/src/template.txt": f"// {PLANTED}\n",
    "tests/rust/trees/leaf.rs": f"// {PLANTED}\n",
    "benches/leaf.rs": f"// {PLANTED}\n",
    "python/imbcore/docstring.py": f'"""{PLANTED}"""\n',
    "python/imbcore/comment.py": f"LEAF = 1  # {PLANTED}\n",
    "python/imbcore/message.py": f'raise ValueError("{PLANTED}")\n',
    "python/imbcore/adjacent.py": "TEXT = (\n" + "\n".join(f'    "{one} "' for one in WORDS) + "\n)\n",
    "python/imbcore/formatted.py": f'TEXT = f"{PLANTED} {{1 + 1}}"\n',
    "python/imbcore/stub.pyi": f'def leaf() -> int:\n    """{PLANTED}"""\n',
    "python/imbcore/page.html": f"<p>{PLANTED}</p>\n",
    "python/imbcore/comment.js": f"const leaf = 1; // {PLANTED}\n",
    "python/imbcore/message.js": f"show(`{PLANTED}`);\n",
    "python/imbcore/page.css": f"/* {PLANTED} */\n",
    "python/papers/study.py": f"# {PLANTED}\n",
    "python/tools/tool.py": f"# {PLANTED}\n",
    "python/docs/page.md": f"{PLANTED}\n",
    "python/docs/page.rst": f"{PLANTED}\n",
    "tests/python/test_leaf.py": f"# {PLANTED}\n",
    "benches/python/leaf.py": f"# {PLANTED}\n",
    "README.md": f"{PLANTED}\n",
    "Makefile": f"# {PLANTED}\n",
    "pyproject.toml": f"# {PLANTED}\n",
    ".github/workflows/leaf.yml": f"# {PLANTED}\n",
}


@pytest.mark.parametrize("place", SOURCES)
def test_every_kind_of_text_is_read(place, tmp_path):
    """A sentence planted in each kind of file, and in each kind of text in it, is found."""
    check = tool("prose_check")
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SOURCES[place], encoding="utf-8")
    ((_, found, text),) = check.texts(tmp_path)
    assert found == path
    above = check.above_limits(text)
    assert len(above) >= 6, (text, above)


CODE = {
    "python/docs/fence.md": f"```python\n# {PLANTED}\n```\n",
    "python/docs/inline.md": f"The example `{PLANTED}` is code.\n",
    "python/imbcore/doctest.py": f'"""Example.\n\n>>> "{PLANTED}"\n... "{PLANTED}"\n"""\n',
    "python/imbcore/short.py": f"WORDS = {WORDS}\n",
    "crates/trees/src/short.rs": f"const WORDS: [&str; {len(WORDS)}] = {json.dumps(WORDS)};\n",
    "crates/solver/licenses/text.md": f"{PLANTED}\n",
}


def test_no_source_file_is_left_out():
    """Every crate, package and folder of tests is read, except stored outputs and licenses.

    A folder name alone must not exclude a file: a crate may have the name of a folder of data.
    """
    check = tool("prose_check")
    read = set(check.files_of(root()))
    sources = {
        path
        for folder in ("crates", "python", "tests", "benches")
        for suffix in ("rs", "py", "pyi", "md", "html", "js", "css")
        for path in (root() / folder).rglob(f"*.{suffix}")
    }
    assert sources - read == set()
    crates = tomllib.loads((root() / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["members"]
    folders = [folder for member in crates for folder in root().glob(member)]
    assert len(folders) > 15
    for folder in folders:
        assert any(path.is_relative_to(folder) for path in read), folder


@pytest.mark.parametrize("name", ["data", "golden", "licenses", "target"])
def test_a_folder_is_left_out_by_its_place_not_by_its_name(name, tmp_path):
    check = tool("prose_check")
    path = tmp_path / "crates" / name / "src" / "lib.rs"
    path.parent.mkdir(parents=True)
    path.write_text(f"// {PLANTED}\n", encoding="utf-8")
    assert list(check.files_of(tmp_path)) == [path]


@pytest.mark.parametrize("place", CODE)
def test_code_is_not_read(place, tmp_path):
    check = tool("prose_check")
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(CODE[place], encoding="utf-8")
    assert [check.above_limits(text) for _, _, text in check.texts(tmp_path)] in ([], [{}])


def test_rates_above_a_limit_end_with_1(tmp_path):
    (tmp_path / "README.md").write_text(f"{PLANTED}\n", encoding="utf-8")
    found = check(tmp_path)
    assert found.returncode == 1
    assert "*" in found.stdout
