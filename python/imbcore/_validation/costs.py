"""Conversion of costs, strategies, thresholds and calibration to native form."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.alert_budget import BY_VALUES, period_to_json_value
from imbcore._validation.arguments import closest_name
from imbcore._validation.labelled import order_matrix_by_class, series_to_dict
from imbcore._validation.row_costs import Cell, cost_matrix_to_floats, costs_to_matrix_cells
from imbcore._validation.value_text import value_text
from imbcore._validation.values import is_complex
from imbcore.exceptions import ParameterError, UnsupportedError

# Keys of a threshold rule; the native module checks their combinations.
_GOAL_KEYS = (
    "best",
    "recall",
    "precision",
    "fpr",
    "alert_rate",
    "alerts",
    "per",
    "by",
    "cost",
    "at_most",
    "guarantee",
    "guarantee_rows",
    "max_group_size",
)

# Options about costs and decisions, in the order of `CostOptions`.
COST_OPTIONS = ("cost_matrix", "costs", "cost_strategy", "threshold", "calibrate")
CostOptions = tuple[Any, Any, Any, Any, Any]
# Costs, strategy, threshold, calibration.
CostArgument = tuple[NDArray[np.float64] | list[Cell] | str | None, str, float | str | None, str | None]


def cost_options_of_estimator(estimator: object, **settled: Any) -> CostOptions:
    """Collect these options from an estimator; ``settled`` overrides some."""
    cost_matrix, costs, *others = (settled.get(name, getattr(estimator, name)) for name in COST_OPTIONS)
    return cost_matrix, costs, *others


def cost_options_to_native(
    given: CostOptions, classes: NDArray[Any], columns: tuple[Sequence[str], int] | None
) -> CostArgument:
    """Convert the options; the native module checks their ranges.

    ``columns`` are the column names and the positive class code; None if there is no table.
    """
    cost_matrix, costs, cost_strategy, threshold, calibrate = given
    if not isinstance(cost_strategy, str):
        raise ParameterError(
            f"cost_strategy must be 'decision' or 'reweight', got {value_text(cost_strategy)}"
        )
    if calibrate is not None and not isinstance(calibrate, str):
        raise ParameterError(
            f"calibrate must be 'sigmoid', 'isotonic', 'beta', 'venn_abers' or None, "
            f"got {value_text(calibrate)}"
        )
    if len(classes) < 2:
        # With one class there is nothing to decide, and no cost matrix applies.
        return None, cost_strategy, None, None
    found: NDArray[np.float64] | list[Cell] | str | None
    if costs is None:
        found = cost_matrix if isinstance(cost_matrix, str) else costs_from_matrix(cost_matrix, classes)
    elif cost_matrix is not None:
        raise ParameterError("cost_matrix and costs exclude each other; give one of them")
    elif isinstance(costs, Mapping):
        found = costs_to_matrix_cells(costs, classes, columns)
    elif callable(costs):
        raise ParameterError(
            "a function as costs cannot be split into folds; name columns of X instead, such as "
            "costs={'alarm': 5, 'miss': 'amount'}"
        )
    else:
        found = cost_matrix_to_floats(costs, "costs")
    return found, cost_strategy, _threshold_to_native(threshold, classes), calibrate


def costs_from_matrix(cost_matrix: Any, classes: NDArray[Any]) -> NDArray[np.float64] | None:
    """Convert a cost matrix, or one per row."""
    return None if cost_matrix is None else cost_matrix_by_class(cost_matrix, classes)


def cost_matrix_by_class(cost_matrix: Any, classes: NDArray[Any]) -> NDArray[np.float64]:
    """Convert a cost matrix by its labels, or else in the order of the classes; or one per row."""
    cost_matrix = series_to_dict(cost_matrix)
    if isinstance(cost_matrix, Mapping):
        return _cost_matrix_from_pairs(cost_matrix, classes)
    return cost_matrix_to_floats(order_matrix_by_class(cost_matrix, classes.tolist(), "cost_matrix"))


def costs_for_predict(
    own: NDArray[np.float64] | None, threshold: float | None, cost_matrix: Any, classes: NDArray[Any]
) -> NDArray[np.float64] | None:
    """Return the costs given to ``predict``, else those of the fit."""
    if cost_matrix is not None and threshold is not None:
        raise UnsupportedError(
            "a model with a threshold does not support cost_matrix in predict: fit it without threshold"
        )
    return own if cost_matrix is None else costs_from_matrix(cost_matrix, classes)


def _threshold_to_native(threshold: Any, classes: NDArray[Any]) -> float | str | None:
    if threshold is None or isinstance(threshold, str):
        return threshold
    if isinstance(threshold, Mapping):
        return threshold_rule_to_text(threshold, classes)
    return _validate_number(
        "threshold", threshold, "a number in [0, 1], a metric name, a dict with a target, or None"
    )


def threshold_rule_to_text(goal: Any, classes: NDArray[Any]) -> str:
    """Convert a threshold rule to the form of the native module."""
    if isinstance(goal, str):
        return goal
    if not isinstance(goal, Mapping):
        raise ParameterError(
            f"a threshold rule is a name such as 'f1' or a dict such as {{'recall': 0.9}}, "
            f"got {value_text(goal)}"
        )
    for name in goal:
        meant = None if name in _GOAL_KEYS else closest_name(str(name), _GOAL_KEYS)
        if meant:
            raise ParameterError(f"a threshold rule has no key {name!r}; did you mean {meant!r}?")
    written: dict[str, Any] = {}
    for name, value in goal.items():
        if name == "best":
            written[name] = value
        elif name == "per":
            written[name] = period_to_json_value(value)
        elif name == "by":
            # Values are passed to the native module as codes of groups.
            written[name] = value if isinstance(value, str) else BY_VALUES
        elif name != "cost":
            written[str(name)] = _validate_number(f"threshold[{name!r}]", value, "a number")
        elif isinstance(value := series_to_dict(value), Mapping):
            written[name] = _cost_matrix_from_pairs(value, classes).tolist()
        else:
            written[name] = numeric_cost_matrix(
                order_matrix_by_class(value, classes.tolist(), "threshold['cost']")
            ).tolist()
    return json.dumps(written)


def cost_matrix_of_goal(goal: Any, classes: NDArray[Any]) -> NDArray[np.float64] | None:
    """Return the cost matrix of a threshold rule for two classes; None if it has none."""
    if not isinstance(goal, Mapping) or "cost" not in goal:
        return None
    costs = np.array(json.loads(threshold_rule_to_text(goal, classes))["cost"])
    # The fit rejects other shapes.
    return costs if costs.shape == (2, 2) and len(classes) == 2 else None


def _validate_number(name: str, value: Any, expected: str) -> float:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)):
        raise ParameterError(f"{name} must be {expected}, got {value_text(value)}")
    return float(value)


def numeric_cost_matrix(cost_matrix: Any) -> NDArray[np.float64]:
    """Convert a numeric cost matrix."""
    if is_complex(cost_matrix):
        raise ParameterError("cost_matrix must contain real numbers, got complex ones")
    try:
        matrix = np.asarray(cost_matrix, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"cost_matrix must contain numbers in rows of equal length: {error}") from error
    if matrix.ndim != 2:
        raise ParameterError(f"cost_matrix must have 2 dimensions, got {matrix.ndim}")
    return matrix


def _cost_matrix_from_pairs(costs: Mapping[Any, Any], classes: NDArray[Any]) -> NDArray[np.float64]:
    labels = classes.tolist()
    code = {label: at for at, label in enumerate(labels)}
    matrix = np.zeros((len(labels), len(labels)))
    for pair, cost in costs.items():
        if not isinstance(pair, tuple) or len(pair) != 2 or pair[0] not in code or pair[1] not in code:
            raise ParameterError(
                f"the keys of a cost_matrix dict are pairs (true, predicted) of the labels {labels}, "
                f"got {value_text(pair)}"
            )
        try:
            matrix[code[pair[0]], code[pair[1]]] = float(cost)
        except (TypeError, ValueError) as error:
            raise ParameterError(f"cost_matrix[{pair!r}] must be a number, got {value_text(cost)}") from error
    return matrix
