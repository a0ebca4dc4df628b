"""Names and first lines: banned words, shapes of names, and the length and start of first doc lines.

`names_allowed.txt` lists what other changes rename now; an entry that is no longer needed fails the test.
"""

import ast
import keyword
import re
import tokenize
from pathlib import Path

import pytest
from project_tools import is_banned, tool
from rust_source import root, words_of

ROOT = root()
LONGEST_FIRST_LINE = 90
STARTS = re.compile(r"(What|Where|Whoever|How)\b")


def parts(name):
    """Lower-case words of a snake-case or camel-case name."""
    return [one.lower() for one in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def files(*suffixes, folders=("crates", "python", "tests", "benches")):
    """Source files that belong to the project."""
    return [path for path in tool("prose_check").project_files(ROOT, folders) if path.suffix in suffixes]


def allowed(kind):
    """The entries of one kind: pairs of a file, or a folder that ends in a slash, and a name."""
    lines = (Path(__file__).parent / "names_allowed.txt").read_text(encoding="utf-8").splitlines()
    entries = [line.split() for line in lines if line and not line.startswith("#")]
    return [(path, name) for found, path, name in entries if found == kind]


def refused(kind, found):
    """Names that are not allowed, and entries of the list that are no longer needed."""
    left, used = [], set()
    for path, name in found:
        entry = next(
            (
                one
                for one in allowed(kind)
                if one[1] in (name, "*") and (path == one[0] or path.startswith(one[0]))
            ),
            None,
        )
        if entry is None:
            left.append(f"{path}: {name}")
        else:
            used.add(entry)
    return left, [
        f"{path} {name}: no longer needed" for path, name in allowed(kind) if (path, name) not in used
    ]


def identifiers(path):
    """All identifiers of a source file."""
    if path.suffix == ".rs":
        return words_of(path)
    with path.open(encoding="utf-8") as lines:
        tokens = list(tokenize.generate_tokens(lines.readline))
    return {one.string for one in tokens if one.type == tokenize.NAME and not keyword.iskeyword(one.string)}


def inside(path):
    return path.relative_to(ROOT).as_posix()


def test_identifiers_and_files_have_no_banned_word():
    """Words of the old dialect name nothing: no file, type, function, field or variable."""
    found = {
        (inside(path), name)
        for path in files(".rs", ".py", ".pyi")
        for name in identifiers(path)
        if any(map(is_banned, parts(name)))
    }
    found |= {
        (inside(path), path.stem)
        for path in files(".rs", ".py", ".pyi", ".md", ".imb")
        if any(is_banned(word) for part in path.relative_to(ROOT).parts for word in parts(Path(part).stem))
    }
    assert refused("word", sorted(found)) == ([], [])


def test_types_are_nouns_and_functions_are_no_prepositions():
    """The limits of the tree: 5 % of the visible types share a name, and none is a lone participle."""
    names = tool("type_names")
    shared, total = names.shared_types(ROOT)
    assert total > 500
    assert 100 * sum(map(len, shared.values())) <= names.MOST_SHARED * total, shared
    found = [(one.path.as_posix(), one.name) for one in (*names.no_nouns(ROOT), *names.prepositions(ROOT))]
    assert refused("shape", sorted(found)) == ([], [])


def rust_first_lines(path):
    """First lines of all doc comments of a file."""
    before = False
    for line in path.read_text(encoding="utf-8").splitlines():
        found = re.match(r"\s*//[/!] ?(.*)", line)
        if found and not before:
            yield found[1].strip()
        before = found is not None


def python_first_lines(path):
    """First lines of all docstrings of a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            docstring = ast.get_docstring(node)
            if docstring:
                yield docstring.split("\n")[0]


def test_first_lines_are_short_sentences():
    """First doc lines: at most 90 characters, a period at the end, no start with What, Where or How."""
    readers = {".rs": rust_first_lines, ".py": python_first_lines, ".pyi": python_first_lines}
    found = [
        (inside(path), line.replace(" ", "_")[:60])
        for path in files(*readers, folders=("crates", "python"))
        # Titles of the pages that are built from the examples.
        if "gallery" not in path.parts
        for line in readers[path.suffix](path)
        if len(line) > LONGEST_FIRST_LINE or not line.endswith((".", ":")) or STARTS.match(line)
    ]
    assert refused("first", found) == ([], [])


@pytest.mark.parametrize("word", ["law", "teacher"])
@pytest.mark.parametrize("shape", ["{0}", "Alpha{0}", "votes_{1}", "{2}S", "{0}Out", "{1}s_of_rows"])
def test_a_banned_word_is_found_in_every_shape_of_name(shape, word):
    assert any(map(is_banned, parts(shape.format(word.capitalize(), word, word.upper()))))


def test_longer_words_that_contain_a_banned_word_are_no_match():
    assert not any(map(is_banned, parts("flaw_outlaw_roadmap_broad_lawful")))
