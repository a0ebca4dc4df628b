"""Hellinger distance decision trees."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import HDDTParameters
from imbcore.trees._base import TreeClassifier

__all__ = ["HDDTClassifier"]


class HDDTClassifier(HDDTParameters, TreeClassifier):
    """Hellinger distance decision tree.

    A split is chosen by the Hellinger distance between the distributions of the classes over its
    branches, which does not depend on how rare a class is. With more than two classes it is the largest
    distance over all ways to merge the classes into two groups. The tree is not pruned, and leaves are
    smoothed by Laplace's rule.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; needs no scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, in the type that ``y`` had.
    positive_ : label
        Positive class, which ``threshold``, rules and scores speak of.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns; only defined when ``X`` had names that are all text.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each feature in the total gain of the splits.

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used.

    References
    ----------
    Cieslak and Chawla, "Learning Decision Trees for Unbalanced Data", 2008: the Hellinger distance as a
    splitting criterion.
    Hoens, Qian, Chawla and Zhou, "Building Decision Trees for the Multi-class Imbalance Problem", 2012:
    eq. 1 (two classes) and Algorithm 1 (more classes).
    Provost and Domingos, "Tree Induction for Probability-Based Ranking", 2003: unpruned trees with
    Laplace leaves.

    Examples
    --------
    >>> from imbcore import HDDTClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "common", "rare", "rare"]
    >>> tree = HDDTClassifier(random_state=0).fit(X, y)
    >>> tree.predict([[2.5], [7.5]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "hddt"
