"""From a score to a decision, over any classifier: calibration, thresholds, sets, other shares of the classes."""

from imbcore.decisions._adapted import AdaptedClassifier
from imbcore.decisions._calibrated import CalibratedClassifier
from imbcore.decisions._conformal import ConformalClassifier
from imbcore.decisions._threshold import ThresholdClassifier
from imbcore.decisions._unlabelled import PUClassifier

__all__ = ["AdaptedClassifier", "CalibratedClassifier", "ConformalClassifier", "PUClassifier", "ThresholdClassifier"]
