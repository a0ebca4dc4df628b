"""Type stub: constructors, and an overload of ``fit`` and ``evaluate`` per method."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from imbcore._signatures import ESTIMATORS
from imbcore._signatures.constructors import parameter_type_of
from imbcore._validation.options import OPTIONS, TEXT_OPTIONS

__all__ = ["stub"]

HEAD = "# Written by `make generate` from the registry of methods; edit that, not this.\n"

Spec = Mapping[str, Any]
_OPTIONS = (*OPTIONS, *TEXT_OPTIONS)
ENTRY_POINTS = {"fit": "Model", "evaluate": "Evaluation"}
# Further types of `method` that `evaluate` accepts.
SEVERAL = {
    "Classifier | tuple[Classifier, Mapping[str, Any]] | tuple[MethodName, Mapping[str, Any]]": "Evaluation",
    "list[Any] | tuple[Any, ...] | Mapping[str, Any]": "Evaluations",
}
CLASSIFIER = """class Classifier(Protocol):
    def fit(self, X: Any, y: Any) -> Any: ...
    def predict(self, X: Any) -> Any: ...
"""


def stub(
    methods: Iterable[Spec], classes: Iterable[type], choices: Iterable[type], files: Sequence[Path]
) -> str:
    """Write the stub: every constructor, a dict of parameters per method, and the overloads."""
    methods = list(methods)
    parts = [_choice(cls) for cls in choices] + [_base(cls) for cls in classes]
    parts.append(_dict("Options", "TypedDict", [(option.name, option.type) for option in _OPTIONS]))
    for method in methods:
        parameters = [(spec["name"], parameter_type_of(spec)) for spec in method["params"]]
        for spec in method["params"]:
            ways = spec.get("choices", ())
            inner = {one["name"]: one["type"] for way in ways for one in way["params"]}
            parameters += [(f"{spec['name']}__{own}", kind) for own, kind in inner.items()]
        parts.append(_dict(_title(method["name"]), "Options", parameters))
    functions = {
        node.name: node
        for file in files
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
    }
    for entry_point, answer in ENTRY_POINTS.items():
        own = _keywords(functions[entry_point])
        # Methods given by a variable: only the options of all methods.
        for method in [*methods, {"name": None}]:
            name = method["name"]
            kind = f'Literal["{name}"]' if name else "MethodName"
            default = " = ..." if name == "forest" else ""
            taken = _title(name) if name else "Options"
            parts.append(
                f"@overload\ndef {entry_point}(\n    X: Any, y: Any, method: {kind}{default}, *, {own}"
                f"**options: Unpack[{taken}]\n) -> {answer}: ...\n"
            )
    own = _keywords(functions["evaluate"])
    for kind, answer in SEVERAL.items():
        parts.append(
            f"@overload\ndef evaluate(\n    X: Any, y: Any, method: {kind}, *, {own}**options: Any\n"
            f") -> {answer}: ...\n"
        )
    discretizers = sorted(name for name, home in ESTIMATORS.items() if home == "discretization")
    return (
        f"{HEAD}from collections.abc import Callable, Mapping, Sequence\n"
        "from typing import Any, Literal, Protocol, TypedDict, Unpack, overload\n\n"
        "from imbcore._signatures.choice import Choice\n"
        "from imbcore.evaluation import Evaluation, Evaluations\n"
        "from imbcore._model.model import Model\n"
        f"from imbcore.discretization import {', '.join(discretizers)}\n\n"
        "ESTIMATORS: dict[str, str]\nCHOICES: dict[str, tuple[str, str]]\n\n"
        f"{_name_type(methods)}\n{CLASSIFIER}\n" + "\n".join(parts)
    )


def _base(cls: type) -> str:
    """Declare the base class with the constructor of a class."""
    (base,) = [base.__name__ for base in cls.__bases__ if base.__module__ == "imbcore._signatures"]
    return f"class {base}:\n{_constructor(cls)}"


def _choice(cls: type) -> str:
    """Declare the class of a parameter value."""
    return f"class {cls.__name__}(Choice):\n{_constructor(cls)}"


def _constructor(cls: type) -> str:
    lines = ["    def __init__(", "        self,"]
    keyword_only = False
    for one in list(inspect.signature(cls.__init__).parameters.values())[1:]:
        if one.kind is one.KEYWORD_ONLY and not keyword_only:
            lines.append("        *,")
            keyword_only = True
        lines.append(f"        {one.name}: {one.annotation} = ...,")
    return (
        "\n".join([*lines, "    ) -> None: ..."]) + "\n"
        if len(lines) > 2
        else "    def __init__(self) -> None: ...\n"
    )


def _name_type(methods: Iterable[Spec]) -> str:
    names = "\n".join(f'    "{method["name"]}",' for method in methods)
    return f"MethodName = Literal[\n{names}\n]\n"


def _title(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_")) + "Options"


def _dict(name: str, base: str, entries: Iterable[tuple[str, str]]) -> str:
    lines = [f"    {entry}: {annotation}" for entry, annotation in entries]
    return f"class {name}({base}, total=False):\n" + "\n".join(lines) + "\n"


def _keywords(node: ast.FunctionDef) -> str:
    """Keywords that only an entry point has."""
    pairs = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    own = (
        f"{argument.arg}: {ast.unparse(argument.annotation or ast.Name('Any'))} = ..."
        for argument, _ in pairs
    )
    return "".join(f"{one}, " for one in own)
