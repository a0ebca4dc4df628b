"""Box drawings: a few interpretable boxes around the rare class."""

from imbcore.boxes.bound import generalization_bound
from imbcore.boxes.exact_boxes import ExactBoxesClassifier
from imbcore.boxes.fast_boxes import FastBoxesClassifier
from imbcore.boxes.fast_boxes_cv import FastBoxesCV
from imbcore.boxes.prim import PRIMClassifier
from imbcore.boxes.rule_list import RuleListClassifier
from imbcore.boxes.weight_path import WeightPath

__all__ = [
    "ExactBoxesClassifier",
    "FastBoxesCV",
    "FastBoxesClassifier",
    "PRIMClassifier",
    "RuleListClassifier",
    "WeightPath",
    "generalization_bound",
]
