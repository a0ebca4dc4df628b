"""Grids of box plots with their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore.plotting._axes import PALETTE
from reproduce._panels import panels
from reproduce._report import Report

__all__ = ["MEASURES", "box_sheet", "column"]

MEASURES = ("accuracy", "f1", "precision", "recall")
Floats = NDArray[np.float64]


def column(records: Any, key: str, **of: str) -> Floats:
    """Return one measure, or property of the model, of the matching records; undefined is NaN.

    A key that a record does not have is a KeyError: under another name it would be undefined in all records.
    """
    found = [
        record[key] if key in record else record["chosen"][key]
        for record in records
        if all(record[name] == value for name, value in of.items())
    ]
    return np.array([np.nan if value is None else value for value in found], dtype=np.float64)


def box_sheet(
    report: Report,
    number: int,
    what: str,
    sheets: Mapping[str, Mapping[str, Floats]],
    *,
    columns: int = 0,
    label: str = "F1",
) -> None:
    """Add a figure with one panel per sheet and one box per array of numbers."""
    figure, grid = panels(len(sheets), columns, size=(3.2, 2.8))
    rows: list[tuple[Any, ...]] = []
    for ax, (title, boxes) in zip(grid, sheets.items(), strict=True):
        known = {name: values[~np.isnan(values)] for name, values in boxes.items()}
        full = {name: values for name, values in known.items() if len(values)}
        for at, (name, values) in enumerate(full.items()):
            drawn = ax.boxplot([values], positions=[at], widths=0.6, patch_artist=True)
            drawn["boxes"][0].set(facecolor=PALETTE[at % len(PALETTE)], alpha=0.5)
            low, middle, high = np.quantile(values, (0.25, 0.5, 0.75))
            rows.append((title, name, len(values), *map(float, (values.mean(), low, middle, high))))
        ax.set_xticks(range(len(full)), list(full), rotation=40, ha="right", fontsize=7)
        ax.set_title(title, fontsize=9)
        ax.set_ylabel(label)
    header = ("panel", "box", "runs", "mean", "quarter", "median", "three quarters")
    report.figure(f"figure-{number}", figure, f"Figure {number}: {what}.", header, rows)
