"""RandomUnderSampler."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import RandomUnderSamplerParameters
from imbcore.sampling._base import NativeSampler

__all__ = ["RandomUnderSampler"]


class RandomUnderSampler(RandomUnderSamplerParameters, NativeSampler):
    """Random rows of the larger classes stay, so many that the classes are equally large.

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
    Japkowicz and Stephen, "The class imbalance problem: a systematic study", 2002.
    """

    _method: ClassVar[str] = "random_under"
