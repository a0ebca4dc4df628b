"""Decision trees: one exact tree builder with a class per method."""

from imbcore.trees.alpha import AlphaTreeClassifier
from imbcore.trees.c44 import C44Classifier
from imbcore.trees.c45 import C45Classifier
from imbcore.trees.cart import CARTClassifier
from imbcore.trees.cart_cv import CARTClassifierCV
from imbcore.trees.hddt import HDDTClassifier
from imbcore.trees.optimal import OptimalTreeClassifier
from imbcore.trees.svr import SVRTreeClassifier
from imbcore.trees.svr_cv import SVRTreeCV

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
