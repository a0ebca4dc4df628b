"""Plots of box models; the public functions are in :mod:`imbcore.plotting`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_list, validate_whole_number
from imbcore.exceptions import DataError, ParameterError
from imbcore.plotting._axes import escape_dollar_signs, shorten_name
from imbcore.plotting._region_picture import values_of_feature_pair

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Margin beyond the training range, as a fraction of it.
_MARGIN = 0.05


def _feature_position(model: Any, feature: Any) -> int:
    names = model.feature_names
    if isinstance(feature, str):
        if feature not in names:
            raise ParameterError(
                f"plot_boxes: features must name columns of the model, got {value_text(feature)}"
            )
        return int(names.index(feature))
    is_place = isinstance(feature, (int, np.integer)) and not isinstance(feature, bool)
    if not is_place or not -len(names) <= feature < len(names):
        raise ParameterError(f"plot_boxes: there is no feature {feature!r} among {len(names)}")
    return int(feature) % len(names)


def _feature_axis_limits(model: Any, feature: int) -> tuple[float, float]:
    low, high = (float(edge[feature]) for edge in model.box_bounds()[2:])
    if low > high:
        name = model.feature_names[feature]
        raise DataError(f"plot_boxes: column {name!r} is nominal or empty and has no axis")
    room = _MARGIN * (high - low) or 0.5
    return low - room, high + room


def draw_boxes_in_two_features(
    model: Any, ax: Axes, features: Sequence[int | str], X: Any, y: Any, palette: Sequence[str]
) -> Axes:
    """Draw the boxes as rectangles over two features."""
    from matplotlib.patches import Rectangle

    pair = validate_list("plot_boxes: features", features)
    if len(pair) != 2:
        raise ParameterError(f"plot_boxes: features must be two columns, got {value_text(features)}")
    across, up = (_feature_position(model, feature) for feature in pair)
    lower, upper = model.box_bounds()[:2]
    (left, right), (bottom, top) = _feature_axis_limits(model, across), _feature_axis_limits(model, up)
    if X is not None and y is not None:
        points = values_of_feature_pair(model, X, (across, up), "plot_boxes")
        positive = np.asarray(y) == model.box_class
        (x0, y0), (x1, y1) = points[~positive].T, points[positive].T
        ax.scatter(x0, y0, s=6, c="#B0B0B0", linewidths=0)
        ax.scatter(x1, y1, s=12, c="black", linewidths=0)
    for number in range(len(lower)):
        color = palette[number % len(palette)]
        x0, x1 = max(lower[number, across], left), min(upper[number, across], right)
        y0, y1 = max(lower[number, up], bottom), min(upper[number, up], top)
        if x0 > x1 or y0 > y1:
            continue
        ax.add_patch(Rectangle((x0, y0), x1 - x0, y1 - y0, facecolor=color, alpha=0.18))
        ax.add_patch(Rectangle((x0, y0), x1 - x0, y1 - y0, fill=False, edgecolor=color, linewidth=1.6))
        ax.text(x0, y1, f" {number + 1}", color=color, fontsize=9, va="top", fontweight="bold")
    names = model.feature_names
    ax.set(
        xlim=(left, right),
        ylim=(bottom, top),
        xlabel=escape_dollar_signs(names[across]),
        ylabel=escape_dollar_signs(names[up]),
    )
    ax.set_title(escape_dollar_signs(f"boxes of class {model.box_class}"), fontsize=10)
    return ax


def draw_parallel(model: Any, ax: Axes, palette: Sequence[str]) -> Axes:
    """Draw every box as a band over the training ranges of the numeric features."""
    lower, upper, low, high = model.box_bounds()
    numeric = np.flatnonzero(low < high)
    if not len(numeric):
        raise DataError("plot_boxes: no numeric column varies, so there are no axes")
    span = high[numeric] - low[numeric]
    places = np.arange(len(numeric))
    for number in range(len(lower)):
        color = palette[number % len(palette)]
        ends = [
            np.clip((bound[number, numeric] - low[numeric]) / span, -_MARGIN, 1.0 + _MARGIN)
            for bound in (lower, upper)
        ]
        ax.fill_between(places, *ends, color=color, alpha=0.15, linewidth=0)
        for end in ends:
            ax.plot(places, end, color=color, linewidth=1.4)
        ax.plot([], [], color=color, linewidth=1.8, label=f"box {number + 1}")
    for place in places.tolist():
        ax.axvline(place, color="#D0D0D0", linewidth=0.8, zorder=0)
    names = [escape_dollar_signs(shorten_name(model.feature_names[feature])) for feature in numeric]
    turned = sum(map(len, names)) > 40
    ax.set_xticks(places, names, rotation=45 if turned else 0, ha="right" if turned else "center")
    ax.set_yticks([0.0, 1.0], ["smallest", "largest"])
    ax.set(
        ylim=(-2 * _MARGIN, 1 + 2 * _MARGIN), title=escape_dollar_signs(f"boxes of class {model.box_class}")
    )
    if len(lower):
        ax.legend(loc="upper right", fontsize=8, frameon=True, framealpha=0.85, edgecolor="none")
    return ax


def draw_trade_off(model: Any, ax: Axes, box: int, palette: Sequence[str]) -> Axes:
    """Draw the fraction of the class against coverage along the peeling of one box."""
    trajectories = model.trajectories()
    box = validate_whole_number("plot_trade_off: box", box, 0)
    if box >= len(trajectories):
        raise ParameterError(f"plot_trade_off: there is no box {box!r} among {len(trajectories)}")
    steps = trajectories[box]["steps"]
    coverage, mean = [step["coverage"] for step in steps], [step["mean"] for step in steps]
    chosen = trajectories[box]["chosen"]
    ax.plot(coverage, mean, color=palette[0], linewidth=1.2, marker="o", markersize=3)
    ax.plot(coverage[chosen], mean[chosen], color=palette[1], marker="o", markersize=8, linestyle="")
    ax.annotate(
        f"chosen: {steps[chosen]['mass']:.1%} of the rows",
        (coverage[chosen], mean[chosen]),
        textcoords="offset points",
        xytext=(8, 6),
        color=palette[1],
        fontsize=9,
    )
    ax.set(
        xlabel=escape_dollar_signs(f"fraction of class {model.box_class} in the box (coverage)"),
        ylabel=escape_dollar_signs(f"fraction of the box that is class {model.box_class}"),
        title=f"peeling of box {box + 1}",
    )
    return ax
