"""Fitted Bayesian classifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from imbcore._border import native
from imbcore._model.model import Model

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["NetworkModel"]


class NetworkModel(Model, kind="bayes"):
    """Bayesian classifier; :class:`imbcore.BayesianNetwork` asks its networks."""

    _family = "Bayesian classifiers"
    _native: native.models.NetworkModel

    @property
    def size_text(self) -> str:
        """How many networks, arcs and parameters there are, in words."""
        return self._native.size

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the network. Needs matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            Where to draw; None makes a figure.
        **options
            As :func:`imbcore.plotting.plot_network` takes them.

        Returns
        -------
        Axes
            The axes with the drawing.
        """
        from imbcore.networks import BayesianNetwork
        from imbcore.plotting import plot_network

        return plot_network(BayesianNetwork.of_classifier(self), ax, **options)
