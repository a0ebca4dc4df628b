"""Bayesian network classifiers."""

from imbcore.bayes.bagging import BayesBaggingClassifier
from imbcore.bayes.full_bayes import FullBayesClassifier
from imbcore.bayes.kdb import KDBClassifier
from imbcore.bayes.naive_bayes import NaiveBayesClassifier
from imbcore.bayes.search import BiasedRandomization, ExactSearch, HillClimbing, IteratedLocalSearch, Tabu
from imbcore.bayes.tan import TANClassifier

__all__ = [
    "BayesBaggingClassifier",
    "BiasedRandomization",
    "ExactSearch",
    "FullBayesClassifier",
    "HillClimbing",
    "IteratedLocalSearch",
    "KDBClassifier",
    "NaiveBayesClassifier",
    "TANClassifier",
    "Tabu",
]
