"""Trees with one feature per split: CART, C4.5, C4.4, HDDT and alpha-trees."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import (
    AlphaTreeParameters,
    C44Parameters,
    C45Parameters,
    CARTParameters,
    HDDTParameters,
)
from imbcore.trees._base import TreeClassifier

__all__ = ["AlphaTreeClassifier", "C44Classifier", "C45Classifier", "CARTClassifier", "HDDTClassifier"]


class CARTClassifier(CARTParameters, TreeClassifier):
    """CART decision tree: binary splits by the decrease of the Gini index, not pruned.

    Baseline for trees designed for rare classes. If all columns are numeric and no two splits of a node have
    equal gains, the tree equals the tree of scikit-learn's ``DecisionTreeClassifier``.

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
    Breiman, Friedman, Olshen and Stone, "Classification and Regression Trees", 1984: the Gini decrease.

    Examples
    --------
    >>> from imbcore import CARTClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "common", "rare", "rare"]
    >>> tree = CARTClassifier(random_state=0).fit(X, y)
    >>> tree.predict([[2.5], [7.5]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "cart"


class C45Classifier(C45Parameters, TreeClassifier):
    """C4.5 decision tree, collapsed and pruned by error-based pruning.

    A node uses the split with the best gain ratio among the splits of at least average gain, as
    ``C44Classifier`` does. A nominal column has one branch per level. A row with a missing value goes to all
    branches with fractions of its weight. A subtree then becomes a leaf if it does not reduce the training
    errors (collapsing), or if it reduces the expected errors at the given confidence by at most 0.1. Leaves
    predict class frequencies.

    If one class is rare, the pruned tree is often a single leaf: try ``C44Classifier`` or the scores of
    ``CARTClassifierCV`` first.

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
    Quinlan, "C4.5: Programs for Machine Learning", 1993: chapters 2 to 4.
    Quinlan, "Improved Use of Continuous Attributes in C4.5", 1996: the penalty for numeric splits.

    Examples
    --------
    >>> from imbcore import C45Classifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "common", "rare", "rare"]
    >>> tree = C45Classifier(random_state=0).fit(X, y)
    >>> tree.predict([[2.5], [7.5]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "c45"


class C44Classifier(C44Parameters, TreeClassifier):
    """C4.4 decision tree: C4.5 grown for good probability estimates.

    A node uses the split with the best gain ratio among the splits of at least average gain, as C4.5 does. A
    nominal column has one branch per level. A row with a missing value goes to all branches with fractions of
    its weight. The tree is neither pruned nor collapsed, and leaf probabilities have Laplace smoothing.

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
    Provost and Domingos, "Tree Induction for Probability-Based Ranking", 2003: C4.4.
    Quinlan, "C4.5: Programs for Machine Learning", 1993: gain ratio, average gain and missing values.

    Examples
    --------
    >>> from imbcore import C44Classifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "common", "rare", "rare"]
    >>> tree = C44Classifier(random_state=0).fit(X, y)
    >>> tree.predict([[2.5], [7.5]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "c44"


class HDDTClassifier(HDDTParameters, TreeClassifier):
    """Hellinger distance decision tree (HDDT).

    Splits maximize the Hellinger distance between the distributions of the classes over the branches, which
    does not depend on the class proportions. For more than two classes, the distance is the largest over all
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


class AlphaTreeClassifier(AlphaTreeParameters, TreeClassifier):
    """Alpha-tree: splits by the alpha-divergence between branch and class.

    The criterion is the divergence of the joint distribution of branch and class from the product of its
    marginals. ``alpha`` selects a divergence: small values prefer branches without rows of the rare class,
    and large values prefer branches with many of them. The tree is fully grown, and leaves predict class
    frequencies (``leaf_estimate="laplace"`` smooths them).

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
    Park and Ghosh, "Compact Ensemble Trees for Imbalanced Data", 2012: definitions 1 and 2, and Figure 1 for
    the choice of alpha.

    Examples
    --------
    >>> from imbcore import AlphaTreeClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "common", "rare", "rare"]
    >>> tree = AlphaTreeClassifier(random_state=0).fit(X, y)
    >>> tree.predict([[2.5], [7.5]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "alpha_tree"
