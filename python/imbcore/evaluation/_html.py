"""HTML elements of reports."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "draw_svg_image",
    "figure_to_svg",
    "fraction_bar_html",
    "image_tag",
    "name_with_line_breaks_html",
    "score_on_two_lines_html",
]


def fraction_bar_html(share: float, *, rare: bool) -> str:
    """Draw a bar of a table with a length proportional to the fraction."""
    kind = "bar rare" if rare else "bar"
    return f'<span class="{kind}" style="width:calc({share:.4f} * var(--bar, 16rem))"></span>'


def name_with_line_breaks_html(name: str) -> str:
    """Escape a name and allow line breaks after its underscores."""
    return html.escape(name).replace("_", "_<wbr>")


def draw_svg_image(
    size: Sequence[float], draw: Callable[[Axes], object], alt: str, *, whole: bool = False
) -> str:
    """Draw an inline SVG image; ``whole`` lets the axes fill the figure."""
    from imbcore.plotting._axes import require_matplotlib

    require_matplotlib("the report")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(size[0], size[1]), layout=None if whole else "constrained")
    draw(figure.add_axes((0.0, 0.0, 1.0, 1.0)) if whole else figure.add_subplot())
    svg = figure_to_svg(figure)
    return image_tag(svg, size, alt)


def figure_to_svg(figure: Figure) -> bytes:
    """Render a figure as SVG with a transparent background; equal numbers give equal bytes."""
    import matplotlib

    buffer = io.BytesIO()
    # Fixed salt and no date.
    with matplotlib.rc_context({"svg.hashsalt": "imbcore"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None}, transparent=True)
    return buffer.getvalue()


def image_tag(svg: bytes, size: Sequence[float], alt: str) -> str:
    """Return an inline image of this size in inches."""
    data = base64.b64encode(svg).decode()
    shape = f'width="{96 * size[0]:.0f}" height="{96 * size[1]:.0f}"'
    return f'<img {shape} alt="{html.escape(alt)}" src="data:image/svg+xml;base64,{data}">'


def score_on_two_lines_html(score: str) -> str:
    """Put mean and deviation of a score, such as 0.8 ± 0.1, on separate lines."""
    mean, _, deviation = score.partition(" ")
    return f"{mean}<small>{deviation}</small>" if deviation else mean
