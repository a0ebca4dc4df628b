"""Bootstrap ensembles of alpha-trees (BEAT)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from imbcore._signatures import BEATParameters
from imbcore.ensembles._base import BaseForest

__all__ = ["BEATClassifier"]


class BEATClassifier(BEATParameters, BaseForest):
    """Bootstrap ensemble of alpha-trees.

    Each tree is grown on a bootstrap sample by the alpha-divergence with an alpha of its own, drawn from
    ``alpha / 2 ~ Beta(a, b)``; the trees are not pruned, and the class probabilities of their leaves are
    averaged. The paper uses 30 trees with ``(a, b)`` of (1, 1), (1, 3) and (3, 1), whose mean alphas are 1,
    0.5 and 1.5.

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
    alphas_ : ndarray of shape (n_estimators,)
        The alpha of every tree, in (0, 2).
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
        found: NDArray[np.float64] = self._fitted().alphas_
        return found
