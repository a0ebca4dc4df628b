"""Box drawings for a grid of weights, evaluated together."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.values import to_weight_array
from imbcore.boxes._base import BoxClassifier
from imbcore.exceptions import DataError
from imbcore.metrics import hull_area

__all__ = ["WeightPath"]

Boxes = TypeVar("Boxes", bound=BoxClassifier)


class WeightPath(list[Boxes]):
    """Estimators of ``ExactBoxesClassifier.weight_path``, one per weight, in the given order.

    The method ``decision_function`` of the list scores rows by all estimators together, because the optimal
    boxes of a larger weight need not lie inside the optimal boxes of a smaller weight.

    Examples
    --------
    >>> from imbcore import ExactBoxesClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0], [9.0]]
    >>> y = ["common"] * 2 + ["rare"] + ["common"] * 2 + ["rare"] * 2 + ["common"] * 2
    >>> path = ExactBoxesClassifier(n_boxes=1, random_state=0).weight_path(X, y, [0.2, 0.6, 1.0])
    >>> path.decision_function([[1.0], [3.0], [6.0]]).round(2)
    array([0.  , 0.33, 1.  ])
    >>> round(path.hull_area(X, y), 3)
    0.944
    """

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Fraction of the estimators that predict the rare class for each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.

        Returns
        -------
        scores : ndarray of shape (n_rows,)
            From 0 (no estimator predicts the rare class) to 1 (all estimators predict it).
        """
        return native.metrics.agreement(self._answers(X))

    @match_rows_by_index
    def rates(
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Compute the ROC point of every estimator.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.
        y : sequence of shape (n_rows,)
            True labels, of both classes.
        sample_weight : sequence of shape (n_rows,) or None, default=None
            Row weights.

        Returns
        -------
        fpr, tpr : ndarray of shape (n_weights,)
            Fraction of the other class, and of the rare class, that is predicted as the rare class.

        Raises
        ------
        DataError
            A class is absent from ``y``, or ``X`` and ``y`` have different lengths.
        """
        answers = self._answers(X)
        rare = np.asarray(y) == self[0].positive_
        weight = to_weight_array(sample_weight)
        if any(of is not None and of.shape != answers.shape[1:] for of in (rare, weight)):
            raise DataError(
                f"X has {answers.shape[1]} rows; y and sample_weight must have one entry for each"
            )
        tpr, fpr = native.metrics.positive_rates(answers, rare, weight)
        if np.isnan([tpr, fpr]).any():
            raise DataError(f"y needs rows of class {self[0].positive_!r} and rows of the other class")
        return fpr, tpr

    @match_rows_by_index
    def hull_area(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Area under the convex hull of the ROC points (AUH), the score used in the paper.

        Parameters
        ----------
        X, y, sample_weight
            As in ``rates``.

        Returns
        -------
        area : float
            From 1/2 (trivial classifiers) to 1.
        """
        return hull_area(*self.rates(X, y, sample_weight))

    def _answers(self, X: Any) -> NDArray[np.bool_]:
        """Whether each estimator (row) predicts the rare class for each row (column)."""
        return np.array([boxes.predict(X) == boxes.positive_ for boxes in self])


name_package_in_errors(globals())
