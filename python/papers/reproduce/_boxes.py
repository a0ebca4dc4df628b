"""Goh and Rudin 2014: the tables and figures."""

from __future__ import annotations

from reproduce import _boxes_areas
from reproduce._boxes_areas import table3, table5
from reproduce._boxes_exact import table4
from reproduce._boxes_figures import figures
from reproduce._boxes_rule import glass2_rule
from reproduce._boxes_sets import table2
from reproduce._experiment import Experiment

__all__ = ["EXPERIMENTS"]

EXPERIMENTS = (
    Experiment("boxes-table2", "Goh and Rudin 2014, table 2: data sets", table2),
    Experiment("boxes-table3", "Goh and Rudin 2014, table 3: trivial models", table3, _boxes_areas.VARIANTS),
    Experiment("boxes-table4", "Goh and Rudin 2014, table 4: Exact Boxes", table4),
    Experiment(
        "boxes-table5", "Goh and Rudin 2014, table 5: AUH of nine methods", table5, _boxes_areas.VARIANTS
    ),
    Experiment("boxes-figures", "Goh and Rudin 2014, figures 1 to 6", figures, _boxes_areas.VARIANTS),
    Experiment("boxes-glass2-rule", "Goh and Rudin 2014: the rule for glass2", glass2_rule),
)
