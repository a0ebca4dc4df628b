"""Calls of the native module that samplers make."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any

from imbcore._border import native
from imbcore._border.options import Options
from imbcore._border.parameters import params_text
from imbcore._border.training import named_columns
from imbcore._input.frame import BorderFrame
from imbcore._input.labels import Target
from imbcore.exceptions import ParameterError

__all__ = ["by_code", "resample"]

# Parameters that may name classes.
_OF_CLASSES = ("sampling_strategy", "shrinkage", "weights")


def resample(
    method: str,
    parameters: Mapping[str, Any],
    frame: BorderFrame | None,
    names: Collection[str],
    target: Target,
    options: Options,
) -> dict[str, Any]:
    """Plan what a sampler does, as arrays; rows that are only picked need no ``frame``."""
    with named_columns(list(names)):
        return native.sampling.resample(
            method,
            params_text(method, parameters),
            frame,
            target.codes,
            json.dumps(target.classes.tolist()),
            options.seed,
            options.n_threads,
        )


def by_code(method: str, parameters: Mapping[str, Any], target: Target, y: Any) -> dict[str, Any]:
    """Put class codes in place of labels; a strategy that is a function of ``y`` is asked."""
    code = {label: at for at, label in enumerate(target.classes.tolist())}

    def coded(name: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {str(at): value[label] for label, at in _known(method, name, value, code)}
        if isinstance(value, Collection) and not isinstance(value, str):
            return [at for _, at in _known(method, name, value, code)]
        return value

    found = dict(parameters)
    for name in _OF_CLASSES:
        if name in found:
            given = found[name]
            found[name] = coded(name, given(y) if isinstance(given, Callable) else given)  # type: ignore[arg-type]
    return found


def _known(method: str, name: str, labels: Collection[Any], code: Mapping[Any, int]) -> list[tuple[Any, int]]:
    """Pair labels with their codes."""
    absent = [label for label in labels if label not in code]
    if absent:
        raise ParameterError(
            f"{method}: parameter `{name}` names class {absent[0]!r}, which is not in y; "
            f"its classes are {list(code)}"
        )
    return [(label, code[label]) for label in labels]
