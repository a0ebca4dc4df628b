"""Calls of the native module about the rules of trees and boxes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from imbcore import _imbcore
from imbcore._border.native import NativeModel, resolve_threads
from imbcore._input.frame import BorderFrame

tree_text = _imbcore.tree_text
tree_dot = _imbcore.tree_dot
tree_rules = _imbcore.tree_rules
tree_region = _imbcore.tree_region
quoted = _imbcore.quoted


def rule_masses(
    model: NativeModel, frame: BorderFrame, codes: NDArray[np.uint32], n_classes: int
) -> NDArray[np.float64]:
    """Rows of every class in every node of a tree, or in every box and, last, in none."""
    return _imbcore.rule_masses(model, frame, codes, n_classes, None, resolve_threads(None, None))
