"""Data sets of the box-drawing paper: those of its table 2."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from imbcore import datasets, metrics
from imbcore._validation.columns import Column
from imbcore._validation.table import Table
from reproduce import _printed
from reproduce._experiment import Sets, Settings
from reproduce._report import Report
from reproduce._tables import dummy_coded

__all__ = ["QUICK", "catalogue", "load", "matrix", "numeric", "ratios", "table2"]

# Published exactly; the other simulated sets are drawn by their descriptions.
PUBLISHED = ("castle", "corner", "diamond3D")
DRAWN = (*PUBLISHED, "diamond", "square", "flooded", "castle3D", "corner3D", "square3D", "flooded3D")
# One set of each kind: simulated, balanced, very imbalanced.
QUICK = ("diamond3D", "iris0", "glass2", "ecoli4", "haberman", "yeast5")


def catalogue() -> dict[str, str | Callable[[], datasets.Dataset]]:
    """Return the source of each set of table 2, by its printed name."""
    names = [row["dataset"] for row in _printed.rows("boxes_table2_datasets")]
    return {name: _drawn(name) if name in DRAWN else name for name in names}


def _drawn(name: str) -> Callable[[], datasets.Dataset]:
    def draw() -> datasets.Dataset:
        published = name in PUBLISHED
        X, y = datasets.make_shape(name, random_state=None if published else 0, redraw=not published)
        columns: dict[str, Column] = {f"x{at}": np.ascontiguousarray(column) for at, column in enumerate(X.T)}
        how = "simulated: " + ("the published points" if published else "drawn by the paper's description")
        return datasets.Dataset(name, Table(columns), y, how, "", "datasets.make_shape", "", ("4",))

    return draw


def load(settings: Settings, quick: tuple[str, ...] = QUICK) -> Sets:
    """Load the requested sets, with numeric columns."""
    sets = settings.sets(catalogue(), quick=quick)
    return Sets({name: numeric(data) for name, data in sets.data.items()}, sets.missing)


def numeric(data: datasets.Dataset) -> datasets.Dataset:
    """Code levels as 0/1, which gives abalone its nine printed features."""
    return dataclasses.replace(data, X=dummy_coded(data.X, fewer=True))


def matrix(data: datasets.Dataset) -> NDArray[np.float64]:
    """Return the columns as a matrix."""
    return np.asarray(data.X)


def ratios() -> dict[str, float]:
    """Return the printed numbers of common rows per rare row."""
    rows = _printed.rows("boxes_table2_datasets")
    return {row["dataset"]: _printed.number(row["imbalance_ratio_printed"]) for row in rows}


def table2(settings: Settings) -> Report:
    """Report table 2: rows, features and imbalance of every set, ours and printed."""
    report = Report("boxes-table2", "Goh and Rudin 2014, table 2: data sets", quick=settings.quick)
    sets = load(settings, ())
    rows, off = [], []
    for row in _printed.rows("boxes_table2_datasets"):
        data = sets.data.get(row["dataset"])
        if data is None:
            continue
        ours = (len(data.y), len(data.X.names), float(metrics.imbalance_ratio(data.y)))
        theirs = (
            int(row["n_examples"]),
            int(row["n_features"]),
            _printed.number(row["imbalance_ratio_printed"]),
        )
        same = ours[:2] == theirs[:2] and abs(ours[2] - theirs[2]) < 5e-4
        rows.append((row["dataset"], *ours, *theirs, "yes" if same else "no", data.positive_class))
        off += [] if same else [row["dataset"]]
    header = (
        "set",
        "rows",
        "features",
        "ratio",
        "rows printed",
        "features printed",
        "ratio printed",
        "agrees",
        "rare class",
    )
    report.table("Data sets, ours and printed", header, rows, digits=4)
    report.no_data(sets.missing)
    differ = f"; {', '.join(off)} differ" if off else ""
    report.text(
        f"{len(rows) - len(off)} of {len(rows)} sets agree with the printed rows, features and ratio{differ}."
    )
    report.text(
        "The ratio is the number of common rows per rare row. Nominal columns are coded as 0/1, one "
        "column less than levels, which gives the nine printed features of abalone. Seven of the ten "
        "simulated sets were never published; they are simulated until they have the printed number of "
        "rare rows."
    )
    return report
