"""Forests: many trees on rows drawn at random, a class for each recipe."""

from imbcore.ensembles.bagged_c45 import BaggedC45Classifier
from imbcore.ensembles.balanced_random_forest import BalancedRandomForestClassifier
from imbcore.ensembles.beat import BEATClassifier
from imbcore.ensembles.random_forest import RandomForestClassifier
from imbcore.ensembles.weighted_random_forest import WeightedRandomForestClassifier

__all__ = [
    "BEATClassifier",
    "BaggedC45Classifier",
    "BalancedRandomForestClassifier",
    "RandomForestClassifier",
    "WeightedRandomForestClassifier",
]
