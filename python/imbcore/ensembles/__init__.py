"""Classifiers made of many models: forests, committees of any members, and MetaCost."""

from imbcore.ensembles.bagged_c45 import BaggedC45Classifier
from imbcore.ensembles.bagging import BaggingClassifier
from imbcore.ensembles.balanced_bagging import BalancedBaggingClassifier
from imbcore.ensembles.balanced_random_forest import BalancedRandomForestClassifier
from imbcore.ensembles.beat import BEATClassifier
from imbcore.ensembles.metacost import MetaCostClassifier
from imbcore.ensembles.over_bagging import OverBaggingClassifier
from imbcore.ensembles.random_forest import RandomForestClassifier
from imbcore.ensembles.smote_bagging import SMOTEBaggingClassifier
from imbcore.ensembles.svr_forest import SVRForestClassifier
from imbcore.ensembles.under_bagging import UnderBaggingClassifier
from imbcore.ensembles.under_over_bagging import UnderOverBaggingClassifier
from imbcore.ensembles.weighted_random_forest import WeightedRandomForestClassifier

__all__ = [
    "BEATClassifier",
    "BaggedC45Classifier",
    "BaggingClassifier",
    "BalancedBaggingClassifier",
    "BalancedRandomForestClassifier",
    "MetaCostClassifier",
    "OverBaggingClassifier",
    "RandomForestClassifier",
    "SMOTEBaggingClassifier",
    "SVRForestClassifier",
    "UnderBaggingClassifier",
    "UnderOverBaggingClassifier",
    "WeightedRandomForestClassifier",
]
