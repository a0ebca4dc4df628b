"""Binary trees as arrays, like scikit-learn's ``tree_``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from imbcore.exceptions import UnsupportedError

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


_LEAF = -1
_NOTHING = -2


@dataclass(frozen=True)
class TreeBranches:
    """Branches of a tree: one entry per node, indexed as in ``nodes`` and ``apply``.

    Attributes
    ----------
    children_left, children_right : ndarray of shape (n_nodes,)
        Children for rows up to the threshold, and above it; -1 in a leaf.
    feature : ndarray of shape (n_nodes,)
        Column of the split; -2 in a leaf.
    threshold : ndarray of shape (n_nodes,)
        Rows with values up to it go left; infinity if all rows except missing ones do, -2 in a leaf.
    missing_go_to_left : ndarray of shape (n_nodes,)
        1 if rows with a missing value, or the larger fraction of them, go left, else 0.
    values : list of ndarray
        Values of each leaf; empty in other nodes.
    """

    children_left: NDArray[np.int64]
    children_right: NDArray[np.int64]
    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    missing_go_to_left: NDArray[np.uint8]
    values: list[NDArray[np.float64]]


def exported_trees(model: Any) -> list[list[dict[str, Any]]]:
    """Return the nodes of the trees of a model, in ``to_json`` form."""
    steps = json.loads(model.to_json())["steps"]
    return next(step["trees"] for step in steps if step["op"] == "trees")


def tree_to_branches(tree: list[dict[str, Any]], who: str) -> TreeBranches:
    """Convert a tree in ``to_json`` form; splits by levels raise an error."""
    for node in tree:
        if "children" in node and "at_most" not in node and "known" not in node:
            raise UnsupportedError(
                f"{who} supports only numeric thresholds, and this tree splits by the levels of a nominal "
                "column; nodes() has all splits, or encode the column as numbers and fit again"
            )
    inside = np.array(["children" in node for node in tree])

    def entries(leaf: float, of: Any) -> list[Any]:
        return [of(node) if "children" in node else leaf for node in tree]

    left = np.array(entries(_LEAF, lambda node: node["children"][0]), dtype=np.int64)
    missing = np.array(entries(_NOTHING, lambda node: node["missing"]), dtype=np.int64)
    return TreeBranches(
        left,
        np.array(entries(_LEAF, lambda node: node["children"][1]), dtype=np.int64),
        np.array(entries(_NOTHING, lambda node: node["feature"]), dtype=np.int64),
        # A split of known from missing values is a threshold at infinity.
        np.array(entries(_NOTHING, lambda node: node.get("at_most", np.inf)), dtype=np.float64),
        (inside & (missing == left)).astype(np.uint8),
        [np.array(node.get("values", ()), dtype=np.float64) for node in tree],
    )


class TreeView:
    """Fitted tree with the attributes of scikit-learn's ``tree_``; node indices as in ``apply``.

    Attributes
    ----------
    node_count, capacity : int
        Number of nodes.
    n_leaves, max_depth : int
        Number of leaves, and of splits on the longest path to one.
    n_features, n_outputs, max_n_classes : int
        Number of columns; 1; number of classes.
    n_classes : ndarray of shape (1,)
        Number of classes.
    children_left, children_right, feature, threshold, missing_go_to_left : ndarray of shape (n_nodes,)
        Splits; -1 for children and -2 for features and thresholds of leaves.
    n_node_samples : ndarray of shape (n_nodes,)
        Number of training rows; in a forest a row drawn twice counts twice.
    weighted_n_node_samples : ndarray of shape (n_nodes,)
        Weight of the training rows.
    value : ndarray of shape (n_nodes, 1, n_classes)
        Class probabilities, by ``leaf_estimate``.
    impurity : ndarray of shape (n_nodes,)
        Entropy of the class weights in bits if the criterion was entropy, else the Gini index.
    """

    def __init__(self, model: Any) -> None:
        nodes = model.nodes()
        branches = tree_to_branches(exported_trees(model)[0], "tree_")
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
        """Return the index of the leaf that each row reaches, as the model's ``apply``.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict`` of the model.

        Returns
        -------
        leaves : ndarray of shape (n_rows,)
            Node indices.
        """
        return self._model.apply(X)

    def decision_path(self, X: Any) -> csr_matrix:
        """Return the nodes that each row passes, as the model's ``decision_path``.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict`` of the model.

        Returns
        -------
        path : csr_matrix of shape (n_rows, n_nodes)
            1 if the row passes the node.
        """
        return self._model.decision_path(X)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities in the leaf of each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict`` of the model.

        Returns
        -------
        value : ndarray of shape (n_rows, n_classes)
            Rows of ``value``.
        """
        return self.value[self.apply(X), 0]

    def compute_feature_importances(self, normalize: bool = True) -> NDArray[np.float64]:
        """Compute the fraction of the total split gain due to each feature.

        Parameters
        ----------
        normalize : bool, default=True
            Only True: the model stores only fractions.

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
            raise UnsupportedError("compute_feature_importances supports only normalize=True")
        return self._model.feature_importances_


def _impurity(mass: NDArray[np.float64], criterion: str) -> NDArray[np.float64]:
    total = mass.sum(axis=1, keepdims=True)
    shares = np.divide(mass, total, out=np.zeros_like(mass), where=total > 0.0)
    if criterion == "entropy":
        logarithms = np.log2(shares, out=np.zeros_like(shares), where=shares > 0.0)
        return -(shares * logarithms).sum(axis=1) + 0.0
    gini: NDArray[np.float64] = 1.0 - (shares**2).sum(axis=1)
    return np.where(total[:, 0] > 0.0, gini, 0.0)
