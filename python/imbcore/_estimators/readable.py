"""Estimators whose models can be plotted and listed as rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from imbcore._estimators.base import NativeClassifier

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class PlottableClassifier(NativeClassifier):
    """Classifier with a plot of its model."""

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the fitted model: ``model_.plot``. Needs matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            Axes to draw on; None creates a figure.
        **options
            Options of :meth:`imbcore.Model.plot`.

        Returns
        -------
        ax : matplotlib Axes
            The axes with the plot.
        """
        return self._fitted().plot(ax, **options)


class RuleClassifier(PlottableClassifier):
    """Classifier with a plot and a list of rules of its model."""

    def rules(self, **options: Any) -> list[dict[str, Any]]:
        """Rules of the fitted model: ``model_.rules``.

        Parameters
        ----------
        **options
            Options of :meth:`imbcore.Model.rules`.

        Returns
        -------
        rules : list of dict
            One dict per rule.
        """
        return self._fitted().rules(**options)
