"""Pieces of HTML that reports are made of."""

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
    """Draw the bar of a table, as long as the share says."""
    kind = "bar rare" if rare else "bar"
    return f'<span class="{kind}" style="width:{16 * share:.2f}rem"></span>'


def breakable(name: str) -> str:
    """Write a name that may be broken after its underscores."""
    return html.escape(name).replace("_", "_<wbr>")


def picture(size: Sequence[float], draw: Callable[[Axes], object], alt: str, *, whole: bool = False) -> str:
    """Draw and wrap as an image that needs no other file; ``whole`` gives the axes the entire figure."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(
            "the report draws with matplotlib; install it with: pip install 'imbcore[plot]'"
        ) from error

    # Fixed salt and no date: the same numbers give the same bytes.
    with matplotlib.rc_context({"svg.hashsalt": "imbcore"}):
        figure = Figure(figsize=(size[0], size[1]), layout=None if whole else "constrained")
        draw(figure.add_axes((0.0, 0.0, 1.0, 1.0)) if whole else figure.add_subplot())
        buffer = io.BytesIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    data = base64.b64encode(buffer.getvalue()).decode()
    shape = f'width="{96 * size[0]:.0f}" height="{96 * size[1]:.0f}"'
    return f'<img {shape} alt="{html.escape(alt)}" src="data:image/svg+xml;base64,{data}">'
