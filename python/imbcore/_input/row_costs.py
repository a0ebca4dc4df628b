"""Costs that are each row's own: named columns, arrays and functions as users write them, to border form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._input.values import is_complex
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

__all__ = ["Cell", "CostFunction", "asked", "cost_cells", "cost_numbers", "foreign_costs", "named_costs"]

# A number, or the position of the column with the row's own.
Cell = tuple[float, int | None]
CostFunction = Callable[[Any], Any]

# Names for two classes: whether the true class, and whether the answer, is the positive one.
_NAMED = {"alarm": (False, True), "miss": (True, False), "hit": (True, True), "pass": (False, False)}
_ENTRY = "{'alarm': 5, 'miss': 'amount'}"


def asked(costs: Any, X: Any) -> Any:
    """Ask a function of costs about a table; costs of other kinds stay."""
    if not callable(costs):
        return costs
    found = cost_numbers(costs(X), "what the function of costs returns")
    if found.ndim != 3:
        raise ParameterError(
            "a function of costs must return an array of shape (n_rows, n_classes, n_classes), a matrix for "
            f"each row, not of shape {found.shape}"
        )
    return found


def cost_numbers(costs: Any, name: str = "cost_matrix") -> NDArray[np.float64]:
    """Read a matrix of costs, or one for each row."""
    if is_complex(costs):
        raise ParameterError(f"{name} must hold real numbers, got complex ones")
    try:
        found = np.ascontiguousarray(costs, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"{name} must hold numbers in rows of equal length: {error}") from error
    if np.ndim(costs) not in (2, 3):
        raise ParameterError(
            f"{name} must have 2 dimensions, or 3 where each row has a matrix, got {np.ndim(costs)}"
        )
    if name != "cost_matrix":
        _check_costs(found, name)
    return found


def _check_costs(costs: NDArray[np.float64], name: str) -> None:
    """Refuse what is no cost by the name that the user knows; the native module knows that of a matrix."""
    faults = np.argwhere(~(np.isfinite(costs) & (costs >= 0)))
    if len(faults):
        place = tuple(int(part) for part in faults[0])
        raise DataError(f"{name} must hold finite numbers of at least 0, got {costs[place]} at {place}")


def cost_cells(
    costs: Mapping[Any, Any], classes: NDArray[Any], columns: tuple[Sequence[str], int] | None
) -> list[Cell]:
    """Read named costs: the cells of the matrix, row by row.

    ``columns`` are the names of the columns and the code of the positive class; None where there is no table.
    """
    if columns is None:
        foreign_costs(costs)
    names, positive = columns or ((), 0)
    if not costs:
        raise ParameterError(f"costs is empty; say what errors cost, such as {_ENTRY}")
    n_classes = len(classes)
    cells: list[Cell] = [(0.0, None)] * n_classes**2
    for key, cost in costs.items():
        truth, answer = _pair(key, classes.tolist(), positive)
        cells[truth * n_classes + answer] = _cell(key, cost, names)
    return cells


def foreign_costs(costs: Any) -> None:
    """Refuse costs of rows where others than imbcore fit the members, and the table is not read."""
    if costs is not None:
        raise UnsupportedError(
            "costs= is for methods and members of imbcore; of others take "
            "imbcore.costs.minimum_expected_cost(model.predict_proba(X), costs) with an array of shape "
            "(n_rows, n_classes, n_classes), or cost_matrix= where all rows cost the same"
        )


def _pair(key: Any, labels: list[Any], positive: int) -> tuple[int, int]:
    """Codes of the true class and the answer that a key names."""
    if isinstance(key, tuple) and len(key) == 2 and key[0] in labels and key[1] in labels:
        return labels.index(key[0]), labels.index(key[1])
    if isinstance(key, str) and key in _NAMED:
        if len(labels) != 2:
            raise ParameterError(
                f"costs[{key!r}] speaks of two classes, but there are {len(labels)}; name pairs of labels "
                "(true, answered) instead"
            )
        truth, answer = _NAMED[key]
        return (positive if truth else 1 - positive), (positive if answer else 1 - positive)
    raise ParameterError(
        f"the keys of costs are 'alarm', 'miss', 'hit' and 'pass', as in {_ENTRY}, or pairs (true, answered) "
        f"of the labels {labels}, got {key!r}; what weighs classes in AdaC is class_costs"
    )


def _cell(key: Any, cost: Any, names: Sequence[str]) -> Cell:
    if isinstance(cost, str):
        if cost in names:
            return 0.0, list(names).index(cost)
        near = get_close_matches(cost, names, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"the columns are {list(names)[:20]}"
        raise ParameterError(f"costs[{key!r}]: X has no column {cost!r}; {hint}")
    if isinstance(cost, (bool, np.bool_)) or not isinstance(cost, (int, float, np.number)):
        raise ParameterError(f"costs[{key!r}] must be a number or the name of a column of X, got {cost!r}")
    if not (np.isfinite(cost) and cost >= 0):
        raise DataError(f"costs[{key!r}] must be a finite number of at least 0, got {cost}")
    return float(cost), None


def named_costs(
    cells: Sequence[Cell], classes: NDArray[Any], names: Sequence[str], positive: int
) -> dict[Any, float | str]:
    """Name costs as users write them; those of 0 are left out."""
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
