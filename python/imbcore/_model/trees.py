"""Fitted single trees."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import native
from imbcore._input.digits import score_text
from imbcore._input.frame import BorderFrame
from imbcore._input.values import flag, real_number, shown_of, text_of, whole_number
from imbcore._model.branches import Branches, TreeView
from imbcore._model.pruning import PruningPath
from imbcore._model.rules import condition_text, label_text
from imbcore._model.viewers import ViewedTree
from imbcore.exceptions import AbsentError, UnsupportedError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from scipy.sparse import csr_matrix

__all__ = ["ConstantModel", "SVRTreeModel", "SingleTree", "TreeModel"]


class SingleTree(ViewedTree):
    """Model of a single tree.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the total split gain due to each feature.
    n_leaves_ : int
        Number of leaves.
    depth_ : int
        Number of splits on the longest way from the root to a leaf.
    tree_ : TreeView
        The nodes as arrays with the names of scikit-learn's ``tree_``; only of trees that split by numbers.
    """

    _native: native.models.SingleTree

    @property
    def size_text(self) -> str:
        """How many leaves the tree has, in words."""
        return f"{self.n_leaves_} leaves"

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each feature in the total gain."""
        return self._native.feature_importances

    @property
    def n_leaves_(self) -> int:
        """Number of leaves."""
        return self._native.n_leaves

    @property
    def depth_(self) -> int:
        """Depth of the tree."""
        return self._native.depth

    def _members(self) -> list[SingleTree]:
        return [self]

    def _said(self, nodes: list[dict[str, Any]], branches: Branches) -> NDArray[np.float64]:
        # What is written of a tree is what it answers after `calibrate`.
        return np.array([node["probability"] for node in nodes])

    @cached_property
    def tree_(self) -> TreeView:
        """The nodes as arrays with the names of scikit-learn's ``tree_``."""
        try:
            return TreeView(self)
        except UnsupportedError as error:
            raise AbsentError(str(error)) from None

    def get_depth(self) -> int:
        """Count the splits on the longest way from the root to a leaf.

        Returns
        -------
        int
            0 for a tree that is a single leaf.
        """
        return self.depth_

    def get_n_leaves(self) -> int:
        """Count the leaves.

        Returns
        -------
        int
            At least 1.
        """
        return self.n_leaves_

    def apply(self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None) -> NDArray[np.int64]:
        """Node number of the leaf in which every row ends.

        A row that ends in several leaves (``missing="fraction"``) is given the one with its largest share.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Threads, as in :func:`imbcore.fit`.

        Returns
        -------
        ndarray of shape (n_rows,)
            Node numbers.
        """
        leaves: NDArray[np.int64] = self._ask("apply", X, n_threads, n_jobs)
        return leaves

    def decision_path(self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None) -> csr_matrix:
        """Nodes that every row passes. Needs SciPy.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Threads, as in :func:`imbcore.fit`.

        Returns
        -------
        csr_matrix of shape (n_rows, n_nodes)
            1 where the row passes the node.
        """
        return self._path(self._ask("decision_path", X, n_threads, n_jobs))

    def _path(self, answer: tuple[NDArray[np.int64], NDArray[np.int64]]) -> csr_matrix:
        """Nodes passed by every row as a sparse matrix."""
        from scipy.sparse import csr_matrix

        starts, nodes = answer
        ones = np.ones(len(nodes), dtype=np.int64)
        return csr_matrix((ones, nodes, starts), shape=(len(starts) - 1, self._native.n_nodes))

    def nodes(self) -> list[dict[str, Any]]:
        """Nodes of the tree with their splits and counts.

        Returns
        -------
        list of dict
            Parents before children, each at the place of its ``id``, which is the number that ``apply``
            gives. ``parent``, ``depth`` and ``children`` (ids); ``branch``, the parent's answer that leads
            here; ``class`` (the answer), ``probability`` (of every class), ``rows`` (training rows) and
            ``mass`` (their weight in every class); ``gain`` of the split; ``label``, a line of text.

            ``kind`` is "leaf" or how the column ``feature`` splits. "below": values up to ``threshold``, an
            exact number, go to the first child, larger ones to the second. "level" and "set": rows with any
            of ``levels`` go to the first child, other levels to the second. "levels": level number ``i`` of
            ``levels`` goes to child ``i``; None stands for rows without a value. "known": rows with a value
            go to the first child. ``missing`` is the id of the child to which rows without a value go, and
            levels that the fit never saw; "part" where they go to all children in shares. What does not
            apply is None. In a multi-class Hellinger tree a split has a key ``group``: the classes that it
            tells from the others, without the first class in the node.
        """
        return self._native.nodes()

    def _spoken(self, positive: Any) -> int:
        """Code of the class that rules are to speak of."""
        return self._code_of("positive", self.positive_ if positive is None else positive)

    def rules(self, *, positive: Any = None, top: int | None = None) -> list[dict[str, Any]]:
        """Rules of the tree, one for each leaf.

        Parameters
        ----------
        positive : label or None, default=None
            Class that the rules speak of; None takes ``positive_``.
        top : int or None, default=None
            How many rules to give; None gives all.

        Returns
        -------
        list of dict
            The rules with the largest ``lift`` first. Keys ``conditions``, ``class`` (the answer),
            ``positive`` (the class spoken of), ``share`` (its share of the training weight that the rule
            holds), ``lift`` and ``recall`` (the share of the class's training weight that the rule holds),
            ``leaf`` (the node number that ``apply`` gives), ``probability`` (of every class), ``rows``
            (training rows) and ``mass`` (their weight in every class). ``lift`` is how many times the share
            of the class among all training rows its probability is.

            A condition has ``feature``, ``op``, ``value`` and ``or_missing``. ``op`` is one of "<=", ">",
            "==", "!=", "in", "not in" (``value`` is then a list of levels), "known" and "missing";
            ``or_missing`` tells whether rows without a value fulfil it too, and is "part" where they go all
            ways in shares. A condition of a multi-class Hellinger tree also has ``group``, the classes that
            its split tells from the others.

        Raises
        ------
        ParameterError
            ``positive`` is no label, or ``top`` is no whole number above 0.
        """
        most = None if top is None else whole_number("top", top, 1)
        return self._native.rules(self._spoken(positive))[:most]

    def export_text(
        self,
        *,
        max_depth: int | None = None,
        decimals: int = 3,
        show_weights: bool = False,
        positive: Any = None,
    ) -> str:
        """Write the tree as indented text.

        Parameters
        ----------
        max_depth : int or None, default=None
            Levels to show; None shows all.
        decimals : int, default=3
            Digits after the decimal point.
        show_weights : bool, default=False
            Whether to show the class weights of every leaf.
        positive : label or None, default=None
            Class that the leaves speak of; None takes ``positive_``.

        Returns
        -------
        str
            One line a branch, which says where rows without a value go, and one a leaf: its answer, and of
            the positive class the probability, the lift and the recall as :meth:`rules` has them.
            Names and levels of more than one word are quoted.
        """
        code = self._spoken(positive)
        return self._native.text(*shown_of(max_depth, decimals), flag("show_weights", show_weights), code)

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
        return self._native.dot(*shown_of(max_depth, decimals), self._spoken(positive))

    def decision_boxes(self, label: Any) -> NDArray[np.float64]:
        """Boxes that make up the region answered with a class.

        Parameters
        ----------
        label
            A class label.

        Returns
        -------
        ndarray of shape (n_boxes, n_features, 2)
            For every box and feature the bounds: values above the first and up to the second, infinite where
            there is none. Leaves that together fill a box are one box. Tests of nominal features are in
            :meth:`region_rules`.
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
            One for each box, in the order of the boxes, as :meth:`imbcore.Model.rules` has them for leaves:
            ``share`` is that of the class in the box's training weight, which in an SVR-Tree the weights of
            the classes enter, and ``recall`` the share of the class's weight that the box holds.
        """
        return self._native.region_rules(self._code_of("label", label))

    def export_region(self, label: Any) -> str:
        """Write the region answered with a class as text.

        Parameters
        ----------
        label
            A class label.

        Returns
        -------
        str
            A line a box: its conditions, its rows, which share of their weight is of the class, and which
            share of the class's weight they hold (recall).
        """
        rules = self.region_rules(label)
        if not rules:
            return f"no region is answered with {label_text(label)}\n"
        lines = [f"{label_text(label)} if any of these holds:"]
        for number, rule in enumerate(rules, 1):
            rows = f"{rule['rows']:,} row{'s' if rule['rows'] != 1 else ''}"
            shares = f"share of the weight {score_text(rule['share'])}, recall {score_text(rule['recall'])}"
            lines.append(f"{number:3}. {condition_text(rule)}  ({rows}, {shares})")
        return "".join(f"{line}\n" for line in lines)

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the tree. Needs matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            Where to draw; None makes a figure.
        **options
            As :func:`imbcore.plotting.plot_tree` takes them.

        Returns
        -------
        Axes
            The axes with the plot.
        """
        from imbcore.plotting import plot_tree

        return plot_tree(self, ax, **options)


def _risk(risk: str | None) -> str | None:
    """Read the name of a training risk."""
    return None if risk is None else text_of("risk", risk)


class TreeModel(SingleTree, kind="tree"):
    """Tree that can be pruned."""

    _family = "trees"
    _native: native.models.TreeModel

    def cost_complexity_pruning_path(self, *, risk: str | None = None) -> PruningPath:
        """All prunings of the tree that are best for some price of a leaf (Breiman et al. 1984, chapter 3).

        Parameters
        ----------
        risk : "gini", "entropy", "error", "cost" or None, default=None
            Training risk that is weighed against leaves. None takes that of the fit.

        Returns
        -------
        PruningPath
            ``ccp_alphas``, ``impurities``, ``leaves`` and ``pruned_nodes``.
        """
        return PruningPath(*self._native.pruning_path(_risk(risk)))

    def prune(self, ccp_alpha: float, *, risk: str | None = None) -> TreeModel:
        """Prune the tree: the model that fitting with ``ccp_alpha`` would have given.

        Parameters
        ----------
        ccp_alpha : float
            Price of a leaf, at least 0; infinity leaves the root.
        risk : "gini", "entropy", "error", "cost" or None, default=None
            As in :meth:`cost_complexity_pruning_path`.

        Returns
        -------
        TreeModel
            The pruned model; this one stays as it is.

        Raises
        ------
        ParameterError
            ``ccp_alpha`` is negative or NaN.
        """
        return TreeModel(self._native.pruned(real_number("ccp_alpha", ccp_alpha), _risk(risk)), self._schema)

    def _staged(self, frame: BorderFrame, n_threads: int) -> native.trees.StagedAnswers:
        """Ask every tree of the path about rows."""
        return native.trees.StagedAnswers(self._native, None, frame, n_threads)


class ConstantModel(TreeModel, kind="constant"):
    """Tree of one leaf, fitted to rows of one class."""

    _why_not = ": it was fitted to rows of one class and always answers it"

    @property
    def size_text(self) -> str:
        """Say that there is one answer."""
        return "one answer"

    def _paths(self, frame: BorderFrame, n_threads: Any, n_jobs: Any) -> tuple[csr_matrix, NDArray[np.int64]]:
        """Paths of a forest of this one tree."""
        path = self._path(self._put("decision_path", frame, n_threads, n_jobs))
        return path, np.array([0, path.shape[1]])


class SVRTreeModel(SingleTree, kind="svr"):
    """SVR-Tree.

    Attributes
    ----------
    labels_ : ndarray of shape (n_nodes,)
        Label assigned to every node.
    growth_ : dict
        Settings, start and steps.
    """

    _family = "SVR-Trees"
    _native: native.models.SVRTreeModel

    @property
    def labels_(self) -> NDArray[Any]:
        """Label assigned to every node."""
        labels: NDArray[Any] = self.classes_[self._native.labels]
        return labels

    @property
    def growth_(self) -> dict[str, Any]:
        """Settings, start and steps; ``SVRTreeClassifier`` has them by name."""
        return self._native.growth()
