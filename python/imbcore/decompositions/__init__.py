"""Decompositions of several classes into binary tasks, for any classifier."""

from imbcore.decompositions.classifiers import ECOCClassifier, OVAClassifier, OVOClassifier

__all__ = [
    "ECOCClassifier",
    "OVAClassifier",
    "OVOClassifier",
]
