"""Cost matrices from the labels of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.training import NativeWeightsAndCosts
from imbcore._validation.labels import Target
from imbcore.exceptions import ParameterError


def build_cost_matrix(
    cost_matrix: Any, target: Target, sample_weight: Any, who: str
) -> NDArray[np.float64] | None:
    """Build the cost matrix from a matrix, dict of pairs or name, for rows with these weights.

    Raises
    ------
    ParameterError
        There is a matrix for every row.
    """
    costs = (cost_matrix, None, "decision", None, None)
    found = native.models.cost_matrix(NativeWeightsAndCosts.from_options(target, sample_weight, None, costs))
    if found is None and cost_matrix is not None:
        raise ParameterError(
            f"{who}: parameter `cost_matrix` must be one matrix for all rows, got an array of shape "
            f"{np.shape(cost_matrix)}; costs of single rows belong to the rows to predict: "
            "MinExpectedCostClassifier.predict(X, cost_matrix=array)"
        )
    return found
