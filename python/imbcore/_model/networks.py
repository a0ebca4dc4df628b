"""Fitted Bayesian classifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from imbcore._bindings import native
from imbcore._model.explainable import Explainable
from imbcore._model.explanation import Explanation

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class NetworkModel(Explainable, kind="bayes"):
    """Bayesian classifier; see :class:`imbcore.BayesianNetwork` for queries of its networks."""

    _family = "Bayesian classifiers"
    _native: native.models.NetworkModel

    @property
    def size_text(self) -> str:
        """Number of networks, arcs and parameters as text."""
        return self._native.size

    def explain(
        self, X: Any, *, label: Any = None, n_threads: int | None = None, n_jobs: int | None = None
    ) -> Explanation:
        """Weights of evidence: contribution of every feature to the log-odds of a class.

        Features become known one after the other, parents before children (in the order of the columns if
        there are several networks). The contribution of a feature is the change of the log-odds when the
        feature becomes known. For two classes and a row without missing values, the contribution is
        ``ln P(x | parents, class) / P(x | parents, other)`` from the probability table of the feature, for
        any order. In naive Bayes it is the logarithm of the likelihood ratio. For several classes the
        contributions depend on the order. A missing value has the contribution 0. The explained output is
        the prediction before ``calibrate``, :meth:`correct_prior` and thresholds; log-odds are clipped at
        1000.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        label : label or None, default=None
            The explained class; None uses ``positive_``.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        Explanation
            Values for every row and feature, with ``scale`` "log-odds". The cost is one prediction per
            feature.

        Raises
        ------
        ParameterError
            The label is not in ``classes_``.

        References
        ----------
        Good, "Probability and the Weighing of Evidence", 1950.

        Examples
        --------
        >>> import imbcore
        >>> rows = [["a", "x"], ["a", "y"], ["a", "y"], ["b", "x"], ["b", "x"], ["b", "y"]]
        >>> model = imbcore.fit(rows, [0, 0, 0, 1, 1, 1], method="naive_bayes")
        >>> print(model.explain([["b", "y"]]).to_text(decimals=2), end="")
        row 0: probability of 1 0.88 (log-odds 1.98, from 0.00)
          +2.56  x0 = "b"
          -0.59  x1 = "y"
        """
        return self._compute_explanation("weights_of_evidence", "log-odds", X, label, n_threads, n_jobs)

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the network. Needs matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            Axes to draw on; None creates a figure.
        **options
            Options of :func:`imbcore.plotting.plot_network`.

        Returns
        -------
        Axes
            The axes with the plot.
        """
        from imbcore.networks import BayesianNetwork
        from imbcore.plotting import plot_network

        return plot_network(BayesianNetwork.of_classifier(self), ax, **options)
