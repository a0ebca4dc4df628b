"""Estimators whose models can be drawn, and read as rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from imbcore._estimators.base import NativeClassifier

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["DrawnClassifier", "RuleClassifier"]


class DrawnClassifier(NativeClassifier):
    """Classifier whose model can be drawn."""

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the fitted model: ``model_.plot``. Needs matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            Where to draw; None makes a figure.
        **options
            As :meth:`imbcore.Model.plot` takes them.

        Returns
        -------
        ax : matplotlib Axes
            The axes with the plot.
        """
        axes: Axes = self._fitted().plot(ax, **options)
        return axes


class RuleClassifier(DrawnClassifier):
    """Classifier whose model can be drawn, and is a list of rules."""

    def rules(self, **options: Any) -> list[dict[str, Any]]:
        """Rules of the fitted model: ``model_.rules``.

        Parameters
        ----------
        **options
            As :meth:`imbcore.Model.rules` takes them.

        Returns
        -------
        rules : list of dict
            What every rule says, for code.
        """
        rules: list[dict[str, Any]] = self._fitted().rules(**options)
        return rules
