"""Random forests with any criterion."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import RandomForestParameters
from imbcore.ensembles._base import BaseForest

__all__ = ["RandomForestClassifier"]


class RandomForestClassifier(RandomForestParameters, BaseForest):
    """Random forest with any split criterion.

    Each tree sees a bootstrap sample of the rows, and each node a random choice of the columns; the trees are
    fully grown and their probabilities averaged. ``criterion="hellinger"`` makes it a Hellinger forest, whose
    splits do not depend on how rare a class is.

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
        The trees, each of which predicts, and writes itself as text.
    feature_importances_ : ndarray of shape (n_features,)
        Mean over the trees of each feature's share in the total gain of the splits.
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
