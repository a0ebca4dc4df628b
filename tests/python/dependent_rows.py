"""Rows of groups that are alike, and estimators that record the rows of every fit."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

Rows = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]


def customers(n_groups: int, n_each: int, seed: int) -> Rows:
    """Rows of customers that differ little within a customer, with one label per customer."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(n_groups, 4))
    labels = (rng.random(n_groups) < 1 / (1 + np.exp(1.5 - base[:, 0]))).astype(np.int64)
    groups = np.repeat(np.arange(n_groups), n_each)
    return base[groups] + 0.02 * rng.normal(size=(len(groups), 4)), labels[groups], groups


class Recorder(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classifier that records the last column, a row number, of the rows of every fit and prediction."""

    fits: ClassVar[list[NDArray[np.int64]]] = []
    predictions: ClassVar[list[NDArray[np.int64]]] = []

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Recorder:
        self.classes_ = np.unique(y)
        self.fits.append(np.asarray(X)[:, -1].astype(int))
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        X = np.asarray(X)
        self.predictions.append(X[:, -1].astype(int))
        p = 1 / (1 + np.exp(-X[:, 0]))
        return np.column_stack([1 - p, p])

    def predict(self, X: Any) -> NDArray[Any]:
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]
