"""The names and texts that a new user sees first.

Kind: a list of everything, in which a new user does not find the names of the first day.
"""

import inspect
import pydoc
import re
from importlib import import_module

import pytest
from public_classes import CLASSES
from rust_source import root

import imbcore
from imbcore._signatures import ESTIMATORS

FIRST = {
    "fit",
    "load",
    "evaluate",
    "compare",
    "methods",
    "Model",
    "ForestClassifier",
    "BoostedTreesClassifier",
}
# Lines below the heading and the signature.
LINES_OF_USE = 10


def test_top_level_has_few_names():
    assert len(imbcore.__all__) <= 40
    assert len(set(imbcore.__all__)) == len(imbcore.__all__)
    assert set(imbcore.__all__) >= FIRST
    assert dir(imbcore) == sorted(imbcore.__all__)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_class_is_in_its_package(name):
    """Classes that the top level does not list are public in a package that it lists, or in a submodule."""
    package = import_module(f"imbcore.{ESTIMATORS[name]}")
    assert name in package.__all__
    assert getattr(package, name) is getattr(imbcore, name)


@pytest.mark.parametrize("estimator_class", CLASSES, ids=lambda one: one.__name__)
def test_help_starts_with_use_and_groups_of_parameters(estimator_class):
    lines = [
        line.removeprefix(" |  ") for line in pydoc.plain(pydoc.render_doc(estimator_class)).splitlines()
    ]
    start = next(
        number for number, line in enumerate(lines) if line.startswith(f"{estimator_class.__name__}(")
    )
    assert len(lines[start]) < 250
    first = "\n".join(lines[start + 2 : start + 2 + LINES_OF_USE])
    assert f"``model = {estimator_class.__name__}().fit(X, y)``" in first
    assert "\n- Basic: " in first
    doc = inspect.getdoc(estimator_class)
    listed = re.findall(r"^- (Basic|Tree|Method|Decision|Data): ([^.]*)\.$", doc, re.MULTILINE)
    names = [name.strip() for _, members in listed for name in members.split(",")]
    assert sorted(names) == sorted(inspect.signature(estimator_class).parameters)
    assert "random_state" in dict(listed)["Basic"]
    assert "threshold" in dict(listed)["Decision"]


def test_help_of_samplers_shows_their_own_methods():
    """The usage line of a class calls only methods that the class has; samplers do not predict."""
    for name in imbcore.sampling.__all__:
        sampler = getattr(imbcore.sampling, name)
        use = re.search(r"^Use: .*?[.]( |$)", inspect.getdoc(sampler), re.MULTILINE | re.DOTALL)
        called = re.findall(r"[.](\w+)[(]", use[0]) if use else []
        assert all(hasattr(sampler, method) for method in called), (name, called)
        assert not use or "fit_resample" in called


def test_table_of_parameters_has_the_basic_ones():
    """The cheat sheet lists the parameters that most people set, with the defaults of the first method."""
    page = (root() / "python" / "docs" / "cheat-sheet.md").read_text(encoding="utf-8")
    table = page.split("## Parameters that most people set\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", table, re.MULTILINE)
    defaults = inspect.signature(imbcore.ForestClassifier).parameters
    assert len(rows) >= 8
    assert {name: repr(defaults[name].default).replace("'", '"') for name, _ in rows} == dict(rows)
