"""Names of public parameters: words of scikit-learn, imbalanced-learn or LightGBM, or listed with a reason.

The kind of defect: a parameter with a name of our own although an established library has a word for it, or a
list of exceptions that outlives its parameters.
"""

from importlib.metadata import PackageNotFoundError, version
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[3] / "python" / "tools"


def tool(name):
    spec = spec_from_file_location(name, TOOLS / f"{name}.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NAMES = tool("parameter_names")


@pytest.fixture(scope="module")
def public():
    return NAMES.public_parameters()


def test_every_parameter_is_a_known_word_or_has_a_reason(public):
    known = NAMES.vocabulary() | NAMES.listed().keys()
    unknown = {name: where for name, where in public.items() if name not in known}
    assert unknown == {}, (
        "use the word of scikit-learn, imbalanced-learn or LightGBM, or add a reason to parameter_names.toml"
    )


def test_every_listed_name_is_needed(public):
    listed = NAMES.listed()
    assert [name for name in listed if name not in public] == [], "no public parameter has this name"
    assert [name for name in listed if name in NAMES.vocabulary()] == [], "the name needs no reason"
    assert [name for name, reason in listed.items() if len(reason) < 10] == []


def test_old_names_are_gone(public):
    gone = "cuts nominal unseen leaf zero_gain exact_rows recalibrate ccp_risk vote kick geom law"
    assert [name for name in gone.split() if name in public] == []


def test_stored_vocabulary_is_that_of_the_libraries():
    tools = tool("parameter_vocabulary")
    head = (TOOLS / "parameter_vocabulary.txt").read_text(encoding="utf-8").splitlines()[0]
    try:
        installed = ", ".join(f"{library} {version(library)}" for library in tools.LIBRARIES)
    except PackageNotFoundError as error:
        pytest.skip(f"not installed: {error.name}")
    if installed not in head:
        pytest.skip(f"other versions are installed: {installed}")
    found = set().union(*map(tools.vocabulary, tools.LIBRARIES.values()))
    assert found == NAMES.vocabulary()
