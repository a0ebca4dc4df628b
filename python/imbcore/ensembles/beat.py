"""Bootstrap ensembles of alpha-trees (BEAT)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from imbcore._signatures import BEATParameters
from imbcore.ensembles._base import BaseForest

__all__ = ["BEATClassifier"]


class BEATClassifier(BEATParameters, BaseForest):
    """Bootstrap ensemble of alpha-trees (BEAT).

    Each tree is grown on a bootstrap sample with the alpha-divergence and its own alpha, drawn from ``alpha /
    2 ~ Beta(a, b)``. The trees are not pruned, and the class probabilities of their leaves are averaged. The
    paper uses 30 trees with ``(a, b)`` equal to (1, 1), (1, 3) and (3, 1), whose mean alphas are 1, 0.5 and
    1.5.

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
    alphas_ : ndarray of shape (n_estimators,)
        The alpha of every tree, in (0, 2).
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the total split gain due to each feature, averaged over the trees that have a split.
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
    Park and Ghosh, "Compact Ensemble Trees for Imbalanced Data", 2012: definitions 1 and 2,
    algorithms 1 and 2.

    Examples
    --------
    >>> from imbcore import BEATClassifier
    >>> X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]
    >>> y = ["common", "common", "common", "common", "common", "rare", "rare", "rare"]
    >>> forest = BEATClassifier(random_state=0).fit(X, y)
    >>> forest.predict([[1.5], [7.8]]).tolist()
    ['common', 'rare']
    >>> len(forest.estimators_), forest.alphas_.shape
    (30, (30,))
    """

    _method: ClassVar[str] = "beat"

    @property
    def alphas_(self) -> NDArray[np.float64]:
        """The alpha of every tree."""
        return self._fitted().alphas_
