"""Classifier methods derived from probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if

from imbcore._validation.arguments import ExplainedArguments
from imbcore._validation.labelled import rows_by_index


def _has_probabilities(classifier: ProbableClassifier) -> bool:
    """Check for probabilities; accessing a missing `predict_proba` raises the explanation."""
    return callable(classifier.predict_proba)


class ProbableClassifier(ExplainedArguments):
    """Classifier with class probabilities."""

    classes_: NDArray[Any]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities of every row."""
        raise NotImplementedError

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Natural logarithms of the class probabilities of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict_proba``.

        Returns
        -------
        log_p : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; minus infinity, without a warning, for probability 0.
        """
        with np.errstate(divide="ignore"):
            logarithms: NDArray[np.float64] = np.log(self.predict_proba(X))
        return logarithms

    @rows_by_index
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Compute the accuracy of ``predict``, like all scikit-learn classifiers.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.
        y : sequence of shape (n_rows,)
            True labels.
        sample_weight : sequence of shape (n_rows,) or None, default=None
            Row weights.

        Returns
        -------
        float
            Weighted fraction of correctly predicted rows.
        """
        return float(super().score(X, y, sample_weight=sample_weight))  # type: ignore[misc]

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)
