"""CondensedNearestNeighbour."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import CondensedNearestNeighbourParameters
from imbcore.sampling._base import NeighborSampler

__all__ = ["CondensedNearestNeighbour"]


class CondensedNearestNeighbour(CondensedNearestNeighbourParameters, NeighborSampler):
    """A part of the rows stays from which the nearest row classifies all others correctly.

    Attributes
    ----------
    sampling_strategy_ : dict
        Rows that are left, of classes that lost some.
    sample_indices_ : ndarray of shape (n_resampled,)
        The rows of X of which the result consists.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, when the columns had some.

    References
    ----------
    Hart, "The condensed nearest neighbor rule", 1968.
    """

    _method: ClassVar[str] = "condensed_nearest_neighbour"
