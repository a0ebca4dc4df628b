"""The printed tables of the papers, which are in the folder of this package."""

from __future__ import annotations

import csv
from importlib import resources

__all__ = ["number", "rows"]


def rows(name: str) -> list[dict[str, str]]:
    """Read a printed table as one dict of strings per row.

    Parameters
    ----------
    name
        File in the folder ``printed``, without extension.
    """
    file = resources.files("reproduce").joinpath("printed", f"{name}.csv")
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))


def number(text: str) -> float:
    """Read a printed number; NaN for "nan" or an empty cell."""
    return float(text) if text.strip() else float("nan")
