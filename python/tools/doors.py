"""The types of the functional doors: an overload a method, so that a checker knows its parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from constructors import HEAD, choices_of, imports_of, type_of

__all__ = ["names_module", "stub"]

Spec = Mapping[str, Any]
DOORS = {"fit": "Model", "evaluate": "Evaluation"}
# What else `evaluate` takes.
SEVERAL = {
    "Classifier | tuple[Classifier, Mapping[str, Any]] | tuple[MethodName, Mapping[str, Any]]": "Evaluation",
    "list[Any] | tuple[Any, ...] | Mapping[str, Any]": "Evaluations",
}
CLASSIFIER = """class Classifier(Protocol):
    def fit(self, X: Any, y: Any) -> Any: ...
    def predict(self, X: Any) -> Any: ...
"""


def names_module(methods: Iterable[Spec], estimators: Mapping[str, str]) -> str:
    """Write the module that knows the methods, and the folders of the estimators, at run time."""
    folders = "".join(f'    "{name}": "{folder}",\n' for name, folder in sorted(estimators.items()))
    return (
        f'{HEAD}"""Names of the methods; the types of the doors are in the stub beside this file."""\n\n'
        "from typing import Literal\n\n"
        '__all__ = ["ESTIMATORS", "MethodName"]\n\n'
        f"{_name_type(methods)}\n"
        f"# Public class, and the folder that holds it.\nESTIMATORS = {{\n{folders}}}\n"
    )


def stub(
    methods: Iterable[Spec], options: Iterable[Spec], homes: Mapping[str, str], files: Sequence[Path]
) -> str:
    """Write the stub: for every method a dict of its parameters, and an overload of every door."""
    methods, classes = list(methods), dict[str, None]()
    parts = [_dict("Options", "TypedDict", [(option["name"], option["type"]) for option in options])]
    for method in methods:
        parameters = [(spec["name"], type_of(spec)) for spec in method["params"]]
        for name, ways in choices_of(method["params"]).items():
            inner = {spec["name"]: spec["type"] for way in ways for spec in way["params"]}
            parameters += [(f"{name}__{own}", kind) for own, kind in inner.items()]
            classes |= dict.fromkeys(way["class"] for way in ways)
        parts.append(_dict(_title(method["name"]), "Options", parameters))
    functions = {
        node.name: node
        for file in files
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
    }
    for door, answer in DOORS.items():
        own = _keywords(functions[door])
        # Any method by a variable: what all methods take, and no more.
        for method in [*methods, {"name": None}]:
            name = method["name"]
            kind = f'Literal["{name}"]' if name else "MethodName"
            default = " = ..." if name == "forest" else ""
            taken = _title(name) if name else "Options"
            parts.append(
                f"@overload\ndef {door}(\n    X: Any, y: Any, method: {kind}{default}, *, {own}"
                f"**options: Unpack[{taken}]\n) -> {answer}: ...\n"
            )
    own = _keywords(functions["evaluate"])
    for kind, answer in SEVERAL.items():
        parts.append(
            f"@overload\ndef evaluate(\n    X: Any, y: Any, method: {kind}, *, {own}**options: Any\n"
            f") -> {answer}: ...\n"
        )
    imports = "".join(f"{line}\n" for line in imports_of(classes, homes))
    return (
        f"{HEAD}from collections.abc import Callable, Mapping, Sequence\n"
        "from typing import Any, Literal, Protocol, TypedDict, Unpack, overload\n\n"
        "from imbcore._evaluate import Evaluation, Evaluations\nfrom imbcore._model.model import Model\n"
        f"{imports}\n"
        f"ESTIMATORS: dict[str, str]\n\n{_name_type(methods)}\n{CLASSIFIER}\n" + "\n".join(parts)
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
    """Keywords that a door alone has."""
    pairs = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    own = (
        f"{argument.arg}: {ast.unparse(argument.annotation or ast.Name('Any'))} = ..."
        for argument, _ in pairs
    )
    return "".join(f"{one}, " for one in own)
