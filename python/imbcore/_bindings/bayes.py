"""Native calls of Bayesian classifiers and discretizers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from imbcore._bindings import native
from imbcore._bindings.options import resolve_seed, resolve_threads
from imbcore._bindings.parameters import parameters_to_json
from imbcore._bindings.training import name_native_columns_in_errors, validate_sample_weights
from imbcore._validation.frame import NativeFrame
from imbcore._validation.labels import Target
from imbcore._validation.values import validate_whole_number


def sample(
    draw: Callable[..., tuple[list[Any], Any]],
    n: Any,
    class_code: int | None,
    random_state: Any,
    n_threads: Any,
    n_jobs: Any,
) -> tuple[list[Any], Any]:
    """Sample rows with a native function: one array per column, and class codes."""
    n = validate_whole_number("n", n, 1)
    return draw(n, class_code, resolve_seed(random_state), resolve_threads(n_threads, n_jobs))


def discretizer_fit(
    who: str,
    parameters: Mapping[str, Any],
    frame: NativeFrame,
    target: Target | None,
    n_rows: int,
    names: Sequence[str],
    *,
    sample_weight: Any,
    n_threads: int,
) -> str:
    """Fit discretizers; returns their state as JSON."""
    classes = None if target is None else (target.codes, len(target.classes))
    weights = validate_sample_weights(sample_weight, n_rows)
    with name_native_columns_in_errors(names):
        return native.discretization.discretizer_fit(
            who, parameters_to_json(who, parameters), frame, classes, weights, n_threads
        )


def discretizer_encode(states: str, frame: NativeFrame, names: Sequence[str], n_threads: int) -> Any:
    """Encode a table as an array of float codes; missing values are NaN."""
    with name_native_columns_in_errors(names):
        return native.discretization.discretizer_encode(states, frame, n_threads).T
