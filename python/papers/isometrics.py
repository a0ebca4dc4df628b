"""Lines of equal worth in the ROC square (Flach 2003): which criteria depend on how rare a class is."""

from __future__ import annotations

from typing import Any

import numpy as np
from paper_output import keep, keep_figure, markdown, options

from imbcore import metrics, plotting

QUANTITIES = ("precision", "gini", "entropy", "dkm", "hellinger")
SKEWS = (1.0, 10.0, 100.0)


def main() -> None:
    """Write how much each quantity moves with the skew, and the picture."""
    chosen = options(__doc__, points=201)
    rows = [(name, *(sensitivity(name, skew, chosen.points) for skew in SKEWS[1:])) for name in QUANTITIES]
    header = ("quantity", *(f"{skew:g} to 1" for skew in SKEWS[1:]))
    keep(chosen.output, "isometrics", f"# Change with the skew, against 1 to 1\n\n{markdown(header, rows)}")
    keep_figure(chosen.output, "isometrics", picture(chosen.points))


def sensitivity(name: str, skew: float, points: int) -> float:
    """Mean distance of two surfaces, each divided by its largest value: 0 when no isometric moves."""
    rare, even = (metrics.isometrics(name, c, points=points).values for c in (skew, 1.0))
    return float(np.nanmean(abs(rare / np.nanmax(rare) - even / np.nanmax(even))))


def picture(points: int) -> Any:
    """Draw Gini beside DKM."""
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(8, 4), layout="constrained")
    for panel, name in zip(panels, ("gini", "dkm"), strict=True):
        plotting.plot_isometrics(name, SKEWS, points=points, ax=panel)
    return figure


if __name__ == "__main__":
    main()
