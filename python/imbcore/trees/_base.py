"""What the classes of single trees share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._base import NativeClassifier

__all__ = ["TreeClassifier"]


class TreeClassifier(NativeClassifier):
    """What the classes of single trees share."""

    missing: str

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Node number of the leaf in which every row ends.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``.

        Returns
        -------
        leaves : ndarray of shape (n_rows,)
            Node numbers; with ``missing="fraction"`` the leaf with the largest share of the row.
        """
        leaves: NDArray[np.int64] = self._ask("apply", X)
        return leaves

    def decision_path(self, X: Any) -> Any:
        """Nodes that every row passes.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``.

        Returns
        -------
        path : csr_matrix of shape (n_rows, n_nodes)
            1 where the row passes the node.
        """
        answer = self._ask("decision_path", X)
        return self.model_._path(answer)

    def get_depth(self) -> int:
        """Count the splits on the longest way from the root to a leaf.

        Returns
        -------
        depth : int
            0 for a tree that is a single leaf.
        """
        return self._fitted().depth_

    def get_n_leaves(self) -> int:
        """Count the leaves.

        Returns
        -------
        n_leaves : int
            At least 1.
        """
        return self._fitted().n_leaves_

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each feature in the total gain of the splits."""
        return self._fitted().feature_importances_

    def __sklearn_tags__(self) -> Any:
        """Describe what the estimator accepts."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags
