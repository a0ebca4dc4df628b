"""SMOTENC."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from imbcore._input.frame import BorderFrame
from imbcore._signatures import SMOTENCParameters
from imbcore.sampling._base import NeighborSampler

__all__ = ["SMOTENC"]


class SMOTENC(SMOTENCParameters, NeighborSampler):
    """SMOTE for numbers and nominal columns: an added row has the levels most frequent among neighbours.

    Parameters
    ----------
    categorical_features : "auto" or list, default="auto"
        Columns of numbers to read as nominal: a list of names or positions, or a boolean mask. Text and
        categorical columns are nominal anyway, and "auto" means those alone.
    categorical_encoder : object, default=None
        Not used; imbalanced-learn has it.

    Attributes
    ----------
    sampling_strategy_ : dict
        Rows that were added, by class.
    source_rows_ : ndarray of shape (n_added,)
        The row from which each added one was made.
    neighbor_rows_ : ndarray of shape (n_added,)
        The row towards which, or -1 for a copy.
    gaps_ : ndarray of shape (n_added,) or (n_added, n_features)
        How far, 0 at the source and 1 at the neighbour; one number a column with ``gap="attribute"``.
    categorical_features_, continuous_features_ : ndarray of int
        Positions of the nominal columns and of those of numbers.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, when the columns had some.

    References
    ----------
    Chawla, Bowyer, Hall and Kegelmeyer, "SMOTE: synthetic minority over-sampling technique", 2002:
    section 6.1.
    """

    _method: ClassVar[str] = "smotenc"
    _defaults: ClassVar[Mapping[str, Any]] = {"categorical_features": "auto", "categorical_encoder": None}
    _adds: ClassVar[bool] = True

    categorical_features: Any
    categorical_features_: NDArray[np.int64]
    continuous_features_: NDArray[np.int64]

    def _frame(self, X: Any) -> tuple[BorderFrame | None, list[str]]:
        given = self.categorical_features
        declared = () if isinstance(given, str) and given == "auto" else given
        frame, names = self._numbers(self._dense(X), declared)
        nominal = [isinstance(frame, list) and isinstance(frame[at], tuple) for at in range(len(names))]
        self.categorical_features_ = np.flatnonzero(nominal)
        self.continuous_features_ = np.flatnonzero(np.logical_not(nominal))
        return frame, names
