"""Classifiers made of many models: forests, and MetaCost, which asks a committee for the cheapest labels."""

from imbcore.ensembles.bagged_c45 import BaggedC45Classifier
from imbcore.ensembles.balanced_random_forest import BalancedRandomForestClassifier
from imbcore.ensembles.beat import BEATClassifier
from imbcore.ensembles.metacost import MetaCostClassifier
from imbcore.ensembles.random_forest import RandomForestClassifier
from imbcore.ensembles.svr_forest import SVRForestClassifier
from imbcore.ensembles.weighted_random_forest import WeightedRandomForestClassifier

__all__ = [
    "BEATClassifier",
    "BaggedC45Classifier",
    "BalancedRandomForestClassifier",
    "MetaCostClassifier",
    "RandomForestClassifier",
    "SVRForestClassifier",
    "WeightedRandomForestClassifier",
]
