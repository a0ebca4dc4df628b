"""Conversion of trees for external viewers: dtreeviz and supertree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from imbcore._model.branches import TreeView
from imbcore._model.explainable import ExplainedByTrees
from imbcore._validation.columns import Level
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.labels import encode_target_labels
from imbcore.exceptions import DataError, UnsupportedError

if TYPE_CHECKING:
    from dtreeviz.trees import DTreeVizAPI


class ViewerExportableTree(ExplainedByTrees):
    """Single tree that external viewers can show."""

    @property
    def tree_(self) -> TreeView:
        """Node arrays named as in scikit-learn's ``tree_``."""
        raise NotImplementedError

    def nodes(self) -> list[dict[str, Any]]:
        """List the nodes of the tree with their splits and counts."""
        raise NotImplementedError

    def to_supertree(self) -> list[dict[str, Any]]:
        """Convert the nodes for ``supertree.ModelLoader("classification", ...)``.

        Returns
        -------
        list of dict
            One dict per node, at its index: ``feature`` (its index) and ``threshold``, -2 in leaves,
            ``impurity``, ``samples`` (training rows), ``class_distribution`` (class weights),
            ``predicted_class``, ``is_leaf`` and the indices of its children, -1 in leaves.

        Raises
        ------
        UnsupportedError
            The tree splits by the levels of a nominal column.
        """
        tree = self.tree_
        return [
            {
                "index": node["id"],
                "feature": int(tree.feature[place]),
                "threshold": float(tree.threshold[place]),
                "impurity": float(tree.impurity[place]),
                "samples": node["rows"],
                "class_distribution": [node["mass"]],
                "predicted_class": str(node["class"]),
                "is_leaf": not node["children"],
                "left_child_index": int(tree.children_left[place]),
                "right_child_index": int(tree.children_right[place]),
            }
            for place, node in enumerate(self.nodes())
        ]

    @match_rows_by_index
    def to_dtreeviz(self, X: Any, y: Any, *, target_name: str = "class") -> DTreeVizAPI:
        """Convert the tree for dtreeviz, with rows to show. Needs dtreeviz, and ``dot`` of Graphviz.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Rows to show, numeric and without missing values.
        y : array-like of shape (n_rows,)
            Their labels.
        target_name : str, default="class"
            Name of the target, for legends.

        Returns
        -------
        dtreeviz.trees.DTreeVizAPI
            With methods such as ``view()``, ``leaf_sizes()`` and ``explain_prediction_path(x)``.

        Raises
        ------
        ImportError
            dtreeviz is not installed.
        DataError
            The rows do not match the model, or have missing values.
        UnsupportedError
            The tree splits by the levels of a nominal column, or is a single leaf.
        """
        try:
            import dtreeviz
            from dtreeviz.models.sklearn_decision_trees import ShadowSKDTree
        except ImportError as error:
            raise ImportError("install dtreeviz with: pip install dtreeviz") from error
        view, rows, codes = _DtreevizTree(self), self._numbers(X), self._codes_of(y)
        if view.tree_.node_count < 2:
            raise UnsupportedError("dtreeviz draws splits, and this tree is a single leaf")
        if len(rows) != len(codes):
            raise DataError(f"X has {len(rows)} rows, but y has {len(codes)} labels")
        names = dict(enumerate(map(str, self.classes_.tolist())))
        shadow = ShadowSKDTree(view, rows, codes, self.feature_names, target_name, names)
        return dtreeviz.model(shadow, rows, codes)

    def _numbers(self, X: Any) -> NDArray[np.float64]:
        """Convert rows to a numeric array; nominal columns, which no split uses, become their codes."""
        frame = self._frame(X, "to_dtreeviz")
        columns = frame.T if isinstance(frame, np.ndarray) else frame
        rows = np.column_stack([one[0] if isinstance(one, tuple) else one for one in columns])
        if np.isnan(rows).any():
            raise DataError("dtreeviz does not support missing values; give rows without missing values")
        return rows.astype(np.float64)

    def _codes_of(self, y: Any) -> NDArray[np.int64]:
        """Encode labels with the classes of the model."""
        target, known = encode_target_labels(y, "to_dtreeviz"), self.classes_.tolist()
        strange = [label for label in target.classes.tolist() if label not in known]
        if strange:
            raise DataError(f"y contains the label {strange[0]!r}, which is not one of the classes {known}")
        places = np.array([known.index(label) for label in target.classes.tolist()])
        return places[target.codes]


def _codes_to_levels(column: NDArray[np.float64], levels: list[Level] | None) -> NDArray[Any]:
    """Convert the codes of a nominal column back to levels; a numeric column is unchanged."""
    if levels is None:
        return column
    values = np.empty(len(levels) + 1, dtype=object)
    values[:-1] = levels
    return values[np.minimum(column, len(levels)).astype(np.intp)]


class _DtreevizTree:
    """Attributes of a fitted scikit-learn tree that dtreeviz uses; labels are class codes."""

    class_weight = None

    def __init__(self, model: Any) -> None:
        self.tree_: TreeView = model.tree_
        self.classes_ = np.arange(len(model.classes_))
        self.criterion = "entropy" if model.params.get("criterion") == "entropy" else "gini"
        self.max_depth = self.tree_.max_depth
        self.min_samples_leaf = model.params.get("min_samples_leaf", 1)
        self._features, self._codes = model._schema.features, model._codes

    def _table(self, X: NDArray[np.float64]) -> dict[str, NDArray[Any]]:
        columns = zip(self._features, np.asarray(X).T, strict=True)
        return {feature.name: _codes_to_levels(column, feature.levels) for feature, column in columns}

    def decision_path(self, X: NDArray[np.float64]) -> Any:
        """Return the nodes that each row passes."""
        return self.tree_.decision_path(self._table(X))

    def score(self, X: NDArray[np.float64], y: NDArray[np.int64]) -> float:
        """Compute the accuracy."""
        found = self._codes(self._table(X), None, None, None, "to_dtreeviz") == y
        return float(np.count_nonzero(found) / len(found))
