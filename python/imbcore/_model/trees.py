"""Fitted single trees."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._model.branches import TreeBranches, TreeView
from imbcore._model.pruning import PruningPath
from imbcore._model.rules import condition_text, name_text
from imbcore._model.viewers import ViewerExportableTree
from imbcore._validation.digits import score_text
from imbcore._validation.frame import NativeFrame
from imbcore._validation.values import (
    validate_display_options,
    validate_flag,
    validate_real_number,
    validate_text,
    validate_whole_number,
)
from imbcore.exceptions import AbsentError, UnsupportedError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from scipy.sparse import csr_matrix


class SingleTree(ViewerExportableTree):
    """Model of a single tree.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the total split gain due to each feature.
    n_leaves_ : int
        Number of leaves.
    depth_ : int
        Number of splits on the longest path from the root to a leaf.
    tree_ : TreeView
        Node arrays named as in scikit-learn's ``tree_``; only for trees with numeric splits.
    """

    _native: native.models.SingleTree

    @property
    def size_text(self) -> str:
        """Number of leaves as text."""
        return f"{self.n_leaves_} leaves"

    def _members(self) -> list[SingleTree]:
        return [self]

    def _node_class_values(self, nodes: list[dict[str, Any]], branches: TreeBranches) -> NDArray[np.float64]:
        # The exported values of a tree are those after `calibrate`; shap needs those before it.
        return np.array([node["probability"] for node in nodes])

    @cached_property
    def tree_(self) -> TreeView:
        """Node arrays named as in scikit-learn's ``tree_``."""
        try:
            return TreeView(self)
        except UnsupportedError as error:
            raise AbsentError(str(error)) from None

    def get_depth(self) -> int:
        """Return the number of splits on the longest path from the root to a leaf.

        Returns
        -------
        int
            0 for a tree that is a single leaf.
        """
        return self.depth_

    def get_n_leaves(self) -> int:
        """Return the number of leaves.

        Returns
        -------
        int
            At least 1.
        """
        return self.n_leaves_

    def apply(self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None) -> NDArray[np.int64]:
        """Return the node index of the leaf that each row reaches.

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
        ndarray of shape (n_rows,)
            Node indices.
        """
        return self._call_method_on_rows("apply", X, n_threads, n_jobs)

    def decision_path(self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None) -> csr_matrix:
        """Return the nodes that each row passes. Needs SciPy.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        csr_matrix of shape (n_rows, n_nodes)
            1 if the row passes the node.
        """
        return self._path(self._call_method_on_rows("decision_path", X, n_threads, n_jobs))

    def _path(self, answer: tuple[NDArray[np.int64], NDArray[np.int64]]) -> csr_matrix:
        """Convert the nodes passed by every row to a sparse matrix."""
        from scipy.sparse import csr_matrix

        starts, nodes = answer
        ones = np.ones(len(nodes), dtype=np.int64)
        return csr_matrix((ones, nodes, starts), shape=(len(starts) - 1, self._native.n_nodes))

    def nodes(self) -> list[dict[str, Any]]:
        """List the nodes of the tree with their splits and counts.

        Returns
        -------
        list of dict
            Parents before children, each at the index ``id``, which ``apply`` returns. ``parent``, ``depth``
            and ``children`` (ids); ``branch``, the branch of the parent that leads here; ``class`` (the
            prediction), ``probability`` (of every class), ``rows`` (number of training rows) and ``mass``
            (their weight in every class); ``gain`` of the split in the unit of the criterion, 0 of a leaf;
            ``label``, a line of text. ``kind`` is "leaf" or the type of split of the column ``feature``.
            "below": values up to ``threshold``, an exact number, go to the first child, larger ones to the
            second. "level" and "set": rows with any of ``levels`` go to the first child, other levels to the
            second. "levels": level number ``i`` of ``levels`` goes to child ``i``; None stands for missing
            values. "known": rows with a value go to the first child. ``missing`` is the id of the child for
            rows with a missing value or a level not seen in training; "part" if they are divided fractionally
            over all children. Entries that do not apply are None. In a multiclass Hellinger tree a split has
            a key ``group``: the group of classes that it separates from the others, without the first class
            in the node.
        """
        return self._native.nodes()

    def _rule_class_code(self, positive: Any) -> int:
        """Return the code of the class that rules describe."""
        return self._code_of("positive", self.positive_ if positive is None else positive)

    def rules(self, *, positive: Any = None, top: int | None = None) -> list[dict[str, Any]]:
        """Rules of the tree, one per leaf.

        Parameters
        ----------
        positive : label or None, default=None
            Class that the rules describe; None uses ``positive_``.
        top : int or None, default=None
            Number of rules; None returns all.

        Returns
        -------
        list of dict
            Rules sorted by decreasing ``lift``, each with these keys. ``conditions``: see below. ``class``:
            predicted class. ``positive``: class to which ``share``, ``lift`` and ``recall`` refer. ``share``:
            fraction of the training weight in the leaf that is in this class. ``lift``: predicted probability
            of this class, divided by its fraction among all training rows. ``recall``: fraction of the
            training weight of this class that is in the leaf. ``leaf``: node index, as in ``apply``.
            ``probability``: probability of every class. ``rows``: number of training rows in the leaf.
            ``mass``: weight of these rows, by class.

            A condition has ``feature``, ``op``, ``value`` and ``or_missing``. ``op`` is one of "<=", ">",
            "==", "!=", "in", "not in" (``value`` is then a list of levels), "known" and "missing";
            ``or_missing`` is True if missing values also satisfy the condition, and "part" if rows with
            missing values are divided fractionally. A condition of a multiclass Hellinger tree also has
            ``group``, the classes that the split separates from the others.

        Raises
        ------
        ParameterError
            ``positive`` is not a label, or ``top`` is not a whole number above 0.
        """
        most = None if top is None else validate_whole_number("top", top, 1)
        return self._native.rules(self._rule_class_code(positive))[:most]

    def export_text(
        self,
        *,
        max_depth: int | None = None,
        decimals: int = 3,
        show_weights: bool = False,
        positive: Any = None,
    ) -> str:
        """Format the tree as indented text.

        Parameters
        ----------
        max_depth : int or None, default=None
            Levels to show; None shows all.
        decimals : int, default=3
            Digits after the decimal point.
        show_weights : bool, default=False
            Whether to show the class weights of every leaf.
        positive : label or None, default=None
            Class whose probability, lift and recall are written at each leaf; None uses ``positive_``. The
            recall of a leaf is the fraction of all training rows of this class that are in the leaf,
            whatever class the leaf predicts.

        Returns
        -------
        str
            One line per branch, including the direction of missing values, and one per leaf: its prediction,
            and the probability, lift and recall of the positive class as in :meth:`rules`. Text levels are in
            double quotes; numbers and booleans are not.
        """
        code = self._rule_class_code(positive)
        return self._native.text(
            *validate_display_options(max_depth, decimals), validate_flag("show_weights", show_weights), code
        )

    def to_dot(self, *, max_depth: int | None = None, decimals: int = 3, positive: Any = None) -> str:
        """Write the tree in the DOT language of Graphviz.

        Parameters
        ----------
        max_depth : int or None, default=None
            Levels to show; None shows all.
        decimals : int, default=3
            Digits after the decimal point.
        positive : label or None, default=None
            As in :meth:`export_text`.

        Returns
        -------
        str
            A ``digraph``.
        """
        return self._native.dot(
            *validate_display_options(max_depth, decimals), self._rule_class_code(positive)
        )

    def decision_boxes(self, label: Any) -> NDArray[np.float64]:
        """Boxes that form the region predicted as a class.

        Parameters
        ----------
        label
            A class label.

        Returns
        -------
        ndarray of shape (n_boxes, n_features, 2)
            For every box and feature the bounds (low, high], infinite if there is none. Leaves that together
            form a box are merged. Tests of nominal features are in :meth:`region_rules`.
        """
        return self._native.region_bounds(self._code_of("label", label))

    def region_rules(self, label: Any) -> list[dict[str, Any]]:
        """Rules of the boxes of :meth:`decision_boxes`.

        Parameters
        ----------
        label
            A class label.

        Returns
        -------
        list of dict
            One per box, in the order of the boxes, as in :meth:`imbcore.Model.rules` for leaves: ``share`` is
            the fraction of the class in the training weight of the box, which includes the class weights of
            an SVR-Tree, and ``recall`` the fraction of the weight of the class inside the box.
        """
        return self._native.region_rules(self._code_of("label", label))

    def export_region(self, label: Any) -> str:
        """Format the region that is predicted as a class as text.

        Parameters
        ----------
        label
            A class label.

        Returns
        -------
        str
            One line per box: its conditions, its number of rows, the weight fraction of the class among them,
            and the fraction of the class weight inside (recall).
        """
        rules = self.region_rules(label)
        if not rules:
            return f"no region is predicted as {name_text(label)}\n"
        lines = [f"{name_text(label)} if any of these holds:"]
        for number, rule in enumerate(rules, 1):
            rows = f"{rule['rows']:,} row{'s' if rule['rows'] != 1 else ''}"
            proportion = f"proportion of the weight {score_text(rule['share'])}"
            recall = f"recall {score_text(rule['recall'])}"
            lines.append(f"{number:3}. {condition_text(rule)}  ({rows}, {proportion}, {recall})")
        return "".join(f"{line}\n" for line in lines)

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the tree. Needs matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            Axes to draw on; None creates a figure.
        **options
            Options of :func:`imbcore.plotting.plot_tree`.

        Returns
        -------
        Axes
            The axes with the plot.
        """
        from imbcore.plotting import plot_tree

        return plot_tree(self, ax, **options)


def _validate_risk_name(risk: str | None) -> str | None:
    return None if risk is None else validate_text("risk", risk)


class TreeModel(SingleTree, kind="tree"):
    """Tree that supports pruning."""

    _family = "trees"
    _native: native.models.TreeModel

    def cost_complexity_pruning_path(self, *, risk: str | None = None) -> PruningPath:
        """Compute the cost-complexity pruning path (Breiman et al. 1984, chapter 3).

        Parameters
        ----------
        risk : "gini", "entropy", "error", "cost" or None, default=None
            Training risk to trade off against the number of leaves. None: the risk of the fit.

        Returns
        -------
        PruningPath
            ``ccp_alphas``, ``impurities``, ``leaves`` and ``pruned_nodes``.
        """
        return PruningPath(*self._native.pruning_path(_validate_risk_name(risk)))

    def prune(self, ccp_alpha: float, *, risk: str | None = None) -> TreeModel:
        """Prune the tree; equals the model of a fit with ``ccp_alpha``.

        Parameters
        ----------
        ccp_alpha : float
            Non-negative complexity parameter; infinity leaves only the root.
        risk : "gini", "entropy", "error", "cost" or None, default=None
            As in :meth:`cost_complexity_pruning_path`.

        Returns
        -------
        TreeModel
            The pruned model; this one does not change.

        Raises
        ------
        ParameterError
            ``ccp_alpha`` is negative or NaN.
        UnsupportedError
            The tree was calibrated, adapted, or has a threshold chosen on rows: these belong to this tree.
        """
        self._require_given_decision()
        alpha = validate_real_number("ccp_alpha", ccp_alpha)
        pruned = TreeModel(self._native.pruned(alpha, _validate_risk_name(risk)), self._schema)
        return pruned._store_cost_function(self._cost_function)

    def _require_given_decision(self) -> None:
        """Reject a tree whose calibration or threshold was chosen for its own probabilities."""
        if self.calibration_ is not None or {"goal", "adapted"} & set(self.decision_):
            raise UnsupportedError(
                "a pruned tree needs its own calibration and threshold, and those of this tree were chosen "
                "for its probabilities; fit with ccp_alpha=, or prune a tree without calibrate=, without "
                "corrected class proportions, and with no threshold or a number"
            )

    def _predict_pruning_path(self, frame: NativeFrame, n_threads: int) -> native.trees.PrunedPredictions:
        self._require_given_decision()
        return native.trees.PrunedPredictions(self._native, None, frame, n_threads)


class ConstantModel(TreeModel, kind="constant"):
    """Tree with a single leaf, fitted to rows of one class."""

    _why_not = ": it was fitted to rows of one class and always predicts it"

    @property
    def size_text(self) -> str:
        """Size of the model as text."""
        return "one leaf"

    def _paths(self, frame: NativeFrame, n_threads: Any, n_jobs: Any) -> tuple[csr_matrix, NDArray[np.int64]]:
        """Return the paths as for a forest with this single tree."""
        path = self._path(self._put("decision_path", frame, n_threads, n_jobs))
        return path, np.array([0, path.shape[1]])


class SVRTreeModel(SingleTree, kind="svr"):
    """SVR-Tree.

    Attributes
    ----------
    labels_ : ndarray of shape (n_nodes,)
        Label assigned to every node.
    growth_ : dict
        Settings, initial state and steps.
    """

    _family = "SVR-Trees"
    _native: native.models.SVRTreeModel

    @property
    def labels_(self) -> NDArray[Any]:
        """Label assigned to every node."""
        return self.classes_[self._native.labels]

    @property
    def growth_(self) -> dict[str, Any]:
        """Settings, initial state and steps; ``SVRTreeClassifier`` has attributes for them."""
        return self._native.growth()
