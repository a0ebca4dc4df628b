"""Calls of the native module about the rules of trees and boxes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._border.options import resolve_threads
from imbcore._input.frame import BorderFrame


def rule_masses(
    model: native.models.Model, frame: BorderFrame, codes: NDArray[np.uint32], n_classes: int
) -> NDArray[np.float64]:
    """Rows of every class in every node of a tree, or in every box and, last, in none."""
    return native.models.rule_masses(model, frame, codes, n_classes, None, resolve_threads(None, None))
