"""Signature, docstring and native defaults say the same; the stub names what the module holds."""

import ast
import inspect
import re
from pathlib import Path

import pytest
from public_classes import CLASSES

import imbcore
from imbcore import _imbcore
from imbcore._estimators.base import _OPTIONS

# Meta-estimators: their signatures are compared with the native methods in test_decompositions.
DECOMPOSITIONS = [imbcore.OVAClassifier, imbcore.ECOCClassifier, imbcore.OVOClassifier]
METHODS = {method.name: method for method in imbcore.methods()}


def defaults(estimator_class):
    parameters = inspect.signature(estimator_class).parameters
    options = _OPTIONS | estimator_class._own_options
    return {name: p.default for name, p in parameters.items() if name not in options}


@pytest.mark.parametrize("estimator_class", CLASSES)
def test_signature_equals_native_defaults(estimator_class):
    native = {p.name: p.default for p in METHODS[estimator_class._method].parameters}
    for name in estimator_class._decides:
        del native[name]
    given = defaults(estimator_class)
    assert given == native
    assert list(given) == list(native)
    assert {n: type(v) for n, v in given.items()} == {n: type(v) for n, v in native.items()}


@pytest.mark.parametrize("estimator_class", [*CLASSES, *DECOMPOSITIONS])
def test_docstring_equals_signature(estimator_class):
    section = inspect.getdoc(estimator_class).split("Parameters\n----------\n")[1].split("\n\n")[0]
    documented = {}
    for names, default in re.findall(r"^(\w[\w, ]*) : .*default=(.+)$", section, flags=re.MULTILINE):
        documented.update(dict.fromkeys(names.split(", "), default.replace('"', "'")))
    signature = inspect.signature(estimator_class).parameters
    assert documented == {name: repr(p.default) for name, p in signature.items()}
    assert list(documented) == list(signature)


def test_every_method_has_a_class():
    assert {c._method for c in [*CLASSES, *DECOMPOSITIONS]} == set(METHODS)


def test_parameters_are_described():
    for method in METHODS.values():
        assert method.title
        assert re.search(r"\d{4}", method.source)
        assert all(p.expected and p.doc.endswith(".") for p in method.parameters)
    assert str(imbcore.methods()).count("\n") == len(METHODS)


def stub():
    return ast.parse((Path(imbcore.__file__).parent / "_imbcore.pyi").read_text(encoding="utf-8")).body


def test_stub_names_the_module():
    declared = {n.name for n in stub() if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    assert declared == {name for name in dir(_imbcore) if not name.startswith("_")}


def test_stub_signatures_are_those_of_the_module():
    for node in stub():
        if isinstance(node, ast.FunctionDef):
            native = inspect.signature(getattr(_imbcore, node.name))
            assert [a.arg for a in node.args.args] == list(native.parameters), node.name


def test_stub_names_the_members_of_classes():
    for node in stub():
        if isinstance(node, ast.ClassDef):
            declared = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
            present = {name for name in dir(getattr(_imbcore, node.name)) if not name.startswith("_")}
            assert {name for name in declared if not name.startswith("_")} == present, node.name
