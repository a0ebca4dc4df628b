"""SMOTE."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import SMOTEParameters
from imbcore.sampling._base import NeighborSampler

__all__ = ["SMOTE"]


class SMOTE(SMOTEParameters, NeighborSampler):
    """Over-sampling with synthetic rows on the line segments between neighbors of a class.

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
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names, if the columns had names.

    References
    ----------
    Chawla, Bowyer, Hall and Kegelmeyer, "SMOTE: synthetic minority over-sampling technique", 2002.
    """

    _method: ClassVar[str] = "smote"
    _adds: ClassVar[bool] = True
