"""OneSidedSelection."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import OneSidedSelectionParameters
from imbcore.sampling._base import NeighborSampler

__all__ = ["OneSidedSelection"]


class OneSidedSelection(OneSidedSelectionParameters, NeighborSampler):
    """Rows that others classify go, and then those of the larger classes in Tomek links.

    Attributes
    ----------
    sampling_strategy_ : dict
        Rows that are left, of classes that lost some.
    sample_indices_ : ndarray of shape (n_resampled,)
        The rows of X of which the result consists.
    links_ : ndarray of shape (n_links, 2)
        Pairs of rows that are Tomek links, the lower row first.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, when the columns had some.

    References
    ----------
    Kubat and Matwin, "Addressing the curse of imbalanced training sets: one-sided selection", 1997.
    """

    _method: ClassVar[str] = "one_sided_selection"
    _finds_links: ClassVar[bool] = True
