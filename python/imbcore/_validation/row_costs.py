"""Conversion of costs per row, given as columns, arrays or functions, to native form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.value_text import value_text
from imbcore._validation.values import is_complex
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

# A number, or the position of the column with the costs of the rows.
Cell = tuple[float, int | None]
CostFunction = Callable[[Any], Any]

# Names for two classes: whether the true class, and whether the prediction, is positive.
_NAMED = {"alarm": (False, True), "miss": (True, False), "hit": (True, True), "pass": (False, False)}
_ENTRY = "{'alarm': 5, 'miss': 'amount'}"


def evaluate_cost_function(costs: Any, X: Any) -> Any:
    """Call a cost function on a table; other costs are returned unchanged."""
    if not callable(costs):
        return costs
    found = cost_matrix_to_floats(costs(X), "the result of the cost function")
    if found.ndim != 3:
        raise ParameterError(
            "a cost function must return an array of shape (n_rows, n_classes, n_classes), one matrix per "
            f"row, not of shape {found.shape}"
        )
    return found


def cost_matrix_to_floats(costs: Any, name: str = "cost_matrix") -> NDArray[np.float64]:
    """Convert a cost matrix, or one per row."""
    if is_complex(costs):
        raise ParameterError(f"{name} must contain real numbers, got complex ones")
    try:
        found = np.ascontiguousarray(costs, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{name} must contain numbers in rows of equal length: {error}") from error
    if np.ndim(costs) not in (2, 3):
        raise ParameterError(
            f"{name} must have 2 dimensions, or 3 for one matrix per row, got {np.ndim(costs)}"
        )
    if name != "cost_matrix":
        _check_costs(found, name)
    return found


def _check_costs(costs: NDArray[np.float64], name: str) -> None:
    """Reject invalid costs by the name that users know; the native module has only cost_matrix."""
    faults = np.argwhere(~(np.isfinite(costs) & (costs >= 0)))
    if len(faults):
        place = tuple(int(part) for part in faults[0])
        raise DataError(f"{name} must contain finite numbers of at least 0, got {costs[place]} at {place}")


def costs_to_matrix_cells(
    costs: Mapping[Any, Any], classes: NDArray[Any], columns: tuple[Sequence[str], int] | None
) -> list[Cell]:
    """Convert named costs to the cells of the matrix, row by row.

    ``columns`` are the column names and the positive class code; None if there is no table.
    """
    if columns is None:
        reject_row_costs(costs)
    names, positive = columns or ((), 0)
    if not costs:
        raise ParameterError(f"costs is empty; give the costs of errors, such as {_ENTRY}")
    n_classes = len(classes)
    cells: list[Cell] = [(0.0, None)] * n_classes**2
    for key, cost in costs.items():
        truth, answer = _class_code_pair(key, classes.tolist(), positive)
        cells[truth * n_classes + answer] = _parse_cost_cell(key, cost, names)
    return cells


def reject_row_costs(costs: Any) -> None:
    """Reject costs per row for members of other libraries: their table is not converted."""
    if costs is not None:
        raise UnsupportedError(
            "costs= is only for methods and members of imbcore; for others use "
            "imbcore.costs.minimum_expected_cost(model.predict_proba(X), costs) with an array of shape "
            "(n_rows, n_classes, n_classes), or cost_matrix= if all rows have equal costs"
        )


def _class_code_pair(key: Any, labels: list[Any], positive: int) -> tuple[int, int]:
    """Return the codes of true and predicted class for a key."""
    if isinstance(key, tuple) and len(key) == 2 and key[0] in labels and key[1] in labels:
        return labels.index(key[0]), labels.index(key[1])
    if isinstance(key, str) and key in _NAMED:
        if len(labels) != 2:
            raise ParameterError(
                f"costs[{key!r}] is for two classes, but there are {len(labels)}; use pairs of labels "
                "(true, predicted) instead"
            )
        truth, answer = _NAMED[key]
        return (positive if truth else 1 - positive), (positive if answer else 1 - positive)
    raise ParameterError(
        f"the keys of costs are 'alarm', 'miss', 'hit' and 'pass', as in {_ENTRY}, or pairs (true, "
        f"predicted) of the labels {labels}, got {value_text(key)}; the class costs of AdaC are class_costs"
    )


def _parse_cost_cell(key: Any, cost: Any, names: Sequence[str]) -> Cell:
    if isinstance(cost, str):
        if cost in names:
            return 0.0, list(names).index(cost)
        near = get_close_matches(cost, names, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"the columns are {list(names)[:20]}"
        raise ParameterError(f"costs[{key!r}]: X has no column {cost!r}; {hint}")
    if isinstance(cost, (bool, np.bool_)) or not isinstance(cost, (int, float, np.number)):
        raise ParameterError(
            f"costs[{key!r}] must be a number or the name of a column of X, got {value_text(cost)}"
        )
    if not (np.isfinite(cost) and cost >= 0):
        raise DataError(f"costs[{key!r}] must be a finite number of at least 0, got {cost}")
    return float(cost), None


def costs_by_label(
    cells: Sequence[Cell], classes: NDArray[Any], names: Sequence[str], positive: int
) -> dict[Any, float | str]:
    """Convert costs to the form that users write; zero costs are left out."""
    labels = classes.tolist()
    n_classes = len(labels)
    words = {
        (positive if truth else 1 - positive, positive if answer else 1 - positive): word
        for word, (truth, answer) in _NAMED.items()
    }
    found: dict[Any, float | str] = {}
    for at, (number, column) in enumerate(cells):
        truth, answer = divmod(at, n_classes)
        key = words[truth, answer] if n_classes == 2 else (labels[truth], labels[answer])
        if column is not None or number:
            found[key] = number if column is None else names[column]
    return found
