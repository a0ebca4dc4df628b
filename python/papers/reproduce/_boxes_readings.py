"""Settings of Fast Boxes that the paper does not specify: grids, and the authors' program."""

from __future__ import annotations

from typing import Any

from imbcore.boxes import FastBoxesCV

__all__ = ["READINGS", "WEIGHTS", "selection"]

# The paper's own grids are not available. The weights are those of the authors' program; up to 30 boxes are
# tried, since more than 10 increase the area on wisconsin by 0.1 to 0.2.
WEIGHTS = tuple(tenth / 10 for tenth in range(1, 11))
BOXES = (1, 2, 3, 5, 7, 10, 15, 20, 30)
INNER_FOLDS = 3

# Differences between the authors' program and the text.
READINGS: dict[str, dict[str, Any]] = {
    "text": {},
    "code": {"bound_rule": "program", "scale": "maxabs", "clustering": "program"},
}


def selection(reading: str, seed: int, **given: Any) -> FastBoxesCV:
    """Build Fast Boxes with number of boxes and expansion tuned on inner folds."""
    settings: dict[str, Any] = {
        "n_boxes_grid": BOXES,
        "cv": INNER_FOLDS,
        "random_state": seed,
        "n_threads": 1,
        "positive": 1,
    }
    return FastBoxesCV(**settings | READINGS[reading] | given)
