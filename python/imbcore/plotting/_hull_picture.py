"""Plot of the hull of exact trees with the ROC curves of other methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from imbcore._validation.arguments import name_package_in_errors
from imbcore.exceptions import ParameterError
from imbcore.plotting._axes import PALETTE, escape_dollar_signs
from imbcore.plotting._curves import plot_roc

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike


def plot_hull(
    model: Any,
    y_true: ArrayLike,
    scores: ArrayLike | Mapping[str, ArrayLike],
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the hull of exact trees over the ROC curves of other methods.

    Each vertex is a tree, labeled with the range of cost ratios of a miss to a false alarm for which it is
    optimal. If ``status_`` of the model is "optimal", no tree that keeps the limits of the model (depth and
    leaf weights) lies above the hull on the training rows; other models may.

    Parameters
    ----------
    model
        Fitted :class:`imbcore.OptimalTreeClassifier`, or its model, with ``objective="hull"``.
    y_true
        Labels of the training rows of the model, (n_rows,).
    scores
        Score of the positive class by another method for the training rows of the model, (n_rows,), larger is
        more positive; or a mapping of several scores by name.
    ax
        Axes to draw on; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the plot.

    Raises
    ------
    ParameterError
        The model has no hull.
    """
    fitted = getattr(model, "model_", model)
    if getattr(fitted, "params", {}).get("objective") != "hull":
        raise ParameterError('plot_hull draws exact trees fitted with objective="hull"')
    certificate = fitted.certificate()
    ax = plot_roc(y_true, scores, positive=fitted.positive_, ax=ax)
    trees, color = certificate["trees"], PALETTE[-2]
    corners = [
        (
            tree["false_positives"] / certificate["negatives"],
            1 - tree["false_negatives"] / certificate["positives"],
        )
        for tree in trees
    ]
    label = f"all trees  area {certificate['objective']:.3f}"
    ax.plot(*zip((0.0, 0.0), *corners, (1.0, 1.0), strict=True), color=color, linewidth=1, label=label)
    for corner, tree in zip(corners, trees, strict=True):
        ax.plot(*corner, color=color, marker="o", markersize=4)
        ax.annotate(
            escape_dollar_signs(_cost_ratio_range_text(tree["best_from"], tree["best_to"])),
            corner,
            xytext=(6, -4),
            textcoords="offset points",
            fontsize=7,
            va="top",
        )
    ax.legend(loc="lower right", edgecolor="none", fontsize=8.5, handlelength=2.2)
    return ax


def _cost_ratio_range_text(least: float, most: float | None) -> str:
    return f"{least:.3g} and more" if most is None else f"{least:.3g} to {most:.3g}"


name_package_in_errors(globals())
