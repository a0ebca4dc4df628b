"""Constructors of the estimators, built from the registry when a class is defined.

``make generate`` writes the static types of these constructors to ``imbcore/_signatures/__init__.pyi``.
"""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import Any

from imbcore._bindings import native
from imbcore._signatures.choice import Choice
from imbcore._signatures.groups import FEWEST, ShortSignature, usage_and_parameter_groups
from imbcore._signatures.names import CHOICES, ESTIMATORS
from imbcore._validation.options import OPTIONS

Spec = Mapping[str, Any]

# Options of the transformers; a sampler without random numbers has no seed.
_DISCRETIZER_OPTIONS = ("categorical_features", "n_threads", "n_jobs")
_SAMPLER_OPTIONS = ("random_state", "n_threads", "n_jobs")
_WIDTH = 100
# The space before the heading of a section of a docstring.
_NEXT_SECTION = re.compile(r"\n\n+(?=\S[^\n]*\n---)")


@dataclass(frozen=True)
class _Parameter:
    """A parameter of a constructor: name, type and text as written, and default."""

    name: str
    type: str
    default: Any
    doc: str


@cache
def _load_registry_entries() -> dict[str, Spec]:
    """Methods and samplers by name."""
    entries = [*json.loads(native.models.methods()), *json.loads(native.sampling.samplers())]
    return {entry["name"]: entry for entry in entries}


def define_constructor(cls: Any) -> None:
    """Add the constructor to a class with a ``_signatures`` base, and complete its docstring.

    Attributes in the docstrings of the bases are added to those of the class.

    The parameters are those of its method, then those of ``_defaults`` that the method does not have, then
    the options of all estimators. ``_defaults`` also replaces defaults; ``_decides`` and ``_without`` remove
    parameters. Texts and types in the docstrings of the class and its bases replace those of the registry.
    """
    if not any(base.__module__ == "imbcore._signatures" for base in cls.__bases__):
        return
    specs, options = _specs_and_options(cls._method)
    parameters = list(_join_parameters(cls, specs, options))
    method_or_option = {spec["name"] for spec in specs} | {option.name for option in OPTIONS}
    cls._own_options = frozenset(one.name for one in parameters) - method_or_option
    cls._choices = {
        spec["name"]: {way["name"]: _find_variant_class(way["class"]) for way in spec["choices"]}
        for spec in specs
        if spec.get("choices")
    }
    # The base estimator comes first and may be passed by position, as in scikit-learn.
    parameters.sort(key=lambda one: one.name != "estimator")
    cls.__init__ = _build_constructor(cls, parameters, by_position=("estimator",))
    if cls.__doc__:
        cls._described = _parse_docstring_section(cls.__doc__)
        cls.__doc__ = _LazyDocstring(cls.__name__, cls.__doc__, parameters, _inherited_attribute_docs(cls))


def build_variant_class(name: str) -> type[Choice]:
    """Build the class of a value of a parameter, such as ``Tabu``."""
    parameter, package = CHOICES[name]
    specs = (
        spec
        for entry in _load_registry_entries().values()
        for spec in entry["params"]
        if spec["name"] == parameter
    )
    way = next(way for spec in specs for way in spec.get("choices", ()) if way["class"] == name)
    parameters = [_parameter_from_spec(spec) for spec in way["params"]]
    doc = f"{way['doc']}\n\n{_format_parameters_section(parameters)}" if parameters else way["doc"]
    cls = type(name, (Choice,), {"_choice": way["name"], "__module__": package, "__doc__": doc})
    cls.__init__ = _build_constructor(cls, parameters)  # type: ignore[misc]
    return cls


def _find_variant_class(name: str) -> type:
    package = f"imbcore.{ESTIMATORS[name]}" if name in ESTIMATORS else "imbcore._signatures"
    return getattr(import_module(package), name)


def _specs_and_options(method: str) -> tuple[list[Spec], list[_Parameter]]:
    """Return parameters and options of a method, sampler or discretizer."""
    options = [one for one in OPTIONS if not one.not_in_estimators]
    registry = _load_registry_entries()
    entry = registry.get(method)
    names: tuple[str, ...]
    if entry is None:
        specs = {spec["name"]: spec for spec in registry["full_bayes"]["params"]}
        way = next(way for way in specs["discretizer"]["choices"] if way["name"] == method)
        own, names = [*way["params"], specs["handle_unknown"]], _DISCRETIZER_OPTIONS
    elif "random" in entry:
        own, names = entry["params"], _SAMPLER_OPTIONS[not entry["random"] :]
    else:
        own, names = entry["params"], tuple(option.name for option in options)
    taken = [one for one in options if one.name in names]
    return own, [_Parameter(one.name, one.type, one.default, one.doc) for one in taken]


def _join_parameters(cls: Any, specs: Iterable[Spec], options: Iterable[_Parameter]) -> Iterator[_Parameter]:
    removed = cls._decides | cls._drop_columns
    native_ones = {spec["name"]: _parameter_from_spec(spec) for spec in specs}
    general = {option.name: option for option in options}
    defaults: dict[str, Any] = {}
    entries: dict[str, tuple[str, str]] = {}
    for base in reversed(cls.__mro__):
        defaults |= vars(base).get("_defaults", {})
        described = vars(base).get("_described")
        if described is None and base.__module__.startswith("imbcore."):
            described = _parse_docstring_section(base.__doc__)
        entries |= described or {}
    own = {name: _Parameter(name, "Any", None, "") for name in defaults}
    own = {name: one for name, one in own.items() if name not in native_ones and name not in general}
    for name, one in (native_ones | own | general).items():
        if name in removed:
            continue
        words, doc = entries.get(name, ("", one.doc))
        default = defaults.get(name, one.default)
        yield _Parameter(name, _annotation_from_words(words) if words else one.type, default, doc)


def _parameter_from_spec(spec: Spec) -> _Parameter:
    text = re.sub(r"`+", "``", spec["doc"])
    # The type lists the values of a choice; options state their range in their own texts.
    if spec["type"] != "bool" and "expected" in spec and ("Literal[" not in spec["type"] or spec["names"]):
        text += f" Must be {spec['expected']}."
    return _Parameter(spec["name"], parameter_type_of(spec), spec["default"], text)


def parameter_type_of(spec: Spec) -> str:
    """Read the type of a parameter; a choice may also be given as an object with its parameters."""
    classes = [choice["class"] for choice in spec.get("choices", ())]
    if not classes:
        return str(spec["type"])
    plain, none, _ = str(spec["type"]).partition(" | None")
    return " | ".join([plain, "Mapping[str, Any]", *classes]) + none


def _annotation_from_words(words: str) -> str:
    """Read the type of a parameter from its words in a docstring."""
    plain = {name: name for name in ("int", "float", "bool", "str")} | {"callable": "Callable[..., float]"}
    parts = words.split(" or ")
    return " | ".join(plain[part] for part in parts) if set(parts) <= plain.keys() else "Any"


def _build_constructor(
    cls: type, parameters: Iterable[_Parameter], by_position: tuple[str, ...] = ()
) -> Callable[..., None]:
    """Build a constructor that stores every argument under its name, as in scikit-learn."""
    kinds = inspect.Parameter
    signature = ShortSignature(
        [
            kinds("self", kinds.POSITIONAL_OR_KEYWORD),
            *(
                kinds(
                    one.name,
                    kinds.POSITIONAL_OR_KEYWORD if one.name in by_position else kinds.KEYWORD_ONLY,
                    default=one.default,
                    annotation=one.type,
                )
                for one in parameters
            ),
        ],
        return_annotation="None",
    )

    def store_arguments(self: Any, *given: Any, **named: Any) -> None:
        bound = signature.bind(self, *given, **named)
        bound.apply_defaults()
        del bound.arguments["self"]
        vars(self).update(bound.arguments)

    store_arguments.__signature__ = signature  # type: ignore[attr-defined]
    store_arguments.__qualname__ = f"{cls.__qualname__}.__init__"
    store_arguments.__name__ = "__init__"
    store_arguments.__module__ = cls.__module__
    store_arguments.__doc__ = "Store the parameters; the docstring of the class describes them."
    return store_arguments


def _inherited_attribute_docs(cls: type) -> dict[str, tuple[str, str]]:
    """Read the attributes in the docstrings of the bases, the most general base first."""
    found: dict[str, tuple[str, str]] = {}
    for base in reversed(cls.__mro__[1:]):
        text = vars(base).get("__doc__")
        if base.__module__.startswith("imbcore.") and isinstance(text, str):
            found |= _parse_docstring_section(text, "Attributes")
    return found


@cache
def _parse_docstring_section(
    docstring: str | None, section: str = "Parameters"
) -> dict[str, tuple[str, str]]:
    """Read type and text of every entry of a section, by default that of parameters."""
    if not docstring or f"{section}\n" not in docstring:
        return {}
    _, heading, rest = inspect.cleandoc(docstring).partition(f"{section}\n----------\n")
    if not heading:
        return {}
    own = _NEXT_SECTION.split(rest, maxsplit=1)[0].rstrip()
    found = {}
    for text in re.split(r"\n(?=\S)", own):
        head, _, body = text.partition("\n")
        name, _, words = head.partition(" : ")
        found[name] = (words.partition(", default=")[0], textwrap.dedent(body).strip())
    return found


class _LazyDocstring:
    """Docstring with the sections of all parameters and attributes, written on first use."""

    def __init__(
        self,
        name: str,
        own: str,
        parameters: Sequence[_Parameter],
        attributes: Mapping[str, tuple[str, str]],
    ) -> None:
        self._name = name
        self._own = own
        self._parameters = parameters
        self._attributes = attributes

    def __get__(self, instance: object, owner: type) -> str:
        """Return the docstring."""
        return self._text

    @cached_property
    def _text(self) -> str:
        text, *sections = _NEXT_SECTION.split(inspect.cleandoc(self._own))
        first, _, rest = text.partition("\n\n")
        names = [one.name for one in self._parameters]
        usage = usage_and_parameter_groups(self._name, names) if len(names) > FEWEST else ""
        summary = "\n\n".join(filter(None, [first, usage, rest]))
        attributes = {**self._attributes, **_parse_docstring_section(self._own, "Attributes")}
        written = [_format_parameters_section(self._parameters)]
        if attributes:
            lines = (_format_docstring_entry(name, *one) for name, one in attributes.items())
            written.append("\n".join(["Attributes", "----------", *lines]))
        others = [one for one in sections if not one.startswith(("Parameters\n", "Attributes\n"))]
        return "\n\n".join([summary, *written, *others])


def _format_docstring_entry(name: str, kind: str, text: str) -> str:
    return f"{name} : {kind}\n{textwrap.indent(text, '    ')}"


def _format_parameters_section(parameters: Iterable[_Parameter]) -> str:
    texts = (
        _format_parameter_entry(one.name, one.type, _default_to_text(one.default), one.doc)
        for one in parameters
    )
    return "\n".join(["Parameters", "----------", *texts])


def _default_to_text(default: Any) -> str:
    return f'"{default}"' if isinstance(default, str) else repr(default)


# Classes share most of their parameters.
@cache
def _format_parameter_entry(name: str, annotation: str, default: str, doc: str) -> str:
    """Write the entry of a parameter, with lines of at most ``_WIDTH`` characters."""
    lines = [f"{name} : {_annotation_to_words(annotation)}, default={default}"]
    line = "   "
    for word in doc.split():
        if len(line) + 1 + len(word) > _WIDTH and line.strip():
            lines.append(line)
            line = "   "
        line += f" {word}"
    return "\n".join([*lines, line])


def _annotation_to_words(annotation: str) -> str:
    """Write a type as numpydoc does."""
    choices = re.sub(r"Literal\[([^]]*)\]", r"{\1}", annotation)
    return (
        choices.replace("Mapping[str, Any]", "dict")
        .replace("Sequence[Any]", "list")
        .replace("Callable[..., float]", "callable")
        .replace(" | ", " or ")
    )
