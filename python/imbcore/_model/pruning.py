"""Cost-complexity path of a tree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class PruningPath(NamedTuple):
    """Nested prunings of a tree, from all splits that lower the risk to the root alone.

    Entry ``k`` is the smallest tree that minimizes risk + alpha x leaves for every alpha in
    [``ccp_alphas[k]``, ``ccp_alphas[k + 1]``).

    Attributes
    ----------
    ccp_alphas : ndarray of shape (n_trees,)
        Smallest complexity parameter at which each tree is optimal; starts at 0 and is non-decreasing.
    impurities : ndarray of shape (n_trees,)
        Training risk of each tree, divided by the weight of all rows.
    leaves : ndarray of shape (n_trees,)
        Number of leaves of each tree.
    pruned_nodes : list of ndarray
        Nodes of the unpruned tree that become leaves at each step.
    """

    ccp_alphas: NDArray[np.float64]
    impurities: NDArray[np.float64]
    leaves: NDArray[np.int64]
    pruned_nodes: list[NDArray[np.int64]]
