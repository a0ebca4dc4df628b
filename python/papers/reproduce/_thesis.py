"""Morán Jiménez 2018: the tables and figures."""

from __future__ import annotations

from reproduce._experiment import Experiment
from reproduce._thesis_figures import figures
from reproduce._thesis_sets import table6
from reproduce._thesis_tables import table1, table2, table3, table4, table5

__all__ = ["EXPERIMENTS"]

_PAPER = "Morán Jiménez 2018"
EXPERIMENTS = (
    Experiment("thesis-table1", f"{_PAPER}, table 1: F1 by heuristic", table1),
    Experiment("thesis-table2", f"{_PAPER}, table 2: plain against weighted bootstrap, N = 5", table2),
    Experiment("thesis-table3", f"{_PAPER}, table 3: plain against weighted bootstrap, N = 10", table3),
    Experiment("thesis-table4", f"{_PAPER}, table 4: estimates between classifiers", table4),
    Experiment("thesis-table5", f"{_PAPER}, table 5: p between classifiers", table5),
    Experiment("thesis-table6", f"{_PAPER}, table 6: data sets", table6),
    Experiment("thesis-figures", f"{_PAPER}, figures 2 to 44", figures),
)
