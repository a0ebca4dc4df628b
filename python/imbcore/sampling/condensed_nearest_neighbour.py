"""CondensedNearestNeighbour."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import CondensedNearestNeighbourParameters
from imbcore.sampling._base import NeighborSampler

__all__ = ["CondensedNearestNeighbour"]


class CondensedNearestNeighbour(CondensedNearestNeighbourParameters, NeighborSampler):
    """Under-sampling to a subset with which 1-NN classifies all other rows correctly.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of remaining rows, for each class that lost rows.
    sample_indices_ : ndarray of shape (n_resampled,)
        Indices of the rows of ``X`` in the result.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names, if the columns had names.

    References
    ----------
    Hart, "The condensed nearest neighbor rule", 1968.
    """

    _method: ClassVar[str] = "condensed_nearest_neighbour"
