"""Curves averaged over test sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.value_text import value_text
from imbcore._validation.values import to_float_array, validate_text
from imbcore.exceptions import DataError, ParameterError
from imbcore.plotting._axes import QUIET, add_line_legend, line, square_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike


_AXES = {
    "roc": ("false positive rate", "true positive rate (recall)"),
    "precision_recall": ("recall", "precision"),
}


def plot_mean_curves(curves: Mapping[str, ArrayLike], kind: str = "roc", *, ax: Axes | None = None) -> Axes:
    """Draw mean curves over test sets, at equal rates (vertical averaging; Fawcett 2006).

    Parameters
    ----------
    curves
        For each method, the heights of its curves at equally spaced rates from 0 to 1, (n_test_sets,
        n_rates), such as the curves in the records of :func:`imbcore.evaluation.run` with ``curves=True``.
    kind
        "roc": true positive rate against false positive rate; "precision_recall": precision against recall.
    ax
        Axes to draw on; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the plot.

    Raises
    ------
    DataError
        A method has no curve, or its curves are not an array of shape (n_test_sets, n_rates).
    ParameterError
        An unknown kind, or there is no method.
    """
    if validate_text("kind", kind) not in _AXES:
        raise ParameterError(f"kind must be one of {', '.join(_AXES)}, got {value_text(kind)}")
    if not isinstance(curves, Mapping):
        raise ParameterError(f"curves must be a dict of curves by method, got {value_text(curves)}")
    if not curves:
        raise ParameterError("curves must be a dict of curves by method, got an empty one")
    ax = square_axes("plot_mean_curves", ax)
    if kind == "roc":
        ax.plot([0, 1], [0, 1], color=QUIET, linewidth=1, linestyle=":")
    for index, (name, given) in enumerate(curves.items()):
        heights: Any = to_float_array(given, f"curves[{name!r}]")
        if heights.ndim != 2 or not heights.size:
            raise DataError(f"curves[{name!r}] must be of shape (n_parts, n_rates), got {heights.shape}")
        mean = heights.mean(axis=0)
        line(ax, index, np.linspace(0.0, 1.0, len(mean)), mean, str(name))
    across, up = _AXES[kind]
    ax.set(xlabel=across, ylabel=up)
    add_line_legend(ax, "lower right" if kind == "roc" else "best")
    return ax


name_package_in_errors(globals())
