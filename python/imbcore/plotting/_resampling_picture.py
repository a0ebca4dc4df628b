"""Plot of the effect of a sampler in two columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.frame import to_training_frame
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.value_text import value_text
from imbcore._validation.values import validate_list
from imbcore.exceptions import DataError, ParameterError
from imbcore.plotting._axes import PALETTE, QUIET, escape_dollar_signs, require_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_CALLER = "plot_resampling"
_LINK = PALETTE[5]

Points = NDArray[np.float64]
Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]


@match_rows_by_index
def plot_resampling(
    sampler: Any,
    X: Any,
    y: Any,
    *,
    features: Sequence[int | str] = (0, 1),
    ax: Axes | None = None,
) -> Axes:
    """Draw the effect of a sampler in two columns: kept, removed and added rows, and links.

    The sampler is applied to the table. Kept rows are dots, and removed rows are crosses. Added rows are
    diamonds; those of imbcore samplers are connected to their source rows. Repeated rows have a ring whose
    size grows with the number of repetitions. Rows in danger (Borderline-SMOTE) have a dark edge, and lines
    join Tomek links.

    Parameters
    ----------
    sampler
        A sampler of :mod:`imbcore.sampling`, or another object with ``fit_resample``. This object must keep
        all rows and append others, or report the kept rows in ``sample_indices_``.
    X
        Table of shape (n_rows, n_features), in any form that the sampler accepts.
    y
        Labels, (n_rows,).
    features
        Two numeric columns, by name or position.
    ax
        Axes to draw on; ``None`` creates a figure.

    Returns
    -------
    Axes
        The axes with the plot.

    Raises
    ------
    ParameterError
        ``features`` are not two different numeric columns.
    DataError
        The sampler rejects the data, or it returns fewer rows and does not report the kept rows.
    """
    require_matplotlib(_CALLER, ax)
    if not hasattr(sampler, "fit_resample"):
        raise ParameterError(f"{_CALLER}: sampler must have fit_resample, got {value_text(sampler)}")
    before, names = _two_numeric_columns(X, features)
    X_new, y_new = sampler.fit_resample(X, y)
    after, _ = _two_numeric_columns(X_new, features)
    labels = np.unique(np.asarray(y))
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(figsize=(5.4, 5.0), layout="constrained")[1]
    deed = _ResamplingEffect(sampler, before, after)
    _draw_links(ax, deed.points, getattr(sampler, "links_", ()))
    _draw_effect(ax, before, after, deed)
    danger = np.concatenate([[], *getattr(sampler, "danger_indices_", {}).values()]).astype(np.int64)
    for index, label in enumerate(labels):
        own, own_new = np.asarray(y) == label, np.asarray(y_new) == label
        _draw_class(
            ax,
            PALETTE[index % len(PALETTE)],
            escape_dollar_signs(label),
            (before, own),
            (after, own_new),
            deed,
        )
    if len(danger):
        across, up = before[danger].T
        ax.scatter(
            across,
            up,
            s=26,
            facecolors="none",
            edgecolors="black",
            linewidths=0.8,
            label=f"in danger: {len(danger)}",
        )
    ax.set(
        xlabel=escape_dollar_signs(names[0]),
        ylabel=escape_dollar_signs(names[1]),
        title=type(sampler).__name__,
    )
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2, frameon=False, fontsize=8.5)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


class _ResamplingEffect:
    """Kept, repeated and new rows, as positions in the table and in the result.

    Parameters
    ----------
    sampler
        A sampler that has resampled.
    before, after
        Two columns of the table and of the result.
    """

    def __init__(self, sampler: Any, before: Points, after: Points) -> None:
        kept = getattr(sampler, "sample_indices_", None)
        if kept is None:
            if len(after) < len(before):
                raise DataError(
                    f"{_CALLER}: {type(sampler).__name__} does not report which rows it kept "
                    "(sample_indices_)"
                )
            kept = np.arange(len(after))
        kept = np.asarray(kept, dtype=np.int64)
        numbers, times = np.unique(kept[kept < len(before)], return_counts=True)
        self.kept = np.zeros(len(before), dtype=bool)
        self.kept[numbers] = True
        self.again: Rows = numbers[times > 1]
        self.times: Rows = times[times > 1]
        # Synthetic rows are numbered after those of the table, including those that were removed again.
        self.made: Rows = np.flatnonzero(kept >= len(before))
        self.sources: Rows | None = None
        self.points = before
        sources = np.asarray(getattr(sampler, "source_rows_", ()), dtype=np.int64)
        if len(sources) and len(self.made):
            self.sources = sources[kept[self.made] - len(before)]
            made = np.full((len(sources), 2), np.nan)
            made[kept[self.made] - len(before)] = after[self.made]
            gaps, mates = np.asarray(sampler.gaps_), np.asarray(sampler.neighbor_rows_)
            if gaps.shape == sources.shape:
                lost = np.isnan(made[:, 0]) & (mates >= 0)
                ways = before[mates[lost]] - before[sources[lost]]
                made[lost] = before[sources[lost]] + gaps[lost, None] * ways
            self.points = np.concatenate([before, made])


def _two_numeric_columns(X: Any, features: Sequence[int | str]) -> tuple[Points, list[str]]:
    """Return two numeric columns of any table, (n_rows, 2), and their names."""
    frame, schema = to_training_frame(X, (), None, _CALLER)
    names, places = schema.names, []
    for feature in validate_list(f"{_CALLER}: features", features):
        if isinstance(feature, str) and feature in names:
            places.append(names.index(feature))
        elif isinstance(feature, (int, np.integer)) and -len(names) <= feature < len(names):
            places.append(int(feature) % len(names))
        else:
            raise ParameterError(f"{_CALLER}: there is no column {feature!r} among {names}")
    if len(places) != 2 or places[0] == places[1]:
        raise ParameterError(f"{_CALLER}: features must be two different columns, got {value_text(features)}")
    columns = []
    for place in places:
        column = frame[place] if isinstance(frame, list) else frame[:, place]
        if isinstance(column, tuple):
            raise ParameterError(f"{_CALLER}: features must be numeric; {names[place]!r} is nominal")
        columns.append(column)
    return np.column_stack(columns), [names[place] for place in places]


def _draw_links(ax: Axes, points: Points, links: Any) -> None:
    from matplotlib.collections import LineCollection

    if len(links):
        ends = list(points[np.asarray(links)])
        label = f"links: {len(links)}"
        ax.add_collection(LineCollection(ends, colors=_LINK, linewidths=1.4, zorder=1, label=label))


def _draw_effect(ax: Axes, before: Points, after: Points, deed: _ResamplingEffect) -> None:
    from matplotlib.collections import LineCollection

    if deed.sources is not None and len(deed.made):
        ways = np.stack([before[deed.sources], after[deed.made]], axis=1)
        ax.add_collection(LineCollection(list(ways), colors=QUIET, linewidths=0.4, alpha=0.6, zorder=0))


def _draw_class(
    ax: Axes,
    color: str,
    name: str,
    before: tuple[Points, Mask],
    after: tuple[Points, Mask],
    deed: _ResamplingEffect,
) -> None:
    """Draw kept, removed and added rows of one class, with their numbers in the legend."""

    def draw_points(points: Points, what: str, count: int, **style: Any) -> None:
        if count:
            x, y = points.T
            ax.scatter(x, y, label=f"{name}, {what}: {count}", **style)

    (points, own), (new_points, own_new) = before, after
    kept, gone = points[own & deed.kept], points[own & ~deed.kept]
    draw_points(kept, "kept", len(kept), s=9, color=color, linewidths=0)
    draw_points(gone, "removed", len(gone), s=14, color=color, marker="x", linewidths=0.7, alpha=0.45)
    mine = own[deed.again]
    times = deed.times[mine]
    # The area of a ring grows with the number of its rows.
    ring = {"facecolors": "none", "edgecolors": color, "linewidths": 0.9, "s": 9 + 14 * np.sqrt(times)}
    draw_points(points[deed.again[mine]], "again", int(times.sum()) - len(times), **ring)
    made = new_points[deed.made[own_new[deed.made]]]
    draw_points(made, "added", len(made), s=13, color=color, marker="D", edgecolors="white", linewidths=0.4)


name_package_in_errors(globals())
