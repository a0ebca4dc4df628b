"""Cost matrices, strategies, thresholds and calibration as users write them, to border form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore.exceptions import ParameterError

__all__ = ["CostArgument", "cost_argument", "cost_array", "goal_text"]

# Matrix, strategy, threshold, calibration.
CostArgument = tuple[NDArray[np.float64] | str | None, str, float | str | None, str | None]


def cost_argument(
    cost_matrix: Any, cost_strategy: Any, threshold: Any, calibrate: Any, classes: NDArray[Any]
) -> CostArgument:
    """Read the four options; their domains are checked by the native module."""
    if not isinstance(cost_strategy, str):
        raise ParameterError(f"cost_strategy must be 'decision' or 'reweight', got {cost_strategy!r}")
    if calibrate is not None and not isinstance(calibrate, str):
        raise ParameterError(
            f"calibrate must be 'sigmoid', 'isotonic', 'beta', 'venn_abers' or None, got {calibrate!r}"
        )
    if len(classes) < 2:
        # One class leaves nothing to decide, and a matrix for it can be none that was meant.
        return None, cost_strategy, None, None
    if cost_matrix is None or isinstance(cost_matrix, str):
        return cost_matrix, cost_strategy, _threshold(threshold, classes), calibrate
    matrix = (
        _from_pairs(cost_matrix, classes) if isinstance(cost_matrix, Mapping) else cost_array(cost_matrix)
    )
    return matrix, cost_strategy, _threshold(threshold, classes), calibrate


def _threshold(threshold: Any, classes: NDArray[Any]) -> float | str | None:
    if threshold is None or isinstance(threshold, str):
        return threshold
    if isinstance(threshold, Mapping):
        return goal_text(threshold, classes)
    return _number(
        "threshold", threshold, "a number in [0, 1], a word, a dict that says what to reach, or None"
    )


def goal_text(goal: Any, classes: NDArray[Any] | None) -> str:
    """Write what a threshold is to reach as the native module reads it."""
    if isinstance(goal, str):
        return goal
    if not isinstance(goal, Mapping):
        raise ParameterError(
            f"a goal is a word such as 'f1' or a dict such as {{'recall': 0.9}}, got {goal!r}"
        )
    written: dict[str, Any] = {}
    for name, value in goal.items():
        if name == "best":
            written[name] = value
        elif name != "cost":
            written[str(name)] = _number(f"threshold[{name!r}]", value, "a number")
        elif isinstance(value, Mapping):
            if classes is None:
                raise ParameterError("here threshold['cost'] is a matrix, classes in sorted order")
            written[name] = _from_pairs(value, classes).tolist()
        else:
            written[name] = cost_array(value).tolist()
    return json.dumps(written)


def _number(name: str, value: Any, expected: str) -> float:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)):
        raise ParameterError(f"{name} must be {expected}, got {value!r}")
    return float(value)


def cost_array(cost_matrix: Any) -> NDArray[np.float64]:
    """Read a cost matrix of numbers."""
    try:
        matrix = np.asarray(cost_matrix, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"cost_matrix must hold numbers in rows of equal length: {error}") from error
    if matrix.ndim != 2:
        raise ParameterError(f"cost_matrix must have 2 dimensions, got {matrix.ndim}")
    return matrix


def _from_pairs(costs: Mapping[Any, Any], classes: NDArray[Any]) -> NDArray[np.float64]:
    labels = classes.tolist()
    code = {label: at for at, label in enumerate(labels)}
    matrix = np.zeros((len(labels), len(labels)))
    for pair, cost in costs.items():
        if not isinstance(pair, tuple) or len(pair) != 2 or pair[0] not in code or pair[1] not in code:
            raise ParameterError(
                f"the keys of a cost_matrix dict are pairs (true, answered) of the labels {labels}, "
                f"got {pair!r}"
            )
        try:
            matrix[code[pair[0]], code[pair[1]]] = float(cost)
        except (TypeError, ValueError) as error:
            raise ParameterError(f"cost_matrix[{pair!r}] must be a number, got {cost!r}") from error
    return matrix
