"""Drawing of a tree with matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from imbcore._bindings import native
from imbcore._validation.values import validate_list, validate_max_depth
from imbcore.exceptions import ParameterError
from imbcore.plotting._axes import escape_dollar_signs, shorten_name
from imbcore.plotting._tree_layout import DrawnNode, layout_tree

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from numpy.typing import NDArray


# The positive class is vermilion; the others go from gray through cool colors (Okabe and Ito).
RARE = "#D55E00"
OTHERS = ("#B8C4CE", "#0072B2", "#009E73", "#56B4E9", "#CC79A7", "#F0E442", "#6A3D9A", "#7F7F7F")
FONT_SIZE = 9.0
# Heights and gaps in units of the font size.
LINE, PADDING, BAR, GAP_ACROSS, GAP_DOWN = 1.35, 0.6, 0.45, 1.2, 3.4


class TreePicture:
    """Texts and sizes of the boxes of one tree, ready to be drawn.

    Parameters
    ----------
    model
        Fitted model.
    max_depth, feature_names, class_names
        As in ``imbcore.plotting.plot_tree``.
    counts
        Class labels, and the number of rows of every class in every node, (n_nodes, n_labels), to show
        instead of the training weights; None shows these.
    """

    def __init__(
        self,
        model: Any,
        *,
        max_depth: int | None,
        feature_names: Sequence[str] | None,
        class_names: Sequence[str] | None,
        counts: tuple[list[Any], NDArray[np.float64]] | None = None,
    ) -> None:
        nodes: list[dict[str, Any]] = model.nodes()
        self.labels: list[Any] = model.classes_.tolist()
        if counts is not None:
            self.labels = counts[0]
            for node, held in zip(nodes, counts[1].tolist(), strict=True):
                node.update(mass=held, rows=round(sum(held)))
        self.layout = layout_tree(nodes, validate_max_depth(max_depth))
        self.classes = _display_names("class_names", class_names, [str(label) for label in self.labels])
        own = model.feature_names
        self.features = dict(zip(own, _display_names("feature_names", feature_names, own), strict=True))
        mass: list[float] = nodes[0]["mass"]
        self.total = sum(mass)
        self.positive = self.labels.index(model.positive_)
        self.colors = [OTHERS[k % len(OTHERS)] for k in range(len(mass))]
        self.colors.insert(self.positive, RARE)
        self.lines = [self._text(place) for place in self.layout.places]
        self._measure()

    def _text(self, place: DrawnNode) -> list[str]:
        node = place.node
        predicted = self.labels.index(node["class"])
        head = self._condition(node) if node["children"] else self.classes[predicted]
        share = _class_fractions(node)
        # Two classes: show the positive proportion. More: that of the predicted class.
        shown = self.positive if len(share) == 2 else predicted
        body = f"{node['rows']:,} rows, {self.classes[shown]}: {_percent_text(share[shown])}"
        more = [f"({place.hidden:,} more nodes)"] if place.hidden else []
        return [head, body, *more]

    def _condition(self, node: Mapping[str, Any]) -> str:
        # The label begins with the quoted feature name.
        label, name = str(node["label"]), native.models.quoted_name(node["feature"])
        shown: str = self.features[node["feature"]] + label.removeprefix(name)
        return shorten_name(shown, 64)

    def size(self, fontsize: float = FONT_SIZE) -> tuple[float, float]:
        """Return width and height in inches for a font size."""
        return self.width * fontsize / 72, self.height * fontsize / 72

    def draw(self, ax: Axes, *, filled: bool, fontsize: float | None) -> Axes:
        """Draw into ``ax``; without a font size, with the largest up to 9 points that fits."""
        if fontsize is None:
            area = ax.get_window_extent()
            points = 72 / ax.figure.dpi
            fontsize = min(FONT_SIZE, area.width * points / self.width, area.height * points / self.height)
        ax.set_axis_off()
        ax.set_aspect("equal")
        ax.set(xlim=(0, self.width), ylim=(self.height - GAP_ACROSS / 2, -GAP_ACROSS / 2))
        step = self.box + GAP_ACROSS
        left = (self.width - self.layout.width * step) / 2
        centers = [left + place.x * step for place in self.layout.places]
        self._draw_edges(ax, centers, fontsize)
        for place, center, lines in zip(self.layout.places, centers, self.lines, strict=True):
            self._draw_box(
                ax, place, lines, (center - self.box / 2, self.tops[place.depth]), filled, fontsize
            )
        self._draw_legend(ax, fontsize)
        return ax

    def _measure(self) -> None:
        """Compute sizes in units of the font size: boxes, layers, legend, and the whole drawing."""
        texts = [(line, index == 0) for lines in self.lines for index, line in enumerate(lines)]
        self.box = max(_text_width(line, bold) for line, bold in texts) + 2 * PADDING
        heights = [0.0] * self.layout.n_layers
        for place in self.layout.places:
            heights[place.depth] = max(heights[place.depth], _box_height(place))
        self.tops = [0.0]
        for height in heights:
            self.tops.append(self.tops[-1] + height + GAP_DOWN)
        across = self.layout.width * (self.box + GAP_ACROSS)
        self.legend = self._legend_rows(across)
        self.legend_top = self.tops[-1] - GAP_DOWN + 1.2
        self.width = max(across, *(row[-1][2] for row in self.legend)) + GAP_ACROSS
        self.height = self.legend_top + LINE * len(self.legend) + GAP_ACROSS

    def _legend_rows(self, width: float) -> list[list[tuple[int, float, float]]]:
        """Return the lines of the legend: classes with start and end of their entries."""
        rows: list[list[tuple[int, float, float]]] = [[]]
        for k, name in enumerate(self.classes):
            start = rows[-1][-1][2] + 1.5 if rows[-1] else 0.0
            end = start + 1.2 + _text_width(name, False)
            if rows[-1] and end > width:
                rows.append([])
                start, end = 0.0, end - start
            rows[-1].append((k, start, end))
        return rows

    def _draw_edges(self, ax: Axes, centers: list[float], fontsize: float) -> None:
        back = {"facecolor": "white", "edgecolor": "none", "pad": 0.12 * fontsize}
        for parent, x0 in zip(self.layout.places, centers, strict=True):
            for child in parent.children:
                place, x1 = self.layout.places[child], centers[child]
                y0, y1 = self.tops[parent.depth] + _box_height(parent), self.tops[place.depth]
                share = sum(place.node["mass"]) / self.total
                ax.plot(
                    [x0, x1], [y0, y1], color="#8A949C", linewidth=(0.08 + 0.5 * share) * fontsize, zorder=1
                )
                at = x0 + 0.62 * (x1 - x0), y0 + 0.62 * (y1 - y0)
                text = shorten_name(str(place.node["branch"]), int(self.box / 0.7))
                style: dict[str, Any] = {"fontsize": 0.85 * fontsize, "color": "#333333"}
                ax.text(*at, escape_dollar_signs(text), ha="center", va="center", bbox=back, **style)

    def _draw_box(
        self,
        ax: Axes,
        place: DrawnNode,
        lines: list[str],
        at: tuple[float, float],
        filled: bool,
        fontsize: float,
    ) -> None:
        from matplotlib.patches import FancyBboxPatch, Rectangle

        (x, y), width = at, self.box
        share = _class_fractions(place.node)
        fill = _mix_with_white(RARE, 0.75 * share[self.positive]) if filled else "white"
        leaf = not place.node["children"]
        ax.add_patch(
            FancyBboxPatch(
                (x, y),
                width,
                _box_height(place),
                boxstyle=f"round,pad=0,rounding_size={0.9 if leaf else 0.25}",
                facecolor=fill,
                edgecolor="#444B52",
                linewidth=0.1 * fontsize,
                linestyle="--" if place.hidden else "-",
                zorder=2,
            )
        )
        for index, line in enumerate(lines):
            ax.text(
                x + width / 2,
                y + PADDING + (index + 0.5) * LINE,
                escape_dollar_signs(line),
                fontsize=fontsize,
                fontweight="bold" if index == 0 else "normal",
                fontstyle="italic" if index == 2 else "normal",
                ha="center",
                va="center",
                zorder=4,
            )
        start, bottom, length = x + PADDING, y + PADDING + len(lines) * LINE + 0.1, width - 2 * PADDING
        for part, color in zip(share, self.colors, strict=False):
            ax.add_patch(
                Rectangle((start, bottom), part * length, BAR, facecolor=color, linewidth=0, zorder=3)
            )
            start += part * length

    def _draw_legend(self, ax: Axes, fontsize: float) -> None:
        from matplotlib.patches import Rectangle

        for index, row in enumerate(self.legend):
            left, y = (self.width - row[-1][2]) / 2, self.legend_top + index * LINE
            for k, start, _end in row:
                x = left + start
                ax.add_patch(Rectangle((x, y + 0.3), 0.8, 0.8, facecolor=self.colors[k], linewidth=0))
                ax.text(
                    x + 1.2,
                    y + LINE / 2,
                    escape_dollar_signs(self.classes[k]),
                    fontsize=fontsize,
                    va="center",
                )


def _box_height(place: DrawnNode) -> float:
    return (2 + bool(place.hidden)) * LINE + 2 * PADDING + BAR


def _display_names(parameter: str, given: Sequence[str] | None, own: Sequence[str]) -> list[str]:
    if given is None:
        return [shorten_name(name) for name in own]
    names = validate_list(f"plot_tree: {parameter}", given)
    if len(names) != len(own):
        raise ParameterError(
            f"plot_tree: parameter `{parameter}` must have {len(own)} names, got {len(names)}"
        )
    return [str(name) for name in names]


def _class_fractions(node: Mapping[str, Any]) -> list[float]:
    mass: list[float] = node["mass"]
    total = sum(mass)
    # A branch without training rows (a level of a multiway split) shows its predicted probabilities.
    return [value / total for value in mass] if total > 0 else list(node["probability"])


def _percent_text(share: float) -> str:
    text = f"{100 * share:.1f} %"
    return "< 0.1 %" if text == "0.0 %" and share > 0 else text


def _mix_with_white(color: str, part: float) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    red, green, blue = (1 + part * (value - 1) for value in to_rgb(color))
    return red, green, blue


def _text_width(text: str, bold: bool) -> float:
    """Return the width of a line of text in units of its font size."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    # Measured at a large size, because hinting distorts small sizes.
    font = FontProperties(size=100, weight="bold" if bold else "normal")
    width: float = text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]
    return width / 100
