"""Decision trees: one exact tree builder, a class for each recipe."""

from imbcore.trees.c44 import C44Classifier
from imbcore.trees.cart import CARTClassifier
from imbcore.trees.hddt import HDDTClassifier

__all__ = ["C44Classifier", "CARTClassifier", "HDDTClassifier"]
