"""Why a model answers what it answers: what every feature adds to the probability of a class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._input.frame import predict_frame
from imbcore._input.values import whole_number
from imbcore._model.model import Model

__all__ = ["Explainable", "Explanation"]


@dataclass(frozen=True)
class Explanation:
    """Shapley values: what every feature adds to the probability of a class, row by row.

    Attributes
    ----------
    values : ndarray of shape (n_rows, n_features)
        What the feature adds to ``base_value`` or takes from it, in units of probability. With ``base_value``
        a row adds up to what the trees say of ``label``.
    base_value : float
        What the trees say where no feature is known: the average over the training weight, or over the
        background.
    feature_names : list of str
        Names of the features.
    label : label
        The class whose probability is explained.
    """

    values: NDArray[np.float64]
    base_value: float
    feature_names: list[str]
    label: Any

    def reasons(self, top: int = 3) -> list[list[tuple[str, float]]]:
        """Features that move a row most.

        Parameters
        ----------
        top : int, default=3
            How many features a row, at least 1; those that add nothing are left out.

        Returns
        -------
        list of list of (str, float)
            For every row names and values, the largest first by size, of equals the first feature.
        """
        top = whole_number("top", top, 1)
        order = np.argsort(-np.abs(self.values), axis=1, kind="stable")[:, :top]
        rows = zip(order.tolist(), self.values, strict=True)
        return [
            [(self.feature_names[at], float(row[at])) for at in best if row[at] != 0.0] for best, row in rows
        ]

    def to_shap(self, X: Any = None) -> Any:
        """Give the same to shap's plots. Needs shap.

        Parameters
        ----------
        X : table of shape (n_rows, n_features) or None, default=None
            The rows, whose values some plots show.

        Returns
        -------
        shap.Explanation
            With ``values``, ``base_values``, ``feature_names`` and, where X is given, ``data``.
        """
        import shap

        base = np.full(len(self.values), self.base_value)
        data = None if X is None else np.asarray(X)
        return shap.Explanation(self.values, base, data=data, feature_names=self.feature_names)


class Explainable(Model):
    """A model whose answers are explained by trees."""

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

        A feature that is not known sends a row into every branch by its share of the training weight
        ("path-dependent"), or has the value of a row of the background, of which the mean is taken
        ("interventional"). What is explained is what the trees say together, before ``recalibrate``,
        ``calibrate``, :meth:`adapt` and thresholds.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in :meth:`predict`.
        label : label or None, default=None
            The class whose probability is explained; None takes ``positive_``.
        background : table of shape (n_background, n_features) or None, default=None
            Rows to compare with, such as some that are known to be harmless: values tell how a row differs
            from them. None compares with the training rows, branch by branch.
        n_threads, n_jobs : int or None, default=None
            Threads, as in :func:`imbcore.fit`.

        Returns
        -------
        Explanation
            Values for every row and feature.

        Raises
        ------
        ParameterError
            The label is none of ``classes_``.
        DataError
            The background has no rows.
        UnsupportedError
            The trees vote with the weights of their leaves, or on rows that end in several leaves, which does
            not add up.

        References
        ----------
        Lundberg, Erion and Lee, "Consistent Individualized Feature Attribution for Tree Ensembles", 2018,
        section 3; here the sum over all orders is an integral, summed exactly by Gauss and Legendre's rule.
        With a background: Lundberg et al., "From local explanations to global understanding with explainable
        AI for trees", 2020; rows that meet the same conditions count as one, as in Nadel and Wettenstein,
        "From Decision Trees to Boolean Logic: A Fast and Unified SHAP Algorithm", 2025.

        Examples
        --------
        >>> import imbcore
        >>> rows = [[1.0, 5.0], [2.0, 3.0], [3.0, 4.0], [4.0, 1.0], [5.0, 2.0], [6.0, 0.0]]
        >>> model = imbcore.fit(rows, [0, 0, 0, 0, 1, 1], method="cart")
        >>> found = model.explain([[5.5, 2.0]])
        >>> round(found.base_value, 3), found.values.round(3).tolist(), found.label
        (0.333, [[0.667, 0.0]], 1)
        """
        label = self.positive_ if label is None else label
        code = self._code_of("label", label)
        others = None if background is None else predict_frame(background, self._schema, "background")
        values, base = self._ask("shapley", X, n_threads, n_jobs, about=(code, others))
        return Explanation(values, base, list(self._schema.names), label)
