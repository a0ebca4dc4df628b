"""Fitted boosted trees."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._model.boosted_rules import leaf_conditions
from imbcore._model.branches import exported_trees, tree_to_branches
from imbcore._model.explainable import TreeBased
from imbcore._model.rules import condition_text, name_text
from imbcore._validation.values import validate_decimals, validate_whole_number


def squeeze_binary_scores(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the scores of two classes, a single column, as a vector."""
    return scores[:, 0] if scores.shape[1] == 1 else scores


class BoostedModel(TreeBased, kind="boosted"):
    """Boosted trees.

    Attributes
    ----------
    n_rounds_ : int
        Number of rounds; each round adds one tree, or one tree per class if there are more than two classes.
    validation_path_ : ndarray of shape (n_rounds_looked_at,)
        Score on held-out rows of the inner folds after every round: the log loss, or the negative average
        precision, so lower is better; empty if the number of rounds was given.
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the total split gain due to each feature.
    n_leaves_ : int
        Number of leaves of all trees together.
    depth_ : int
        Number of splits on the longest path from a root to a leaf.
    """

    _family = "boosted trees"
    _native: native.models.BoostedModel

    @property
    def size_text(self) -> str:
        """Size of the model as text, such as "100 rounds, 3000 leaves"."""
        return f"{self.n_rounds_} rounds, {self.n_leaves_} leaves"

    @property
    def n_rounds_(self) -> int:
        """Number of rounds."""
        return self._native.n_rounds

    @property
    def _explanation_scale(self) -> str:
        return "log-odds" if len(self.classes_) == 2 else "score"

    def truncate(self, n: int) -> BoostedModel:
        """Return the model of the first rounds, with the decision rule and calibration of all.

        Parameters
        ----------
        n : int
            Number of rounds, from 1 to ``n_rounds_``.

        Returns
        -------
        BoostedModel
            A new model; this one does not change.

        Raises
        ------
        DataError
            ``n`` is outside this range.
        """
        first = BoostedModel(self._native.truncate(validate_whole_number("n", n, 0)), self._schema)
        return first._store_cost_function(self._cost_function)

    @property
    def validation_path_(self) -> NDArray[np.float64]:
        """Score on held-out rows after every round; lower is better."""
        return self._native.path

    def apply(self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None) -> NDArray[np.int64]:
        """Return the node index of the leaf that each row reaches, in each tree.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        ndarray of shape (n_rows, n_trees)
            Node indices; with more than two classes the trees of a round are adjacent.
        """
        return self._call_method_on_rows("apply", X, n_threads, n_jobs)

    def decision_function(
        self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None
    ) -> NDArray[np.float64]:
        """Raw scores: sums of the leaf values.

        They refer to the objective: before probabilities are corrected to the class proportions ("balanced")
        or mapped back ("focal"), and before ``calibrate``, :meth:`correct_prior`, costs and thresholds.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_classes)
            For two classes the log-odds of the second, for more the score of each.
        """
        return squeeze_binary_scores(self._call_method_on_rows("scores", X, n_threads, n_jobs))

    def tree_rules(self, *, rounds: int = 1) -> list[dict[str, Any]]:
        """Rules of the trees of the first rounds, one per leaf, whose values add up to the scores.

        A row satisfies one rule of each tree. The sum of their values and the initial score is
        :meth:`decision_function` of :meth:`truncate`. The first trees contribute most, but later trees
        may change the score of a single row; :meth:`explain` covers all trees.

        Parameters
        ----------
        rounds : int, default=1
            Number of rounds to read; it may exceed the number of rounds of the model.

        Returns
        -------
        list of dict
            In the order of the trees, within each tree the largest ``adds`` first. Keys ``tree``, its index
            from 0 (the column of ``apply``); ``class``, whose score it adds to (for two classes the second,
            for more each tree of a round has its own); ``leaf``, the node index of ``apply``; ``adds``
            (including the learning rate); ``mass``, the weight of every class in the leaf, among the rows
            drawn for the round (``subsample``), for ``objective="cost"`` of every training label; and
            ``conditions`` as in :meth:`rules` of a tree.

        Raises
        ------
        ParameterError
            ``rounds`` is not a whole number above 0.
        UnsupportedError
            The model cannot be exported, as in :meth:`to_json`.

        Examples
        --------
        >>> import imbcore
        >>> rows = [[float(x)] for x in range(60)]
        >>> labels = [int(x >= 40) for x in range(60)]
        >>> options = {"max_leaf_nodes": 2, "subsample": 1.0, "random_strength": 0.0}
        >>> model = imbcore.fit(rows, labels, "boosted_trees", n_rounds=5, **options)
        >>> model.tree_rules()[0]["conditions"]
        [{'feature': 'x0', 'op': '>', 'value': 39.5, 'or_missing': False}]
        """
        read = validate_whole_number("rounds", rounds, 1)
        written = json.loads(self.to_json())
        trees = next(step["trees"] for step in written["steps"] if step["op"] == "trees")
        labels = self.classes_.tolist()
        spoken = labels[1:] if len(labels) == 2 else labels
        found: list[dict[str, Any]] = []
        for at, tree in enumerate(trees[: read * len(spoken)]):
            column, masses = at % len(spoken), self._native.masses(at)
            rules = [
                {
                    "tree": at,
                    "class": spoken[column],
                    "leaf": leaf,
                    "adds": tree[leaf]["values"][column],
                    "mass": masses[leaf].tolist(),
                    "conditions": way,
                }
                for leaf, way in leaf_conditions(tree, written["features"])
            ]
            found += sorted(rules, key=lambda rule: -rule["adds"])
        return found

    def tree_text(self, *, rounds: int = 1, decimals: int = 3) -> str:
        """Format the trees of the first rounds as text: :meth:`tree_rules`, one per line.

        Parameters
        ----------
        rounds : int, default=1
            As in :meth:`tree_rules`.
        decimals : int, default=3
            Digits of ``adds`` after the decimal point.

        Returns
        -------
        str
            A heading for each tree, followed by one line per leaf.
        """
        digits = validate_decimals(decimals)
        lines: list[str] = []
        last = -1
        for rule in self.tree_rules(rounds=rounds):
            if rule["tree"] != last:
                last = rule["tree"]
                lines.append(f"tree {last}, score of {name_text(rule['class'])}")
            weight = sum(rule["mass"])
            lines.append(f"  {rule['adds']:+.{digits}f} if {condition_text(rule)} (weight {weight:g})")
        return "\n".join(lines) + "\n"

    def to_shap(self) -> dict[str, Any]:
        """Convert the trees for shap: the dictionary that ``shap.TreeExplainer`` accepts as a model.

        shap then computes the same values as :meth:`explain`, for :meth:`decision_function`.

        Returns
        -------
        dict
            ``trees``, one dict of arrays each, ``base_offset``, and the number types, all of 64 bits.

        Raises
        ------
        UnsupportedError
            A tree has a split by the levels of a nominal column.
        """
        trees = []
        for at, written in enumerate(exported_trees(self)):
            branches = tree_to_branches(written, "shap")
            left, right = branches.children_left, branches.children_right
            width = max(len(values) for values in branches.values)
            trees.append(
                {
                    "children_left": left,
                    "children_right": right,
                    "children_default": np.where(branches.missing_go_to_left == 1, left, right),
                    "features": branches.feature,
                    "thresholds": branches.threshold,
                    "values": np.array(
                        [values if len(values) else np.zeros(width) for values in branches.values]
                    ),
                    "node_sample_weight": self._native.masses(at).sum(axis=1),
                }
            )
        start = self._native.start
        return {
            "trees": trees,
            "base_offset": start if len(start) > 1 else start[0],
            "internal_dtype": np.float64,
            "input_dtype": np.float64,
        }
