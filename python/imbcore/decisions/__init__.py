"""From a score to a decision: thresholds that reach a goal, over any classifier."""

from imbcore.decisions._threshold import ThresholdClassifier

__all__ = ["ThresholdClassifier"]
