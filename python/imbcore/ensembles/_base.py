"""Base class of the forests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._estimators.treelike import TreeBasedClassifier
from imbcore._model.model import Model
from imbcore.ensembles._warm import WarmStartEnsemble


class BaseForest(WarmStartEnsemble, TreeBasedClassifier):
    """Base class of the forests.

    Parameters
    ----------
    class_weight
        Weight of every label, multiplied with ``sample_weight``; "balanced" weights the classes inversely to
        their frequencies. Weights affect how the trees are grown, not which rows are sampled.
    random_state
        Seed. Equal seeds give equal models for any ``n_threads``; a larger ``n_estimators`` does not change
        the first trees.
    """

    def _options(self, **settled: Any) -> dict[str, Any]:
        found = super()._options(**settled)
        sees_all = not getattr(self, "bootstrap", True) and getattr(self, "max_samples", None) is None
        if sees_all and isinstance(self.class_weight, str) and self.class_weight == "balanced_subsample":
            # Without bootstrap every bag has the class counts of all rows.
            found["class_weight"] = "balanced"
        return found

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the node index of the leaf that each row reaches, in each tree.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.

        Returns
        -------
        leaves : ndarray of shape (n_rows, n_trees)
            Node indices in ``estimators_``; if ``missing="fraction"``, the leaf with the largest fraction of
            the row.
        """
        leaves: NDArray[np.int64] = self._call_method_on_rows("apply", X)
        # A model fitted to one class is a single tree.
        return leaves[:, np.newaxis] if leaves.ndim == 1 else leaves

    def decision_path(self, X: Any) -> tuple[Any, NDArray[np.int64]]:
        """Return the nodes of all trees that each row passes.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.

        Returns
        -------
        indicator : csr_matrix of shape (n_rows, n_nodes)
            1 if the row passes the node; the columns of the trees are concatenated.
        n_nodes_ptr : ndarray of shape (n_trees + 1,)
            Columns ``n_nodes_ptr[i]`` up to ``n_nodes_ptr[i + 1]`` are the nodes of tree ``i``.
        """
        model = self._fitted()
        frame = model._frame(X, type(self).__name__)
        return model._paths(frame, self.n_threads, self.n_jobs)

    @property
    def estimators_(self) -> Sequence[Model]:
        """The trees, in order; each is unpacked on access."""
        return self._fitted().estimators_

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Fraction of the split gain due to each feature, averaged over trees with a split."""
        return self._fitted().feature_importances_

    def _out_of_bag(self) -> tuple[float, NDArray[np.float64]]:
        fitted = self._fitted()
        return fitted.oob_score_, fitted.oob_decision_function_

    @property
    def oob_decision_function_(self) -> NDArray[np.float64]:
        """Out-of-bag prediction for every training row."""
        return self._out_of_bag()[1]
