"""Over-sampling, under-sampling and cleaning, with the names of imbalanced-learn."""

from imbcore.sampling.adasyn import ADASYN
from imbcore.sampling.borderline_smote import BorderlineSMOTE
from imbcore.sampling.condensed_nearest_neighbour import CondensedNearestNeighbour
from imbcore.sampling.duplicate_over_sampler import DuplicateOverSampler
from imbcore.sampling.one_sided_selection import OneSidedSelection
from imbcore.sampling.random_over_sampler import RandomOverSampler
from imbcore.sampling.random_under_sampler import RandomUnderSampler
from imbcore.sampling.smote import SMOTE
from imbcore.sampling.smote_tomek import SMOTETomek
from imbcore.sampling.smotenc import SMOTENC
from imbcore.sampling.tomek_links import TomekLinks

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
