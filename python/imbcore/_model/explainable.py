"""Models with additive explanations of their predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._model.branches import TreeBranches, exported_trees, tree_to_branches
from imbcore._model.explanation import ExplainedRowValues, Explanation
from imbcore._model.model import Model
from imbcore.exceptions import UnsupportedError


def predicted_probability_or_none(
    model: Model, frame: Any, code: int, explained: NDArray[np.float64], scale: str
) -> NDArray[np.float64] | None:
    """Return the predicted probabilities of a class; None if they are the explained output."""
    final: NDArray[np.float64] = model._put("predict_proba", frame, None, None)[:, code]
    with np.errstate(over="ignore"):
        before = 1 / (1 + np.exp(-explained)) if scale == "log-odds" else explained
    return None if np.allclose(before, final, rtol=1e-6, atol=1e-9) else final


class Explainable(Model):
    """Base class of models with additive explanations."""

    def _compute_explanation(
        self,
        question: str,
        scale: str,
        X: Any,
        label: Any,
        n_threads: Any,
        n_jobs: Any,
        others: tuple[Any, ...] = (),
    ) -> Explanation:
        """Compute an explanation of rows; ``question`` is the native method."""
        label = self.positive_ if label is None else label
        code, frame = self._code_of("label", label), self._frame(X)
        values, base = self._put(question, frame, n_threads, n_jobs, (code, *others))
        cells = ExplainedRowValues.from_rows(frame, self._schema, X)
        explained = base + values.sum(axis=1)
        final = (
            None if scale == "score" else predicted_probability_or_none(self, frame, code, explained, scale)
        )
        return Explanation(values, base, list(self._schema.names), label, scale, final, cells)


class TreeBased(Explainable):
    """Base class of models of trees, with their sizes and the explanations of tree ensembles."""

    _native: Any

    @property
    def _explanation_scale(self) -> str:
        return "probability"

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Fraction of the total split gain due to each feature, for forests averaged over the trees."""
        return self._native.feature_importances

    @property
    def n_leaves_(self) -> int:
        """Number of leaves of all trees."""
        return self._native.n_leaves

    @property
    def depth_(self) -> int:
        """Depth of the deepest tree."""
        return self._native.depth

    def explain(
        self,
        X: Any,
        *,
        label: Any = None,
        background: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> Explanation:
        """Exact Shapley values of every feature for the probability of a class.

        For boosted trees: for the score of a class, as returned by ``decision_function``.

        A feature outside the coalition sends a row into every branch by its fraction of the training weight
        ("path-dependent"), or takes the value of a background row, averaged over the background
        ("interventional"). The explained output is that of the trees before ``prior_correction``,
        ``calibrate``, :meth:`correct_prior` and thresholds.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        label : label or None, default=None
            Class whose probability or score is explained; None uses ``positive_``.
        background : table of shape (n_background, n_features) or None, default=None
            Background rows, such as some that are known to be harmless: values then explain the difference to
            them. None uses the training rows ("path-dependent").
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        Explanation
            Values for every row and feature, with ``scale`` "probability"; for boosted trees "log-odds", or
            "score" if there are more than two classes.

        Raises
        ------
        ParameterError
            The label is not in ``classes_``.
        DataError
            The background has no rows.
        UnsupportedError
            The trees vote with the weights of their leaves, or on rows that reach several leaves, which is
            not additive.

        References
        ----------
        Lundberg, Erion and Lee, "Consistent Individualized Feature Attribution for Tree Ensembles", 2018,
        section 3; here the sum over all orders is an integral, computed exactly by Gauss-Legendre quadrature.
        With a background: Lundberg et al., "From local explanations to global understanding with explainable
        AI for trees", 2020; rows that satisfy the same conditions are grouped, as in Nadel and Wettenstein,
        "From Decision Trees to Boolean Logic: A Fast and Unified SHAP Algorithm", 2025.

        Examples
        --------
        >>> import imbcore
        >>> rows = [[1.0, 5.0], [2.0, 3.0], [3.0, 4.0], [4.0, 1.0], [5.0, 2.0], [6.0, 0.0]]
        >>> model = imbcore.fit(rows, [0, 0, 0, 0, 1, 1], method="cart")
        >>> found = model.explain([[5.5, 2.0]])
        >>> round(found.base_value, 3), found.values.round(3).tolist(), found.label
        (0.333, [[0.667, 0.0]], 1)
        >>> model = imbcore.fit(rows, [0, 0, 0, 0, 1, 1], "boosted_trees", n_rounds=5, min_samples_leaf=1)
        >>> found = model.explain([[5.5, 2.0]])
        >>> total = found.base_value + found.values.sum()
        >>> found.scale, bool(abs(total - model.decision_function([[5.5, 2.0]])[0]) < 1e-9)
        ('log-odds', True)
        """
        others = None if background is None else self._frame(background, "background")
        return self._compute_explanation(
            "shapley", self._explanation_scale, X, label, n_threads, n_jobs, (others,)
        )


class ExplainedByTrees(TreeBased):
    """Model explained by its trees."""

    def _members(self) -> list[Any]:
        """Return the trees whose outputs are averaged."""
        raise NotImplementedError

    def _node_class_values(self, nodes: list[dict[str, Any]], branches: TreeBranches) -> NDArray[np.float64]:
        """Return the class values of the nodes of one tree; only leaves matter."""
        raise NotImplementedError

    def to_shap(self) -> dict[str, Any]:
        """Convert the trees for shap: the dictionary that ``shap.TreeExplainer`` accepts as a model.

        shap then computes the same values as :meth:`explain`, for the output of the trees before
        ``prior_correction``, ``calibrate``, :meth:`correct_prior` and thresholds. Its values have a last axis
        for the classes, in the order of ``classes_``.

        Returns
        -------
        dict
            ``trees``, one dict of arrays each, and the number types, all of 64 bits.

        Raises
        ------
        UnsupportedError
            A tree splits by the levels of a nominal column, or divides rows with missing values fractionally;
            or the trees vote with the weights of their leaves, which is not additive.

        Examples
        --------
        >>> import imbcore
        >>> rows = [[1.0, 5.0], [2.0, 3.0], [3.0, 4.0], [4.0, 1.0], [5.0, 2.0], [6.0, 0.0]]
        >>> model = imbcore.fit(rows, [0, 0, 0, 0, 1, 1], method="cart")
        >>> model.to_shap()["trees"][0]["thresholds"].tolist()
        [4.5, -2.0, -2.0]
        """
        members, trees = self._members(), []
        for member, written in zip(members, exported_trees(self), strict=True):
            if any("masses" in node for node in written):
                raise UnsupportedError(
                    "shap sends rows with missing values one way, and this model, fitted with "
                    'missing="fraction", divides them; fit with missing="direction"'
                )
            branches, nodes = tree_to_branches(written, "shap"), member.nodes()
            left, right = branches.children_left, branches.children_right
            trees.append(
                {
                    "children_left": left,
                    "children_right": right,
                    "children_default": np.where(branches.missing_go_to_left == 1, left, right),
                    "features": branches.feature,
                    "thresholds": branches.threshold,
                    "values": self._node_class_values(nodes, branches) / len(members),
                    "node_sample_weight": np.array([sum(node["mass"]) for node in nodes]),
                }
            )
        return {"trees": trees, "internal_dtype": np.float64, "input_dtype": np.float64}
