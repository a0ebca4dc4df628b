"""Goh and Rudin 2014: the tables and figures."""

from __future__ import annotations

from imbcore.reproduce._boxes_rule import glass2_rule
from imbcore.reproduce._boxes_sets import table2
from imbcore.reproduce._experiment import Experiment

__all__ = ["EXPERIMENTS"]

EXPERIMENTS = (
    Experiment("boxes-table2", "Goh and Rudin 2014, table 2: data sets", table2),
    Experiment("boxes-glass2-rule", "Goh and Rudin 2014: the rule for glass2", glass2_rule),
)
