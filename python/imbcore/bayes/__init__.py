"""Bayesian network classifiers."""

from imbcore.bayes._choices.prior import LocallyRebalanced, Rebalanced, Uniform
from imbcore.bayes._choices.rectify import AsPrinted, Centred, PerRow, Tempered
from imbcore.bayes._choices.search import (
    BOSS,
    BestSearch,
    BiasedRandomization,
    ExactSearch,
    HillClimbing,
    IteratedLocalSearch,
    Tabu,
)
from imbcore.bayes._choices.start import RandomStart
from imbcore.bayes._choices.structure_score import AIC, BDJ, BIC, FNML, K2, QNML, BDeu, BDs, LogLikelihood
from imbcore.bayes.aode import AODEClassifier
from imbcore.bayes.bagging import BayesBaggingClassifier
from imbcore.bayes.full_bayes import FullBayesClassifier
from imbcore.bayes.kdb import KDBClassifier
from imbcore.bayes.naive_bayes import NaiveBayesClassifier
from imbcore.bayes.tan import TANClassifier

__all__ = [
    "AIC",
    "BDJ",
    "BIC",
    "BOSS",
    "FNML",
    "K2",
    "QNML",
    "AODEClassifier",
    "AsPrinted",
    "BDeu",
    "BDs",
    "BayesBaggingClassifier",
    "BestSearch",
    "BiasedRandomization",
    "Centred",
    "ExactSearch",
    "FullBayesClassifier",
    "HillClimbing",
    "IteratedLocalSearch",
    "KDBClassifier",
    "LocallyRebalanced",
    "LogLikelihood",
    "NaiveBayesClassifier",
    "PerRow",
    "RandomStart",
    "Rebalanced",
    "TANClassifier",
    "Tabu",
    "Tempered",
    "Uniform",
]
