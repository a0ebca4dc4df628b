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
    """SMOTE for mixed columns: synthetic rows get the most frequent levels among neighbors.

    Parameters
    ----------
    categorical_features : "auto" or list, default="auto"
        Numeric columns to treat as nominal: a list of names or positions, or a boolean mask. Text and
        categorical columns are always nominal; "auto" means only those.
    categorical_encoder : object, default=None
        Ignored; for compatibility with imbalanced-learn.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of added rows per class.
    source_rows_ : ndarray of shape (n_added,)
        Index of the source row of each added row.
    neighbor_rows_ : ndarray of shape (n_added,)
        Index of the neighbor used for interpolation, or -1 for a copy.
    gaps_ : ndarray of shape (n_added,) or (n_added, n_features)
        Interpolation factor: 0 at the source, 1 at the neighbor; one per column if
        ``interpolation="attribute"``.
    categorical_features_, continuous_features_ : ndarray of int
        Positions of the nominal and of the numeric columns.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names, if the columns had names.

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
