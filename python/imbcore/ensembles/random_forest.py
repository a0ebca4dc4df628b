"""Random forests with any criterion."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import RandomForestParameters
from imbcore.ensembles._base import BaseForest

__all__ = ["RandomForestClassifier"]


class RandomForestClassifier(RandomForestParameters, BaseForest):
    """Random forest with any split criterion.

    Each tree is grown on a bootstrap sample of the rows, and each node tries a random subset of the columns;
    the trees are fully grown and their probabilities averaged. ``criterion="hellinger"`` gives a Hellinger
    forest, whose splits do not depend on the class proportions.

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
    Breiman, "Random Forests", Machine Learning 45, 2001.
    Cieslak, Hoens, Chawla and Kegelmeyer, "Hellinger Distance Decision Trees Are Robust and
    Skew-insensitive", Data Mining and Knowledge Discovery 24, 2012: ensembles of Hellinger trees.

    Examples
    --------
    >>> from imbcore import RandomForestClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "rare", "rare", "rare"]
    >>> forest = RandomForestClassifier(random_state=0).fit(X, y)
    >>> forest.predict([[1.5], [7.8]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "random_forest"
