"""The constructors of the classes and what their docstrings say of parameters."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from classes import EstimatorClass

__all__ = [
    "HEAD",
    "Spec",
    "choices_module",
    "choices_of",
    "constructor",
    "imports_of",
    "parameters_of",
    "type_of",
]

HEAD = "# Written by `make generate` from the registry of methods; edit that, not this.\n"

Spec = Mapping[str, Any]
Parameter = tuple[str, str, str, str]
"""Name, type, default as it is written, and description."""


def _default_text(value: Any) -> str:
    """Write a default of the registry in Python, with double quotes."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def parameters_of(
    cls: EstimatorClass, specs: Iterable[Mapping[str, Any]], options: Iterable[Mapping[str, Any]]
) -> list[Parameter]:
    """All parameters of a class: those of its method, its own, and the options of all estimators."""
    left_out = cls.sets | cls.without
    native = {spec["name"]: _native(spec) for spec in specs if spec["name"] not in left_out}
    general = {option["name"]: _native(option) for option in options if option["name"] not in left_out}
    own = {}
    for entry in cls.entries.values():
        known = native.get(entry.name) or general.get(entry.name)
        if known is None and entry.default is None:
            continue
        own[entry.name] = (
            entry.name,
            _annotation(entry.type) if entry.type else known[1] if known else "Any",
            entry.default if entry.default is not None else known[2] if known else "None",
            entry.doc,
        )
    merged = {name: own.get(name, known) for name, known in native.items()}
    merged |= {name: given for name, given in own.items() if name not in merged and name not in general}
    merged |= {name: own.get(name, known) for name, known in general.items()}
    # What an estimator is made of comes first, and without its name, as in scikit-learn.
    return sorted(merged.values(), key=lambda parameter: parameter[0] != "estimator")


def _native(spec: Spec) -> Parameter:
    words = re.sub(r"`+", "``", spec["doc"])
    # A choice is all there in the type; options say their domain in their own words.
    if spec["type"] != "bool" and "expected" in spec and ("Literal[" not in spec["type"] or spec["names"]):
        words += f" Must be {spec['expected']}."
    return spec["name"], type_of(spec), _default_text(spec["default"]), words


def type_of(spec: Spec) -> str:
    """Read the type of a parameter; a way may also be given with its parameters."""
    classes = [choice["class"] for choice in spec.get("choices", ())]
    if not classes:
        return str(spec["type"])
    plain, none, _ = spec["type"].partition(" | None")
    return " | ".join([plain, "Mapping[str, Any]", *classes]) + none


def _annotation(words: str) -> str:
    """Read the type of a parameter of a class from its words in the docstring."""
    plain = {name: name for name in ("int", "float", "bool", "str")} | {"callable": "Callable[..., float]"}
    parts = words.split(" or ")
    return " | ".join(plain[part] for part in parts) if set(parts) <= plain.keys() else "Any"


def choices_of(specs: Iterable[Spec]) -> dict[str, list[Spec]]:
    """List the ways that parameters choose between, by the names of the parameters."""
    return {spec["name"]: spec["choices"] for spec in specs if spec.get("choices")}


def choices_module(parameter: str, choices: Collection[Spec]) -> str:
    """Write the module with a class for every way that a parameter chooses between."""
    bodies = []
    for choice in choices:
        parameters = [_native(spec) for spec in choice["params"]]
        lines = [f"class {choice['class']}(Choice):", f'    """{choice["doc"]}']
        if parameters:
            lines += ["", "    Parameters", "    ----------", *_described(parameters, "    ")]
        lines += ['    """', ""]
        lines += [f'    _choice: ClassVar[str] = "{choice["name"]}"', ""]
        bodies.append(
            "\n".join([*lines, *_signature(parameters), "        keep_arguments(self, locals())", ""])
        )
    names = ", ".join(f'"{choice["class"]}"' for choice in choices)
    body = "\n\n".join(bodies)
    return (
        f'{HEAD}"""What ``{parameter}`` chooses between."""\n\nfrom __future__ import annotations\n\n'
        f"{_typing(body)}\n\nfrom imbcore._estimators.choice import Choice\n"
        f"from imbcore._input.options import keep_arguments\n\n__all__ = [{names}]\n\n\n{body}"
    )


def imports_of(classes: Iterable[str], homes: Mapping[str, str]) -> list[str]:
    """Write the imports of classes from their modules."""
    by_module: dict[str, list[str]] = {}
    for name in classes:
        by_module.setdefault(homes[name], []).append(name)
    return [f"from {module} import {', '.join(names)}" for module, names in sorted(by_module.items())]


def _typing(body: str) -> str:
    """Write the import of what a body uses of ``typing``."""
    names = [name for name in ("Any", "ClassVar", "Literal") if re.search(rf"\b{name}\b", body)]
    return f"from typing import {', '.join(names)}"


def constructor(
    cls: EstimatorClass,
    parameters: list[Parameter],
    own: frozenset[str],
    choices: Mapping[str, list[Spec]],
    homes: Mapping[str, str],
) -> str:
    """Write the module with the constructor of a class.

    ``own`` are parameters that its method does not take, ``homes`` the modules of the classes of ways.
    """
    body = _constructor(cls, parameters, own, choices)
    imports = [_typing(body)]
    collections = [name for name in ("Callable", "Mapping", "Sequence") if re.search(rf"\b{name}\b", body)]
    if collections:
        imports.insert(0, f"from collections.abc import {', '.join(collections)}")
    ours = ["from imbcore._input.options import keep_arguments"]
    if choices:
        imports.append("")
        imports.append("from sklearn.base import BaseEstimator")
    ours += imports_of((way["class"] for ways in choices.values() for way in ways), homes)
    if "MethodName" in body:
        ours.append("from imbcore._signatures import MethodName")
    return (
        f'{HEAD}"""Constructor of ``{cls.name}``, and what its parameters mean."""\n\n'
        "from __future__ import annotations\n\n"
        + "\n".join(imports)
        + "\n\n"
        + "\n".join(ours)
        + f'\n\n__all__ = ["{cls.signature}"]\n\n\n'
        + body
    )


def _constructor(
    cls: EstimatorClass, parameters: list[Parameter], own: frozenset[str], choices: Mapping[str, list[Spec]]
) -> str:
    lines = [f"class {cls.signature}:", f'    """Parameters of :class:`{cls.name}`."""', ""]
    if own:
        names = ", ".join(f'"{name}"' for name in sorted(own))
        lines += [f"    _own_options: ClassVar[frozenset[str]] = frozenset({{{names}}})", ""]
    if choices:
        lines.append("    _choices: ClassVar[Mapping[str, Mapping[str, type[BaseEstimator]]]] = {")
        for name, ways in choices.items():
            classes = ", ".join(f'"{way["name"]}": {way["class"]}' for way in ways)
            lines.append(f'        "{name}": {{{classes}}},')
        lines += ["    }", ""]
    lines += _signature(parameters)
    lines += ['        """Keep the parameters.', "", "        Parameters", "        ----------"]
    lines += [*_described(parameters, " " * 8), '        """', "        keep_arguments(self, locals())", ""]
    return "\n".join(lines)


def _signature(parameters: Iterable[Parameter]) -> list[str]:
    lines = ["    def __init__(", "        self,"]
    keyword_only = False
    for name, annotation, default, _ in parameters:
        if name != "estimator" and not keyword_only:
            lines.append("        *,")
            keyword_only = True
        lines.append(f"        {name}: {annotation} = {default},")
    return [*lines, "    ) -> None:"]


def _described(parameters: Iterable[Parameter], margin: str) -> list[str]:
    lines = []
    for name, annotation, default, doc in parameters:
        lines.append(f"{margin}{name} : {_words(annotation)}, default={default}")
        inner = f"{margin}    "
        lines += textwrap.wrap(
            " ".join(doc.split()), 108, initial_indent=inner, subsequent_indent=inner,
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
    return lines


def _words(annotation: str) -> str:
    """Write a type as numpydoc has it."""
    choices = re.sub(r"Literal\[([^]]*)\]", r"{\1}", annotation)
    return (
        choices.replace("Mapping[str, Any]", "dict")
        .replace("Sequence[Any]", "list")
        .replace("Callable[..., float]", "callable")
        .replace(" | ", " or ")
    )
