"""Decisions for any classifier: calibration, thresholds, prediction sets, prior shift, PU."""

from imbcore.decisions._adapted import AdaptedClassifier, adapt_prior
from imbcore.decisions._calibrated import CalibratedClassifier
from imbcore.decisions._cheapest import MinExpectedCostClassifier
from imbcore.decisions._conformal import ConformalClassifier
from imbcore.decisions._drift import find_drift
from imbcore.decisions._loaded import load
from imbcore.decisions._model_comparison import compare_models
from imbcore.decisions._over_time import check_over_time
from imbcore.decisions._shifted import PriorShiftClassifier
from imbcore.decisions._threshold import ThresholdClassifier
from imbcore.decisions._unlabelled import PUClassifier
from imbcore.decisions._weighted import InstanceWeightingClassifier

__all__ = [
    "AdaptedClassifier",
    "CalibratedClassifier",
    "ConformalClassifier",
    "InstanceWeightingClassifier",
    "MinExpectedCostClassifier",
    "PUClassifier",
    "PriorShiftClassifier",
    "ThresholdClassifier",
    "adapt_prior",
    "check_over_time",
    "compare_models",
    "find_drift",
    "load",
]
