"""CART trees."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import CARTParameters
from imbcore.trees._base import TreeClassifier

__all__ = ["CARTClassifier"]


class CARTClassifier(CARTParameters, TreeClassifier):
    """CART decision tree: binary splits by the decrease of the Gini index, not pruned.

    Baseline for trees designed for rare classes. On numbers without ties it equals the tree of scikit-learn's
    ``DecisionTreeClassifier``.

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
