"""From a score to a decision, over any classifier: thresholds that reach a goal, and conformal sets."""

from imbcore.decisions._conformal import ConformalClassifier
from imbcore.decisions._threshold import ThresholdClassifier

__all__ = ["ConformalClassifier", "ThresholdClassifier"]
