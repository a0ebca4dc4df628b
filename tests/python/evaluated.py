"""Test data and folds for the tests of `imbcore.evaluate`."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

N = 400
_RNG = np.random.default_rng(7)
X = _RNG.normal(size=(N, 3))
Y = (X[:, 0] + _RNG.normal(size=N) > 1.5).astype(int)
GROUPS = _RNG.integers(0, 40, N)
COSTS = {(1, 0): 10.0, (0, 1): 1.0}
RESULT = {"random_state": 0, "n_threads": 1}


def parts(result):
    return [(np.flatnonzero(result.fold == fold), fold) for fold in range(result.folds)]


class NoWeights(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])
