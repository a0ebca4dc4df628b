"""Discretizers of numeric columns with the scikit-learn API, most of them supervised."""

from imbcore.discretization.discretizers import (
    AmevaDiscretizer,
    CACCDiscretizer,
    CAIMDiscretizer,
    EqualFrequencyDiscretizer,
    MDLPDiscretizer,
)

__all__ = [
    "AmevaDiscretizer",
    "CACCDiscretizer",
    "CAIMDiscretizer",
    "EqualFrequencyDiscretizer",
    "MDLPDiscretizer",
]
