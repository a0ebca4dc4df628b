"""Ensembles: forests, bagging and boosting with any members, and MetaCost."""

from imbcore.ensembles.adaboost import AdaBoostClassifier
from imbcore.ensembles.adac1 import AdaC1Classifier
from imbcore.ensembles.adac2 import AdaC2Classifier
from imbcore.ensembles.adac3 import AdaC3Classifier
from imbcore.ensembles.bagged_c45 import BaggedC45Classifier
from imbcore.ensembles.bagging import BaggingClassifier
from imbcore.ensembles.balance_cascade import BalanceCascadeClassifier
from imbcore.ensembles.balanced_bagging import BalancedBaggingClassifier
from imbcore.ensembles.balanced_random_forest import BalancedRandomForestClassifier
from imbcore.ensembles.beat import BEATClassifier
from imbcore.ensembles.boosted_trees import BoostedTreesClassifier
from imbcore.ensembles.easy_ensemble import EasyEnsembleClassifier
from imbcore.ensembles.extra_trees import ExtraTreesClassifier
from imbcore.ensembles.forest import ForestClassifier
from imbcore.ensembles.metacost import MetaCostClassifier
from imbcore.ensembles.over_bagging import OverBaggingClassifier
from imbcore.ensembles.random_forest import RandomForestClassifier
from imbcore.ensembles.rusboost import RUSBoostClassifier
from imbcore.ensembles.smote_bagging import SMOTEBaggingClassifier
from imbcore.ensembles.smoteboost import SMOTEBoostClassifier
from imbcore.ensembles.svr_forest import SVRForestClassifier
from imbcore.ensembles.under_bagging import UnderBaggingClassifier
from imbcore.ensembles.under_over_bagging import UnderOverBaggingClassifier
from imbcore.ensembles.weighted_random_forest import WeightedRandomForestClassifier

__all__ = [
    "AdaBoostClassifier",
    "AdaC1Classifier",
    "AdaC2Classifier",
    "AdaC3Classifier",
    "BEATClassifier",
    "BaggedC45Classifier",
    "BaggingClassifier",
    "BalanceCascadeClassifier",
    "BalancedBaggingClassifier",
    "BalancedRandomForestClassifier",
    "BoostedTreesClassifier",
    "EasyEnsembleClassifier",
    "ExtraTreesClassifier",
    "ForestClassifier",
    "MetaCostClassifier",
    "OverBaggingClassifier",
    "RUSBoostClassifier",
    "RandomForestClassifier",
    "SMOTEBaggingClassifier",
    "SMOTEBoostClassifier",
    "SVRForestClassifier",
    "UnderBaggingClassifier",
    "UnderOverBaggingClassifier",
    "WeightedRandomForestClassifier",
]
