"""Number formatting."""

from __future__ import annotations

import math


def score_text(value: float, decimals: int = 3) -> str:
    """Format a score with this many decimals, or with two significant digits if it is smaller."""
    if not math.isfinite(value) or value == 0 or abs(value) >= 10.0 ** (1 - decimals):
        return f"{value:.{decimals}f}"
    exponent = math.floor(math.log10(abs(value)))
    return f"{value:.1e}" if exponent < -6 else f"{value:.{1 - exponent}f}"


def bytes_text(n_bytes: int) -> str:
    """Return a number of bytes as text, such as 4.2 MB."""
    size = float(n_bytes)
    for unit in ("bytes", "kB", "MB"):
        if size < 999.5:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"
