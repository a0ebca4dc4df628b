"""DuplicateOverSampler."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import DuplicateOverSamplerParameters
from imbcore.sampling._base import NativeSampler

__all__ = ["DuplicateOverSampler"]


class DuplicateOverSampler(DuplicateOverSamplerParameters, NativeSampler):
    """Deterministic over-sampling: repeats every row of a class as often as the class weight.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of added rows per class.
    sample_indices_ : ndarray of shape (n_resampled,)
        Indices of the rows of ``X`` in the result.
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
    Zhu, Li and Dunson, "Classification trees for imbalanced data: surface-to-volume regularization", 2021.
    """

    _method: ClassVar[str] = "duplicate_over"
    _adds: ClassVar[bool] = True
