"""Balanced random forests."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import BalancedRandomForestParameters
from imbcore.ensembles._base import BaseForest

__all__ = ["BalancedRandomForestClassifier"]


class BalancedRandomForestClassifier(BalancedRandomForestParameters, BaseForest):
    """Random forest whose trees see equal numbers of rows of each class.

    Each tree is grown on a bootstrap sample of the smallest class and an equal number of rows, drawn with
    replacement, of every other class. ``predict`` returns the vote of the trees, which assumes balanced
    classes; probabilities are corrected to the class proportions of the data (``prior_correction``), so the
    prediction may differ from the most probable class. The original uses majority voting (``voting="hard"``).

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
    Chen, Liaw and Breiman, "Using Random Forest to Learn Imbalanced Data", report 666, Department of
    Statistics, University of California, Berkeley, 2004.

    Examples
    --------
    >>> from imbcore import BalancedRandomForestClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "rare", "rare", "rare"]
    >>> forest = BalancedRandomForestClassifier(random_state=0).fit(X, y)
    >>> forest.predict([[1.5], [7.8]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "balanced_random_forest"
