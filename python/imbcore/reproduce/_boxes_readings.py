"""How Fast Boxes is read where the paper's text is silent: grids, and what the authors' program does."""

from __future__ import annotations

from typing import Any

from imbcore.boxes import FastBoxesCV

__all__ = ["READINGS", "WEIGHTS", "selection"]

# The paper's own grids are lost. The weights are those of the authors' program; boxes go on to 30, since
# more than 10 are worth .1 to .2 of area on wisconsin.
WEIGHTS = tuple(tenth / 10 for tenth in range(1, 11))
BOXES = (1, 2, 3, 5, 7, 10, 15, 20, 30)
INNER_FOLDS = 3

# What the authors' program does otherwise than the text.
READINGS: dict[str, dict[str, Any]] = {
    "text": {},
    "code": {"bound_rule": "program", "scale": "maxabs", "clustering": "program"},
}


def selection(reading: str, seed: int, **given: Any) -> FastBoxesCV:
    """Make Fast Boxes whose number of boxes and expansion inner folds choose."""
    settings: dict[str, Any] = {
        "n_boxes_grid": BOXES,
        "cv": INNER_FOLDS,
        "random_state": seed,
        "n_threads": 1,
        "positive": 1,
    }
    return FastBoxesCV(**settings | READINGS[reading] | given)
