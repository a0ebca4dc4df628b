"""Alpha-trees."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import AlphaTreeParameters
from imbcore.trees._base import TreeClassifier

__all__ = ["AlphaTreeClassifier"]


class AlphaTreeClassifier(AlphaTreeParameters, TreeClassifier):
    """Alpha-tree: splits by the alpha-divergence between branch and class.

    The divergence is that of the joint law of branch and class from the product of its margins. It is a
    family of criteria: ``alpha`` moves it from splits that keep the frequent class pure to splits that make
    the rare class precise. The tree is fully grown, and leaves answer with the shares of their classes
    (``leaf="laplace"`` smooths them).

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
