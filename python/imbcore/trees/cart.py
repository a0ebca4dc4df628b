"""CART trees."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import CARTParameters
from imbcore.trees._base import TreeClassifier

__all__ = ["CARTClassifier"]


class CARTClassifier(CARTParameters, TreeClassifier):
    """CART decision tree: binary splits by the decrease of Gini's index, not pruned.

    The baseline to which trees made for rare classes are compared. On numbers without ties it grows the
    tree of scikit-learn's ``DecisionTreeClassifier``.

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
