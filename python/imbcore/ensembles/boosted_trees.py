"""Boosted trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from imbcore._estimators.treelike import TreelikeClassifier
from imbcore._model.boosted import listed
from imbcore._signatures import BoostedTreesParameters
from imbcore.ensembles._warm import WarmClassifier

__all__ = ["BoostedTreesClassifier"]


class BoostedTreesClassifier(BoostedTreesParameters, WarmClassifier, TreelikeClassifier):
    """Gradient boosting of trees on histograms, with losses for rare classes.

    Each round grows a tree by the derivatives of the loss at the scores so far, on at most 255 bins a
    feature, and adds what its leaves say, times ``learning_rate``, to the scores. How many rounds there are
    follows from stratified inner folds unless it is given; the rows that these hold out also put the
    probabilities on the level of the data. Probabilities are honest under every ``objective``: those of
    classes that weigh alike are brought back to the shares of the data, what errors cost is taken off the
    odds of its rows, those of the focal loss go through the map that undoes what it does to them, and scores
    that only rank become probabilities on held-out rows.

    Parameters
    ----------
    min_samples_leaf : int or float
        Fewest rows on each side of a split. A whole number of at least 1, or a share of all rows, a float in
        (0, 1], which is rounded up to a number.
    class_weight
        Weight of every label, multiplied with ``sample_weight``; "balanced" weighs the classes inversely to
        their frequencies, and moves probabilities as ``objective="balanced"`` does not.
    random_state
        Seed of the inner folds, and of the rows and features that are drawn. Equal seeds give equal models
        whatever ``n_threads`` is.

    warm_start : bool, default=False
        Whether ``fit`` begins with the rounds of the fit before, where that had ``warm_start=True`` as well,
        and adds those that a larger ``n_rounds`` asks for; after "auto" a number may be any, since what it
        begins with is found again. Rows, labels, weights and all parameters but those of the search for the
        number of rounds must be those of that fit; the model is then, to the last bit, the one that a fit
        from nothing gives. With ``random_state=None`` the first fit draws the seed of all.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; needs no scikit-learn.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, in the type that ``y`` had.
    positive_ : label
        Positive class, which ``threshold``, ``stopping_score`` and scores speak of.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns; only defined when ``X`` had names that are all text.
    n_rounds_ : int
        Rounds; each added a tree, of more than two classes one a class.
    validation_path_ : ndarray of shape (n_rounds_looked_at,)
        Score of the rows that inner folds held out, after every round: the logarithmic loss, or the average
        precision below 0, so that lower is better; empty where the number of rounds was given.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each feature in the gain of all splits.

    Raises
    ------
    ParameterError
        From ``fit``, when a parameter leaves its domain.
    DataError
        From ``fit`` and ``predict``, when the data cannot be used.

    References
    ----------
    Friedman, "Greedy Function Approximation: A Gradient Boosting Machine", Annals of Statistics 29, 2001.
    Chen and Guestrin, "XGBoost: A Scalable Tree Boosting System", KDD 2016: Newton steps, missing values.
    Ke et al., "LightGBM: A Highly Efficient Gradient Boosting Decision Tree", NeurIPS 2017: growth by leaf.
    Burges et al., "Learning to Rank Using Gradient Descent", ICML 2005, and Gao and Zhou, "On the Consistency
    of AUC Pairwise Optimization", IJCAI 2015: the loss of pairs.
    Zadrozny, Langford and Abe, "Cost-Sensitive Learning by Cost-Proportionate Example Weighting", ICDM 2003.
    Qin, Liu and Li, "A General Approximation Framework for Direct Optimization of Information Retrieval
    Measures", Information Retrieval 13, 2010, and Brown, Xie, Kalogeiton and Zisserman, "Smooth-AP: Smoothing
    the Path Towards Large-Scale Image Retrieval", ECCV 2020: average precision by smooth ranks.
    Lin, Goyal, Girshick, He and Dollár, "Focal Loss for Dense Object Detection", ICCV 2017.
    Charoenphakdee, Vongkulbhisal, Chairatanakul and Sugiyama, "On Focal Loss for Class-Posterior Probability
    Estimation", CVPR 2021: the map from the focal loss back to probabilities.

    Examples
    --------
    >>> from imbcore import BoostedTreesClassifier
    >>> X = [[float(x), float(x % 7)] for x in range(200)]
    >>> y = ["rare" if x >= 170 or x == 30 else "common" for x in range(200)]
    >>> boosted = BoostedTreesClassifier(n_rounds=60, random_state=0).fit(X, y)
    >>> boosted.predict([[20.0, 1.0], [190.0, 3.0]]).tolist()
    ['common', 'rare']
    """

    _method: ClassVar[str] = "boosted_trees"
    _counted: ClassVar[str] = "n_rounds"
    # They say how many rounds there are, not what these are.
    _free: ClassVar[frozenset[str]] = frozenset(
        {
            "max_rounds",
            "stopping_score",
            "stopping_folds",
            "early_stopping_rounds",
            "early_stopping_min_delta",
        }
    )

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Scores that the trees add up to, before anything is made of them.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``.

        Returns
        -------
        scores : ndarray of shape (n_rows,) or (n_rows, n_classes)
            Of two classes the log-odds of the second under the ``objective``, of more the score of each.
        """
        return listed(self._ask("scores", X))

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Node number of the leaf in which every row ends, in each tree.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``.

        Returns
        -------
        leaves : ndarray of shape (n_rows, n_trees)
            Node numbers; of more than two classes the trees of a round stand side by side.
        """
        leaves: NDArray[np.int64] = self._ask("apply", X)
        return leaves

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Labels after every round, each by the same decision.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``.

        Yields
        ------
        labels : ndarray of shape (n_rows,)
            Those of the first round, of the first two, and so on; the last are those of ``predict``.
        """
        for first in self._stages():
            yield self.classes_[first._codes(X, None, self.n_threads, self.n_jobs, type(self).__name__)]

    def staged_predict_proba(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Probabilities after every round, on the level of all rounds.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``.

        Yields
        ------
        proba : ndarray of shape (n_rows, n_classes)
            Those of the first round, of the first two, and so on; the last are those of ``predict_proba``.
        """
        for first in self._stages():
            yield first.predict_proba(X, n_threads=self.n_threads, n_jobs=self.n_jobs)

    def staged_decision_function(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Scores after every round.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``.

        Yields
        ------
        scores : ndarray of shape (n_rows,) or (n_rows, n_classes)
            Those of the first round, of the first two, and so on; the last are those of
            ``decision_function``.
        """
        for first in self._stages():
            yield first.decision_function(X, n_threads=self.n_threads, n_jobs=self.n_jobs)

    def _stages(self) -> Iterator[Any]:
        """Models of the first round, of the first two, and so on."""
        model: Any = self._fitted()
        for n in range(1, self.n_rounds_ + 1):
            yield model.first_rounds(n)._by_costs(self.costs)

    def _how_many(self) -> str:
        return "n_rounds_"

    @property
    def n_rounds_(self) -> int:
        """Number of rounds; none where all rows are of one class."""
        found: int = getattr(self._fitted(), "n_rounds_", 0)
        return found

    @property
    def validation_path_(self) -> NDArray[np.float64]:
        """Score of held-out rows after every round, lower is better."""
        found: NDArray[np.float64] = getattr(self._fitted(), "validation_path_", np.empty(0))
        return found

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each feature in the total gain of the splits."""
        found: NDArray[np.float64] = self._fitted().feature_importances_
        return found
