"""The public estimator classes."""

import numpy as np
from sklearn.base import BaseEstimator

import imbcore
from imbcore._estimators.base import NativeClassifier

PUBLIC = [found for name in imbcore._HOME if isinstance(found := getattr(imbcore, name), type)]
ESTIMATORS = [found for found in PUBLIC if issubclass(found, BaseEstimator)]
CLASSES = [found for found in ESTIMATORS if issubclass(found, NativeClassifier)]

# Methods that interpolate rows, or draw boxes by numbers, need complete training rows.
COMPLETE = (imbcore.ExactBoxesClassifier, imbcore.SMOTEBaggingClassifier, imbcore.SMOTEBoostClassifier)


def bound(estimator_class, size):
    """The parameter that limits the size of the class's trees, set to ``size``; empty for boxes."""
    known = estimator_class().get_params()
    if estimator_class in (imbcore.OptimalTreeClassifier, imbcore.RuleListClassifier):
        # A proof at depth three takes seconds, at depth four minutes; rules have at most three conditions.
        size = np.minimum(size, 2).tolist()
    return next(({name: size} for name in ("max_depth", "max_leaf_nodes") if name in known), {})
