"""Trees of two branches a node as arrays, the way scikit-learn's ``tree_`` has them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from imbcore.exceptions import UnsupportedError

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["Branches", "TreeView", "branches_of", "written_trees"]

_LEAF = -1
_NOTHING = -2


@dataclass(frozen=True)
class Branches:
    """Branches of a tree: an entry for every node, whose numbers are those of ``nodes`` and ``apply``.

    Attributes
    ----------
    children_left, children_right : ndarray of shape (n_nodes,)
        Nodes of the rows up to the threshold, and of those above it; -1 in a leaf.
    feature : ndarray of shape (n_nodes,)
        Column that is asked about; -2 in a leaf.
    threshold : ndarray of shape (n_nodes,)
        Rows with values up to it go left; infinity where all but missing ones do, -2 in a leaf.
    missing_go_to_left : ndarray of shape (n_nodes,)
        1 where rows without a value go left, or the larger share of them, else 0.
    values : list of ndarray
        What each leaf says; empty in other nodes.
    """

    children_left: NDArray[np.int64]
    children_right: NDArray[np.int64]
    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    missing_go_to_left: NDArray[np.uint8]
    values: list[NDArray[np.float64]]


def written_trees(model: Any) -> list[list[dict[str, Any]]]:
    """Nodes of the trees of a model, as ``to_json`` writes them."""
    steps = json.loads(model.to_json())["steps"]
    trees: list[list[dict[str, Any]]] = next(step["trees"] for step in steps if step["op"] == "trees")
    return trees


def branches_of(tree: list[dict[str, Any]], who: str) -> Branches:
    """Read the branches of a tree as ``to_json`` writes it; those of levels are refused."""
    for node in tree:
        if "children" in node and "at_most" not in node and "known" not in node:
            raise UnsupportedError(
                f"{who} holds thresholds of numbers only, and this tree splits by the levels of a nominal "
                "column; nodes() has all splits, or encode the column as numbers and fit again"
            )
    inside = np.array(["children" in node for node in tree])

    def entries(leaf: float, of: Any) -> list[Any]:
        return [of(node) if "children" in node else leaf for node in tree]

    left = np.array(entries(_LEAF, lambda node: node["children"][0]), dtype=np.int64)
    missing = np.array(entries(_NOTHING, lambda node: node["missing"]), dtype=np.int64)
    return Branches(
        left,
        np.array(entries(_LEAF, lambda node: node["children"][1]), dtype=np.int64),
        np.array(entries(_NOTHING, lambda node: node["feature"]), dtype=np.int64),
        # A split that tells known values from missing ones is one at infinity.
        np.array(entries(_NOTHING, lambda node: node.get("at_most", np.inf)), dtype=np.float64),
        (inside & (missing == left)).astype(np.uint8),
        [np.array(node.get("values", ()), dtype=np.float64) for node in tree],
    )


class TreeView:
    """Fitted tree with the names of scikit-learn's ``tree_``; the nodes have the numbers of ``apply``.

    Attributes
    ----------
    node_count, capacity : int
        Number of nodes.
    n_leaves, max_depth : int
        Number of leaves, and of splits on the longest way to one.
    n_features, n_outputs, max_n_classes : int
        Number of columns; 1; number of classes.
    n_classes : ndarray of shape (1,)
        Number of classes.
    children_left, children_right, feature, threshold, missing_go_to_left : ndarray of shape (n_nodes,)
        Splits; -1 for children and -2 for features and thresholds of leaves.
    n_node_samples : ndarray of shape (n_nodes,)
        Training rows; a row that a forest drew twice counts twice.
    weighted_n_node_samples : ndarray of shape (n_nodes,)
        Their weight.
    value : ndarray of shape (n_nodes, 1, n_classes)
        Probabilities of the classes, by the ``leaf`` rule of the fit.
    impurity : ndarray of shape (n_nodes,)
        Entropy of the weights of the classes in bits where the tree was split by entropy, else Gini's index.
    """

    def __init__(self, model: Any) -> None:
        nodes = model.nodes()
        branches = branches_of(written_trees(model)[0], "tree_")
        self._model = model
        self.node_count = self.capacity = len(nodes)
        self.n_leaves, self.max_depth = model.n_leaves_, model.depth_
        self.n_features, self.n_outputs = model.n_features_in_, 1
        self.max_n_classes = len(model.classes_)
        self.n_classes = np.array([self.max_n_classes])
        self.children_left, self.children_right = branches.children_left, branches.children_right
        self.feature, self.threshold = branches.feature, branches.threshold
        self.missing_go_to_left = branches.missing_go_to_left
        self.n_node_samples = np.array([node["rows"] for node in nodes], dtype=np.int64)
        mass = np.array([node["mass"] for node in nodes], dtype=np.float64)
        self.weighted_n_node_samples = mass.sum(axis=1)
        self.value = np.array([[node["probability"]] for node in nodes], dtype=np.float64)
        self.impurity = _impurity(mass, str(model.params.get("criterion")))

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Give the number of the leaf in which every row ends: the model's ``apply``.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict`` of the model.

        Returns
        -------
        leaves : ndarray of shape (n_rows,)
            Node numbers.
        """
        leaves: NDArray[np.int64] = self._model.apply(X)
        return leaves

    def decision_path(self, X: Any) -> csr_matrix:
        """Give the nodes that every row passes: the model's ``decision_path``.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict`` of the model.

        Returns
        -------
        path : csr_matrix of shape (n_rows, n_nodes)
            1 where the row passes the node.
        """
        return self._model.decision_path(X)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Probabilities of the classes in the leaf of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict`` of the model.

        Returns
        -------
        value : ndarray of shape (n_rows, n_classes)
            Rows of ``value``.
        """
        found: NDArray[np.float64] = self.value[self.apply(X), 0]
        return found

    def compute_feature_importances(self, normalize: bool = True) -> NDArray[np.float64]:
        """Give the share of each feature in the total gain of the splits.

        Parameters
        ----------
        normalize : bool, default=True
            Only True, as shares are what the model keeps.

        Returns
        -------
        importances : ndarray of shape (n_features,)
            As ``feature_importances_``.

        Raises
        ------
        UnsupportedError
            ``normalize`` is False.
        """
        if not normalize:
            raise UnsupportedError("compute_feature_importances has shares only: normalize=True")
        shares: NDArray[np.float64] = self._model.feature_importances_
        return shares


def _impurity(mass: NDArray[np.float64], criterion: str) -> NDArray[np.float64]:
    """Impurity of nodes by the weights of their classes."""
    total = mass.sum(axis=1, keepdims=True)
    shares = np.divide(mass, total, out=np.zeros_like(mass), where=total > 0.0)
    if criterion == "entropy":
        logarithms = np.log2(shares, out=np.zeros_like(shares), where=shares > 0.0)
        found: NDArray[np.float64] = -(shares * logarithms).sum(axis=1) + 0.0
        return found
    gini: NDArray[np.float64] = 1.0 - (shares**2).sum(axis=1)
    return np.where(total[:, 0] > 0.0, gini, 0.0)
