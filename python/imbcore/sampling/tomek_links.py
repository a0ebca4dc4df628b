"""TomekLinks."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import TomekLinksParameters
from imbcore.sampling._base import NeighborSampler

__all__ = ["TomekLinks"]


class TomekLinks(TomekLinksParameters, NeighborSampler):
    """Removal of Tomek links: nearest neighbors of each other that differ in class.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of remaining rows, for each class that lost rows.
    sample_indices_ : ndarray of shape (n_resampled,)
        Indices of the rows of ``X`` in the result.
    links_ : ndarray of shape (n_links, 2)
        Pairs of rows that are Tomek links in the first pass, the lower row first.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names, if the columns had names.

    References
    ----------
    Tomek, "Two modifications of CNN", 1976.
    """

    _method: ClassVar[str] = "tomek_links"
    _finds_links: ClassVar[bool] = True
