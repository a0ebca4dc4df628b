"""Bagged C4.5 trees."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import BaggedC45Parameters
from imbcore.ensembles._base import BaseForest

__all__ = ["BaggedC45Classifier"]


class BaggedC45Classifier(BaggedC45Parameters, BaseForest):
    """Bagged C4.5 trees.

    Each tree is an unpruned C4.5 tree with binary splits, grown on a bootstrap sample; the class frequencies
    of the leaves are averaged. Park and Ghosh use it for comparison under the name C4.5^B.

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
        The trees; each can predict and can be printed as text.
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the total split gain due to each feature, averaged over the trees.
    oob_score_ : float
        Score on out-of-bag rows, each row counted once; only with ``oob_score``.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Out-of-bag probabilities of the training rows, NaN for rows that every tree saw; only with
        ``oob_score``.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Breiman, "Bagging Predictors", Machine Learning 24, 1996.
    Quinlan, "C4.5: Programs for Machine Learning", 1993.
    Park and Ghosh, "Compact Ensemble Trees for Imbalanced Data", 2012: section 4.

    Examples
    --------
    >>> from imbcore import BaggedC45Classifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "rare", "rare", "rare"]
    >>> forest = BaggedC45Classifier(random_state=0).fit(X, y)
    >>> forest.predict([[1.5], [7.8]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "bagged_c45"
