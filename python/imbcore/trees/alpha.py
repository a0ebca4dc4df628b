"""Alpha-trees."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import AlphaTreeParameters
from imbcore.trees._base import TreeClassifier

__all__ = ["AlphaTreeClassifier"]


class AlphaTreeClassifier(AlphaTreeParameters, TreeClassifier):
    """Alpha-tree: splits by the alpha-divergence between branch and class.

    The criterion is the divergence of the joint distribution of branch and class from the product of its
    marginals. ``alpha`` selects a member of this family, from splits that keep the frequent class pure to
    splits that make the rare class precise. The tree is fully grown, and leaves predict class frequencies
    (``leaf_estimate="laplace"`` smooths them).

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
