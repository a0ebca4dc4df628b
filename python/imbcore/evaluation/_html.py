"""HTML elements of reports."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["bar", "breakable", "picture"]


def bar(share: float, *, rare: bool) -> str:
    """Draw a bar of a table with a length proportional to the fraction."""
    kind = "bar rare" if rare else "bar"
    return f'<span class="{kind}" style="width:{16 * share:.2f}rem"></span>'


def breakable(name: str) -> str:
    """Escape a name and allow line breaks after its underscores."""
    return html.escape(name).replace("_", "_<wbr>")


def picture(size: Sequence[float], draw: Callable[[Axes], object], alt: str, *, whole: bool = False) -> str:
    """Draw an inline SVG image; ``whole`` lets the axes fill the figure."""
    from imbcore.plotting._axes import need_matplotlib

    need_matplotlib("the report")
    import matplotlib
    from matplotlib.figure import Figure

    # Fixed salt and no date, so that equal numbers give equal bytes.
    with matplotlib.rc_context({"svg.hashsalt": "imbcore"}):
        figure = Figure(figsize=(size[0], size[1]), layout=None if whole else "constrained")
        draw(figure.add_axes((0.0, 0.0, 1.0, 1.0)) if whole else figure.add_subplot())
        buffer = io.BytesIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    data = base64.b64encode(buffer.getvalue()).decode()
    shape = f'width="{96 * size[0]:.0f}" height="{96 * size[1]:.0f}"'
    return f'<img {shape} alt="{html.escape(alt)}" src="data:image/svg+xml;base64,{data}">'
