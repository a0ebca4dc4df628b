"""DuplicateOverSampler."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import DuplicateOverSamplerParameters
from imbcore.sampling._base import NativeSampler

__all__ = ["DuplicateOverSampler"]


class DuplicateOverSampler(DuplicateOverSamplerParameters, NativeSampler):
    """Every row of a class appears as often as the weight of the class says; nothing is random.

    Attributes
    ----------
    sampling_strategy_ : dict
        Rows that were added, by class.
    sample_indices_ : ndarray of shape (n_resampled,)
        The rows of X of which the result consists.
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
    Zhu, Li and Dunson, "Classification trees for imbalanced data: surface-to-volume regularization", 2021.
    """

    _method: ClassVar[str] = "duplicate_over"
    _adds: ClassVar[bool] = True
