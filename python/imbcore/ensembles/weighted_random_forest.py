"""Weighted random forests."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import WeightedRandomForestParameters
from imbcore.ensembles._base import BaseForest

__all__ = ["WeightedRandomForestClassifier"]


class WeightedRandomForestClassifier(WeightedRandomForestParameters, BaseForest):
    """Random forest whose classes weigh alike.

    Each class weighs the same in total, in the criterion and in the leaves, so that errors on a rare class
    cost more. With ``vote="hard"`` a tree's vote counts as much as a row of its leaf weighs on average, as in
    the original.

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
    Chen, Liaw and Breiman, "Using Random Forest to Learn Imbalanced Data", report 666, Department of
    Statistics, University of California, Berkeley, 2004.

    Examples
    --------
    >>> from imbcore import WeightedRandomForestClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "rare", "rare", "rare"]
    >>> forest = WeightedRandomForestClassifier(random_state=0).fit(X, y)
    >>> forest.predict([[1.5], [7.8]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "weighted_random_forest"
