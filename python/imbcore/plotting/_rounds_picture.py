"""Plot of the selection of the number of boosting rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from imbcore._validation.arguments import name_package_in_errors
from imbcore.exceptions import ParameterError
from imbcore.plotting._axes import PALETTE, QUIET, line, require_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Name of the path by ``stopping_score``, and its sign, because lower values of paths are better.
_SCORES = {"log_loss": ("log loss", 1.0), "average_precision": ("average precision", -1.0)}


def plot_rounds(models: Any, *, ax: Axes | None = None) -> Axes:
    """Draw the held-out score after every boosting round, and mark the selected round.

    Parameters
    ----------
    models
        Fitted :class:`imbcore.BoostedTreesClassifier` with ``n_rounds="auto"``, or its model. Or a mapping
        from names to several of these, all with the same ``stopping_score``.
    ax
        Axes to draw on; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the plot.

    Raises
    ------
    ParameterError
        A model has no held-out scores because its number of rounds was given, or the models have different
        ``stopping_score``.
    """
    require_matplotlib("plot_rounds", ax)
    named = models if isinstance(models, Mapping) else {"": models}
    fitted = {name: getattr(model, "model_", model) for name, model in named.items()}
    for name, model in fitted.items():
        if len(getattr(model, "validation_path_", ())) == 0:
            of = f" of {name!r}" if name else ""
            raise ParameterError(
                f'plot_rounds needs boosted trees fitted with n_rounds="auto"; the model{of} has no '
                "validation_path_"
            )
    scores = {model.params["stopping_score"] for model in fitted.values()}
    if len(scores) != 1:
        raise ParameterError(f"plot_rounds needs models with the same stopping_score, got {sorted(scores)}")
    words, sign = _SCORES[scores.pop()]
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(figsize=(6.0, 4.0), layout="constrained")[1]
    for index, (name, model) in enumerate(fitted.items()):
        path = sign * np.asarray(model.validation_path_)
        line(ax, index, np.arange(1, len(path) + 1), path, f"{name}  {model.n_rounds_} rounds")
        at, best = model.n_rounds_, path[model.n_rounds_ - 1]
        ax.plot([at], [best], "o", color=PALETTE[index % len(PALETTE)], markersize=6)
        ax.axvline(at, color=QUIET, linewidth=0.8, linestyle=":")
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.set(xlabel="round", ylabel=f"{words} of held-out rows")
    ax.legend(edgecolor="none", fontsize=8.5, handlelength=2.2)
    return ax


name_package_in_errors(globals())
