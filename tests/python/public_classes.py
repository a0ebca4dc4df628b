"""The public estimator classes."""

from sklearn.base import BaseEstimator

import imbcore
from imbcore._estimators.base import NativeClassifier

PUBLIC = [found for name in imbcore.__all__ if isinstance(found := getattr(imbcore, name), type)]
ESTIMATORS = [found for found in PUBLIC if issubclass(found, BaseEstimator)]
CLASSES = [found for found in ESTIMATORS if issubclass(found, NativeClassifier)]
