"""Logistic regression."""

from imbcore.linear.logistic_regression import LogisticRegressionClassifier

__all__ = ["LogisticRegressionClassifier"]
