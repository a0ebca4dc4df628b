"""TomekLinks."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import TomekLinksParameters
from imbcore.sampling._base import NeighborSampler

__all__ = ["TomekLinks"]


class TomekLinks(TomekLinksParameters, NeighborSampler):
    """Ends of Tomek links go: of pairs of rows of different classes with nothing nearer to either.

    Attributes
    ----------
    sampling_strategy_ : dict
        Rows that are left, of classes that lost some.
    sample_indices_ : ndarray of shape (n_resampled,)
        The rows of X of which the result consists.
    links_ : ndarray of shape (n_links, 2)
        Pairs of rows that are Tomek links in the first pass, the lower row first.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, when the columns had some.

    References
    ----------
    Tomek, "Two modifications of CNN", 1976.
    """

    _method: ClassVar[str] = "tomek_links"
    _finds_links: ClassVar[bool] = True
