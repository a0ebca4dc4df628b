"""The cost-complexity path of a tree, as Python sees it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["PruningPath"]


class PruningPath(NamedTuple):
    """Nested prunings of a tree, from all its splits that lower the risk to the bare root.

    Entry ``k`` is the smallest tree that minimises risk + alpha x leaves for every alpha from
    ``ccp_alphas[k]`` up to, but not including, ``ccp_alphas[k + 1]``.

    Attributes
    ----------
    ccp_alphas : ndarray of shape (n_trees,)
        Price of a leaf from which each tree is best; starts at 0 and never falls.
    impurities : ndarray of shape (n_trees,)
        Training risk of each tree, over the weight of all rows.
    leaves : ndarray of shape (n_trees,)
        Leaves of each tree.
    pruned_nodes : list of ndarray
        Nodes of the unpruned tree that become leaves at each step.
    """

    ccp_alphas: NDArray[np.float64]
    impurities: NDArray[np.float64]
    leaves: NDArray[np.int64]
    pruned_nodes: list[NDArray[np.int64]]
