"""SMOTE."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import SMOTEParameters
from imbcore.sampling._base import NeighborSampler

__all__ = ["SMOTE"]


class SMOTE(SMOTEParameters, NeighborSampler):
    """New rows on the lines between neighbours of a class.

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
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, when the columns had some.

    References
    ----------
    Chawla, Bowyer, Hall and Kegelmeyer, "SMOTE: synthetic minority over-sampling technique", 2002.
    """

    _method: ClassVar[str] = "smote"
    _adds: ClassVar[bool] = True
