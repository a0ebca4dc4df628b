"""Decision trees: one exact tree builder with a class per method."""

from imbcore.trees.cart_cv import CARTClassifierCV
from imbcore.trees.optimal import OptimalTreeClassifier
from imbcore.trees.svr import SVRTreeClassifier
from imbcore.trees.svr_cv import SVRTreeCV
from imbcore.trees.univariate import (
    AlphaTreeClassifier,
    C44Classifier,
    C45Classifier,
    CARTClassifier,
    HDDTClassifier,
)

__all__ = [
    "AlphaTreeClassifier",
    "C44Classifier",
    "C45Classifier",
    "CARTClassifier",
    "CARTClassifierCV",
    "HDDTClassifier",
    "OptimalTreeClassifier",
    "SVRTreeCV",
    "SVRTreeClassifier",
]
