"""What scikit-learn's classifiers answer beside probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if

__all__ = ["ProbableClassifier"]


def _has_probabilities(classifier: ProbableClassifier) -> bool:
    """Say why there are no logarithms where there are no probabilities."""
    return callable(classifier.predict_proba)


class ProbableClassifier:
    """Classifier with probabilities of classes."""

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
            As in ``predict_proba``.

        Returns
        -------
        log_p : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; minus infinity, and no warning, where the probability is 0.
        """
        with np.errstate(divide="ignore"):
            logarithms: NDArray[np.float64] = np.log(self.predict_proba(X))
        return logarithms

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)
