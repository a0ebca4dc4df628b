"""Extremely randomized trees with any criterion."""

from __future__ import annotations

from typing import ClassVar

from imbcore._signatures import ExtraTreesParameters
from imbcore.ensembles._base import BaseForest

__all__ = ["ExtraTreesClassifier"]


class ExtraTreesClassifier(ExtraTreesParameters, BaseForest):
    """Extremely randomized trees with any split criterion.

    A node samples some columns and for each one random split: a threshold drawn uniformly between the
    smallest and the largest value in the node, or a random subset of the levels. The best of these splits by
    ``criterion`` is used. Each tree is grown on all rows; the trees are fully grown and their probabilities
    averaged. Any other forest grows such trees with ``splitter="random"``:
    ``BalancedRandomForestClassifier(splitter="random", categorical_split="subset")`` on balanced rows.

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
    Geurts, Ernst and Wehenkel, "Extremely Randomized Trees", Machine Learning 63, 2006.

    Examples
    --------
    >>> from imbcore import ExtraTreesClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "rare", "rare", "rare"]
    >>> forest = ExtraTreesClassifier(random_state=0).fit(X, y)
    >>> forest.predict([[1.5], [7.8]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "extra_trees"
