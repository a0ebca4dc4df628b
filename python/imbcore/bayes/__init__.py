"""Bayesian network classifiers."""

from imbcore.bayes.bagging import BayesBaggingClassifier
from imbcore.bayes.full_bayes import FullBayesClassifier
from imbcore.bayes.kdb import KDBClassifier
from imbcore.bayes.naive_bayes import NaiveBayesClassifier
from imbcore.bayes.tan import TANClassifier

__all__ = [
    "BayesBaggingClassifier",
    "FullBayesClassifier",
    "KDBClassifier",
    "NaiveBayesClassifier",
    "TANClassifier",
]
