"""Bayesian network classifiers."""

from imbcore._signatures import (
    AIC,
    BDJ,
    BIC,
    BOSS,
    FNML,
    K2,
    QNML,
    BDeu,
    BDs,
    BestSearch,
    BiasedRandomization,
    Centered,
    ExactSearch,
    HillClimbing,
    IteratedLocalSearch,
    LiteralFormula,
    LocallyRebalanced,
    LogLikelihood,
    PerRow,
    RandomStart,
    Rebalanced,
    Tabu,
    Tempered,
    Uniform,
)
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
    "BDeu",
    "BDs",
    "BayesBaggingClassifier",
    "BestSearch",
    "BiasedRandomization",
    "Centered",
    "ExactSearch",
    "FullBayesClassifier",
    "HillClimbing",
    "IteratedLocalSearch",
    "KDBClassifier",
    "LiteralFormula",
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
