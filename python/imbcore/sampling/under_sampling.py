"""Under-sampling, at random or by cleaning."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import (
    CondensedNearestNeighbourParameters,
    OneSidedSelectionParameters,
    RandomUnderSamplerParameters,
    TomekLinksParameters,
)
from imbcore.sampling._base import NativeSampler, NeighborSampler

__all__ = ["CondensedNearestNeighbour", "OneSidedSelection", "RandomUnderSampler", "TomekLinks"]


class RandomUnderSampler(RandomUnderSamplerParameters, NativeSampler):
    """Random under-sampling; by default, larger classes are reduced to the size of the smallest.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of remaining rows of each class from which rows were removed.
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


class CondensedNearestNeighbour(CondensedNearestNeighbourParameters, NeighborSampler):
    """Under-sampling; by default, 1-NN with the kept rows classifies all removed rows correctly.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of remaining rows of each class from which rows were removed.
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


class TomekLinks(TomekLinksParameters, NeighborSampler):
    """Removal of Tomek links: pairs of mutual nearest neighbors of different classes.

    By default, only the rows of these pairs that are not of the smallest class are removed.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of remaining rows of each class from which rows were removed.
    sample_indices_ : ndarray of shape (n_resampled,)
        Indices of the rows of ``X`` in the result.
    links_ : ndarray of shape (n_links, 2)
        Pairs of row numbers that are Tomek links in the first pass; in each pair, the lower number comes
        first.
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


class OneSidedSelection(OneSidedSelectionParameters, NeighborSampler):
    """Under-sampling by 1-NN condensation and removal of Tomek links.

    By default, the sampler first removes rows of the larger classes that the nearest neighbor rule classifies
    correctly, and then their rows that are in Tomek links.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of remaining rows of each class from which rows were removed.
    sample_indices_ : ndarray of shape (n_resampled,)
        Indices of the rows of ``X`` in the result.
    links_ : ndarray of shape (n_links, 2)
        Pairs of row numbers that are Tomek links at the step that removes them; in each pair, the lower
        number comes first.
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
