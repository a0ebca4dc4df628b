"""Hoens, Qian, Chawla and Zhou 2012: the tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from imbcore.datasets import Dataset
from imbcore.reproduce._experiment import Experiment, Settings
from imbcore.reproduce._printed import rows
from imbcore.reproduce._report import Cell, Report

__all__ = ["EXPERIMENTS"]

# Name in print -> in imbcore.datasets.
SETS = {
    "abalone": "abalone_mc",
    "artificial": None,
    "auto-mpg": "auto-mpg_mc",
    "balance-scale": "balance-scale_mc",
    "bgp": None,
    "car": "car_mc",
    "connect-4": None,
    "dermatology": "dermatology_mc",
    "dna": "dna_mc",
    "glass": "glass_mc",
    "page-blocks-5": "page-blocks-5_mc",
    "sat": "sat_mc",
    "segment": "segment_mc",
    "solar-flare-2": "solar-flare-2_mc",
    "splice": "splice_mc",
    "vehicle": "vehicle_mc",
    "yeast": "yeast_mc",
}


def table1(settings: Settings) -> Report:
    """Count rows, features and classes, and the coefficient of variation of the class counts."""
    report = Report("hddt-table1", TITLE1)
    sets = settings.sets(SETS)
    printed = {row["dataset"]: row for row in rows("mchddt_table1_datasets")}
    table: list[list[Cell]] = []
    for name, data in sets.data.items():
        row, ours = printed[name], sizes(data)
        theirs = [float(row["cv"]), int(row["n_features"]), int(row["n_instances"]), int(row["n_classes"])]
        cells = [cell for pair in zip(ours, theirs, strict=True) for cell in pair]
        same = abs(ours[0] - theirs[0]) < 6e-4 and list(ours[2:]) == theirs[2:]
        table.append([name, *cells, "yes" if same else "NO"])
    pairs = [
        f"{title}{side}" for title in ("C.V.", "features", "rows", "classes") for side in ("", " printed")
    ]
    report.table("Data sets", ["set", *pairs, "C.V., rows and classes agree"], table)
    report.text(
        "C.V. is the standard deviation of the class counts, divisor the number of classes, over their mean. "
        "The paper counts the class among the features of some sets (car: 7) and not of others (glass: 9)."
    )
    report.no_data(sets.missing)
    return report


def sizes(data: Dataset) -> tuple[Any, ...]:
    """Return the coefficient of variation, features, rows and classes of a set."""
    counts = np.unique(data.y, return_counts=True)[1]
    return float(counts.std() / counts.mean()), len(data.X.names), len(data.y), len(counts)


TITLE1 = "Hoens et al. 2012, table 1: data sets"
EXPERIMENTS = (Experiment("hddt-table1", TITLE1, table1),)
