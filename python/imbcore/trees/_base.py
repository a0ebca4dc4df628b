"""What the classes of single trees share."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import Bunch

from imbcore._border import options, training
from imbcore._estimators.base import NativeClassifier
from imbcore._estimators.readable import RuleClassifier
from imbcore._estimators.selection import choose_pruning, path_scores, scorer_of
from imbcore._estimators.treelike import TreelikeClassifier
from imbcore._input.frame import predict_frame
from imbcore._input.labelled import rows_by_index
from imbcore._input.values import labels_of
from imbcore._model.branches import TreeView

__all__ = ["SingleTree", "TreeClassifier"]


class SingleTree(RuleClassifier, TreelikeClassifier):
    """What all classes of single trees share."""

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
        found: int = self._fitted().depth_
        return found

    def get_n_leaves(self) -> int:
        """Count the leaves.

        Returns
        -------
        n_leaves : int
            At least 1.
        """
        found: int = self._fitted().n_leaves_
        return found

    @property
    def tree_(self) -> TreeView:
        """The nodes as arrays with the names of scikit-learn's ``tree_``; needs splits by numbers only."""
        found: TreeView = self._fitted().tree_
        return found

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each feature in the total gain of the splits."""
        found: NDArray[np.float64] = self._fitted().feature_importances_
        return found


class TreeClassifier(SingleTree):
    """What the classes of trees that a criterion splits share."""

    max_features: Any

    @property
    def max_features_(self) -> int:
        """How many of the features a node looks at."""
        n_features = self._fitted().n_features_in_
        given = self.max_features
        if given is None:
            return n_features
        if isinstance(given, str):
            return int({"sqrt": math.sqrt, "log2": math.log2}[given](n_features))
        share = isinstance(given, (float, np.floating))
        return max(1, int(given * n_features)) if share else int(given)

    @rows_by_index
    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Grow the tree without ``ccp_alpha`` and list all its cost-complexity prunings.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``fit``.
        y : sequence of shape (n_rows,)
            As in ``fit``.
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            As in ``fit``.

        Returns
        -------
        path : Bunch
            ``ccp_alphas`` and ``impurities`` as scikit-learn has them, except that links of equal weakness
            are pruned together; ``leaves``, and ``pruned_nodes`` by their numbers in the unpruned tree.
        """
        grown = clone(self)
        if "ccp_alpha" in grown.get_params(deep=False):
            grown.set_params(ccp_alpha=None)
        # Not `grown.fit`: that of CARTClassifierCV prunes.
        NativeClassifier.fit(grown, X, y, sample_weight)
        return Bunch(**grown.model_.cost_complexity_pruning_path()._asdict())

    @rows_by_index
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
            Passed to the scorer when given.

        Returns
        -------
        path : Bunch
            What ``cost_complexity_pruning_path`` gives, with ``scores`` and ``best_alpha``: the ``ccp_alpha``
            with the best score, the largest of equals. ``model_.prune(best_alpha)`` is its tree.
        """
        model = self._fitted()
        scorer = scorer_of(scoring)
        frame = predict_frame(X, model._schema, type(self).__name__)
        threads = options.resolve_threads(self.n_threads, self.n_jobs)
        path = model.cost_complexity_pruning_path()
        with training.named_columns(model._schema.names):
            staged = model._staged(frame, threads)
        labels = labels_of(y, "y")
        weights = training.sample_weights(sample_weight, len(labels))
        rows = np.arange(len(labels))
        about = (model.classes_, model.positive_)
        scores = np.array([path_scores(staged, path.ccp_alphas, scorer, about, rows, labels, weights)])
        step, mean, _ = choose_pruning(scores, "min")
        return Bunch(**path._asdict(), scores=mean, best_alpha=float(path.ccp_alphas[step]))
