"""The constructors of the estimators and what their docstrings say of parameters."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from classes import EstimatorClass

__all__ = ["HEAD", "Parameter", "constructors", "default_text", "parameters_of"]

HEAD = "# Written by `make generate` from the registry of methods; edit that, not this.\n"

Parameter = tuple[str, str, str, str]
"""Name, type, default as it is written, and description."""


def default_text(value: Any) -> str:
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


def _native(spec: Mapping[str, Any]) -> Parameter:
    words = re.sub(r"`+", "``", spec["doc"])
    # A choice is all there in the type; options say their domain in their own words.
    if spec["type"] != "bool" and "expected" in spec and ("Literal[" not in spec["type"] or spec["names"]):
        words += f" Must be {spec['expected']}."
    return spec["name"], spec["type"], default_text(spec["default"]), words


def _annotation(words: str) -> str:
    """Read the type of a parameter of a class from its words in the docstring."""
    return words if words in ("int", "float", "bool", "str") else "Any"


def constructors(classes: Iterable[tuple[EstimatorClass, list[Parameter], frozenset[str]]]) -> str:
    """Write the module with the constructors of a folder."""
    bodies = [_constructor(*found) for found in classes]
    names = ", ".join(f'"{cls.signature}"' for cls, _, _ in classes)
    used = "\n".join(bodies)
    typing = [name for name in ("Any", "ClassVar", "Literal") if re.search(rf"\b{name}\b", used)]
    imports = [f"from typing import {', '.join(typing)}"]
    collections = [name for name in ("Mapping", "Sequence") if re.search(rf"\b{name}\b", used)]
    if collections:
        imports.insert(0, f"from collections.abc import {', '.join(collections)}")
    ours = ["from imbcore._input.options import keep_arguments"]
    if "MethodName" in used:
        ours.append("from imbcore._signatures import MethodName")
    return (
        f'{HEAD}"""Constructors of the estimators of this folder, and what their parameters mean."""\n\n'
        "from __future__ import annotations\n\n"
        + "\n".join(imports)
        + "\n\n"
        + "\n".join(ours)
        + f"\n\n__all__ = [{names}]\n\n\n"
        + "\n\n".join(bodies)
    )


def _constructor(cls: EstimatorClass, parameters: list[Parameter], own: frozenset[str]) -> str:
    lines = [f"class {cls.signature}:", f'    """Parameters of :class:`{cls.name}`."""', ""]
    if own:
        names = ", ".join(f'"{name}"' for name in sorted(own))
        lines += [f"    _own_options: ClassVar[frozenset[str]] = frozenset({{{names}}})", ""]
    lines += ["    def __init__(", "        self,"]
    keyword_only = False
    for name, annotation, default, _ in parameters:
        if name != "estimator" and not keyword_only:
            lines.append("        *,")
            keyword_only = True
        lines.append(f"        {name}: {annotation} = {default},")
    lines += [
        "    ) -> None:",
        '        """Keep the parameters.',
        "",
        "        Parameters",
        "        ----------",
    ]
    for name, annotation, default, doc in parameters:
        lines.append(f"        {name} : {_words(annotation)}, default={default}")
        lines += textwrap.wrap(
            " ".join(doc.split()), 108, initial_indent=" " * 12, subsequent_indent=" " * 12,
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
    lines += ['        """', "        keep_arguments(self, locals())", ""]
    return "\n".join(lines)


def _words(annotation: str) -> str:
    """Write a type as numpydoc has it."""
    choices = re.sub(r"Literal\[([^]]*)\]", r"{\1}", annotation)
    return (
        choices.replace("Mapping[str, Any]", "dict").replace("Sequence[Any]", "list").replace(" | ", " or ")
    )
