"""RandomUnderSampler."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import RandomUnderSamplerParameters
from imbcore.sampling._base import NativeSampler

__all__ = ["RandomUnderSampler"]


class RandomUnderSampler(RandomUnderSamplerParameters, NativeSampler):
    """Random under-sampling: larger classes are reduced to the size of the smallest.

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
    Japkowicz and Stephen, "The class imbalance problem: a systematic study", 2002.
    """

    _method: ClassVar[str] = "random_under"
