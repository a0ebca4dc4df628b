"""Layout of critical difference diagrams: lines and texts, independent of the renderer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from imbcore import stats
from imbcore._validation.value_text import value_text
from imbcore._validation.values import to_number_array, validate_list, validate_positive_number, validate_text
from imbcore.exceptions import DataError, ParameterError
from imbcore.plotting._axes import shorten_name

# In points, y downwards. The axis length depends on the number of ranks, the margins on the longest label.
AXIS, RANK, LETTER, MARGIN = 260.0, 34.0, 6.2, 12.0
LINE, BAR_STEP, TOP = 15.0, 8.0, 46.0
SIZE = 10.0
THIN, THICK = 1.0, 4.0


@dataclass(frozen=True, slots=True)
class LayoutLine:
    """A line from one point to another."""

    x: tuple[float, float]
    y: tuple[float, float]
    width: float = THIN


@dataclass(frozen=True, slots=True)
class LayoutText:
    """A text anchored at ``x`` (start, middle or end), on the baseline ``y``."""

    x: float
    y: float
    text: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class DiagramLayout:
    """Lines and texts on a canvas of ``width`` by ``height`` points."""

    width: float
    height: float
    strokes: list[LayoutLine]
    words: list[LayoutText]


def layout_cd_diagram(
    average_ranks: ArrayLike, names: Sequence[Any], cd: float, control: Any, best: str
) -> DiagramLayout:
    """Compute the layout of the diagram."""
    names = validate_list("names", names)
    ranks = _validate_ranks(average_ranks, names)
    k = len(ranks)
    cd = validate_positive_number("cd", cd, 1e4)
    if validate_text("best", best) not in ("right", "left"):
        raise ParameterError(f'best must be "right" or "left", got {value_text(best)}')
    try:
        is_known = control is None or control in names
    except ValueError:
        # Comparing an array with a name gives an array.
        is_known = False
    if not is_known:
        raise ParameterError(f"control must be one of names, got {value_text(control)}")
    labels = [f"{shorten_name(str(name))} ({rank:.2f})" for name, rank in zip(names, ranks, strict=True)]
    room = MARGIN + LETTER * max(map(len, labels)) + MARGIN
    length = max(AXIS, RANK * (k - 1))
    step = length / (k - 1)
    # A difference longer than the axis extends beyond its end.
    beyond = max(0.0, cd * step - length) + MARGIN
    left, right = (max(room, beyond), room) if best == "right" else (room, max(room, beyond))

    def x_of(rank: float) -> float:
        return left + (rank - 1 if best == "left" else k - rank) * step

    strokes, words = _layout_rank_axis(k, x_of)
    strokes += _layout_length_bar(x_of(1), x_of(1 + cd), 18.0)
    words.append(LayoutText((x_of(1) + x_of(1 + cd)) / 2, 12.0, f"CD = {cd:.2f}"))
    if control is None:
        bars = [(ranks[group[0]], ranks[group[-1]]) for group in stats.rank_groups(ranks, cd)]
    else:
        middle = ranks[list(names).index(control)]
        bars = [(max(1.0, middle - cd), min(float(k), middle + cd))]
    for place, (low, high) in enumerate(bars):
        y = TOP + BAR_STEP * (place + 1)
        ends = sorted((x_of(low), x_of(high)))
        strokes.append(LayoutLine((ends[0] - 3, ends[1] + 3), (y, y), THICK))
    height = _layout_method_labels(
        ranks, labels, x_of, (left, left + length), TOP + BAR_STEP * (len(bars) + 1) + 6, strokes, words
    )
    return DiagramLayout(left + length + right, height + MARGIN, strokes, words)


def _validate_ranks(average_ranks: ArrayLike, names: Sequence[Any]) -> list[float]:
    ranks: list[float] = to_number_array(average_ranks, "average_ranks").tolist()
    if len(ranks) != len(names) or len(ranks) < 2:
        raise DataError(
            f"average_ranks and names must be those of at least 2 methods, got {len(ranks)} and {len(names)}"
        )
    if not all(1 <= rank <= len(ranks) for rank in ranks):
        raise DataError(f"average ranks of {len(ranks)} methods lie from 1 to {len(ranks)}, got {ranks}")
    return ranks


def _layout_rank_axis(k: int, x_of: Any) -> tuple[list[LayoutLine], list[LayoutText]]:
    strokes = [LayoutLine((x_of(1), x_of(k)), (TOP, TOP))]
    words = []
    for rank in range(1, k + 1):
        strokes.append(LayoutLine((x_of(rank), x_of(rank)), (TOP - 6, TOP)))
        words.append(LayoutText(x_of(rank), TOP - 10, str(rank)))
        if rank < k:
            strokes.append(LayoutLine((x_of(rank + 0.5), x_of(rank + 0.5)), (TOP - 3, TOP)))
    return strokes, words


def _layout_length_bar(one: float, other: float, y: float) -> list[LayoutLine]:
    """Draw a length between two ticks."""
    return [LayoutLine((one, other), (y, y)), *(LayoutLine((x, x), (y - 3, y + 3)) for x in (one, other))]


def _layout_method_labels(
    ranks: list[float],
    labels: list[str],
    x_of: Any,
    ends: tuple[float, float],
    top: float,
    strokes: list[LayoutLine],
    words: list[LayoutText],
) -> float:
    """Draw a line from each rank to its label, outermost first; returns the lowest y."""
    order = sorted(range(len(ranks)), key=lambda method: x_of(ranks[method]))
    half = (len(order) + 1) // 2
    sides = ((order[:half], ends[0] - MARGIN, "end"), (order[half:][::-1], ends[1] + MARGIN, "start"))
    for methods, edge, anchor in sides:
        for place, method in enumerate(methods):
            x, y = x_of(ranks[method]), top + LINE * place
            strokes.append(LayoutLine((x, x), (TOP, y)))
            strokes.append(LayoutLine((x, edge), (y, y)))
            words.append(
                LayoutText(edge + (-4 if anchor == "end" else 4), y + SIZE / 3, labels[method], anchor)
            )
    return top + LINE * half
