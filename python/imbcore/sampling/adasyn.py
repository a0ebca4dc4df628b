"""ADASYN."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import ADASYNParameters
from imbcore.sampling._base import NeighborSampler

__all__ = ["ADASYN"]


class ADASYN(ADASYNParameters, NeighborSampler):
    """Over-sampling by ADASYN: more synthetic rows close to rows of other classes.

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
    He, Bai, Garcia and Li, "ADASYN: adaptive synthetic sampling approach for imbalanced learning", 2008.
    """

    _method: ClassVar[str] = "adasyn"
    _adds: ClassVar[bool] = True
