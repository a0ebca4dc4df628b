"""Morán Jiménez 2018: the tables and figures."""

from __future__ import annotations

from imbcore.reproduce._experiment import Experiment
from imbcore.reproduce._thesis_sets import table6

__all__ = ["EXPERIMENTS"]

EXPERIMENTS = (Experiment("thesis-table6", "Morán Jiménez 2018, table 6: data sets", table6),)
