"""Over-sampling, under-sampling and cleaning, with the names of imbalanced-learn."""

from imbcore.sampling.over_sampling import (
    ADASYN,
    SMOTE,
    SMOTENC,
    BorderlineSMOTE,
    DuplicateOverSampler,
    RandomOverSampler,
)
from imbcore.sampling.smote_tomek import SMOTETomek
from imbcore.sampling.under_sampling import (
    CondensedNearestNeighbour,
    OneSidedSelection,
    RandomUnderSampler,
    TomekLinks,
)

__all__ = [
    "ADASYN",
    "SMOTE",
    "SMOTENC",
    "BorderlineSMOTE",
    "CondensedNearestNeighbour",
    "DuplicateOverSampler",
    "OneSidedSelection",
    "RandomOverSampler",
    "RandomUnderSampler",
    "SMOTETomek",
    "TomekLinks",
]
