"""Ensembles: forests, bagging and boosting with any members, and MetaCost."""

from imbcore.ensembles.adac import AdaC1Classifier, AdaC2Classifier, AdaC3Classifier
from imbcore.ensembles.auto import AutoClassifier
from imbcore.ensembles.bagging import (
    BaggingClassifier,
    OverBaggingClassifier,
    SMOTEBaggingClassifier,
    UnderBaggingClassifier,
    UnderOverBaggingClassifier,
)
from imbcore.ensembles.balanced_bagging import BalancedBaggingClassifier
from imbcore.ensembles.beat import BEATClassifier
from imbcore.ensembles.boosted_trees import BoostedTreesClassifier
from imbcore.ensembles.boosting import AdaBoostClassifier, RUSBoostClassifier, SMOTEBoostClassifier
from imbcore.ensembles.easy_ensemble import BalanceCascadeClassifier, EasyEnsembleClassifier
from imbcore.ensembles.forests import (
    BaggedC45Classifier,
    BalancedRandomForestClassifier,
    ExtraTreesClassifier,
    ForestClassifier,
    RandomForestClassifier,
    WeightedRandomForestClassifier,
)
from imbcore.ensembles.metacost import MetaCostClassifier
from imbcore.ensembles.svr_forest import SVRForestClassifier

__all__ = [
    "AdaBoostClassifier",
    "AdaC1Classifier",
    "AdaC2Classifier",
    "AdaC3Classifier",
    "AutoClassifier",
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
