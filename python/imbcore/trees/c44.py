"""C4.4 trees."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import C44Parameters
from imbcore.trees._base import TreeClassifier

__all__ = ["C44Classifier"]


class C44Classifier(C44Parameters, TreeClassifier):
    """C4.4 decision tree: C4.5 grown for good probability estimates.

    Splits are those of C4.5: the best gain ratio among the splits of at least average gain, one branch per
    level of a nominal column, and rows with missing values divided fractionally over the branches. The tree
    is neither pruned nor collapsed, and leaf probabilities have Laplace smoothing.

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
