"""Base classes of the single trees."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import Bunch

from imbcore._bindings import options, training
from imbcore._estimators.base import NativeClassifier
from imbcore._estimators.readable import RuleClassifier
from imbcore._estimators.selection import choose_pruning, find_scorer, score_trees_of_path
from imbcore._estimators.treelike import TreeBasedClassifier
from imbcore._model.branches import TreeView
from imbcore._validation.frame import to_prediction_frame
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.values import to_label_array


class SingleTree(RuleClassifier, TreeBasedClassifier):
    """Base class of all single trees."""

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the node index of the leaf that each row reaches.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.

        Returns
        -------
        leaves : ndarray of shape (n_rows,)
            Node indices; if ``missing="fraction"``, the leaf with the largest fraction of the row.
        """
        return self._call_method_on_rows("apply", X)

    def decision_path(self, X: Any) -> Any:
        """Return the nodes that each row passes.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.

        Returns
        -------
        path : csr_matrix of shape (n_rows, n_nodes)
            1 if the row passes the node.
        """
        answer = self._call_method_on_rows("decision_path", X)
        return self.model_._path(answer)

    def get_depth(self) -> int:
        """Return the number of splits on the longest path from the root to a leaf.

        Returns
        -------
        depth : int
            0 for a tree that is a single leaf.
        """
        return self._fitted().depth_

    def get_n_leaves(self) -> int:
        """Return the number of leaves.

        Returns
        -------
        n_leaves : int
            At least 1.
        """
        return self._fitted().n_leaves_

    @property
    def tree_(self) -> TreeView:
        """Node arrays named as in scikit-learn's ``tree_``; only for trees with numeric splits."""
        return self._fitted().tree_

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Fraction of the total split gain due to each feature."""
        return self._fitted().feature_importances_


class TreeClassifier(SingleTree):
    """Base class of the trees with a split criterion."""

    max_features: Any

    @property
    def max_features_(self) -> int:
        """Number of features considered at a node."""
        n_features = self._fitted().n_features_in_
        given = self.max_features
        if given is None:
            return n_features
        if isinstance(given, str):
            return max(1, int({"sqrt": math.sqrt, "log2": math.log2}[given](n_features)))
        share = isinstance(given, (float, np.floating))
        return max(1, int(given * n_features)) if share else int(given)

    @match_rows_by_index
    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Grow the tree without ``ccp_alpha`` and compute its cost-complexity pruning path.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``fit``.
        y : sequence of shape (n_rows,)
            As in ``fit``.
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            Row weights, as in ``fit``.

        Returns
        -------
        path : Bunch
            ``ccp_alphas`` and ``impurities`` as in scikit-learn, except that equally weak links are pruned
            together; ``leaves``, and ``pruned_nodes`` as node indices of the unpruned tree.
        """
        grown = clone(self)
        if "ccp_alpha" in grown.get_params(deep=False):
            grown.set_params(ccp_alpha=None)
        # Not `grown.fit`, because CARTClassifierCV.fit prunes.
        NativeClassifier.fit(grown, X, y, sample_weight)
        return Bunch(**grown.model_.cost_complexity_pruning_path()._asdict())

    @match_rows_by_index
    def score_pruning_path(
        self, X: Any, y: Any, scoring: Any = "balanced_accuracy", sample_weight: Any = None
    ) -> Bunch:
        """Score all prunings of the fitted tree on validation data, in one pass.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Rows that were not used in ``fit``.
        y : sequence of shape (n_rows,)
            Their labels.
        scoring : str or callable, default="balanced_accuracy"
            As in ``CARTClassifierCV``; "f1" for the F-measure of the positive class.
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            Passed to the scorer if given.

        Returns
        -------
        path : Bunch
            Result of ``cost_complexity_pruning_path``, with ``scores`` and ``best_alpha``: the ``ccp_alpha``
            with the best score, the largest in case of ties. ``model_.prune(best_alpha)`` returns its tree.
        """
        model = self._fitted()
        scorer = find_scorer(scoring)
        frame = to_prediction_frame(X, model._schema, type(self).__name__)
        threads = options.resolve_threads(self.n_threads, self.n_jobs)
        path = model.cost_complexity_pruning_path()
        with training.name_native_columns_in_errors(model._schema.names):
            staged = model._predict_pruning_path(frame, threads)
        labels = to_label_array(y, "y")
        weights = training.validate_sample_weights(sample_weight, len(labels))
        rows = np.arange(len(labels))
        scores = np.array(
            [
                score_trees_of_path(
                    staged, path.ccp_alphas, scorer, model.classes_, model.positive_, rows, labels, weights
                )
            ]
        )
        step, mean, _ = choose_pruning(scores, "min")
        return Bunch(**path._asdict(), scores=mean, best_alpha=float(path.ccp_alphas[step]))
