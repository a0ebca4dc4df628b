"""Fitted forests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._model.branches import TreeBranches
from imbcore._model.ensembles import OutOfBagModel
from imbcore._model.explainable import ExplainedByTrees
from imbcore._model.model import Model
from imbcore._model.trees import SingleTree
from imbcore._validation.frame import NativeFrame
from imbcore._validation.schema import Schema
from imbcore.exceptions import UnsupportedError

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class ForestModel(ExplainedByTrees, OutOfBagModel, kind="forest"):
    """Forest.

    Attributes
    ----------
    estimators_ : sequence of SingleTree
        The trees.
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the total split gain due to each feature, averaged over the trees that have a split.
    n_leaves_ : int
        Number of leaves of all trees together.
    depth_ : int
        Number of splits on the longest path from a root to a leaf.
    alphas_ : ndarray of shape (n_estimators,)
        The alpha of every tree; only for method "beat".
    shrinkage_ : dict or None
        Hierarchical shrinkage that was chosen on held-out rows, and its log loss.
    oob_score_ : float
        Score on out-of-bag rows; only if ``oob_score`` is set.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Out-of-bag probabilities of the training rows; only if ``oob_score`` is set. NaN for rows that are in
        the samples of all trees, and for rows of weight 0.
    """

    _family = "forests"
    _native: native.models.ForestModel

    @property
    def size_text(self) -> str:
        """Number of trees and leaves as text."""
        return f"{len(self.estimators_)} trees, {self.n_leaves_} leaves"

    @property
    def estimators_(self) -> Sequence[SingleTree]:
        """The trees of the forest, in order; each is unpacked on access."""
        return _ForestTrees(self._native, self._schema)

    def _members(self) -> list[SingleTree]:
        return list(self.estimators_)

    def _node_class_values(self, nodes: list[dict[str, Any]], branches: TreeBranches) -> NDArray[np.float64]:
        n_classes = len(self.classes_)
        found = np.zeros((len(nodes), n_classes))
        for at, values in enumerate(branches.values):
            if len(values) > n_classes:
                raise UnsupportedError(
                    f"the trees of this {self.method} model vote with the weights of their leaves, which "
                    "is not additive; use shap with one of estimators_"
                )
            if len(values):
                found[at] = values
        return found

    @property
    def alphas_(self) -> NDArray[np.float64]:
        """The alpha of every tree."""
        if self.method != "beat":
            raise AttributeError("alphas_")
        return self._native.alphas

    @property
    def shrinkage_(self) -> dict[str, Any] | None:
        """Hierarchical shrinkage that was chosen on held-out rows, and its log loss.

        Returns
        -------
        dict or None
            ``amount``; ``scale``, a factor by which the differences between the probabilities and the class
            proportions are multiplied; mean log losses of the held-out rows with this amount and scale
            (``log_loss``), and if the class proportions of the training rows are predicted
            (``prior_log_loss``); ``n_rows``, the number of held-out rows; and ``beats_prior``, whether the
            log loss of this amount is better than that of the class proportions by one standard error. If it
            is, ``scale`` is 1. None if the amount was given, or if there were no held-out rows.
        """
        return self._native.shrinkage

    def apply(self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None) -> NDArray[np.int64]:
        """Return the node index of the leaf that each row reaches, in each tree.

        For a row that reaches several leaves (``missing="fraction"``) it is the one with its largest
        fraction.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        ndarray of shape (n_rows, n_trees)
            Node indices.
        """
        return self._call_method_on_rows("apply", X, n_threads, n_jobs)

    def decision_path(
        self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None
    ) -> tuple[csr_matrix, NDArray[np.int64]]:
        """Return the nodes of all trees that each row passes. Needs SciPy.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        indicator : csr_matrix of shape (n_rows, n_nodes)
            1 if the row passes the node; the columns of the trees are concatenated.
        n_nodes_ptr : ndarray of shape (n_trees + 1,)
            Columns ``n_nodes_ptr[i]`` up to ``n_nodes_ptr[i + 1]`` are the nodes of tree ``i``.
        """
        return self._paths(self._frame(X), n_threads, n_jobs)

    def _paths(self, frame: NativeFrame, n_threads: Any, n_jobs: Any) -> tuple[csr_matrix, NDArray[np.int64]]:
        """Return the nodes passed by every row in all trees."""
        from scipy.sparse import hstack

        paths = [
            tree._path(tree._put("decision_path", frame, n_threads, n_jobs)) for tree in self.estimators_
        ]
        starts = np.cumsum([0, *(path.shape[1] for path in paths)])
        return hstack(paths, format="csr"), starts


class _ForestTrees(Sequence[SingleTree]):
    """Trees of a forest, unpacked one by one on access."""

    def __init__(self, forest: native.models.ForestModel, schema: Schema) -> None:
        self._native = forest
        self._schema = schema
        self._places = range(forest.n_trees)

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> SingleTree: ...
    @overload
    def __getitem__(self, place: slice) -> list[SingleTree]: ...
    def __getitem__(self, place: int | slice) -> SingleTree | list[SingleTree]:
        if isinstance(place, slice):
            return [self[one] for one in self._places[place]]
        tree = Model(self._native.member(self._places[place]), self._schema)
        assert isinstance(tree, SingleTree)
        return tree
