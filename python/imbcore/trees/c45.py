"""C4.5 trees."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import C45Parameters
from imbcore.trees._base import TreeClassifier

__all__ = ["C45Classifier"]


class C45Classifier(C45Parameters, TreeClassifier):
    """C4.5 decision tree, collapsed and pruned by error-based pruning.

    Splits are those of ``C44Classifier``: the best gain ratio among the splits of at least average gain, one
    branch per level of a nominal column, and rows with missing values divided fractionally over the branches.
    A subtree then becomes a leaf if it does not reduce the training errors (collapsing), or if its expected
    errors at the given confidence are not below those of a leaf. Leaves predict class frequencies.

    With a rare class the pruned tree is often a single leaf: try ``C44Classifier`` or the scores of
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
