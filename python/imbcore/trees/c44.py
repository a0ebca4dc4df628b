"""C4.4 trees."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import C44Parameters
from imbcore.trees._base import TreeClassifier

__all__ = ["C44Classifier"]


class C44Classifier(C44Parameters, TreeClassifier):
    """C4.4 decision tree: C4.5 grown for good probabilities.

    Splits are those of C4.5: the best gain ratio among the splits of at least average gain, one branch for
    each level of a nominal column, and rows with missing values divided over the branches. The tree is
    neither pruned nor collapsed, and leaves are smoothed by Laplace's rule.

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
