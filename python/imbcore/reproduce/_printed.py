"""The tables of the papers as they are printed; they travel with the package."""

from __future__ import annotations

import csv
from importlib import resources

__all__ = ["number", "rows"]


def rows(name: str) -> list[dict[str, str]]:
    """Read a printed table: a dict a row, as text.

    Parameters
    ----------
    name
        File in the folder ``printed``, without its ending.
    """
    file = resources.files("imbcore.reproduce").joinpath("printed", f"{name}.csv")
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))


def number(text: str) -> float:
    """Read a printed number; NaN where the paper prints "nan" or nothing."""
    return float(text) if text.strip() else float("nan")
