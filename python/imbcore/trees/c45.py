"""C4.5 trees."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import C45Parameters
from imbcore.trees._base import TreeClassifier

__all__ = ["C45Classifier"]


class C45Classifier(C45Parameters, TreeClassifier):
    """C4.5 decision tree, collapsed and pruned by pessimistic limits of its errors.

    Splits are those of ``C44Classifier``: the best gain ratio among the splits of at least average gain, one
    branch for each level of a nominal column, and rows with missing values divided over the branches. A
    subtree then becomes a leaf if it makes no fewer training errors (collapsing), or if the errors to
    expect of it at the given confidence are not below those of a leaf. Leaves answer with the shares of
    their classes.

    With a rare class the pruned tree is often a single leaf: look at ``C44Classifier`` or at the scores of
    ``CARTClassifierCV`` first.

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
    Quinlan, "C4.5: Programs for Machine Learning", 1993: chapters 2 to 4.
    Quinlan, "Improved Use of Continuous Attributes in C4.5", 1996: the penalty of numeric cuts.

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
