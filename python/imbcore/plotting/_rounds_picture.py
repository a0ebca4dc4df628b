"""How the number of rounds of boosted trees was chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from imbcore.exceptions import ParameterError
from imbcore.plotting._axes import PALETTE, QUIET, line, need_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_rounds"]

# What a path is of, by ``stopping_score``, and its sign: paths are the lower the better.
_SCORES = {"log_loss": ("log loss", 1.0), "average_precision": ("average precision", -1.0)}


def plot_rounds(models: Any, *, ax: Axes | None = None) -> Axes:
    """Draw the score of held-out rows after every round of boosted trees, and mark the rounds taken.

    Parameters
    ----------
    models
        Fitted :class:`imbcore.BoostedTreesClassifier`, or its model, with ``n_rounds="auto"``; or several
        with one ``stopping_score``, by name.
    ax
        Axes to draw on; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the plot.

    Raises
    ------
    ParameterError
        A model has no path, since its number of rounds was given, or paths are of different scores.
    """
    need_matplotlib("plot_rounds", ax)
    named = models if isinstance(models, Mapping) else {"": models}
    fitted = {name: getattr(model, "model_", model) for name, model in named.items()}
    for name, model in fitted.items():
        if len(getattr(model, "validation_path_", ())) == 0:
            of = f" of {name!r}" if name else ""
            raise ParameterError(
                f'plot_rounds draws how n_rounds="auto" of boosted trees was chosen; the model{of} has no '
                "validation_path_"
            )
    scores = {model.params["stopping_score"] for model in fitted.values()}
    if len(scores) != 1:
        raise ParameterError(f"plot_rounds draws models of one stopping_score, got {sorted(scores)}")
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
