"""Cost matrices from the labels of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.training import Weighing
from imbcore._validation.labels import Target


def cost_matrix_of(cost_matrix: Any, target: Target, sample_weight: Any) -> NDArray[np.float64] | None:
    """Build the cost matrix from a matrix, dict of pairs or name, for rows with these weights."""
    costs = (cost_matrix, None, "decision", None, None)
    return native.models.cost_matrix(Weighing.from_options(target, sample_weight, None, costs))
