"""Forests of SVR-Trees."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import SVRForestParameters
from imbcore.ensembles._base import BaseForest

__all__ = ["SVRForestClassifier"]


class SVRForestClassifier(SVRForestParameters, BaseForest):
    """Bootstrap ensemble of SVR-Trees.

    Each tree is an SVR-Tree on a bootstrap sample. The weighted class proportions of its leaves are averaged,
    and the class with the largest mean is predicted. The labels that the trees assign to their leaves affect
    their growth only. The paper has only single trees; the forest is an extension.

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
    estimators_ : sequence of imbcore.Model
        The trees; each predicts the weighted class proportions of its leaves, and can be printed as text.
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the total decrease of the weighted Gini index due to each feature, averaged over the
        trees that have a split.
    oob_score_ : float
        Score of the out-of-bag predictions of the training rows; only if ``oob_score`` is set.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Out-of-bag probabilities of the training rows; only if ``oob_score`` is set. NaN for rows that are in
        the samples of all trees, and for rows of weight 0.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Zhu, Li and Dunson, "Classification Trees for Imbalanced Data: Surface-to-Volume Regularization", Journal
    of the American Statistical Association, 2021. Breiman, "Bagging Predictors", Machine Learning 24, 1996.

    Examples
    --------
    >>> from imbcore import SVRForestClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "rare", "rare", "rare"]
    >>> forest = SVRForestClassifier(random_state=0).fit(X, y)
    >>> forest.predict([[1.5], [7.8]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "svr_forest"
