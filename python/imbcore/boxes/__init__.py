"""Box drawings: a few readable boxes around the rare class."""

from imbcore.boxes._weight_path import WeightPath
from imbcore.boxes.exact_boxes import ExactBoxesClassifier
from imbcore.boxes.fast_boxes import FastBoxesClassifier
from imbcore.boxes.fast_boxes_cv import FastBoxesCV
from imbcore.boxes.prim import PRIMClassifier

__all__ = ["ExactBoxesClassifier", "FastBoxesCV", "FastBoxesClassifier", "PRIMClassifier", "WeightPath"]
