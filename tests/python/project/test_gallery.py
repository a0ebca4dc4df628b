"""`make docs` runs all examples of the gallery; this test runs one and checks the text of all."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from project_tools import tool

from imbcore import datasets

EXAMPLES = sorted((Path(__file__).resolve().parents[3] / "python" / "examples" / "gallery").glob("*/*.py"))


def test_gallery_has_many_examples():
    assert len(EXAMPLES) >= 24


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_example_has_a_title_a_text_and_known_data_sets(example):
    text = example.read_text(encoding="utf-8")
    title, line, blank, *words = ast.get_docstring(ast.parse(text)).splitlines()
    assert line == "=" * len(title)
    assert not blank
    assert words
    assert set(re.findall(r'datasets\.load\("([^"]+)"\)', text)) <= set(datasets.names())


def test_every_folder_is_a_gallery_section():
    conf = (Path(__file__).resolve().parents[3] / "python" / "docs" / "conf.py").read_text(encoding="utf-8")
    parts = re.search(r"^PARTS = \((.*)\)$", conf, re.MULTILINE)[1]
    assert set(re.findall(r'"(\w+)"', parts)) == {example.parent.name for example in EXAMPLES}


def test_one_example_runs(tmp_path):
    example = next(path for path in EXAMPLES if path.stem == "skew_sensitivity")
    script = "import matplotlib, runpy, sys; matplotlib.use('agg'); runpy.run_path(sys.argv[1])"
    command = [sys.executable, "-W", "error", "-c", script, example]
    found = subprocess.run(command, cwd=tmp_path, check=True, timeout=110, capture_output=True, text=True)
    assert "hellinger" in found.stdout


def test_data_sets_of_examples_are_found():
    gallery_data = tool("gallery_data")
    loading = [example for example in EXAMPLES if "datasets.load(" in example.read_text(encoding="utf-8")]
    assert len(loading) > 20
    assert all(gallery_data.data_sets_of(example) for example in loading)


def test_example_without_its_data_is_not_run(monkeypatch, capsys):
    """Kind: one file that cannot be downloaded ends the whole build; the other examples run without it."""

    def load(name):
        if name == "coil2000":
            raise OSError("https://example.org could not be reached")

    monkeypatch.setattr(datasets, "load", load)
    pattern = tool("gallery_data").pattern_of_runs()
    left = [example.stem for example in EXAMPLES if not re.search(pattern, str(example))]
    assert left == ["not_accuracy"]
    (line,) = capsys.readouterr().err.splitlines()
    assert line == (
        "gallery: first/not_accuracy.py is not run: data set coil2000 is not available "
        "(https://example.org could not be reached)"
    )
