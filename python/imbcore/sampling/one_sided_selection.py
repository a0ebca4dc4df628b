"""OneSidedSelection."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import OneSidedSelectionParameters
from imbcore.sampling._base import NeighborSampler

__all__ = ["OneSidedSelection"]


class OneSidedSelection(OneSidedSelectionParameters, NeighborSampler):
    """Under-sampling by 1-NN condensation, followed by removal of Tomek links.

    First drops rows that the nearest neighbor rule classifies correctly, then the rows of the larger classes
    in Tomek links.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of remaining rows, for each class that lost rows.
    sample_indices_ : ndarray of shape (n_resampled,)
        Indices of the rows of ``X`` in the result.
    links_ : ndarray of shape (n_links, 2)
        Pairs of rows that are Tomek links, the lower row first.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names, if the columns had names.

    References
    ----------
    Kubat and Matwin, "Addressing the curse of imbalanced training sets: one-sided selection", 1997.
    """

    _method: ClassVar[str] = "one_sided_selection"
    _finds_links: ClassVar[bool] = True
