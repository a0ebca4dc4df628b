"""What the classes of forests share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._estimators.treelike import TreelikeClassifier
from imbcore._model.model import Model
from imbcore.ensembles._warm import GrowingClassifier

__all__ = ["BaseForest"]


class BaseForest(GrowingClassifier, TreelikeClassifier):
    """What the classes of forests share.

    Parameters
    ----------
    class_weight
        Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes inversely to
        their frequencies. Weights enter the trees, not the drawing of rows.
    random_state
        Seed. Equal seeds give equal models whatever ``n_threads`` is, and more trees leave the first ones as
        they are.
    """

    def _options(self, **settled: Any) -> dict[str, Any]:
        found = super()._options(**settled)
        sees_all = not getattr(self, "bootstrap", True) and getattr(self, "max_samples", None) is None
        if sees_all and isinstance(self.class_weight, str) and self.class_weight == "balanced_subsample":
            # The classes of every bag are those of all rows.
            found["class_weight"] = "balanced"
        return found

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Node number of the leaf in which every row ends, in each tree.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``.

        Returns
        -------
        leaves : ndarray of shape (n_rows, n_trees)
            Node numbers in ``estimators_``; with ``missing="fraction"`` the leaf with the largest share of
            the row.
        """
        leaves: NDArray[np.int64] = self._ask("apply", X)
        # One that was fitted to rows of one class is a tree, of one leaf.
        return leaves[:, np.newaxis] if leaves.ndim == 1 else leaves

    def decision_path(self, X: Any) -> tuple[Any, NDArray[np.int64]]:
        """Nodes of all trees that every row passes.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``.

        Returns
        -------
        indicator : csr_matrix of shape (n_rows, n_nodes)
            1 where the row passes the node; the nodes of the trees stand side by side.
        n_nodes_ptr : ndarray of shape (n_trees + 1,)
            Columns ``n_nodes_ptr[i]`` up to ``n_nodes_ptr[i + 1]`` are the nodes of tree ``i``.
        """
        model = self._fitted()
        frame = model._frame(X, type(self).__name__)
        found: tuple[Any, NDArray[np.int64]] = model._paths(frame, self.n_threads, self.n_jobs)
        return found

    @property
    def estimators_(self) -> Sequence[Model]:
        """The trees, in order; each is unpacked when it is asked for."""
        found: Sequence[Model] = self._fitted().estimators_
        return found

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean over the trees of each feature's share in the total gain of the splits."""
        found: NDArray[np.float64] = self._fitted().feature_importances_
        return found

    def _out_of_bag(self) -> tuple[float, NDArray[np.float64]]:
        fitted = self._fitted()
        return fitted.oob_score_, fitted.oob_decision_function_

    @property
    def oob_decision_function_(self) -> NDArray[np.float64]:
        """Answer for every training row of the trees that did not see it."""
        return self._out_of_bag()[1]
