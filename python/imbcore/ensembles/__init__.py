"""Classifiers made of many models."""

from imbcore.ensembles.metacost import MetaCostClassifier

__all__ = ["MetaCostClassifier"]
