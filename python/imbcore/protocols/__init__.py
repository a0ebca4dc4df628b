"""Partitions of the rows that all methods of a comparison share."""

from imbcore.protocols._folds import StratifiedFolds

__all__ = ["StratifiedFolds"]
