"""Parsing of the methods to evaluate: one method or classifier, or several with names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from imbcore._validation.options import OPTIONS
from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_list
from imbcore.exceptions import ParameterError

__all__ = ["MethodToEvaluate", "name_methods", "parse_learners", "parse_methods"]

# Options that may be set per method; the others are shared, and `compare` has only some of them.
_OWN = ("class_weight", "cost_matrix", "costs", "cost_strategy", "threshold", "calibrate")
_SHARED = frozenset(option.name for option in OPTIONS) - {*_OWN}
_OF_COMPARE = ("positive", "random_state", "n_jobs", "callback")
_EXPECTED = (
    "method must be a name, such as 'hddt', a classifier with fit and get_params, or several: a list, or a "
    "dict from names to these; (method, {...}) sets parameters of one of them"
)


@dataclass(frozen=True)
class MethodToEvaluate:
    """One method or classifier to evaluate.

    Parameters
    ----------
    name : str
        Name in results.
    what : str or classifier
        Name of an imbcore method, or a classifier or learner.
    own : mapping
        Parameters and options that override the shared ones.
    """

    name: str
    what: Any
    own: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_named_method(self) -> bool:
        """Whether it is an imbcore method given by name."""
        return isinstance(self.what, str)


def parse_methods(method: Any) -> tuple[list[MethodToEvaluate], bool]:
    """Parse the methods to evaluate; also returns whether a single one was given."""
    if isinstance(method, Mapping) or (isinstance(method, (list, tuple)) and not _has_own_parameters(method)):
        found = [_parse_method(name, given) for name, given in name_methods(method).items()]
        if not found:
            raise ParameterError(f"{_EXPECTED}; got the empty {method!r}")
        return found, False
    what = method[0] if _has_own_parameters(method) else method
    return [_parse_method(_method_or_class_name(what), method)], True


def parse_learners(methods: Any) -> dict[str, Any]:
    """Parse the methods to compare into learners by name; pairs set their parameters."""
    from imbcore.evaluation._learners import NamedMethod, to_learner

    found: dict[str, Any] = {}
    for name, given in name_methods(
        [methods] if isinstance(methods, str) or _has_own_parameters(methods) else methods
    ).items():
        if not _has_own_parameters(given):
            found[name] = given
            continue
        entry = _parse_method(name, given, "compare")
        # Without costs, the output of `predict` is kept in any case.
        own = {
            option: value for option, value in entry.own.items() if value is not None or option not in _OWN
        }
        if entry.is_named_method:
            found[name] = NamedMethod(entry.what, own)
            continue
        for option in (option for option in _OWN if option in own and option not in entry.what.get_params()):
            raise ParameterError(
                f"{name}: {option} applies only to methods by name; set it in the classifier, or wrap the "
                "classifier by imbcore.decisions"
            )
        found[name] = to_learner(entry.what).with_parameters(**own) if own else entry.what
    return found


def name_methods(methods: Any) -> dict[str, Any]:
    """Name every method by its method or class name, with a number for repeated names."""
    if isinstance(methods, Mapping):
        return {str(name): given for name, given in methods.items()}
    found: dict[str, Any] = {}
    for given in validate_list("methods", methods):
        own = name = _method_or_class_name(given[0] if _has_own_parameters(given) else given)
        number = 1
        while name in found:
            number += 1
            name = f"{own} {number}"
        found[name] = given
    return found


def _method_or_class_name(given: Any) -> str:
    return given if isinstance(given, str) else type(given).__name__


def _has_own_parameters(given: Any) -> bool:
    return isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], Mapping)


def _parse_method(name: str, given: Any, caller: str = "evaluate") -> MethodToEvaluate:
    what, own = given if _has_own_parameters(given) else (given, {})
    if not isinstance(what, str) and (isinstance(what, type) or not hasattr(what, "fit")):
        raise ParameterError(f"{_EXPECTED}; got {value_text(what)}")
    if not isinstance(what, str):
        from imbcore.evaluation._learners import to_learner

        to_learner(what)
    for option in sorted(_SHARED & set(own)):
        if caller == "compare" and option not in _OF_COMPARE:
            raise ParameterError(f"{name}: compare does not support {option}; leave it out, or use evaluate")
        raise ParameterError(f"{name}: {option} is shared by all methods; pass it to {caller}")
    return MethodToEvaluate(name, what, own)
