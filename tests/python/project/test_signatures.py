"""Signatures, docstrings and native defaults agree; the stub lists the contents of the module."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
from public_classes import ESTIMATORS

import imbcore
from imbcore import _imbcore
from imbcore._signatures.constructors import _inherited_attribute_docs, _parse_docstring_section
from imbcore._validation.options import ESTIMATOR_OPTIONS

METHODS = {method.name: method for method in imbcore.methods()}


@pytest.mark.parametrize("estimator_class", [c for c in ESTIMATORS if c._method in METHODS])
def test_signature_equals_native_defaults(estimator_class):
    native = {p.name: p.default for p in METHODS[estimator_class._method].parameters}
    native = {name: value for name, value in native.items() if name not in estimator_class._decides}
    signature = inspect.signature(estimator_class).parameters
    own = {"estimator", *ESTIMATOR_OPTIONS, *getattr(estimator_class, "_own_options", ())}
    given = {name: p.default for name, p in signature.items() if name not in own}
    native.pop("estimator", None)
    assert given == native
    assert list(given) == list(native)
    assert {n: type(v) for n, v in given.items()} == {n: type(v) for n, v in native.items()}


@pytest.mark.parametrize("estimator_class", ESTIMATORS)
def test_docstring_equals_signature(estimator_class):
    section = inspect.getdoc(estimator_class).split("Parameters\n----------\n")[1].split("\n\n")[0]
    documented = dict(re.findall(r"^(\w+) : .*default=(.+)$", section, flags=re.MULTILINE))
    signature = inspect.signature(estimator_class).parameters
    shown = {name: repr(p.default).replace("'", '"') for name, p in signature.items()}
    assert documented == shown
    assert list(documented) == list(signature)


@pytest.mark.parametrize("entry_point", [imbcore.fit, imbcore.evaluate])
def test_entry_point_lists_its_options(entry_point):
    signature = inspect.signature(entry_point).parameters
    section = inspect.getdoc(entry_point).split("Parameters\n----------\n")[1].split("\n\n")[0]
    assert set(ESTIMATOR_OPTIONS) < set(signature)
    heads = re.findall(r"^(\w.*?)(?: : |$)", section, flags=re.MULTILINE)
    described = {name for head in heads for name in head.split(", ")}
    assert {"parameters", *described} == set(signature)


def test_generated_files_match_the_registry():
    root = Path(__file__).parents[3]
    command = [sys.executable, str(root / "python" / "tools" / "generate.py"), "--check"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


def test_every_method_has_a_class():
    assert {c._method for c in ESTIMATORS} >= set(METHODS)


def test_parameters_are_described():
    for method in METHODS.values():
        assert method.title
        assert re.search(r"\d{4}", method.source)
        assert all(p.expected and p.doc.endswith(".") for p in method.parameters)
    assert str(imbcore.methods()).count("\n") == len(METHODS)


def public(names):
    return {name for name in names if not name.startswith("_")}


# The native core and its modules by name, each with the statements of its stub.
STUBS = {
    path.stem: ast.parse(path.read_text(encoding="utf-8")).body
    for path in sorted((Path(imbcore.__file__).parent / "_imbcore").glob("*.pyi"))
    if path.stem != "_types"
}
NATIVE = [
    pytest.param(_imbcore if name == "__init__" else getattr(_imbcore, name), stub, id=name)
    for name, stub in STUBS.items()
]


def test_every_native_module_has_a_stub():
    modules = {name for name in public(dir(_imbcore)) if inspect.ismodule(getattr(_imbcore, name))}
    assert len(modules) > 10
    assert set(STUBS) == {"__init__", *modules}


@pytest.mark.parametrize(("native", "stub"), NATIVE)
def test_stub_lists_the_contents_of_its_module(native, stub):
    declared = {n.name for n in stub if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    if native is _imbcore:
        declared |= {alias.name for n in stub if isinstance(n, ast.ImportFrom) for alias in n.names}
    assert declared == public(dir(native))


@pytest.mark.parametrize(("native", "stub"), NATIVE)
def test_signatures_of_a_stub_match_its_module(native, stub):
    for node in stub:
        if isinstance(node, ast.FunctionDef):
            signature = inspect.signature(getattr(native, node.name))
            assert [a.arg for a in node.args.args] == list(signature.parameters), node.name


@pytest.mark.parametrize(("native", "stub"), NATIVE)
def test_stub_lists_the_members_of_classes(native, stub):
    for node in stub:
        if isinstance(node, ast.ClassDef):
            declared = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
            assert public(declared) == public(vars(getattr(native, node.name))), node.name


def test_constructors_do_not_need_docstrings():
    """``python -OO`` removes docstrings; parameters that only a class has still exist."""
    text = (
        "import inspect, pickle, imbcore, imbcore.bayes\n"
        "names = list(inspect.signature(imbcore.CARTClassifierCV).parameters)\n"
        "assert {'cv', 'scoring', 'rule', 'criterion', 'verbose'} <= set(names), names\n"
        "tabu = imbcore.bayes.Tabu(time_limit=2)\n"
        "assert type(tabu).__module__ == 'imbcore.bayes'\n"
        "assert pickle.loads(pickle.dumps(tabu)) == tabu\n"
    )
    found = subprocess.run([sys.executable, "-OO", "-c", text], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr


@pytest.mark.parametrize("owner", ESTIMATORS)
def test_docstrings_do_not_repeat_their_bases(owner):
    """Kind: one text in the docstrings of several classes; entries of a base are added when it is read."""
    own = vars(owner)["__doc__"]._own
    inherited = _inherited_attribute_docs(owner)
    assert [
        name
        for name, one in _parse_docstring_section(own, "Attributes").items()
        if inherited.get(name) == one
    ] == []
    assert set(inherited) | set(_parse_docstring_section(own, "Attributes")) == set(
        _parse_docstring_section(owner.__doc__, "Attributes")
    )
    assert owner.__doc__.count("\nAttributes\n----------\n") == 1
