"""Plot of predicted probabilities against observed frequencies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from imbcore import metrics
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.labelled import match_rows_by_index
from imbcore.plotting._axes import PALETTE, QUIET, add_line_legend, line, square_axes
from imbcore.plotting._curves import scores_by_name

# Largest probability or end of an interval up to which the axes end before 1.
_MOST_MAGNIFIED = 0.5

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike


@match_rows_by_index
def plot_calibration(
    y_true: ArrayLike,
    y_proba: ArrayLike | Mapping[str, ArrayLike],
    *,
    positive: Any = None,
    pos_label: Any = None,
    n_bins: int = 10,
    strategy: str = "quantile",
    ax: Axes | None = None,
) -> Axes:
    """Draw observed frequencies of the positive class against predicted probabilities.

    Bars are 95 % intervals (Wilson 1927). With a single curve, the number of rows of each bin is printed. If
    all mean probabilities and upper ends of intervals are at most 0.5, the axes end at 1.1 times the largest
    of them.

    Parameters
    ----------
    y_true
        Labels, (n_rows,).
    y_proba
        Probabilities of the positive class, (n_rows,), or of every class, (n_rows, n_classes). Or a mapping
        from names of curves to such arrays.
    positive, pos_label
        Label of the positive class; both names have the same meaning; ``None`` as in
        :func:`imbcore.metrics.calibration_table`.
    n_bins, strategy
        As in :func:`imbcore.metrics.calibration_table`.
    ax
        Axes to draw on; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the plot.
    """
    ax = square_axes("plot_calibration", ax)
    named = scores_by_name(y_proba)
    ax.plot([0, 1], [0, 1], color=QUIET, linewidth=1, linestyle=":")
    options: dict[str, Any] = {"positive": positive, "pos_label": pos_label}
    options |= {"n_bins": n_bins, "strategy": strategy}
    tables = {name: metrics.calibration_table(y_true, proba, **options) for name, proba in named.items()}
    drawn = [values for table in tables.values() for values in (table.mean_probability, table.high)]
    highest = float(max(map(np.max, drawn), default=1.0))
    # Small probabilities would be drawn in one corner of the unit square.
    end = 1.0 if highest > _MOST_MAGNIFIED else 1.1 * highest
    place: dict[str, Any] = {"ha": "center", "va": "center", "rotation": 45}
    ax.text(0.62 * end, 0.57 * end, "calibrated", color=QUIET, fontsize=8, **place)
    for index, (name, table) in enumerate(tables.items()):
        predicted, observed = table.mean_probability, table.positive_fraction
        ends = np.vstack([observed - table.low, table.high - observed])
        color = PALETTE[index % len(PALETTE)]
        ax.errorbar(predicted, observed, ends, fmt="o", markersize=4, color=color, elinewidth=1, capsize=2)
        gap = float(np.average(np.abs(predicted - observed), weights=table.weight))
        line(ax, index, predicted, observed, f"{name}  ECE {gap:.3f}")
        if len(named) == 1:
            for x, y, rows in zip(predicted, table.high, table.rows, strict=True):
                style: dict[str, Any] = {"fontsize": 7, "color": QUIET, "ha": "center"}
                ax.annotate(f"{rows:,}", (x, y), (0, 2), textcoords="offset points", **style)
    ax.set(xlabel="probability of the positive class", ylabel="observed frequency")
    add_line_legend(ax, "upper left", end)
    return ax


name_package_in_errors(globals())
