"""Decompositions of several classes into binary tasks, for any classifier."""

from imbcore.decompositions.ecoc import ECOCClassifier
from imbcore.decompositions.ova import OVAClassifier
from imbcore.decompositions.ovo import OVOClassifier

__all__ = [
    "ECOCClassifier",
    "OVAClassifier",
    "OVOClassifier",
]
