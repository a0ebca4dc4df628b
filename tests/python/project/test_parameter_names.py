"""Names of public parameters: words of scikit-learn, imbalanced-learn or LightGBM, or listed with a reason.

The kind of defect: a parameter with a name of our own although an established library has a word for it, or a
list of exceptions that outlives its parameters.
"""

from importlib.metadata import PackageNotFoundError, version
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import imbcore

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


WORDING = tool("prose_check").WORDING


def test_old_parameters_are_gone(public):
    """No function, class or method takes an old name, and neither does a method of the registry."""
    old = set(WORDING["old_parameters"])
    assert old & public.keys() == set()
    of_methods = {one.name for method in imbcore.methods() for one in method.parameters}
    assert len(of_methods) > 100
    # Other functions have parameters of these names with other meanings.
    assert (old | {"order", "redraw"}) & of_methods == set()


def test_old_attributes_are_gone():
    found = set()
    for name, value in NAMES.public_values():
        found |= {name.rpartition(".")[2], *(dir(value) if isinstance(value, type) else ())}
    assert len(found) > 500
    assert set(WORDING["old_attributes"]) & found == set()


@pytest.mark.parametrize("title", NAMES.libraries())
def test_stored_vocabulary_is_that_of_an_installed_library(title):
    """Each library is compared if the stored version of it is installed, whatever the others are."""
    tools = tool("parameter_vocabulary")
    library, stored = title.split()
    try:
        installed = version(library)
    except PackageNotFoundError:
        pytest.skip(f"{library} is not installed")
    if installed != stored:
        pytest.skip(f"{library} {installed} is installed")
    assert tools.vocabulary(tools.LIBRARIES[library]) == NAMES.libraries()[title]


def test_vocabulary_has_a_section_for_each_library():
    found = NAMES.libraries()
    assert [title.split()[0] for title in found] == list(tool("parameter_vocabulary").LIBRARIES)
    assert all(len(names) > 50 for names in found.values())
    assert {"criterion", "sampling_strategy", "num_leaves"} <= NAMES.vocabulary()
