"""Forests of SVR-Trees."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import SVRForestParameters
from imbcore.ensembles._base import BaseForest

__all__ = ["SVRForestClassifier"]


class SVRForestClassifier(SVRForestParameters, BaseForest):
    """Bootstrap ensemble of SVR-Trees.

    Each tree is an SVR-Tree on a bootstrap sample; the weighted class shares of its leaves are averaged, and
    the class with the largest mean is answered. The labels that the trees assign to their leaves shape their
    growth only. It is an extension: the paper has single trees.

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
    estimators_ : sequence of imbcore.Model
        The trees, each of which predicts by its leaves' weighted shares, and writes itself as text.
    feature_importances_ : ndarray of shape (n_features,)
        Mean over the trees of each feature's share in the total decrease of the weighted Gini index.
    oob_score_ : float
        Score of the rows that some tree did not see, each row counted once; only with ``oob_score``.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Answer for every training row of the trees that did not see it, NaN where all saw it; only with
        ``oob_score``.

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used.

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
