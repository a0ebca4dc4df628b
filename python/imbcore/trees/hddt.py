"""Hellinger distance decision trees."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import HDDTParameters
from imbcore.trees._base import TreeClassifier

__all__ = ["HDDTClassifier"]


class HDDTClassifier(HDDTParameters, TreeClassifier):
    """Hellinger distance decision tree (HDDT).

    Splits maximize the Hellinger distance between the distributions of the classes over the branches, which
    does not depend on the class proportions. With more than two classes it is the largest distance over all
    ways to merge the classes into two groups. The tree is not pruned, and leaf probabilities have Laplace
    smoothing.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; works without scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    positive_ : label
        Positive class, to which ``threshold``, rules and scores refer.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names; only defined if all column names of ``X`` are strings.
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the total split gain due to each feature.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

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
