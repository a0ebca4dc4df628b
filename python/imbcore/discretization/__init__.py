"""Discretizers of numeric columns with the scikit-learn API, most of them supervised."""

from imbcore.discretization.ameva import AmevaDiscretizer
from imbcore.discretization.cacc import CACCDiscretizer
from imbcore.discretization.caim import CAIMDiscretizer
from imbcore.discretization.equal_frequency import EqualFrequencyDiscretizer
from imbcore.discretization.mdlp import MDLPDiscretizer

__all__ = [
    "AmevaDiscretizer",
    "CACCDiscretizer",
    "CAIMDiscretizer",
    "EqualFrequencyDiscretizer",
    "MDLPDiscretizer",
]
